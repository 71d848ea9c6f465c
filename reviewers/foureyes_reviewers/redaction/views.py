"""A text as somebody reads it who undoes its escapes, and where each character of that stands in the text."""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable, Iterator

__all__ = ["ESCAPE", "View", "character", "digits", "quickly_unescaped", "squeezed", "unescaped"]

_HEX = "[0-9A-Fa-f]"
_UNSEEN = "\x00\xad\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff"
_WIDE = "\uff01-\uff5e\U0001d400-\U0001d7ff"
_ASCII = (
    # Each branch begins with one character, which is searched fast.
    rf"\\\\{{0,3}}(?:u(?P<high>[dD][89abAB]{_HEX}{{2}})\\{{1,4}}u(?P<low>[dD][c-fC-F]{_HEX}{{2}})"
    rf"|u(?P<u>{_HEX}{{4}})|u\{{(?P<braced>{_HEX}{{1,6}})\}}|U(?P<long>{_HEX}{{8}})|x(?P<x>{_HEX}{{2}})"
    r"|(?P<octal>[0-3][0-7]{2})|(?P<itself>[\"'/]))|\\(?P<slash>\\+)"
    rf"|&(?:amp;){{0,3}}(?:\#(?:(?P<decimal>\d{{1,7}})|[xX](?P<hexadecimal>{_HEX}{{1,6}}));?"
    r"|(?P<entity>amp|lt|gt|quot|apos);)"
    rf"|%(?:25){{0,2}}(?P<percent>{_HEX}{{2}})|=(?:\r?\n|(?P<printable>[0-9A-F]{{2}}))"
)
_PLAIN = re.compile(_ASCII)
ESCAPE = re.compile(rf"{_ASCII}|(?P<unseen>[{_UNSEEN}]+)|(?P<wide>[{_WIDE}]+)")
"""An escape of one character, as JSON, programs, HTML, URLs and mail write it, once or twice over; and characters that
nobody sees, or that look like another."""
_ENTITIES = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_BASES = dict.fromkeys(("u", "x", "percent", "printable", "hexadecimal", "braced", "long"), 16)
_BASES |= {"decimal": 10, "octal": 8}
_LAST = 0x10FFFF
_INVISIBLE = re.compile(f"[{_UNSEEN}]+")
_SIGNS = tuple(map(re.compile, (r"\\[uUx]", r"\\[0-3][0-7]{2}", "&[#a-z]", f"%{_HEX}{{2}}", "=[23][0-9A-F]")))
_JOINT = re.compile(rf"[\s:,;.-]{{1,12}}|0[xX](?={_HEX})|\\{{1,4}}x")
_DIGITS = re.compile(rf"{_HEX}(?:[\s:,;.-]{{0,12}}+(?:0[xX]|\\{{1,4}}x)?{_HEX}){{11,}}+")
"""Six bytes or more in hexadecimal; a secret is not shorter."""
_JOINTS = b" \t\r\n:,;.-"


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

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where what is read from ``start`` to ``end``, one character or more, begins and ends in the text."""
        return self._at(start)[0], self._at(end - 1)[1]

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


def quickly_unescaped(text: str) -> str:
    """Return nearly what :func:`unescaped` reads, at a fraction of its cost."""
    for written, read in (("\\/", "/"), ('\\"', '"'), ("\\'", "'")):
        text = text.replace(written, read)
    if any(sign.search(text) for sign in _SIGNS):
        text = _PLAIN.sub(character, text)
    if not _is_plain(text):
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    return text


def unescaped(text: str) -> View:
    """Return the text without escapes."""
    return View(text, _PLAIN if _is_plain(text) else ESCAPE, character, 0)


def _is_plain(text: str) -> bool:
    return text.isascii() and "\x00" not in text


def squeezed(text: str) -> str:
    """Return the text, in lower case where it is ASCII, without what stands between the digits of numbers."""
    raw = text.encode("utf-8", "surrogatepass").lower().replace(b"\\x", b"").replace(b"0x", b"")
    return raw.translate(None, _JOINTS + b"\\").decode("latin-1")


def digits(text: str) -> Iterator[View]:
    """Yield the digits of each number or list of bytes in hexadecimal, in lower case and without what joins them."""
    for found in _DIGITS.finditer(text):
        yield View(found[0].lower(), _JOINT, lambda _: "", found.start())


def character(found: re.Match[str]) -> str:
    """Return the character that an escape stands for; nothing for one that nobody sees."""
    kind = found.lastgroup
    if kind is None or kind == "unseen":
        return ""
    value = found[kind]
    if kind in _BASES:
        return _numbered(int(value, _BASES[kind]), found[0])
    return _READ[kind](found)


def _numbered(code: int, written: str) -> str:
    read = chr(code) if code <= _LAST else written
    return "" if _INVISIBLE.fullmatch(read) else read


def _in_two(found: re.Match[str]) -> str:
    return chr(0x10000 + ((int(found["high"], 16) - 0xD800) << 10) + int(found["low"], 16) - 0xDC00)


_READ: dict[str, Callable[[re.Match[str]], str]] = {
    "itself": lambda found: found["itself"],
    "slash": lambda found: "\\",
    "entity": lambda found: _ENTITIES[found["entity"]],
    "wide": lambda found: unicodedata.normalize("NFKC", found["wide"]),
    "low": _in_two,
}
"""What is no number."""
