# ruff: noqa: RUF001 - the punctuation of other scripts is meant
"""What counts a note rather than belonging to its finding: "third reminder", "(7)", "FINAL WARNING", "as I said".

A reviewer in a loop writes one finding forty times and numbers it. What plainly counts or presses the note is removed
before two notes are compared; numbers of the finding ("row 3", "third argument", "HTTP 429") never are. Plainly means:
a stretch between two separators, or at the head of a note, that consists of such words and nothing else.
"""

from __future__ import annotations

import re

from foureyes.core.folding import folded
from foureyes.core.labels import LABELLING
from foureyes.core.predicates import PREDICATES
from foureyes.core.reminders import CALL, DETERMINERS, FILLER, NUMBER, PRESSING, SAID, SHOUT, TRIGGERS, kinds, presses
from foureyes.core.series import series
from foureyes.core.stretches import AGAIN, ONCE_MORE, UNSOLVED, has_enumerator, has_tail, without_stretches
from foureyes.core.truncation import cut_short
from foureyes.core.wordlists import words_of

__all__ = ["cut_short", "series", "uncounted"]


def uncounted(text: str, fold: str | None = None) -> str:
    """Return the folded text without what counts the note itself.

    Give the text as written where there is one: a colon, a bracket or a line end is what tells "Third reminder: the
    invoice is late" from "Third reminder e-mail is late". A fold is accepted too. ``fold`` is the text's fold, where
    it is known. The result is a fold; doing this twice changes nothing; and it is empty only where the fold is. What
    is nothing but a counter stays as it is.
    """
    text = text[:_MOST_CHARS]
    fold = folded(text) if fold is None else fold
    for _ in range(_ROUNDS):
        if not _suspect(text, fold):
            return fold
        # What is nothing but counters as it is written is judged once more by its words alone.
        after = _unrepeated(_without_prefix(folded(without_stretches(text)))) or fold
        if after == text:
            return fold
        text = fold = after
    return fold


_ROUNDS = 16
_MOST_CHARS = 8_000
"""As many as folding looks at."""


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
        or (first in LABELLING and _LABELLED.search(text[:_LABEL]) is not None)
        or presses(first)
        or fold[0].isdigit()
        or text[:1] in _BRACKETS
        or ((len(first) <= _LETTERS or not first.strip(_ROMAN)) and has_enumerator(text))
        or (fold[-1].isdigit() and (has_tail(text) or has_tail(fold)))
        or fold.find(fold[:_HEAD], 1) > 0
    )


_END, _LABEL = 240, 40
_LABELLED = re.compile(r"[:：—–]|\s-|\.\s")
_HEAD = 24
_FIRST = 5
_OPENERS = UNSOLVED | words_of(
    """once as comme wie como come ещё еще noch encore de por zum zur am pour like told please same you this why very
    gentle friendly quick high most fyi one it for just note"""
)
_LAST = PRESSING | words_of("time times mal fois vez volta раз yet fixed addressed resolved answered handled open now")
_LETTERS, _ROMAN = 3, "ivxlcdm"
_BRACKETS = tuple("([{【（#")


def _without_prefix(fold: str) -> str:
    words = fold.split(" ")
    if words[0] in _ARTICLES:
        return fold
    end = 0
    for place in range(1, min(len(words) - 1, _LONGEST_PREFIX)):
        found = kinds(words[:place])
        if found is None:
            break
        if words[place] in _THAT and _says_that(found, words[:place], words[place + 1]):
            return " ".join(words[place + 1 :])
        if not end and words[place] in DETERMINERS and _speaks(found, words[: place + 1]):
            end = place
    return " ".join(words[end:])


def _says_that(found: frozenset[str], lead: list[str], first: str) -> bool:
    # A sentence goes on where no subject follows: "reminder that expires" is about a reminder.
    told = CALL in found or (SAID in found and not _SPEAKERS.isdisjoint(lead)) or lead in _NOTE
    return told and first in _SUBJECTS and first not in _THAT


def _speaks(found: frozenset[str], words: list[str]) -> bool:
    *lead, first = words
    if SAID in found:
        return any(word in _SPEAKERS for word in lead)
    return lead[0] in AGAIN or lead[:2] in ONCE_MORE or (_is_numbered_call(found, lead) and first in _SUBJECTS)


def _is_numbered_call(found: frozenset[str], lead: list[str]) -> bool:
    # A reminder governs no verb: "alert 12 has no owner" and "warning 3 is the wrong one" are about the product.
    return CALL in found and bool(found & {NUMBER, SHOUT}) and kinds(lead[-1:]) != _FILLER_ONLY


_ARTICLES = words_of("the a an der die das le la les el il o os")
_FILLER_ONLY = frozenset({FILLER})
_SUBJECTS = DETERMINERS - words_of("a all no every each as o l un um uma une") - PREDICATES
"""What a sentence begins with, and hardly goes on with."""
_THAT = words_of("that dass daß que qu che что at dat że")
_NOTE = (["note"], ["please", "note"], ["just", "note"])
_SPEAKERS = words_of("as i we ich wie je comme como eu")
_LONGEST_PREFIX = 14


def _unrepeated(fold: str) -> str:
    # The same sentence two or more times over, and nothing else.
    size = len(fold) + 1
    period = fold.find(fold[:_HEAD], 1)
    while 0 < period <= size // 2:
        once = fold[: period - 1]
        if size % period == 0 and fold.endswith(once) and " ".join([once] * (size // period)) == fold:
            return once
        period = fold.find(fold[:_HEAD], period + 1)
    return fold
