"""How much has been told of a finding already, as far as resemblance can say.

Two notes that share much of the longer one probably tell the same finding: they make a *chain*. Two that share some of
it are probably about the same thing: they make a *cluster*, which holds whole chains. Neither is enough to hold a note:
findings about one place share its name and often their form ("the index is missing", "the index is unused"). What tells
them from one finding told again is the *news*: the words that nobody has said of it yet.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from foureyes.core.candidates import Chosen, Like, Target
from foureyes.core.gist import gist
from foureyes.core.state import NoteRecord

__all__ = ["CLOSE", "RUN", "Chains"]

CLOSE = 0.5
"""Of the longer of two notes that is in the other where they tell the same finding."""
RELATED = 0.2
"""Of the longer of two notes that is in the other where they are about the same thing: short ones would gather all."""
RUN = 4
"""Flagged notes of a reviewer, with no other between them, that make a flood: with the note that they resemble they are
five ways to say one thing, or five findings of one form."""


class _Member(NamedTuple):
    target: Target
    rank: int
    like: Target | None
    chain: Target
    cluster: Target
    reviewers: tuple[str, ...]
    current: bool
    text: str


class Chains:
    """The notes that have been told, with the finding that each belongs to, oldest first."""

    def __init__(self, before: Iterable[NoteRecord], here: Iterable[Chosen], request: int) -> None:
        """Take in the notes of the state, oldest first, and of the boundary, in the order of choice."""
        self._members = [_of_before(note, request) for note in before]
        self._by_target = {one.target: one for one in self._members}
        for one in here:
            self.told(one)

    def told(self, one: Chosen) -> None:
        """Take in a note that has been chosen at this boundary."""
        target = one.flag.target if one.flag else None
        chain, cluster, text = one.chain or one, one.cluster or one, one.lead.text
        member = _Member(one, one.rank, target, chain, cluster, one.reviewers, current=True, text=text)
        self._members.append(member)
        self._by_target[one] = member

    def chain_of(self, like: Like) -> Target | None:
        """Return the first note of the finding that the note tells again; None where it is too unlike for that."""
        return self._by_target[like.target].chain if like.mutual >= CLOSE else None

    def cluster_of(self, like: Like) -> Target | None:
        """Return the first note of those that the note is related to; None where it is too unlike for that."""
        return self._by_target[like.target].cluster if like.mutual >= RELATED else None

    def top(self, like: Like) -> int:
        """Return the highest rank that was told of the note's chain, or resembled the same note."""
        seen = self._by_target[like.target]
        return max(one.rank for one in self._members if one.chain == seen.chain or one.like == seen.target)

    def retold(self, like: Like) -> int:
        """Return how many flagged notes of the note's chain were told in this request, without those that had risen."""
        chain, top, retold = self._by_target[like.target].chain, 0, 0
        for one in self._members:
            if one.chain == chain:
                retold += one.current and one.target != chain and one.rank <= top
                top = max(top, one.rank)
        return retold

    def run(self, reviewer: str) -> int:
        """Return how many of the reviewer's newest four notes of this request are flagged ones."""
        own = (one for one in reversed(self._members) if one.current and reviewer in one.reviewers)
        return sum(one.like is not None for one in islice(own, RUN))

    def news(self, text: str, like: Like) -> float:
        """Return how much of what a note says is in no note of the cluster: 0 where all of it has been told before.

        Another word counts as new, even one that may be used for a told one: what is missing is not what is ignored.
        """
        cluster, own = self._by_target[like.target].cluster, gist(text)
        told = frozenset[str]().union(*(gist(one.text).features for one in self._members if one.cluster == cluster))
        new = [word.weight for word in own.words if word.stem not in told]
        return sum(new) / own.weight if new else 0.0


def _of_before(note: NoteRecord, request: int) -> _Member:
    chain, cluster = note.chain or note.id, note.cluster or note.id
    current = note.request == request
    return _Member(note.id, note.severity.rank, note.similar_to, chain, cluster, note.reviewers, current, note.text)
