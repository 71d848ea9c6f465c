"""A text, and what is asked of it again and again."""

from __future__ import annotations

import re
from typing import NamedTuple

__all__ = ["Look", "look"]

_LONG_WORD = re.compile(r"[A-Za-z0-9_.~+/$:-]{16,}")
_LOWERED_TO_TWO = "\N{LATIN CAPITAL LETTER I WITH DOT ABOVE}"


class Look(NamedTuple):
    """A text that secrets are looked for in."""

    text: str
    """The text itself."""
    low: str
    """The same in lower case, with every character at its place."""
    words: str
    """The words of 16 characters and more, one a line: tokens are such, and ordinary texts have few."""


def look(text: str) -> Look:
    """Return the text, ready to be searched."""
    low = text.replace(_LOWERED_TO_TWO, "i").lower()
    return Look(text, low, "\n".join(_LONG_WORD.findall(text)))
