"""A session under a real scheduler, on a store whose file gets into trouble."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from prometheus_client import CollectorRegistry

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.state import SessionState
from foureyes.core.words import SkipReason, Stop
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import CheckpointFailed
from foureyes.testing import RecordingSink, note, turn_messages

TASK = {"role": "user", "content": "Do the work."}


async def finds(review: Review) -> list[Note]:
    """Find something else at every turn, at a length that fills disks."""
    return [note(f"The query of table {review.turn} has no bound. " + "It is long. " * 100)]


ONE = ReviewerConfig(name="one", reviewer=finds, interval_turns=1, max_periodic_reviews=1_000, max_rounds=1_000)


def transcript(turns: int) -> list[dict[str, Any]]:
    """Return a transcript of some turns."""
    return [TASK, *(message for turn in range(1, turns + 1) for message in turn_messages(turn))]


class Life:
    """One session on a store that gets into trouble."""

    def __init__(self, scheduler: ReviewScheduler, session: Session, sink: RecordingSink, metrics: CollectorRegistry):
        self.scheduler, self.session, self._sink, self._metrics = scheduler, session, sink, metrics

    async def turn(self) -> Guidance:
        """Make one turn."""
        return await self.session.boundary(transcript(self.session.state.turn + 1))

    async def finish(self, stop: Stop = Stop.ANSWER) -> Guidance:
        """Answer."""
        return await self.session.finish(transcript(self.session.state.turn + 1), answer="done", stop=stop)

    @property
    def losses(self) -> int:
        """Return how many losses there were; events and metric must agree."""
        losses = self._sink.of(CheckpointFailed)
        assert self._metrics.get_sample_value("foureyes_checkpoint_failures_total") == len(losses)
        assert all(len(loss.error) > 10 for loss in losses)
        return len(losses)


@asynccontextmanager
async def life_on(path: Path) -> AsyncIterator[Life]:
    """Return a session of an open scheduler with its store in the file."""
    sink, metrics = RecordingSink(), CollectorRegistry()
    async with ReviewScheduler([ONE], store=SQLiteStore(path), sinks=[sink], registry=metrics) as scheduler:
        yield Life(scheduler, await scheduler.session("s", request="Do the work."), sink, metrics)


async def held(path: Path) -> SessionState | None:
    """Return what another process would read."""
    store = SQLiteStore(path)
    try:
        return await store.load("s")
    finally:
        await store.close()


def is_reviewed(guidance: Guidance) -> bool:
    """Tell whether the reviewer was called, and its note handed over."""
    return [called.outcome for called in guidance.outcomes] == ["noted"] and guidance.advisory is not None


def is_without_store(guidance: Guidance) -> bool:
    """Tell whether nobody was called because of the store."""
    return [skipped.reason for skipped in guidance.skips] == [SkipReason.STORE_UNAVAILABLE]
