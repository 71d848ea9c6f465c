"""A text as somebody reads it who undoes its escapes, and where each character of that stands in the text."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

__all__ = ["View", "digits", "unescaped"]

_HEX = "[0-9A-Fa-f]"
_ESCAPE = re.compile(
    # A line was broken, in a text or in the JSON of one. Each branch begins with one character, which is searched fast.
    r"\n[ \t]*|\r\n?[ \t]*|\\\\{0,3}(?:(?:\r\n?|\n)[ \t]*|r\\{1,4}n|[nr])"
    rf"|\\\\{{0,3}}u(?P<high>[dD][89abAB]{_HEX}{{2}})\\{{1,4}}u(?P<low>[dD][c-fC-F]{_HEX}{{2}})"
    rf"|\\\\{{0,3}}(?:u(?P<u>{_HEX}{{4}})|u\{{(?P<braced>{_HEX}{{1,6}})\}}|U(?P<long>{_HEX}{{8}})|x(?P<x>{_HEX}{{2}}))"
    r"|\\\\{0,3}(?P<octal>[0-3][0-7]{2})"
    r"|\\\\{0,3}(?P<itself>[\"'/])|\\(?P<slash>\\)"
    rf"|&(?:amp;){{0,3}}\#(?:(?P<decimal>\d{{1,7}})|[xX](?P<hexadecimal>{_HEX}{{1,6}}));?"
    r"|&(?P<entity>amp|lt|gt|quot|apos);"
)
"""An escape of one character, as JSON, programs and HTML write it, once or twice over."""
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_BASES = {"decimal": 10, "octal": 8}
_LAST = 0x10FFFF
_JOINT = re.compile(rf"[\s:,;.-]{{1,3}}|0[xX](?={_HEX})|\\{{1,4}}x")
_DIGITS = re.compile(rf"{_HEX}(?:[\s:,;.-]{{0,3}}+(?:0[xX]|\\{{1,4}}x)?{_HEX}){{11,}}+")
"""Six bytes or more in hexadecimal; a secret is not shorter."""


class View:
    """A text in which some pieces are read as others. Takes time in proportion to the text, once."""

    def __init__(self, text: str, pieces: re.Pattern[str], read: Callable[[re.Match[str]], str], offset: int) -> None:
        """Read the pieces; ``offset`` is where the text stands in the one that spans are told of."""
        self._firsts: list[int] = []
        self._spans: list[tuple[int, int, bool]] = []
        self._length, self._read = 0, list[str]()
        place = 0
        for found in pieces.finditer(text):
            self._add(text[place : found.start()], offset + place, offset + found.start(), whole=False)
            self._add(read(found), offset + found.start(), offset + found.end(), whole=True)
            place = found.end()
        self._add(text[place:], offset + place, offset + len(text), whole=False)
        self.text = "".join(self._read)
        """What is read."""

    def span(self, place: int, length: int) -> tuple[int, int]:
        """Return where that much of what is read, one character or more, begins and ends in the text."""
        return self._at(place)[0], self._at(place + length - 1)[1]

    def _add(self, text: str, start: int, end: int, *, whole: bool) -> None:
        if text:
            self._firsts.append(self._length)
            self._spans.append((start, end, whole))
            self._read.append(text)
            self._length += len(text)

    def _at(self, place: int) -> tuple[int, int]:
        piece = bisect_right(self._firsts, place) - 1
        start, end, whole = self._spans[piece]
        if whole:
            return start, end
        start += place - self._firsts[piece]
        return start, start + 1


def unescaped(text: str) -> View | None:
    """Return the text without line breaks and escapes; None where it has none."""
    return View(text, _ESCAPE, _character, 0) if _ESCAPE.search(text) else None


def digits(text: str) -> Iterator[View]:
    """Yield the digits of each number or list of bytes in hexadecimal, in lower case and without what joins them."""
    for found in _DIGITS.finditer(text):
        yield View(found[0].lower(), _JOINT, lambda _: "", found.start())


def _character(found: re.Match[str]) -> str:
    kind, value = found.lastgroup, found[found.lastgroup or 0]
    if kind is None:
        return ""
    if kind in ("itself", "slash"):
        return value
    if kind == "entity":
        return _ENTITIES[value]
    if kind == "low":
        return chr(0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + int(value, 16) - 0xDC00)
    code = int(value, _BASES.get(kind, 16))
    return chr(code) if code <= _LAST else found[0]
