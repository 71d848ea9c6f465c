"""A host that is cancelled at any point at which anything of ours waits: nothing is lost, charged twice or left behind.

The points are those at which a store, a reviewer, the clock or a close lets others run. Each call of a host is
cancelled at its first point, at its second, and so on, until there are no more.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import time
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias

import anyio
import anyio.lowlevel
import pytest
import trio

from foureyes.core.changes import Changes
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.state import SessionState
from foureyes.core.words import Severity, SkipReason
from foureyes.errors import TransientReviewerError
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import BoundarySettled, LeftoverChanged, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, note

from .shell import answering, every_turn, outcomes, reviewer, session_of, skips, transcript

pytestmark = pytest.mark.anyio

BLOCKER = note("There is an await missing in a.py.", Severity.BLOCKER)
MOST_POINTS = 60
MOST_BUSY_SECONDS = 0.5
"""Of processor time, for one life of a scheduler that takes some milliseconds; one that spins takes far more."""


class Points:
    """Points at which somebody waits; at the chosen one the host is cancelled. Later ones only let others run."""

    def __init__(self, chosen: int) -> None:
        self.scope = anyio.CancelScope()
        self.chosen, self.passed, self.armed = chosen, 0, False

    async def wait(self) -> None:
        """Pass one point."""
        if self.armed:
            self.passed += 1
            if self.passed == self.chosen:
                self.scope.cancel()
        await anyio.lowlevel.checkpoint()

    @property
    def reached(self) -> bool:
        """Tell whether there was such a point."""
        return self.passed >= self.chosen


class PointedStore(MemoryStore):
    """A store that lets others run before and after everything it does."""

    def __init__(self, points: Points) -> None:
        super().__init__()
        self.points = points

    async def open(self) -> None:
        """Open between two points."""
        await self.points.wait()
        await super().open()
        await self.points.wait()

    async def load(self, session: str) -> SessionState | None:
        """Load between two points."""
        await self.points.wait()
        found = await super().load(session)
        await self.points.wait()
        return found

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save between two points."""
        await self.points.wait()
        await super().save(state, changes)
        await self.points.wait()

    async def close(self) -> None:
        """Close between two points."""
        await self.points.wait()
        await super().close()
        await self.points.wait()


class PointedClock(FakeClock):
    """A clock that lets others run while somebody waits on it."""

    def __init__(self, points: Points) -> None:
        super().__init__()
        self._points = points

    async def sleep(self, seconds: float) -> None:
        """Let the time pass, at a point."""
        await self._points.wait()
        await super().sleep(seconds)


class Reviewers:
    """Three reviewers: one plain, one that succeeds when it is tried again, and one that its fallback stands in for."""

    def __init__(self, points: Points) -> None:
        self._points, self._tried = points, False

    async def plain(self, review: Review) -> list[Note]:
        """Find something between two points."""
        await self._points.wait()
        await self._points.wait()
        return [BLOCKER]

    async def retried(self, review: Review) -> list[Note]:
        """Fail at first."""
        await self._points.wait()
        self._tried = not self._tried
        if self._tried:
            raise TransientReviewerError("try again", retry_after=0.01)
        return []

    async def replaced(self, review: Review) -> list[Note]:
        """Fail, so that the fallback is asked."""
        await self._points.wait()
        raise ValueError("down")

    @property
    def configs(self) -> list[ReviewerConfig]:
        """Return them, for turns and finishes."""
        fallbacks = (f"{fallback.__module__}:{fallback.__name__}",)
        both: dict[str, Any] = {"interval_turns": 1, "max_periodic_reviews": 1_000, "max_rounds": 1_000}
        return [
            reviewer(self.plain, "plain", **both),
            reviewer(self.retried, "retried", **both),
            reviewer(self.replaced, "replaced", fallbacks=fallbacks, **both),
        ]


async def fallback(review: Review) -> list[Note]:
    """Find nothing, a little later."""
    await anyio.lowlevel.checkpoint()
    return []


Call: TypeAlias = Callable[[Session], Awaitable[object]]

CALLS: dict[str, tuple[Call, int]] = {
    "boundary": (lambda session: session.boundary(transcript(2), turn=2), 9),
    "finish": (lambda session: session.finish(answering("done", 2), answer="done", turn=2), 9),
    "new request": (lambda session: session.new_request("Now something else."), 2),
    "abort": (lambda session: session.abort(), 2),
    "compacted": (lambda session: session.compacted(), 2),
    "rewound": (lambda session: session.rewound(1), 2),
}
"""What a host may call, and at how many points at least it can be cancelled there."""
SETTLING = [CALLS["boundary"][0], CALLS["finish"][0]]
"""Those that settle a turn: called again, they settle it for the price of one."""


def tasks_alive() -> int:
    """Return how many tasks the event loop has."""
    try:
        return len(asyncio.all_tasks())
    except RuntimeError:
        return trio.lowlevel.current_statistics().tasks_living


@pytest.mark.parametrize("name", CALLS)
async def test_a_call_that_is_cancelled_at_any_point_costs_nothing_and_leaves_nothing(
    name: str, caplog: pytest.LogCaptureFixture
) -> None:
    """As in https://github.com/openai/openai-agents-python/issues/4203: all later writes failed."""
    call, least = CALLS[name]
    chosen = 1
    while await cancelled_in(call, chosen):
        chosen += 1
        assert chosen < MOST_POINTS
    assert chosen > least
    gc.collect()
    assert [record.message for record in caplog.records if record.name == "asyncio"] == []


async def cancelled_in(call: Call, chosen: int) -> bool:
    """Cancel a call at a point, see that everything is as it should be, and return whether there was the point."""
    points = Points(chosen)
    said, store, sink = Reviewers(points), PointedStore(points), RecordingSink()
    began = time.process_time()
    async with session_of(*said.configs, store=store, sinks=[sink], clock=PointedClock(points)) as session:
        await session.boundary(transcript(1), turn=1)
        before = tasks_alive()
        points.armed = True
        with points.scope:
            await call(session)
        points.armed = False
        assert tasks_alive() == before
        if call in SETTLING:
            await call(session)
            assert [one.periodic_used + one.rounds_used for one in session.state.reviewers.values()] == [2, 2, 2]
            assert session.state.turn == 2
        await goes_on(session)
        assert await store.load("s") == session.state
        assert tasks_alive() == before
    assert sink.of(LeftoverChanged) == []
    assert_charged_as_settled(session.state, sink)
    assert time.process_time() - began < MOST_BUSY_SECONDS
    return points.reached


async def goes_on(session: Session) -> None:
    """See that the session works: the next turn and a finish are reviewed by everybody, and nobody is busy."""
    await session.new_request("Go on.")
    turn = session.state.turn
    boundary = await session.boundary(transcript(turn + 1), turn=turn + 1)
    finish = await session.finish(answering("done", turn + 2), answer="done", turn=turn + 2)
    for guidance in (boundary, finish):
        assert SkipReason.BUSY not in skips(guidance).values()
        assert outcomes(guidance) == {"plain": "noted", "retried": "quiet", "replaced": "quiet"}


def assert_charged_as_settled(state: SessionState, sink: RecordingSink) -> None:
    """See that the last request was charged once for each of its reviews, and each review was told of once."""
    for progress in state.reviewers.values():
        assert (progress.started, progress.periodic_used, progress.rounds_used) == (None, 1, 1)
    completed = [(event.reviewer, event.turn) for event in sink.of(ReviewSettled) if event.outcome.completed]
    assert len(completed) == len(set(completed)), "no review was made twice for one turn"
    turns = [event.turn for event in sink.of(BoundarySettled)]
    assert turns == sorted(set(turns))


async def test_opening_and_asking_for_a_session_may_be_cancelled_at_any_point() -> None:
    async def host(scheduler: ReviewScheduler) -> None:
        async with scheduler:
            await scheduler.session("s", request="Do the work.")

    chosen, reached = 0, True
    while reached:
        chosen += 1
        points = Points(chosen)
        store = PointedStore(points)
        scheduler = ReviewScheduler(Reviewers(points).configs, store=store, clock=PointedClock(points))
        before = tasks_alive()
        points.armed = True
        with points.scope:
            await host(scheduler)
        points.armed, reached = False, points.reached
        assert tasks_alive() == before
        async with scheduler:
            await goes_on(await scheduler.session("s"))
        assert chosen < MOST_POINTS
    assert chosen > 8, "opening, loading, saving the request and closing have two points each"


async def test_a_close_that_is_cancelled_at_any_point_is_completed_all_the_same() -> None:
    class Closing(PointedStore):
        closed = 0

        async def close(self) -> None:
            """Count the closes that came to their end."""
            await super().close()
            self.closed += 1

    for chosen in (1, 2):
        points = Points(chosen)
        store = Closing(points)
        scheduler = ReviewScheduler(Reviewers(points).configs, store=store)
        with points.scope:
            async with scheduler:
                session = await scheduler.session("s", request="Do the work.")
                await session.boundary(transcript(1))
                points.armed = True
        assert (store.closed, points.reached) == (1, True)
        async with scheduler:
            await goes_on(await scheduler.session("s"))


@pytest.mark.parametrize("chosen", range(1, 7))
async def test_a_cancellation_that_hits_while_another_one_is_being_dealt_with_does_no_harm(chosen: int) -> None:
    """Two in a row, as of a host's deadline inside of one that was cancelled itself."""
    points = Points(chosen)
    said, store = Reviewers(points), PointedStore(points)
    async with session_of(*said.configs, store=store, clock=PointedClock(points)) as session:
        points.armed = True
        with anyio.CancelScope() as outer, points.scope:
            with anyio.CancelScope() as inner:
                inner.cancel()
                await session.boundary(transcript(1), turn=1)
            outer.cancel()
            await session.boundary(transcript(1), turn=1)
        points.armed = False
        await goes_on(session)


async def test_a_hundred_cancellations_in_a_row_keep_no_core_busy_and_no_task_alive() -> None:
    async def hangs(review: Review) -> None:
        await anyio.sleep_forever()

    async with session_of(every_turn(hangs)) as session:
        before, began = tasks_alive(), time.process_time()
        for _ in range(100):
            with anyio.move_on_after(0.001):
                await session.boundary(transcript(1), turn=1)
        assert tasks_alive() == before
        assert session.state.reviewer("one").periodic_used == 0
        assert time.process_time() - began < 2 * MOST_BUSY_SECONDS


@pytest.fixture(autouse=True)
def loud(caplog: pytest.LogCaptureFixture) -> None:
    """Hear what the event loop says of tasks that were destroyed."""
    caplog.set_level(logging.WARNING, "asyncio")
