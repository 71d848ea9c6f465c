"""Which earlier note a note resembles. Resemblance flags and ranks; it never drops a note by itself.

No measure of words tells a paraphrase from the same sentence about another table, another number or the opposite, so
two things are kept apart: how many content words two notes share, which ranks, and whether their discriminators agree
(numbers with their units, identifiers, paths, negation, comparison, direction), without which nothing is flagged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foureyes.core.gist import Gist, agree

__all__ = ["Match", "resembling"]

_ENOUGH = 0.34
"""Share of the content words of the two notes together."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The earlier note that a note resembles most."""

    note_id: str
    overlap: float
    """How much of their content the two share, above 0 and at most 1."""


def resembling(note: Gist, earlier: Iterable[tuple[str, Gist]]) -> Match | None:
    """Return the best of the earlier notes that say about the same, or None where there is none.

    Of two equally good ones the first given wins.
    """
    best: Match | None = None
    for note_id, gist in earlier:
        overlap = _overlap(note, gist)
        if overlap >= _ENOUGH and (best is None or overlap > best.overlap) and agree(note, gist):
            best = Match(note_id=note_id, overlap=overlap)
    return best


def _overlap(one: Gist, other: Gist) -> float:
    shared = len(one.words & other.words)
    return shared / (len(one.words) + len(other.words) - shared) if shared else 0.0
