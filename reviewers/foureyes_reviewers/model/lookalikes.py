"""Finding a word of ASCII letters and digits that is written with other characters that look like them.

A model takes such a copy for the word itself, so a comparison of characters is not enough.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache

__all__ = ["without"]

_ODD = re.compile(r"[^\t\n\r -~]")
_UNSEEN = ("Cf", "Cc", "Cs", "Co", "Cn", "Mn", "Me")
_FILLERS = "\u115f\u1160\u2800\u3164\uffa0"
"""Invisible, though letters and symbols by their category."""
_VISIBLE_CONTROLS = "\t\n\r"
_ALIKE = dict(zip("аɑαвьβƅсϲԁɗеεҽϝƒоοізӡб", "aaabbbbccddeeeff001336", strict=True))
"""Small letters of other alphabets that look like a hexadecimal digit."""
_OTHER = "."


def without(text: str, word: str, instead: str) -> str:
    """Return the text with ``instead`` in the place of every disguised copy of the word.

    Disguised is a copy with characters of other alphabets or forms (full width, superscript, mathematical, …) that
    read the same, with marks on its letters, or with invisible characters between them. The word has ASCII letters
    and digits only. A text of plain ASCII is returned at once; the cost is linear in the length of any other.
    """
    if not _ODD.search(text):
        return text
    plain = text.translate({ord(char): _read(char) for char in set(text)})
    word = word.casefold()
    if word not in plain:
        return text
    return "".join(_replaced(text, plain, word, instead))


def _replaced(text: str, plain: str, word: str, instead: str) -> Iterator[str]:
    origins = [place for place, char in enumerate(text) for _ in _read(char)]
    done, found = 0, plain.find(word)
    while found >= 0:
        end = found + len(word)
        yield text[done : origins[found]]
        yield instead
        done = origins[end - 1] + 1
        found = plain.find(word, end)
    yield text[done:]


@lru_cache(maxsize=8_192)
def _read(char: str) -> str:
    # What the character reads as: letters and digits, "." for anything else, nothing where it is not seen.
    if _is_unseen(char):
        return ""
    parts = (part for part in unicodedata.normalize("NFKD", char).casefold() if not _is_unseen(part))
    return "".join(map(_letter, parts))


def _letter(char: str) -> str:
    if char.isascii():
        return char if char.isalnum() else _OTHER
    digit = unicodedata.decimal(char, None)
    return str(digit) if digit is not None else _ALIKE.get(char, _OTHER)


def _is_unseen(char: str) -> bool:
    if char in _FILLERS:
        return True
    return unicodedata.category(char) in _UNSEEN and char not in _VISIBLE_CONTROLS
