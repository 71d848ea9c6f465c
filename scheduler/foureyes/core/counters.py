# ruff: noqa: RUF001 - the punctuation of other scripts is meant
"""What counts a note rather than belonging to its finding: "third reminder", "(7)", "FINAL WARNING", "as I said".

A reviewer in a loop writes one finding forty times and numbers it. What plainly counts or presses the note is removed
before two notes are compared; numbers of the finding ("row 3", "third argument", "HTTP 429") never are. Plainly means:
a stretch between two separators, or at the head of a note, that consists of such words and nothing else.
"""

from __future__ import annotations

import re
from functools import cache

from foureyes.core.folding import folded
from foureyes.core.numerals import is_roman
from foureyes.core.reminders import (
    CALL,
    DETERMINERS,
    NUMBER,
    PRESSING,
    ROLES,
    SAID,
    SHOUT,
    STILL,
    TRIGGERS,
    kinds,
    presses,
)
from foureyes.core.truncation import cut_short
from foureyes.core.wordlists import words_of

__all__ = ["cut_short", "series", "uncounted"]


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(
        r"(\s*(?:[;!?…。！？；，、\n]|[:,：](?!\d)|\.(?=\s|$)|\s[-–—~]+(?=\s)|[—–]|[()\[\]{}（）【】「」])+\s*)"
    )


_LONGEST = 96
"""Characters of a stretch that may be about the note itself."""
_SENTENCE_END = re.compile(r"[.!?…。！？\n]")
_OPENING, _CLOSING = re.compile(r"[(\[{（【「]\s*$"), re.compile(r"^\s*[)\]}）】」]")
_FIRM = re.compile(r"[:!.…—–()\[\]{}（）【】：！。\n]|\s[-~]")
"""Separators that set a head apart; a comma may be part of a list that the finding begins with."""
_ENUMERATOR = re.compile(r"\s*(?:\(?([a-z]{1,3})\)|([ivxlcdm]+)\.|([ivx]{2,})[:.)])(?=\s)", re.IGNORECASE)


@cache
def _numbered() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:[(\[]\s*#?\d{1,5}(?:\s*(?:/|of)\s*\d{1,5})?\s*[)\]]:?|#\d{1,2}\s*(?::|\s[-–—])|\d{4,5}[.)])\s+"
    )


_TRAILING = re.compile(
    r"(?<=[.!?…。！？])(?:\s+|(?=[(\[#]))[(\[]?(?:#|no\.?\s?)?\d{1,5}(?:/\d{1,5})?[)\]]?[.!]*\s*$|!+1[1!]*\s*$",
    re.IGNORECASE,
)
_SHOUTED = re.compile(r"\W*((?:[A-Z][A-Z'-]*[\s,&]+){1,8})(?=\W*[A-Z]?[a-z])")


def uncounted(text: str, fold: str | None = None) -> str:
    """Return the folded text without what counts the note itself.

    Give the text as written where there is one: a colon, a bracket or a line end is what tells "Third reminder: the
    invoice is late" from "Third reminder e-mail is late". A fold is accepted too. ``fold`` is the text's fold, where
    it is known. The result is a fold; doing this twice changes nothing; and it is empty only where the fold is. What
    is nothing but a counter stays as it is.
    """
    fold = folded(text) if fold is None else fold
    for _ in range(_ROUNDS):
        if not _suspect(text, fold):
            return fold
        # What is nothing but counters as it is written is judged once more by its words alone.
        after = _unrepeated(_without_prefix(folded(_without_stretches(text)))) or fold
        if after == text:
            return fold
        text = fold = after
    return fold


_ROUNDS = 16


def series(fold: str) -> bool:
    """Tell whether a folded text is nothing but a counter or a reminder: "ajb", "xlvi", "12", "third reminder"."""
    if len(fold) > _LONGEST:
        return False
    words = fold.split()
    if len(words) == 1 and _counter(fold):
        return True
    found = kinds(words)
    return found is not None and _presses(found, words)


def _counter(word: str) -> bool:
    # Up to three letters count to 18,278; a figure may be of any base. Capitals are folded, so the few names of a
    # defect that are as short are named.
    if word.isascii() and word.isalpha() and len(word) <= 3:
        return word not in _DEFECTS
    return is_roman(word) or _ANY_BASE.fullmatch(word) is not None


_DEFECTS = words_of("oom xss npe rce sql dos uaf")
_ANY_BASE = re.compile(r"0[xbo][0-9a-f]+|(?=\w*\d)[0-9a-z]{1,4}|\d+")


def _suspect(text: str, fold: str) -> bool:
    # Whether it is worth looking closer. Most notes are not counted, and this is all that they pay for it. A long note
    # is looked at in full only where its beginning or its end gives reason to.
    if not fold:
        return False
    words = fold.split() if len(fold) <= 2 * _END else [*fold[:_END].split(), *fold[-_END:].split()]
    first, last = words[0], words[-1]
    return (
        not TRIGGERS.isdisjoint(words)
        or not PRESSING.isdisjoint(words[:_FIRST])
        or last in _LAST
        or first in _OPENERS
        or any(map(presses, words[:2]))
        or fold[0].isdigit()
        or text[:1] in _BRACKETS
        or ((len(first) <= _LETTERS or not first.strip(_ROMAN)) and _ENUMERATOR.match(text) is not None)
        or (fold[-1].isdigit() and any(_TRAILING.search(end[-_TAIL:]) for end in (text, fold)))
        or fold.find(fold[:_HEAD], 1) > 0
    )


_END = 240
_HEAD = 24
_FIRST = 5
_TAIL = 32
_LETTERS, _ROMAN = 3, "ivxlcdm"
_BRACKETS = tuple("([{【（#")


def _without_stretches(text: str) -> str:
    text = _TRAILING.sub("", text)
    for pattern in (_numbered(), _ENUMERATOR):
        if (found := pattern.match(text)) and _plain(found):
            text = text[found.end() :]
    parts = _separator().split(_without_shouting(text))
    stretches, breaks = parts[::2], ["", *parts[1::2], ""]
    words = [folded(stretch).split() if len(stretch) <= _LONGEST else [_UNKNOWN] for stretch in stretches]
    head = _head(words, breaks)
    kept = [
        stretches[place] + breaks[place + 1]
        for place in range(head, len(stretches))
        if not words[place] or not _interrupts(words[place], breaks[place], breaks[place + 1])
    ]
    return "".join(kept)


_UNKNOWN = "\N{REPLACEMENT CHARACTER}"


def _head(words: list[list[str]], breaks: list[str]) -> int:
    # How many of the first stretches count the note: "Third, and final, warning: …" are three.
    end, so_far = 0, []
    for place, stretch in enumerate(words[:-1]):
        so_far += stretch
        if stretch and _is_persona(stretch, breaks[place], breaks[place + 1]):
            end, so_far = place + 1, []
        elif kinds(stretch) is None:
            break
        elif so_far and _heads(so_far, breaks[place + 1], words[place + 1]):
            end = place + 1
    return end


def _plain(found: re.Match[str]) -> bool:
    if found.re is not _ENUMERATOR:
        return True
    letters = (found[1] or found[2] or found[3]).lower()
    return found[1] is not None or is_roman(letters)


def _is_persona(words: list[str], before: str, after: str) -> bool:
    return words[-1] in ROLES and _OPENING.search(before) is not None and _CLOSING.match(after) is not None


def _heads(words: list[str], after: str, following: list[str]) -> bool:
    found = kinds(words)
    if found is None or not _presses(found, words):
        return False
    if _FIRM.search(after):
        return found != _NUMBERS or not "".join(words).isdigit()
    if found & {CALL, SAID} or found == _STILL_ONLY:
        return True
    return NUMBER in found and NUMBER not in (kinds(following[:1]) or ())


_NUMBERS, _STILL_ONLY = frozenset({NUMBER}), frozenset({STILL})


def _interrupts(words: list[str], before: str, after: str) -> bool:
    found = kinds(words)
    if found is None or not _presses(found, words):
        return False
    if found & {CALL, SAID} and (len(words) > 1 or words[0] in _AGAIN):
        return True
    bracketed = _OPENING.search(before) is not None and _CLOSING.match(after) is not None
    if bracketed:
        return bool(found & {CALL, SAID})
    return _SENTENCE_END.search(before) is not None and not "".join(words).isdigit()


_AGAIN = words_of(
    """
    again anew afresh nochmals nochmal erneut nuevamente novamente nuovamente opnieuw снова опять
    """
)


_UNSOLVED = words_of("still yet unresolved unaddressed unfixed")
_OPENERS = _UNSOLVED | words_of("once as comme wie como come ещё еще noch encore de por")
_LAST = PRESSING | words_of("time times mal fois vez volta раз")


def _presses(found: frozenset[str], words: list[str]) -> bool:
    # Fillers prove nothing, and what is unsolved presses only with its "still".
    if found & {CALL, SAID, SHOUT, NUMBER}:
        return True
    if STILL in found:
        return words[0] in _UNSOLVED
    return words[:2] in _ONCE_MORE


def _without_shouting(text: str) -> str:
    found = _SHOUTED.match(text)
    if not found:
        return text
    words = folded(found[1]).split()
    what = kinds(words)
    if what is None or not what & {CALL, SHOUT, NUMBER} or (len(words) == 1 and CALL not in what):
        return text
    return text[found.end(1) :]


def _without_prefix(fold: str) -> str:
    words = fold.split(" ")
    if words[0] in _ARTICLES:
        return fold
    end = 0
    for place in range(1, min(len(words), _LONGEST_PREFIX)):
        found = kinds(words[:place])
        if found is None:
            break
        if words[place] in DETERMINERS and _speaks(found, words[:place]):
            end = place
            break
    return " ".join(words[end:])


def _speaks(found: frozenset[str], words: list[str]) -> bool:
    if SAID in found:
        return any(word in _SPEAKERS for word in words)
    return words[0] in _AGAIN or (CALL in found and bool(found & {NUMBER, SHOUT})) or words[:2] in _ONCE_MORE


_ONCE_MORE = (["once", "more"], ["ещё", "раз"], ["еще", "раз"], ["noch", "einmal"], ["de", "nuevo"], ["de", "novo"])
_ARTICLES = words_of("the a an der die das le la les el il o os")
_SPEAKERS = words_of("as i we ich wie je comme como eu")
_LONGEST_PREFIX = 12


def _unrepeated(fold: str) -> str:
    # The same sentence two or more times over, and nothing else.
    period = f"{fold} ".find(fold[:_HEAD], 1)
    while 0 < period <= len(fold) // 2 + 1:
        once = fold[: period - 1]
        if " ".join([once] * ((len(fold) + 1) // period)) == fold:
            return once
        period = fold.find(fold[:_HEAD], period + 1)
    return fold
