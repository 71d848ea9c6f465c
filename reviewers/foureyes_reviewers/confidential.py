"""What nobody may read of how an endpoint is asked: the key, and what its address has behind the host.

Some gateways take the key as a part of the path. It has no form that it could be known by, and whoever answers may
quote it, in whole or in pieces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import quote, unquote, urlsplit

__all__ = ["NOTHING", "Confidential"]

PIECE = 8
"""Letters and digits in a row that are no chance."""
_NEARLY = 0.75
"""Of a key in order, how much of it tells the whole, whatever stands in between."""
_HIDDEN = "(not shown)"
_ORDINARY = frozenset(
    """
    ai anthropic api apis beta chat compatible-api compatible-mode completions deployments endpoints engines gateway
    inference llm messages models openai openai-compatible paas projects proxy publishers review reviews serving
    serving-endpoints
    """.split()  # noqa: SIM905 - a list is read down, a text across
)
"""Parts of a path that say which API it is."""
_VERSION = re.compile(r"v\d{1,3}(?:(?:alpha|beta)\d{0,3})?")
_MARKS = re.compile(r"[\W_]+")


class Confidential:
    """The key and the address of one endpoint."""

    def __init__(self, address: str = "", key: str = "") -> None:
        parts = urlsplit(address)
        told = [part for part in parts.path.split("/") if part and not _is_ordinary(part)]
        hidden = bool(told or parts.query)
        self._spelt = tuple(sorted(set(_spellings(parts.path, parts.query)), key=len, reverse=True)) if hidden else ()
        whole = ("".join(told), *told, parts.query, parts.username or "", parts.password or "", key)
        self._whole = tuple(
            {plain for part in whole for text in (part, unquote(part)) if len(plain := _plain(text)) >= PIECE}
        )
        self._pieces = frozenset(text[at : at + PIECE] for text in self._whole for at in range(len(text) - PIECE + 1))

    def is_in(self, text: str) -> bool:
        """Tell whether a piece of at least 8 letters and digits is in the text, whatever marks stand between them."""
        plain = _plain(text) if self._pieces else ""
        return any(plain[at : at + PIECE] in self._pieces for at in range(len(plain) - PIECE + 1))

    def is_told_in(self, text: str) -> bool:
        """Tell whether a short text has such a piece, or most of the whole with other letters in between."""
        plain = _plain(text)
        return self.is_in(text) or any(_is_nearly(whole, plain) for whole in self._whole)

    def without(self, text: str) -> str:
        """Return the text without the address behind the host; where a piece of anything is left, nothing of it."""
        for spelling in self._spelt:
            text = text.replace(spelling, f"/{_HIDDEN}")
        return "(not shown: a part of the address or of the key is in it)" if self.is_in(text) else text


def _is_ordinary(part: str) -> bool:
    return part.casefold() in _ORDINARY or _VERSION.fullmatch(part.casefold()) is not None


def _spellings(path: str, query: str) -> Iterator[str]:
    path = path.rstrip("/")
    for spelt in (path, unquote(path), quote(path), quote(unquote(path)), quote(path, safe="/%")):
        yield spelt + (f"?{query}" if query else "")
        if any(part and not _is_ordinary(part) for part in spelt.split("/")):
            yield spelt


def _plain(text: str) -> str:
    return _MARKS.sub("", text).casefold()


def _is_nearly(whole: str, text: str) -> bool:
    width = 2 * len(whole)
    windows = (text[at : at + width] for at in range(0, max(1, len(text) - len(whole)), max(1, len(whole) // 2)))
    return any(_in_common(whole, window) >= _NEARLY * len(whole) for window in windows)


def _in_common(one: str, other: str) -> int:
    """Return how many characters the two have in the same order, at most."""
    row = [0] * (len(other) + 1)
    for char in one:
        before = 0
        for place, against in enumerate(other, 1):
            before, row[place] = row[place], before + 1 if char == against else max(row[place], row[place - 1])
    return row[-1]


NOTHING = Confidential()
"""Nothing is known that would have to be kept."""
