"""Where a text was cut, a secret may have been cut in half, and half of one has no form by which it could be known."""

from __future__ import annotations

import re

__all__ = ["without_halves"]

_CUT = re.compile(r"\n\[shortened for review: (\d{1,12}) characters left out\]\n")
"""The marker that :func:`foureyes.core.text.cut_middle` leaves."""
_MARKER = r"\[redacted: [a-z ]{1,40}\]"
_MARKED_BEFORE, _MARKED_AFTER = re.compile(rf"{_MARKER}\Z"), re.compile(_MARKER)
_BLANKS = " \t\n\r"
_LONGEST = 256
"""Characters of a word that are dropped; of a longer one the form is known, or it is no secret."""


def without_halves(text: str) -> str:
    """Return the text without the words that a cut went through; the marker counts them as left out, too.

    Redaction comes before any cutting, but a host may have cut already what it hands over.
    """
    kept: list[str] = []
    place = 0
    for cut in _CUT.finditer(text):
        before, after = text[place : cut.start()], text[cut.end() : cut.end() + _LONGEST]
        head, lost = _tail(before), _head(after)
        count = int(cut[1]) + head + lost
        kept += [before[: len(before) - head], _gap(head)]
        kept += [f"\n[shortened for review: {count} characters left out]\n", _gap(lost)]
        place = cut.end() + lost
    return "".join((*kept, text[place:])) if kept else text


def _tail(text: str) -> int:
    text = text[-_LONGEST:]
    return 0 if _MARKED_BEFORE.search(text) else len(text) - max(text.rfind(blank) for blank in _BLANKS) - 1


def _head(text: str) -> int:
    places = (text.find(blank) for blank in _BLANKS)
    return 0 if _MARKED_AFTER.match(text) else min((place for place in places if place >= 0), default=len(text))


def _gap(dropped: int) -> str:
    # A blank says where the word ends, so that the next redaction does not drop as much again.
    return " " if dropped == _LONGEST else ""
