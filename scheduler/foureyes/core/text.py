"""Cutting and cleaning text: the two things that happen to every string before anybody sees it."""

from __future__ import annotations

import re

__all__ = ["clean", "cut_end", "cut_middle"]

_UNSAFE = re.compile("[\x00\ud800-\udfff]")
_MARKER_ROOM = 64
"""Characters kept free for the marker, as in the reference; the marker itself never needs more than 60."""


def clean(text: str) -> str:
    """Return the text with NUL and lone surrogates replaced, so that it can be stored, logged and sent."""
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def cut_end(text: str, limit: int) -> str:
    """Return at most ``limit`` code points from the start, never ending in half a grapheme.

    A combining mark, a variation selector or a joined emoji that straddles the limit goes as a whole.
    """
    if len(text) <= limit:
        return text
    end = limit
    while end > max(0, limit - _LONGEST_CLUSTER) and _joins(text, end):
        end -= 1
    return text[:end] if end and not _joins(text, end) else text[:limit]


def cut_middle(text: str, limit: int) -> str:
    """Return at most ``limit`` code points: head two thirds, tail one third, and a marker between them.

    The marker says how many characters are missing, in words that cannot be taken for a cut that the agent made
    itself. Where the limit leaves no room for a marker the head alone is kept; the result is never longer than
    the limit. A limit of 0 keeps nothing.
    """
    if len(text) <= limit:
        return text
    room = limit - _MARKER_ROOM
    if room < 2:
        return text[: max(limit, 0)]
    tail = room // 3
    head = room - tail
    return f"{text[:head]}{_marker(len(text) - room)}{text[len(text) - tail :]}"


def _marker(missing: int) -> str:
    return f"\n[shortened for review: {missing} characters left out]\n"


_LONGEST_CLUSTER = 16
_ZWJ = "\N{ZERO WIDTH JOINER}"
_EXTENDS = re.compile(
    "[\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed\u0900-\u0903\u093a-\u094f"
    "\u0951-\u0957\u0962\u0963\u0981-\u0983\u09bc-\u09cd\u0a01-\u0a03\u0a3c-\u0a51\u0b01-\u0b57\u0bbe-\u0bcd"
    "\u0c00-\u0c04\u0c3e-\u0c56\u0d00-\u0d03\u0d3b-\u0d4d\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u1ab0-\u1aff\u1dc0-\u1dff"
    "\u200d\u20d0-\u20ff\u3099\u309a\ufe00-\ufe0f\ufe20-\ufe2f\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"
)


def _joins(text: str, at: int) -> bool:
    return at < len(text) and (text[at - 1] == _ZWJ or _EXTENDS.match(text[at]) is not None)
