"""How closed sets of words are written down: as text, one blank between two."""

from __future__ import annotations

__all__ = ["words_of"]


def words_of(text: str) -> frozenset[str]:
    """Return the words of a list in which blanks and line ends separate them."""
    return frozenset(text.split())
