"""When two notes say the same thing.

Folding removes what never carries meaning (case, normal forms, invisible characters, markdown, list markers,
punctuation, emoji, white space) and keeps what does: comparison and negation signs, signs and decimal points of
numbers, ``C++`` and ``C#``, per cent and currency, and combining marks, which in Hindi or Thai are half the word.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from hashlib import blake2b

__all__ = ["digest", "folded"]

_KEY_CHARS = 8_000
"""Code points that are looked at when two notes are compared; what the agent reads is cut much earlier."""

_CONTROL_TOKEN = re.compile(r"<\|[^|<>]{0,40}\|>|</?s>")
_LIST_MARKER = re.compile(r"^\s*(?:[-*+•#]+|\(?\d{1,3}[.)]|\(?[a-z]\))(?=\s)", re.MULTILINE)
_INVISIBLE = ("Cf", "Cc", "Cs", "Co")


def folded(text: str) -> str:
    """Return the words and meaningful signs of the text, separated by single blanks; "" where there are none.

    Folding a folded text changes nothing. Only the first 8,000 code points count.
    """
    lowered = text[:_KEY_CHARS].casefold()
    if not lowered.isascii():
        lowered = _normal(lowered)
    lowered = _CONTROL_TOKEN.sub(" ", lowered)
    lowered = _LIST_MARKER.sub(" ", lowered)
    tokens = (_token_ascii() if lowered.isascii() else _token()).findall(lowered)
    return " ".join(tokens).replace(" %", "%")


def digest(kind: str, text: str) -> int:
    """Return a 63-bit digest of the text; equal texts of different kinds have different digests."""
    raw = blake2b(text.encode("utf-8", "replace"), digest_size=8, person=kind.encode()).digest()
    return int.from_bytes(raw, "big") >> 1


def _normal(text: str) -> str:
    # Casefold, NFKC, casefold: after NFKC alone "℡" would still fold a second time.
    text = unicodedata.normalize("NFKC", text).casefold()
    text = unicodedata.normalize("NFKC", text)
    return "".join(c for c in text if c.isascii() or unicodedata.category(c) not in _INVISIBLE)


def _pattern(word: str) -> re.Pattern[str]:
    sign = rf"(?:(?<!{word})(?<![)\]])(?:[-+](?=\d)|!))?"
    return re.compile(
        rf"{sign}{word}+(?:\.\d+)*(?:\+\+|\#)?(?:\s?%)?"  # words, 1.5, -5, !ready, c++, c#, 50%
        r"|[<>=!]=+|<>|[<>=≤≥≠]|[$€£¥]"  # comparisons, spaced or not, and currency
    )


@cache
def _token_ascii() -> re.Pattern[str]:
    return _pattern(r"[a-z0-9]")


@cache
def _token() -> re.Pattern[str]:
    return _pattern(rf"(?:[^\W_]|[{_marks()}])")


def _marks() -> str:
    # Python's re knows no \p{M}; the ranges come from the interpreter's own tables, once per process.
    ranges: list[list[int]] = []
    for point in range(0x300, sys.maxunicode + 1 if sys.maxunicode < 0x1F000 else 0x1F000):
        if unicodedata.category(chr(point))[0] == "M":
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
