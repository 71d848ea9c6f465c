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
from foureyes.core.gist import Gist, Kin

__all__ = ["Match", "agree", "resembling"]

_ENOUGH = 0.285
"""Share of what two notes say from which one resembles the other. Measured on labelled pairs: of notes on different
defects, four to eight in a thousand pairs reach it."""
_LEAST = 1.1
"""Words that two notes have to share, by weight: one word alone is too little."""
_SHORTEST = 1.5
"""Words, by weight, that a note is taken to have at least: one word alone is never all of a note."""
_THEME = 0.5
"""What it counts that both notes have two words of one topic, by which they are about the same thing."""
_OF_THE_LONGER = 0.5
"""How much the longer note's size counts beside the shorter's: what says a great deal shares a word with anything."""
_COMPARED = 10
"""Of the earlier notes, how many are compared word by word, those first that share most words and groups of words."""
_ALIKE = 0.05
"""Share of an earlier note's words and groups of words that have to be in a note for that."""


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

    Of two equally good ones the first given wins. The ten that share most words are looked at; those of them that
    differ in a discriminator are passed over.
    """
    alike = []
    for place, note_id, gist in _most_shared(note, earlier):
        if overlap := _overlap(note, gist):
            alike.append((-overlap, place, note_id, gist))
    best = sorted(alike, key=_RANK)
    for place, (overlap, _, note_id, gist) in enumerate(best):
        if not differ(note, gist):
            return Match(note_id=note_id, overlap=-overlap, passed=tuple(one[2] for one in best[:place]))
    return None


def _most_shared(note: Gist, earlier: Iterable[tuple[str, Gist]]) -> list[tuple[int, str, Gist]]:
    told, mask = [*earlier], note.mask
    rates = [
        (rate, -place)
        for place, (_, gist) in enumerate(told)
        if (rate := (mask & gist.mask).bit_count() / gist.bits) >= _ALIKE
    ]
    return [(-place, *told[-place]) for _, place in sorted(rates, reverse=True)[:_COMPARED]]


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


def _overlap(one: Gist, other: Gist) -> float:
    shorter, longer = (one, other) if one.weight <= other.weight else (other, one)
    if (shared := _shared(shorter, longer)) < _LEAST:
        return 0.0
    overlap = shared / _size(shorter.weight, longer.weight)
    return min(overlap, 1.0) if overlap >= _ENOUGH else 0.0


def _shared(shorter: Gist, longer: Gist) -> float:
    own, stems, mask = shorter.features, longer.features, longer.mask
    shared = 0.0 if shorter.themes.isdisjoint(longer.themes) else _THEME
    used: list[str] = []
    for stem, kin, _, weight, bits in shorter.words:
        if stem in stems:
            shared += weight
        elif bits & mask and (found := _akin(kin, longer.worth, own, used)):
            shared += found[0]
            used.append(found[1])
    return shared


def _akin(kin: Kin, others: Kin, own: frozenset[str], used: list[str]) -> tuple[float, str] | None:
    # A word of the longer note stands for one word only. What counts most comes first.
    for group in kin:
        if group in others:
            found = others[group]
            if found[1] not in own and found[1] not in used:
                return min(kin[group], found)[0], found[1]
    return None


def _size(shorter: float, longer: float) -> float:
    shorter, longer = max(shorter, _SHORTEST), max(longer, _SHORTEST)
    return float(shorter * (longer / shorter) ** _OF_THE_LONGER)
