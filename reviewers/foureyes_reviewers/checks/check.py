"""What a check is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from foureyes.core.facts import Note, Review

__all__ = ["Check"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One rule that reads a review's evidence and needs nothing else."""

    name: str
    """Unique among the checks; every key of its notes begins with it."""
    find: Callable[[Review], tuple[Note, ...]]
    """Pure and quick: the notes about this review, in the order of the run; empty where the rule is not sure."""
    description: str
    """What it looks for, in one line."""
