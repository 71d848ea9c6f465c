"""How much has been told of a finding already, as far as resemblance can say.

Two notes that share much of the longer one tell the same finding: they make a *chain*. Two that share some of it are
probably about the same thing: they make a *cluster*, which holds whole chains. Chance makes a chain of two findings
hardly ever, and a cluster now and then. So a chain counts for the whole request, and a cluster only as far as its notes
come from one reviewer and close upon each other, as they do where somebody insists.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from foureyes.core.candidates import Chosen, Like, Target
from foureyes.core.state import NoteRecord

__all__ = ["Standing", "chain_of", "cluster_of", "standing"]

CLOSE = 0.5
"""Of the longer of two notes that is in the other where they tell the same finding."""
RELATED = 0.2
"""Of the longer of two notes that is in the other where they are about the same thing: short ones would gather all."""


RECENT = 4
"""Notes of a reviewer that a cluster is looked for in."""


class Standing(NamedTuple):
    """What has been told, before a note, of the finding that it seems to tell again."""

    top: int
    """The highest rank of its chain, and of what resembled the same note; 0 where that note is not kept."""
    retold: int
    """Flagged notes of its chain that are on their way in this request, or sent, without those that have risen."""
    related: int
    """Flagged notes of its cluster among the newest four that its reviewer has had admitted in this request."""
    beside: int
    """How many of these are of the same boundary."""


class _Member(NamedTuple):
    target: Target
    rank: int
    like: Target | None
    chain: Target
    cluster: Target
    reviewers: tuple[str, ...]
    current: bool


def chain_of(like: Like, before: Sequence[NoteRecord], here: Sequence[Chosen]) -> Target | None:
    """Return the first note of the finding that the note tells again; None where it is too unlike for that."""
    return _member(like.target, before, here).chain if like.mutual >= CLOSE else None


def cluster_of(like: Like, before: Sequence[NoteRecord], here: Sequence[Chosen]) -> Target | None:
    """Return the first note of those that the note is related to; None where it is too unlike for that."""
    return _member(like.target, before, here).cluster if like.mutual >= RELATED else None


def standing(like: Like, reviewer: str, before: Sequence[NoteRecord], here: Sequence[Chosen], request: int) -> Standing:
    """Return what has been told of the finding; ``before`` is newest first, ``here`` in the order of choice."""
    seen = _member(like.target, before, here)
    top = retold = 0
    newest: deque[_Member] = deque(maxlen=RECENT)
    for one in _members(before, here, request):
        if one.current and one.like is not None and one.chain == seen.chain != one.target:
            retold += one.rank <= top
        if one.current and reviewer in one.reviewers:
            newest.append(one)
        if one.chain == seen.chain or one.like == seen.target:
            top = max(top, one.rank)
    related = [one for one in newest if one.like is not None and one.cluster == seen.cluster != one.target]
    return Standing(top, retold, len(related), sum(isinstance(one.target, Chosen) for one in related))


def _member(target: Target, before: Sequence[NoteRecord], here: Sequence[Chosen]) -> _Member:
    found = (one for one in _members(before, here, 0) if one.target == target)
    return next(found, _Member(target, 0, None, target, target, (), current=False))


def _members(before: Sequence[NoteRecord], here: Sequence[Chosen], request: int) -> Iterator[_Member]:
    for note in reversed(before):
        chain, cluster = note.chain or note.id, note.cluster or note.id
        current = note.request == request
        yield _Member(note.id, note.severity.rank, note.similar_to, chain, cluster, note.reviewers, current)
    for one in here:
        flag = one.flag
        target = flag.target if flag else None
        yield _Member(one, one.rank, target, one.chain or one, one.cluster or one, one.reviewers, current=True)
