"""Hearing everything that a reviewer says about a recorded run."""

from __future__ import annotations

import inspect
from dataclasses import dataclass, replace
from functools import cached_property

from foureyes.core.config import ReviewerConfig, ReviewerLike
from foureyes.core.facts import Note, Reply, Review
from foureyes.core.similarity import folded
from foureyes.replies import read_reply

__all__ = ["Heard", "Witness"]

_NO_CAP = 1_000_000_000
"""The highest bound that a setting takes."""
_PATIENCE = 600.0
"""Seconds, the longest deadline there is: how busy the machine is must not change a score."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One note, as the reviewer raised it."""

    turn: int
    note: Note


class Witness:
    """A reviewer that asks another one, keeps its notes, and passes none of them on.

    So nothing comes between a note and its score: no duplicate is dropped, no bound is reached, nobody is muted. And
    no note changes what happens afterwards. The recorded agent read none of them, so its answers went out and the
    human's next words are a new request; and what one check says has no influence on what another one sees.
    """

    def __init__(self, name: str, reviewer: ReviewerLike) -> None:
        self._name, self._reviewer = name, reviewer
        self.heard: list[Heard] = []
        """Every readable note with any text, in order."""

    @cached_property
    def config(self) -> ReviewerConfig:
        """Return the settings with which it hears most: after every turn and at every finish, without any cap."""
        return ReviewerConfig(
            name=self._name,
            reviewer=self,
            interval_turns=1,
            max_periodic_reviews=_NO_CAP,
            max_rounds=_NO_CAP,
            cooldown_turns=0,
            max_attempts=1,
            pause_after_failures=_NO_CAP,
            timeout_seconds=_PATIENCE,
        )

    async def __call__(self, review: Review) -> Reply | None:
        """Return the reply of the other reviewer without its notes; None where it cannot be read."""
        raw = self._reviewer(review)
        reply = read_reply(await raw if inspect.isawaitable(raw) else raw)
        if reply is None:
            return None
        self.heard += [Heard(turn=review.turn, note=note) for note in reply.notes if folded(note.text)]
        return replace(reply, notes=())
