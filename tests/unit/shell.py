"""Small pieces for driving a scheduler in tests: sessions, gates, stores that fail, and transcripts."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import anyio

from foureyes.core.changes import Changes
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.state import SessionState
from foureyes.core.words import OutcomeKind, SkipReason
from foureyes.errors import StoreError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.testing import ScriptedReviewer, turn_messages

TASK = {"role": "user", "content": "Do the work."}
EVERY_TURN = {"interval_turns": 1, "max_periodic_reviews": 1_000}


def reviewer(function: Callable[..., Any], name: str = "one", **settings: Any) -> ReviewerConfig:
    """Return a reviewer that only reviews finishes, unless told otherwise."""
    return ReviewerConfig(name=name, reviewer=function, **settings)


def every_turn(function: Callable[..., Any], name: str = "one", **settings: Any) -> ReviewerConfig:
    """Return a reviewer of every turn that never reviews a finish."""
    return ReviewerConfig(name=name, reviewer=function, **(EVERY_TURN | {"max_rounds": 0} | settings))


@asynccontextmanager
async def session_of(
    *configs: ReviewerConfig, identity: str = "s", request: str | None = None, **options: Any
) -> AsyncIterator[Session]:
    """Return a session of an open scheduler with these reviewers."""
    async with ReviewScheduler(configs, **options) as scheduler:
        yield await scheduler.session(identity, request=request)


def transcript(turns: int = 1) -> list[dict[str, Any]]:
    """Return a transcript in which the human asked and the agent has worked for some turns."""
    return [TASK, *(message for turn in range(1, turns + 1) for message in turn_messages(turn))]


def answering(answer: str, turns: int = 1) -> list[dict[str, Any]]:
    """Return a transcript that ends with an answer."""
    return [*transcript(turns), {"role": "assistant", "content": answer}]


def texts(guidance: Guidance) -> list[str]:
    """Return the notes that a guidance hands over, in the order in which the agent reads them."""
    return [note.text for note in guidance.advisory.notes] if guidance.advisory else []


def outcomes(guidance: Guidance) -> dict[str, OutcomeKind]:
    """Return how each review ended, by reviewer."""
    return {called.reviewer: called.outcome for called in guidance.outcomes}


def skips(guidance: Guidance) -> dict[str, SkipReason]:
    """Return why somebody who was due was not called, by reviewer."""
    return {skipped.reviewer: skipped.reason for skipped in guidance.skips}


class Gate:
    """A reviewer that waits until it is let go, or for ever, and then says what it was given."""

    def __init__(self, *notes: Note) -> None:
        self.notes = notes
        self.reviews: list[Review] = []
        self.cancelled = 0
        self.entered, self.opened = anyio.Event(), anyio.Event()

    async def __call__(self, review: Review) -> Sequence[Note]:
        """Wait for the gate to open."""
        self.reviews.append(review)
        self.entered.set()
        try:
            await self.opened.wait()
        except BaseException:
            self.cancelled += 1
            raise
        return self.notes


class Deaf:
    """A reviewer that swallows every cancellation until it is let go, and then says what it was given."""

    def __init__(self, *notes: Note) -> None:
        self.notes = notes
        self.calls = 0
        self.entered, self.opened, self.left = anyio.Event(), anyio.Event(), anyio.Event()

    async def __call__(self, review: Review) -> Sequence[Note]:
        """Wait for the gate to open, whatever happens."""
        self.calls += 1
        self.entered.set()
        try:
            await self.opened.wait()
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self.opened.wait()
        self.left.set()
        return self.notes


async def sleep_forever(review: Review) -> None:
    """Never answer, and let go when cancelled."""
    await anyio.sleep_forever()


class FailingStore(MemoryStore):
    """A store in memory that is out of order as long as the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.failing = False
        self.fails_from_save = 0
        """The number of the save from which on all fail; 0 = none."""
        self.saves = 0
        """Saves that were asked for, failed ones included."""

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save, or fail."""
        self.saves += 1
        if self.failing or 0 < self.fails_from_save <= self.saves:
            raise StoreError("the disk is full")
        await super().save(state, changes)


class GatedStore(MemoryStore):
    """A store in memory whose next save waits, before it is done, until it is let go."""

    def __init__(self) -> None:
        super().__init__()
        self.entered, self.opened = anyio.Event(), anyio.Event()
        self.waits_at_save = 0
        """The number of the save that waits; 0 = none."""
        self.saves = 0

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Wait where told to, then save."""
        self.saves += 1
        if self.saves == self.waits_at_save:
            self.entered.set()
            await self.opened.wait()
        await super().save(state, changes)


def scripted(*script: object) -> ScriptedReviewer:
    """Return a reviewer that answers from a script, and is quiet once it is used up."""
    return ScriptedReviewer(*script)
