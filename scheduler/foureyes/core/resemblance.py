"""Which earlier note a note resembles. Resemblance flags and ranks; it never drops a note by itself.

No measure of words tells a paraphrase from the same sentence about another table, another number or the opposite. So
two things are kept apart: how much of what the shorter note says is in the longer one, the same word counting more than
another of its group and a common word less, which ranks; and whether a discriminator says that the two are different
findings, in which case nothing is flagged.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from operator import itemgetter

from foureyes.core.discriminators import correspond, differ
from foureyes.core.gist import SYNONYM, Gist

__all__ = ["Match", "agree", "resembling"]

_ENOUGH = 0.26
"""Share of what two notes say from which one resembles the other. Measured on labelled pairs: of notes on different
defects, three in a thousand pairs reach it."""
_LEAST = 1.2
"""Words that two notes have to share, by weight: one telling word alone is too little."""
_SHORTEST = 1.5
"""Words, by weight, that a note is taken to have at least: one word alone is never all of a note."""
_OF_THE_LONGER = 0.2
"""How much the longer note's size counts beside the shorter's: what says a great deal shares a word with anything."""
_CHECKED = 8
"""Of the best earlier notes, how many are looked at more closely: a bound on the time that a flood can take."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """The earlier note that a note resembles most."""

    note_id: str
    overlap: float
    """How much of what the two say they share, above 0 and at most 1."""
    passed: tuple[str, ...] = ()
    """The notes that resemble it more, and differ from it in a discriminator."""


def resembling(note: Gist, earlier: Iterable[tuple[str, Gist]]) -> Match | None:
    """Return the best of the earlier notes that say about the same, or None where there is none.

    Of two equally good ones the first given wins. Notes that differ in a discriminator are passed over, the best
    eight of them at most.
    """
    alike = []
    features, weight, worth = note.features, note.weight, note.worth
    for place, (note_id, gist) in enumerate(earlier):
        if features.isdisjoint(gist.features):
            continue
        # Never less than what they share, and quickly had: nearly all earlier notes end here.
        own, shorter = (worth, weight) if weight <= gist.weight else (gist.worth, gist.weight)
        most = sum([own[feature] for feature in features & gist.features])
        if most >= _LEAST and most >= _ENOUGH * shorter and (overlap := _overlap(note, gist)):
            alike.append((-overlap, place, note_id, gist))
    best = sorted(alike, key=_RANK)[:_CHECKED]
    for place, (overlap, _, note_id, gist) in enumerate(best):
        if not differ(note, gist):
            return Match(note_id=note_id, overlap=-overlap, passed=tuple(one[2] for one in best[:place]))
    return None


_RANK = itemgetter(0, 1)


def agree(one: Gist, other: Gist) -> bool:
    """Tell whether two notes say the same in nearly the same words, with every discriminator agreeing.

    This is what it takes to merge the notes of two reviewers at the same declared place, where two cures for one line
    share most of their words, too: whatever is no filler has its counterpart in the other note, in the same order.
    """
    if not (one.whole and other.whole):
        return False
    if one.numbers != other.numbers or one.names.symmetric_difference(other.names) - _mentioned(one, other):
        return False
    return correspond(one, other) and not differ(one, other)


def _mentioned(one: Gist, other: Gist) -> set[str]:
    # Names that one note marks as code and both hold.
    texts = "".join(one.tokens), "".join(other.tokens)
    return {name for name in one.names | other.names if name in texts[0] and name in texts[1]}


def _by_length(one: Gist, other: Gist) -> tuple[Gist, Gist]:
    return (one, other) if one.weight <= other.weight else (other, one)


def _size(one: Gist, other: Gist) -> float:
    shorter, longer = sorted((max(one.weight, _SHORTEST), max(other.weight, _SHORTEST)))
    return float(shorter * (longer / shorter) ** _OF_THE_LONGER)


def _overlap(one: Gist, other: Gist) -> float:
    shorter, longer = _by_length(one, other)
    shared = 0.0
    for word in shorter.words:
        if word.stem in longer.features:
            shared += word.weight
        elif not longer.features.isdisjoint(word.groups):
            shared += word.weight * SYNONYM
    overlap = shared / _size(shorter, longer)
    return min(overlap, 1.0) if shared >= _LEAST and overlap >= _ENOUGH else 0.0
