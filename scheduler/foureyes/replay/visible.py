"""Making recorded text safe to show: it was written by anybody, and a terminal obeys what it is sent."""

from __future__ import annotations

import unicodedata

__all__ = ["cut", "one_line", "visible"]

_KEPT = frozenset("\n\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}")
"""Line ends, and the two invisible characters that emoji and whole scripts cannot be written without."""


def visible(text: str) -> str:
    r"""Return the text with everything that a terminal could obey, or nobody could see, spelled out.

    Control characters, escape sequences, characters that change the direction of writing, tags and lone surrogates
    become ``\x1b``, ``\u202e`` and the like. Tabs become four blanks, line ends of all systems one line feed, and
    the many kinds of blank a plain one.
    """
    plain = text.replace("\r\n", "\n").replace("\t", "    ")
    return plain if plain.isascii() and plain.isprintable() else "".join(map(_shown, plain))


def one_line(text: str) -> str:
    """Return the visible text on one line, every stretch of white space as one blank."""
    return visible(" ".join(text.split()))


def cut(text: str, limit: int) -> str:
    """Return at most ``limit`` characters, at least 1, the last of them an ellipsis where any are missing."""
    return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _shown(character: str) -> str:
    if character in _KEPT or character.isprintable():
        return character
    if unicodedata.category(character) == "Zs":
        return " "
    return character.encode("unicode_escape").decode("ascii")
