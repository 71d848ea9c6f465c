"""From a few characters of a secret to all that stands around them."""

from __future__ import annotations

import re
from itertools import takewhile
from operator import eq

from foureyes_reviewers.redaction.lines import BREAK_REACH, is_gap
from foureyes_reviewers.redaction.needles import Needle
from foureyes_reviewers.redaction.views import ESCAPE, character

__all__ = ["grown"]

_CERTAIN = 6
"""Characters that are no chance behind the end of a line."""
_ESCAPE_BEFORE = re.compile(rf"(?:{ESCAPE.pattern})\Z")
_LONGEST_ESCAPE = 14


def grown(text: str, start: int, end: int, needle: Needle, offset: int) -> tuple[int, int] | None:
    """Return the piece of the text around ``start`` to ``end`` that is of the needle, if it tells enough of it.

    What is there already stands at ``offset`` in the needle. Escapes, ends of lines and what stands in front of
    quoted lines do not end the piece.
    """
    end, last = _right(text, end, needle.text, offset + end - start)
    start, first = _left(text, start, needle.text, offset)
    return _with_ends(text, start, end, needle, first, last) if needle.is_telling(first, last) else None


def _with_ends(text: str, start: int, end: int, needle: Needle, first: int, last: int) -> tuple[int, int]:
    if needle.before and not first and text[max(0, start - 1) : start] in needle.alphabet:
        start = max(0, start - 1)
    if needle.alphabet and last == len(needle.text):
        end += bool(needle.after and end < len(text) and text[end] in needle.alphabet)
        end += len(text[end : end + 6]) - len(text[end : end + 6].lstrip("=")) if needle.after else 0
    return start, end


def _right(text: str, place: int, wanted: str, at: int) -> tuple[int, int]:
    while at < len(wanted):
        same = _same(text[place : place + len(wanted) - at], wanted[at:])
        place, at = place + same, at + same
        if at == len(wanted):
            break
        behind = _escaped_right(text, place, wanted, at) or _gap_right(text, place, wanted, at)
        if behind is None:
            break
        place, at = behind
    return place, at


def _escaped_right(text: str, place: int, wanted: str, at: int) -> tuple[int, int] | None:
    found = ESCAPE.match(text, place)
    if found is None:
        return None
    read = character(found)
    return (found.end(), at + len(read)) if wanted.startswith(read, at) else None


def _gap_right(text: str, place: int, wanted: str, at: int) -> tuple[int, int] | None:
    rest = wanted[at : at + _CERTAIN]
    behind = text.find(rest, place, place + BREAK_REACH + len(rest))
    if behind > place and is_gap(text, place, behind, sure=len(rest) == _CERTAIN):
        return behind, at
    return None


def _left(text: str, place: int, wanted: str, at: int) -> tuple[int, int]:
    while at:
        before = text[max(0, place - at) : place][::-1]
        same = _same(before, wanted[:at][::-1])
        place, at = place - same, at - same
        ahead = (_escaped_left(text, place, wanted, at) or _gap_left(text, place, wanted, at)) if at else None
        if ahead is None:
            break
        place, at = ahead
    return place, at


def _escaped_left(text: str, place: int, wanted: str, at: int) -> tuple[int, int] | None:
    found = _ESCAPE_BEFORE.search(text, max(0, place - _LONGEST_ESCAPE), place)
    if found is None:
        return None
    read = character(found)
    return (found.start(), at - len(read)) if wanted.endswith(read, 0, at) else None


def _gap_left(text: str, place: int, wanted: str, at: int) -> tuple[int, int] | None:
    rest = wanted[max(0, at - _CERTAIN) : at]
    before = text.rfind(rest, max(0, place - BREAK_REACH - len(rest)), place)
    if 0 <= before < place - len(rest) and is_gap(text, before + len(rest), place, sure=len(rest) == _CERTAIN):
        return before + len(rest), at
    return None


def _same(one: str, other: str) -> int:
    return len(one) if one == other else sum(takewhile(bool, map(eq, one, other)))
