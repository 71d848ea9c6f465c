"""How much has been told of a finding already, as far as resemblance can say.

Two notes that share much of the longer one tell the same finding: they make a *chain*. Two that share some of it are
probably about the same thing: they make a *cluster*, which holds whole chains. Chance makes a chain of two findings
hardly ever, and a cluster now and then. So a chain counts for the whole request, and a cluster only as far as its notes
come from one reviewer and close upon each other, as they do where somebody insists.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice
from typing import NamedTuple

from foureyes.core.candidates import Chosen, Like, Target
from foureyes.core.state import NoteRecord

__all__ = ["Chains"]

CLOSE = 0.5
"""Of the longer of two notes that is in the other where they tell the same finding."""
RELATED = 0.2
"""Of the longer of two notes that is in the other where they are about the same thing: short ones would gather all."""


RECENT = 4
"""Notes of a reviewer that a cluster is looked for in."""


class _Member(NamedTuple):
    target: Target
    rank: int
    like: Target | None
    chain: Target
    cluster: Target
    reviewers: tuple[str, ...]
    current: bool


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
        member = _Member(one, one.rank, target, one.chain or one, one.cluster or one, one.reviewers, current=True)
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

    def related(self, like: Like, reviewer: str) -> tuple[int, int]:
        """Return how many of the reviewer's newest four notes of this request are flagged ones of the note's cluster.

        The second number is how many of these are of this boundary.
        """
        cluster = self._by_target[like.target].cluster
        own = (one for one in reversed(self._members) if one.current and reviewer in one.reviewers)
        found = [one for one in islice(own, RECENT) if one.cluster == cluster != one.target]
        return len(found), sum(isinstance(one.target, Chosen) for one in found)


def _of_before(note: NoteRecord, request: int) -> _Member:
    chain, cluster = note.chain or note.id, note.cluster or note.id
    current = note.request == request
    return _Member(note.id, note.severity.rank, note.similar_to, chain, cluster, note.reviewers, current)
