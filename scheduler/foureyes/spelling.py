"""The known word that somebody most likely meant."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["did_you_mean", "nearest"]

_ALIKE = 0.5
"""The share of common characters from which on two words are near: TIMOUT is near TIMEOUT_SECONDS."""


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the known word that is most like this one, whatever the case; None where none is near."""
    from difflib import get_close_matches  # only for words that are not known

    folded = {candidate.casefold(): candidate for candidate in known}
    found = get_close_matches(word.casefold(), folded, n=1, cutoff=_ALIKE)
    return folded[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``; did you mean X?`` for the nearest known word, or nothing where none is near."""
    found = nearest(word, known)
    return f"; did you mean {found}?" if found else ""
