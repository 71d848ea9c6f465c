"""Driving a reviewer that says what it is told, note by note or review by review, through a real session."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note
from foureyes.core.guard import Judged, Limits
from foureyes.core.words import Disposition
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.testing import RecordingSink, ScriptedReviewer, turn_messages

__all__ = ["RAISED", "Watched", "addressed", "in_batches", "reviews", "watched"]

RAISED = Limits(notes_per_boundary=1_000_000, notes_per_request=1_000_000)
"""Bounds over all reviewers that no test meets."""


@dataclass(kw_only=True)
class Watched:
    """What the agent and the host saw of a run."""

    guidances: list[Guidance] = field(default_factory=list)
    sink: RecordingSink = field(default_factory=RecordingSink)

    @property
    def read(self) -> list[list[str]]:
        """Return what the agent read, boundary by boundary; nothing where it was not addressed."""
        return [
            [note.text for note in guidance.advisory.notes] if guidance.advisory else [] for guidance in self.guidances
        ]

    @property
    def judged(self) -> list[Judged]:
        """Return what became of every note, in order."""
        return [one for guidance in self.guidances for one in guidance.judged]

    @property
    def kinds(self) -> Counter[Disposition]:
        """Return how many notes became what."""
        return Counter(one.disposition for one in self.judged)

    @property
    def listed(self) -> list[str]:
        """Return what was listed to the host at the last finish."""
        return [note.text for note in self.guidances[-1].unsent]


def addressed(read: Sequence[Sequence[str]]) -> int:
    """Return how often the agent was addressed."""
    return sum(bool(texts) for texts in read)


@asynccontextmanager
async def watched(
    script: Sequence[object], *, limits: Limits, max_notes: int, **settings: Any
) -> AsyncIterator[tuple[Any, Watched]]:
    """Return a session whose one reviewer follows the script after every turn, and what is seen of it."""
    saw = Watched()
    config = ReviewerConfig(
        name="one",
        reviewer=ScriptedReviewer(*script),
        **{"interval_turns": 1, "max_periodic_reviews": 100_000, "max_rounds": 0} | settings,
        guard={"max_notes": max_notes},
    )
    async with ReviewScheduler([config], limits=limits, sinks=[saw.sink]) as scheduler:
        yield await scheduler.session("s", request="Do the work."), saw


async def reviews(
    script: Sequence[Sequence[Note]], *, limits: Limits = RAISED, max_notes: int = 32, **settings: Any
) -> Watched:
    """Return what was seen of one review of these notes after every turn, and of an accepted answer in the end."""
    async with watched(script, limits=limits, max_notes=max_notes, **settings) as (session, saw):
        transcript: list[Any] = [{"role": "user", "content": "Do the work."}]
        for turn in range(1, len(script) + 1):
            transcript += turn_messages(turn)
            saw.guidances.append(await session.boundary(transcript))
            transcript += saw.guidances[-1].messages
        transcript.append({"role": "assistant", "content": "Done."})
        saw.guidances.append(await session.finish(transcript, answer="Done."))
    return saw


def in_batches(notes: Sequence[Note], size: int) -> Iterator[list[Note]]:
    """Yield the notes in order, so many a review."""
    for start in range(0, len(notes), size):
        yield list(notes[start : start + size])
