"""When two notes say the same thing.

Folding removes what never carries meaning (case, normal forms, invisible characters, markdown, list and quotation
markers, punctuation, emoji, white space) and keeps what does: comparison and negation signs, signs and decimal points
of numbers, ``C++`` and ``C#``, per cent and currency, and combining marks, which in Hindi or Thai are half the word.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache
from hashlib import blake2b

__all__ = ["digest", "folded"]

_KEY_CHARS = 8_000
"""Code points that are looked at when two notes are compared; what the agent reads is cut much earlier."""

_CONTROL_TOKEN = re.compile(r"<\|[^|<>]{0,40}\|>|</?s>")
_AMOUNT = r"[-+.$¢£¥\u20a0-\u20cf \t]*\d"
"""Before one of these a leading ">" is a comparison ("> 5 rows are lost"), before anything else a quotation."""
_LINE_MARKERS = re.compile(
    rf"^(?:[ \t]*(?:>(?!{_AMOUNT}|=)|(?:[-*+•#]+|\(?\d{{1,3}}[.)]|\(?[a-z]\))(?=[ \t])))+", re.MULTILINE
)
_LEADING_QUOTE = re.compile(rf"^(?:>(?: |$))+(?!{_AMOUNT})")
_UNSEEN = ("Cf", "Cc", "Cs", "Co", "Me")
_IGNORABLE = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0\ufe00-\ufe0f\U000e0100-\U000e01ef]+"  # fillers, selectors
)
_ONE_SPELLING = str.maketrans({"≤": "<=", "≥": ">=", "≠": "!=", "\N{MINUS SIGN}": "-"})


def folded(text: str) -> str:
    """Return the words and meaningful signs of the text, separated by single blanks; "" where there are none.

    Folding a folded text changes nothing. Only the first 8,000 code points count, and the fold is no longer.
    """
    text = text[:_KEY_CHARS]
    text = text.lower() if text.isascii() else _normal(text)
    text = _LINE_MARKERS.sub(" ", _CONTROL_TOKEN.sub(" ", text))
    tokens = (_token_ascii() if text.isascii() else _token()).findall(text)
    words = " ".join(tokens).split()
    return _LEADING_QUOTE.sub("", _bounded(" ".join(words).replace(" %", "%")))


def digest(kind: str, text: str) -> int:
    """Return a 63-bit digest of the text; equal texts of different kinds have different digests."""
    raw = blake2b(text.encode("utf-8", "replace"), digest_size=8, person=kind.encode()).digest()
    return int.from_bytes(raw, "big") >> 1


def _normal(text: str) -> str:
    # Invisible characters go first: a mark may only meet its letter once they are gone. NFKC before casefold puts
    # marks in order and spells "℡" out, NFKC after it joins what casefold took apart.
    text = _IGNORABLE.sub("", _MARK_RUN.sub(_shortened, text) if len(text) > _LONG else text)
    text = "".join(c for c in text if c.isascii() or unicodedata.category(c) not in _UNSEEN)
    text = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return text.translate(_ONE_SPELLING)


_LONG = 512
_MARK_RUN = re.compile(
    "[\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u064b-\u065f\u0900-\u0903\u093a-\u094f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]{33,}"
)
"""Putting a run of marks in order costs the square of its length; no word of any script needs more than 32."""


def _shortened(run: re.Match[str]) -> str:
    return run[0][:32]


def _bounded(fold: str) -> str:
    # Whole tokens only, or half of one would fold once more.
    if len(fold) <= _KEY_CHARS:
        return fold
    whole = fold[: _KEY_CHARS + 1].rpartition(" ")[0]
    return whole or fold[:_KEY_CHARS].rstrip(".+")


def _pattern(word: str, run: str) -> re.Pattern[str]:
    sign = rf"(?:\+(?=\.?\d)|(?<!{word})(?:(?<![)\]])-(?=\.?\d)|(?<![)\]!])!)|)"
    point = rf"(?:(?<!{word})(?<!\.)\.(?=\d)|)"
    return re.compile(
        rf"{sign}{point}{run}(?:\.\d+)*(?:\+\+|\#)?(?:\s?%)?"  # words, 1.5, -.5, n +1, !ready, c++, c#, 50%
        r"|[<>=!]=+|<>|[<>=±\u2208-\u220d\u2242-\u228b]|[$¢£¥\u20a0-\u20cf]"  # comparisons and currency
    )


@cache
def _token_ascii() -> re.Pattern[str]:
    return _pattern("[a-z0-9]", "[a-z0-9]+")


@cache
def _token() -> re.Pattern[str]:
    marks = f"[{_marks()}]"
    return _pattern(rf"(?:[^\W_]|{marks})", rf"[^\W_]+(?:{marks}[^\W_]*)*")


def _marks() -> str:
    # Python's re knows no \p{M}; the ranges come from the interpreter's own tables, once per process.
    ranges: list[list[int]] = []
    for point in range(0x300, 0x1F000):
        if unicodedata.category(chr(point)) in ("Mn", "Mc"):
            if ranges and ranges[-1][1] == point - 1:
                ranges[-1][1] = point
            else:
                ranges.append([point, point])
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)
