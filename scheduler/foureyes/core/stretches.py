# ruff: noqa: RUF001 - the punctuation of other scripts is meant
"""Stretches of a note: what stands between two separators, and counts or presses the note where all of it does.

What a stretch may do depends on its place. At the head of a note a number and a colon are enough; further on it takes a
reminder or a reference to what was said, and after a full stop a number.
"""

from __future__ import annotations

import re
from functools import cache

from foureyes.core.folding import folded
from foureyes.core.labels import is_label
from foureyes.core.numerals import is_roman
from foureyes.core.predicates import PREDICATES
from foureyes.core.reminders import CALL, NUMBER, ROLES, SAID, SHOUT, STILL, kinds
from foureyes.core.wordlists import words_of

__all__ = ["AGAIN", "LONGEST", "ONCE_MORE", "UNSOLVED", "has_enumerator", "has_tail", "nags", "without_stretches"]


@cache
def _separator() -> re.Pattern[str]:
    return re.compile(
        r"(\s*(?:[;!?…。！？；，、\n]|[:,：](?!\d)|\.(?=\s|$)|\s[-–—~]+(?=\s)|[—–]|[()\[\]{}（）【】「」\u2600-\u27bf\U0001f300-\U0001faff]\ufe0f?)+\s*)"
    )


LONGEST = 96
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
    r"(?<=[.!?…。！？])\s*(?:[(\[](?:#|no\.?\s?)?\d{1,5}(?:/\d{1,5})?[)\]]|#\d{1,5}|no\.?\s?\d{1,5}|\d{1,5}/\d{1,5}"
    r"|[(\[]?[x×]\s?\d{1,3}[)\]]?)[.!]*\s*$"
    r"|!+1[1!]*\s*$",
    re.IGNORECASE,
)
"""A number that stands alone after a sentence may be the value that it speaks of: "The port is wrong. 8080"."""
_SET_APART = re.compile(r"[^\w\s`'\"($<]")
_SHOUTED = re.compile(r"\W*((?:[A-Z][A-Z'-]*[\s,&]+){1,8})(?=\W*[A-Z]?[a-z])")


AGAIN = words_of("again anew afresh nochmals nochmal erneut nuevamente novamente nuovamente opnieuw снова опять")
"""Words that say by themselves that a note was there before."""
UNSOLVED = words_of("still yet unresolved unaddressed unfixed")
"""With one of these a reminder begins that a finding is unsolved."""
ONCE_MORE = (["once", "more"], ["ещё", "раз"], ["еще", "раз"], ["noch", "einmal"], ["de", "nuevo"], ["de", "novo"])
_LIKE, _EARLIER = words_of("as same like"), words_of("before above earlier already previously")
_TIMES = words_of("time times mal fois vez volta раз")
_BLANKS = re.compile(r"[^\S\n]+")
_TAIL = 32
"""Characters at the end of a note in which a number may count it."""


def has_enumerator(text: str) -> bool:
    """Tell whether a text begins with a Roman number or letters as a list does: "iv. …", "aa) …"."""
    return _ENUMERATOR.match(text) is not None


def has_tail(text: str) -> bool:
    """Tell whether a text ends in a number after its last sentence, or in "!!1"."""
    return _TRAILING.search(text[-_TAIL:]) is not None


def without_stretches(text: str) -> str:
    """Return the text as written without the stretches that count or press the note."""
    text = _BLANKS.sub(" ", text[:-_TAIL]) + _TRAILING.sub("", _BLANKS.sub(" ", text[-_TAIL:]))
    for pattern in (_numbered(), _ENUMERATOR):
        if (found := pattern.match(text)) and _plain(found):
            text = text[found.end() :]
    parts = _separator().split(_without_shouting(text))
    stretches, breaks = parts[::2], ["", *parts[1::2], ""]
    words = [
        folded(stretch).split() if len(stretch) <= LONGEST and place < _MOST else [_UNKNOWN]
        for place, stretch in enumerate(stretches)
    ]
    head = _head(words, breaks)
    kept = [
        stretches[place] + breaks[place + 1]
        for place in range(head, len(stretches))
        if not words[place] or not _interrupts(words[place], breaks[place], breaks[place + 1])
    ]
    return "".join(kept)


_UNKNOWN = "\N{REPLACEMENT CHARACTER}"
_MOST = 64
"""Stretches that are looked at: a bound on the time that a note made of separators can take."""


def _head(words: list[list[str]], breaks: list[str]) -> int:
    # How many of the first stretches count the note: "Third, and final, warning: …" are three.
    end, so_far = 0, []
    for place, stretch in enumerate(words[:-1]):
        so_far += stretch
        if stretch and _names_the_note(stretch, breaks[place], breaks[place + 1]):
            end, so_far = place + 1, []
        elif kinds(stretch) is None:
            break
        elif so_far and _heads(so_far, breaks[place + 1], words[place + 1]):
            end = place + 1
    return end


def _plain(found: re.Match[str]) -> bool:
    following = folded(found.string[found.end() : found.end() + _TAIL]).partition(" ")[0]
    if following in PREDICATES:
        return False  # "[3] is out of range", "xi: is not bound"
    if found.re is not _ENUMERATOR:
        return True
    letters = (found[1] or found[2] or found[3]).lower()
    return found[1] is not None or is_roman(letters)


def _names_the_note(words: list[str], before: str, after: str) -> bool:
    if _is_persona(words, before, after):
        return True
    return _LABEL_END.match(after) is not None and is_label(words) and _OPENING.search(before) is None


_LABEL_END = re.compile(r"\s*[:：—–]|\s-|\.\s")


def _is_persona(words: list[str], before: str, after: str) -> bool:
    return words[-1] in ROLES and _OPENING.search(before) is not None and _CLOSING.match(after) is not None


def _heads(words: list[str], after: str, following: list[str]) -> bool:
    found = kinds(words)
    if found is None or not nags(found, words):
        return False
    if _FIRM.search(after):
        return found != _NUMBERS or not "".join(words).isdigit()
    if found & {CALL, SAID} or found == _STILL_ONLY:
        return True
    return NUMBER in found and NUMBER not in (kinds(following[:1]) or ())


_NUMBERS, _STILL_ONLY = frozenset({NUMBER}), frozenset({STILL})


def _interrupts(words: list[str], before: str, after: str) -> bool:
    found = kinds(words)
    if found is None or not nags(found, words):
        return False
    if found & {CALL, SAID} and (len(words) > 1 or words[0] in AGAIN):
        return True
    bracketed = _OPENING.search(before) is not None and _CLOSING.match(after) is not None
    if bracketed:
        return bool(found & {CALL, SAID}) or (NUMBER in found and words[-1] in _TIMES)
    return _SENTENCE_END.search(before) is not None and not "".join(words).isdigit()


def nags(found: frozenset[str], words: list[str]) -> bool:
    """Tell whether words of these kinds, and no other, count or press a note.

    Fillers prove nothing, and what is unsolved presses only with its "still".
    """
    if found & {CALL, SAID, SHOUT, NUMBER}:
        return True
    if STILL in found:
        return not UNSOLVED.isdisjoint(words)
    return words[:2] in ONCE_MORE or (words[0] in _LIKE and words[-1] in _EARLIER)


def _without_shouting(text: str) -> str:
    found = _SHOUTED.match(text)
    if not found:
        return text
    words = folded(found[1]).split()
    what = kinds(words)
    if (
        what is None
        or not what & {CALL, SHOUT, NUMBER}
        or (len(words) == 1 and CALL not in what and not _SET_APART.match(text, found.end(1)))
    ):
        return text
    return text[found.end(1) :]
