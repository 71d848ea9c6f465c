"""Cutting, cleaning and redacting text: what happens to every string before anybody sees it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable
from typing import TypeAlias

__all__ = ["Redact", "clean", "cut_end", "cut_middle", "cut_redacted", "one_line", "start_redacted", "unredacted"]

Redact: TypeAlias = Callable[[str], str]
"""Returns a text without the secrets in it. Must not raise, but to give up what the text is for."""
_AROUND_CUT = 8_192
"""Characters beyond a cut that are redacted with what is kept: more than secrets have. A private key of 4,096 bits has
3,300, twice that where every line of it is quoted or escaped."""

_MARKED = re.compile(r"\n\[shortened for review: (\d{1,12}) characters left out\]\n")
_MARKER_START = "\n[shortened for review: "
_MOST_MARKERS = 16
"""Beginnings of a marker that are looked at; more that are none have never been seen but in an attack."""
_MARKED_WITHIN = 65_536
"""Characters behind the new cut in which an earlier one is looked for: nobody cuts to much more than we do, and to read
megabytes for it takes longer than all the rest of a review."""
_UNSAFE = re.compile("[\x00\ud800-\udfff]")
_LINE_FROM = 8_192
"""Characters of a text without secrets that a line is made of: what comes later would hardly be shown."""
_MARKER_ROOM = 64
"""Characters kept free for the marker, as in the reference; the marker itself never needs more than 60."""


def clean(text: str) -> str:
    """Return the text with NUL and lone surrogates replaced, so that it can be stored, logged and sent."""
    if text.isascii() and "\x00" not in text:
        return text
    return _UNSAFE.sub("\N{REPLACEMENT CHARACTER}", text)


def cut_end(text: str, limit: int) -> str:
    """Return at most ``limit`` code points from the start, not ending in half a grapheme.

    A letter with its marks, a Hangul syllable, a flag, a joined emoji or a line end that straddles the limit goes as
    a whole. Only where nothing else would be left, or where marks are piled higher than any writing system needs, is
    it cut through. A limit of 0 keeps nothing.
    """
    limit = max(limit, 0)
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
    return f"{text[:head]}{_marker(_whole(text, head) - room)}{text[len(text) - tail :]}"


def unredacted(text: str) -> str:
    """Return the text as it is."""
    return text


def cut_redacted(text: str, limit: int, redact: Redact) -> str:
    """Return what is left of the text without secrets, cut in the middle as :func:`cut_middle` does.

    Redacted before it is cut, for half of a secret has no form; of a very long text only what is kept, and enough
    around it, is looked at.
    """
    if redact is unredacted or len(text) <= 2 * (limit + _AROUND_CUT):
        return cut_middle(redact(text), limit)
    room = max(limit - _MARKER_ROOM, 0)
    tail = room // 3
    # What stood at the cut may be half of a secret, and has moved to where secrets before it have become shorter.
    head = redact(text[: room - tail + _AROUND_CUT])[:-_AROUND_CUT][: room - tail]
    end = redact(text[-(tail + _AROUND_CUT) :])[_AROUND_CUT:][-tail:] if tail else ""
    return f"{head}{_marker(len(text) - room)}{end}"[: max(limit, 0)]


def start_redacted(text: str, limit: int, redact: Redact, *, whole: bool = True) -> str:
    """Return at most ``limit`` characters of the start of what is left of the text without secrets.

    ``whole`` is False where the text has itself been cut at its end, so that half of a secret may stand there: then
    the last 4,096 characters are left out.
    """
    if whole and len(text) <= limit + _AROUND_CUT:
        return redact(text)[: max(limit, 0)]
    return redact(text[: limit + _AROUND_CUT])[:-_AROUND_CUT][: max(limit, 0)]


def one_line(text: str, limit: int, redact: Redact, *, whole: bool = True) -> str:
    """Return the text on one line of at most ``limit`` code points, cleaned and without secrets.

    Redacted before blanks are collapsed, for what is cut may be moved to the front by that. ``whole`` is as for
    :func:`start_redacted`.
    """
    start = start_redacted(text, max(limit, _LINE_FROM), redact, whole=whole)
    return cut_end(clean(" ".join(start.split())), limit)


def _whole(text: str, head: int) -> int:
    # What was cut before is cut again: what was left out then is still missing, and its marker was never part of it.
    earlier = _earlier(text, head)
    return len(text) if earlier is None else len(text) - len(earlier[0]) + int(earlier[1])


def _earlier(text: str, start: int) -> re.Match[str] | None:
    # An expression alone would take milliseconds for a text that is nothing but line ends.
    end = start + _MARKED_WITHIN
    for _ in range(_MOST_MARKERS):
        start = text.find(_MARKER_START, start, end)
        found = _MARKED.match(text, start) if start >= 0 else None
        if start < 0 or found:
            return found
        start += 1
    return None


def _marker(missing: int) -> str:
    return f"\n[shortened for review: {missing} characters left out]\n"


_LONGEST_CLUSTER = 32
"""Code points. The longest emoji in use (a kiss of two people with skin tones) has ten."""
_MARKS = ("Mn", "Mc", "Me")
_ZWJ = "\N{ZERO WIDTH JOINER}"
_EXTENDS = re.compile(
    "[\u200c\u200d\u1160-\u11ff\ud7b0-\ud7fb\U0001f3fb-\U0001f3ff\U000e0020-\U000e007f]"  # Hangul, skin tones, tags
)


def _joins(text: str, at: int) -> bool:
    before, after = text[at - 1], text[at]
    if before == _ZWJ or _EXTENDS.match(after) or unicodedata.category(after) in _MARKS:
        return True
    return before + after == "\r\n" or _halves_flag(text, at)


def _halves_flag(text: str, at: int) -> bool:
    start = at
    while start and _regional(text[start - 1]):
        start -= 1
    return _regional(text[at]) and (at - start) % 2 == 1


def _regional(char: str) -> bool:
    return "\U0001f1e6" <= char <= "\U0001f1ff"
