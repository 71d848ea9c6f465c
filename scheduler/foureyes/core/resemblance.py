"""Which earlier note a note resembles. Resemblance flags and ranks; it never drops a note by itself.

No measure of words tells a paraphrase from the same sentence about another table, another number or the opposite. So
two things are kept apart: how much of what the shorter note says is in the longer one, the same word counting more than
another of its group and a common word less, which ranks; and whether a discriminator says that the two are different
findings, in which case nothing is flagged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from foureyes.core.discriminators import correspond, differ
from foureyes.core.gist import SYNONYM, Gist

__all__ = ["Match", "agree", "resembling"]

_ENOUGH = 0.3
"""Of the shorter note, where the two have a telling word in common. Measured on labelled pairs: two notes about
different defects reach it twice in a thousand."""
_ENOUGH_IN_OTHER_WORDS = 0.4
"""Of the shorter note, where all that they share are words used for one another, and common ones."""
_LEAST = 1.2
"""Words that two notes have to share, by weight: one telling word alone is too little."""
_SHORTEST = 1.5
"""Words, by weight, that the shorter note is taken to have at least: one word alone is never all of a note."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The earlier note that a note resembles most."""

    note_id: str
    overlap: float
    """How much of what the shorter of the two says is in the other, at least 0.3 and at most 1."""


def resembling(note: Gist, earlier: Iterable[tuple[str, Gist]]) -> Match | None:
    """Return the best of the earlier notes that say about the same, or None where there is none.

    Of two equally good ones the first given wins. Notes that differ in a discriminator are passed over.
    """
    best, best_id = 0.0, ""
    for note_id, gist in earlier:
        shared = note.features & gist.features
        if not shared or _bound(shared, note, gist) <= best:
            continue
        overlap = _overlap(note, gist)
        if overlap > best and not differ(note, gist):
            best, best_id = overlap, note_id
    return Match(note_id=best_id, overlap=best) if best else None


def agree(one: Gist, other: Gist) -> bool:
    """Tell whether two notes say the same in nearly the same words, with every discriminator agreeing.

    This is what it takes to merge the notes of two reviewers at the same declared place, where two cures for one line
    share most of their words, too: whatever is no filler has its counterpart in the other note, in the same order.
    """
    if one.numbers != other.numbers or one.names.symmetric_difference(other.names) - _mentioned(one, other):
        return False
    return correspond(one, other) and not differ(one, other)


def _mentioned(one: Gist, other: Gist) -> set[str]:
    # Names that one note marks as code and both hold.
    texts = "".join(one.tokens), "".join(other.tokens)
    return {name for name in one.names | other.names if name in texts[0] and name in texts[1]}


def _by_length(one: Gist, other: Gist) -> tuple[Gist, Gist]:
    return (one, other) if one.weight <= other.weight else (other, one)


def _bound(shared: frozenset[str], one: Gist, other: Gist) -> float:
    # Never less than the overlap, and quickly had: nearly all earlier notes end here.
    shorter, _ = _by_length(one, other)
    worth = shorter.worth
    most = 0.0
    for feature in shared:
        most += worth[feature]
    reached = most / max(shorter.weight, _SHORTEST)
    return reached if most >= _LEAST and reached >= _ENOUGH else 0.0


def _overlap(one: Gist, other: Gist) -> float:
    shorter, longer = _by_length(one, other)
    same = alike = 0.0
    for word in shorter.words:
        if word.stem in longer.features:
            same += word.weight
        elif any(group in longer.features for group in word.groups):
            alike += word.weight * SYNONYM
    overlap = (same + alike) / max(shorter.weight, _SHORTEST)
    enough = _ENOUGH if same >= 1 else _ENOUGH_IN_OTHER_WORDS
    return min(overlap, 1.0) if same + alike >= _LEAST and overlap >= enough else 0.0
