"""The host itself is cancelled: every review stops, is refunded, and the next boundary works."""

from __future__ import annotations

import asyncio
import gc
import weakref
from typing import Any

import anyio
import anyio.lowlevel
import pytest
import trio

from foureyes.core.changes import Changes
from foureyes.core.facts import Note, Review
from foureyes.core.state import SessionState
from foureyes.core.words import OutcomeKind, Severity
from foureyes.errors import StoreError
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.tasks import own_tasks
from foureyes.telemetry.events import BoundarySettled, CheckpointFailed, LeftoverChanged, ReviewSettled
from foureyes.testing import RecordingSink, note, turn_messages

from .shell import (
    TASK,
    Deaf,
    Gate,
    GatedStore,
    answering,
    every_turn,
    outcomes,
    reviewer,
    scripted,
    session_of,
    skips,
    texts,
    transcript,
)

pytestmark = pytest.mark.anyio

BLOCKER = note("There is an await missing in a.py.", Severity.BLOCKER)


async def cancelled_boundary(session: Session, entered: anyio.Event, messages: list[Any] | None = None) -> None:
    """Cancel the host while it waits for a boundary at which a reviewer has been entered."""
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.boundary, messages or transcript())
            await entered.wait()
            tasks.cancel_scope.cancel()


async def test_reviews_are_cancelled_and_refunded_with_the_host() -> None:
    gates = {name: Gate(BLOCKER) for name in ("alpha", "beta")}
    sink = RecordingSink()
    async with session_of(*(every_turn(gate, name) for name, gate in gates.items()), sinks=[sink]) as session:
        await cancelled_boundary(session, gates["beta"].entered)
        assert [gate.cancelled for gate in gates.values()] == [1, 1]
        for name in gates:
            progress = session.state.reviewer(name)
            assert (progress.started, progress.periodic_used, progress.last_review) == (None, 0, 0)
        assert session.state.notes == {}
    assert [event.outcome for event in sink.of(ReviewSettled)] == [OutcomeKind.CANCELLED] * 2
    assert sink.of(BoundarySettled) == []


async def test_the_next_boundary_consults_and_covers_the_cancelled_turn() -> None:
    """As in https://github.com/NousResearch/hermes-agent/issues/30817: the review never came."""
    gate = Gate()
    said = scripted(gate, BLOCKER)
    async with session_of(reviewer(said, interval_turns=3, max_rounds=0)) as session:
        for turn in (1, 2):
            await session.boundary(transcript(turn), turn=turn)
        await cancelled_boundary(session, gate.entered, transcript(3))
        guidance = await session.boundary(transcript(4), turn=4)
    assert texts(guidance) == [BLOCKER.text]
    assert [(review.since, review.turn) for review in said.reviews] == [(0, 3), (0, 4)]


async def test_a_host_that_was_cancelled_before_it_called_pays_nothing_and_nobody_is_asked_later() -> None:
    asked = {name: scripted(BLOCKER) for name in ("alpha", "beta")}
    async with session_of(*(every_turn(one, name) for name, one in asked.items())) as session:
        with anyio.CancelScope() as scope:
            scope.cancel()
            await session.boundary(transcript(), turn=1)
        before = [len(one.reviews) for one in asked.values()]
        await anyio.wait_all_tasks_blocked()
        assert [len(one.reviews) for one in asked.values()] == before
        assert [session.state.reviewer(name).periodic_used for name in asked] == [0, 0]
        guidance = await session.boundary(transcript(), turn=1)
    assert outcomes(guidance).keys() == asked.keys()


async def test_the_cancelled_turn_may_be_settled_after_all() -> None:
    gate = Gate()
    async with session_of(every_turn(scripted(gate, BLOCKER))) as session:
        await cancelled_boundary(session, gate.entered)
        guidance = await session.boundary(transcript(), turn=1)
    assert (guidance.turn, texts(guidance)) == (1, [BLOCKER.text])


async def test_a_cancelled_finish_is_refunded() -> None:
    gate = Gate()
    async with session_of(reviewer(scripted(gate, BLOCKER), max_rounds=1)) as session:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(lambda: session.finish(answering("done"), answer="done"))
            await gate.entered.wait()
            tasks.cancel_scope.cancel()
        guidance = await session.finish(answering("done"), answer="done")
    assert guidance.reopen


async def test_a_review_with_a_deadline_of_the_hosts_own_is_cancelled_too() -> None:
    gate = Gate()
    async with session_of(every_turn(gate)) as session:
        with anyio.move_on_after(0.01) as scope:
            await session.boundary(transcript())
        assert scope.cancelled_caught
        assert session.state.reviewer("one").periodic_used == 0
    assert gate.cancelled == 1


async def test_an_agent_that_fails_beside_its_reviews_leaves_none_of_them_running() -> None:
    """As in https://github.com/openai/openai-agents-python/issues/3982: the checks went on calling the provider."""
    calls = 0

    async def busy_reviewer(review: Review) -> None:
        nonlocal calls
        while True:
            calls += 1
            entered.set()
            await anyio.lowlevel.checkpoint()

    async def agent() -> None:
        await entered.wait()
        raise RuntimeError("the agent broke")

    async def host(session: Session) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.boundary, transcript())
            tasks.start_soon(agent)

    entered = anyio.Event()
    async with session_of(every_turn(busy_reviewer)) as session:
        with pytest.raises(ExceptionGroup) as raised:
            await host(session)
        frozen = calls
        for _ in range(20):
            await anyio.lowlevel.checkpoint()
        assert calls == frozen
    assert raised.group_contains(RuntimeError)


async def test_one_that_swallows_its_cancellation_does_not_hold_the_host() -> None:
    deaf, sink = Deaf(BLOCKER), RecordingSink()
    async with session_of(every_turn(deaf), sinks=[sink]) as session:
        await cancelled_boundary(session, deaf.entered)
        assert session.state.reviewer("one").started is None
        assert [event.running for event in sink.of(LeftoverChanged)] == [1]
        guidance = await session.boundary(transcript(), turn=1)
        assert skips(guidance) == {"one": "busy"}
        deaf.opened.set()
        await deaf.left.wait()
        await anyio.wait_all_tasks_blocked()
        later = await session.boundary(transcript(2), turn=2)
    assert [event.running for event in sink.of(LeftoverChanged)] == [1, 0]
    assert outcomes(later) == {"one": OutcomeKind.NOTED}
    assert deaf.calls == 2


# --- at every point ---


class Points:
    """Points at which a task waits; at one of them the host is cancelled."""

    def __init__(self, chosen: int) -> None:
        self.scope = anyio.CancelScope()
        self.passed = 0
        self._chosen = chosen

    async def wait(self) -> None:
        """Pass one point."""
        self.passed += 1
        if self.passed == self._chosen:
            self.scope.cancel()
        await anyio.lowlevel.checkpoint()


class PointedStore(MemoryStore):
    """A store that waits before and after it has written."""

    def __init__(self, points: Points) -> None:
        super().__init__()
        self._points = points

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save between two points."""
        await self._points.wait()
        await super().save(state, changes)
        await self._points.wait()


@pytest.mark.parametrize("chosen", range(1, 9))
@pytest.mark.parametrize("kind", ["boundary", "finish"])
async def test_a_cancellation_at_any_point_costs_nothing_and_breaks_nothing(chosen: int, kind: str) -> None:
    """As in https://github.com/openai/openai-agents-python/issues/4203: all later writes failed."""
    points = Points(chosen)

    async def waits_twice(review: Review) -> list[Note]:
        await points.wait()
        await points.wait()
        return [BLOCKER]

    async def call(turn: int) -> Any:
        if kind == "boundary":
            return await session.boundary(transcript(turn), turn=turn)
        return await session.finish(answering("done", turn), answer="done", turn=turn)

    configs = [reviewer(waits_twice, name, interval_turns=1) for name in ("alpha", "beta")]
    store, sink = PointedStore(points), RecordingSink()
    async with session_of(*configs, store=store, sinks=[sink]) as session:
        with points.scope:
            await call(1)
        assert points.passed >= chosen, "the host was cancelled"
        again = await call(1)
        await call(2)
        spent = [session.state.reviewer(name).periodic_used for name in ("alpha", "beta")]
        rounds = [session.state.reviewer(name).rounds_used for name in ("alpha", "beta")]
        assert (spent if kind == "boundary" else rounds) == [2, 2]
        assert await store.load("s") == session.state
    assert texts(again) == [BLOCKER.text]
    assert [event.turn for event in sink.of(BoundarySettled)] == [1, 2]
    completed = [event for event in sink.of(ReviewSettled) if event.outcome.completed]
    assert len(completed) == 4


class Unreadable(GatedStore):
    """A store whose first save waits, and that cannot be read where the test says so."""

    unreadable = False

    async def load(self, session: str) -> SessionState | None:
        """Load, or fail."""
        if self.unreadable:
            raise StoreError("no such disk")
        return await super().load(session)


async def test_a_save_of_unknown_fate_is_looked_up_before_the_next_and_waits_where_it_cannot_be() -> None:
    store, sink = Unreadable(), RecordingSink()
    store.waits_at_save = 2
    async with session_of(every_turn(scripted(BLOCKER)), store=store, sinks=[sink]) as session:
        await cancelled_boundary(session, store.entered)
        store.unreadable = True
        guidance = await session.boundary(transcript(2), turn=2)
        assert skips(guidance) == {"one": "store_unavailable"}
        store.unreadable = False
        await session.boundary(transcript(3), turn=3)
        assert await store.load("s") == session.state
    assert {event.error for event in sink.of(CheckpointFailed)} == {"no such disk"}


# --- no task is left ---


async def test_work_that_is_cancelled_before_it_begins_never_does_and_is_forgotten() -> None:
    class Work:
        begun = False

        async def __call__(self) -> None:
            self.begun = True

    tasks, work = own_tasks(), Work()
    kept = weakref.ref(work)
    tasks.start(work)()
    await anyio.wait_all_tasks_blocked()
    await anyio.lowlevel.checkpoint()
    assert not work.begun
    del work
    gc.collect()
    assert kept() is None
    assert await tasks.close() == 0


def tasks_alive() -> int:
    """Return how many tasks the event loop has."""
    try:
        return len(asyncio.all_tasks())
    except RuntimeError:
        return trio.lowlevel.current_statistics().tasks_living


@pytest.mark.parametrize("ending", ["answer", "error", "timeout", "cancelled"])
async def test_no_task_outlives_its_boundary(ending: str) -> None:
    gate = Gate(BLOCKER)
    script: dict[str, Any] = {"answer": [BLOCKER], "error": ValueError(), "timeout": gate, "cancelled": gate}
    config = every_turn(scripted(script[ending]), timeout_seconds=0.05 if ending == "timeout" else 30)
    async with session_of(config) as session:
        before = tasks_alive()
        if ending == "cancelled":
            await cancelled_boundary(session, gate.entered)
        else:
            await session.boundary(transcript())
        assert tasks_alive() == before


async def test_closing_the_scheduler_cancels_a_review_that_nobody_waits_for() -> None:
    deaf = Deaf()
    before = tasks_alive()
    async with session_of(every_turn(deaf)) as session:
        await cancelled_boundary(session, deaf.entered)
        assert tasks_alive() == before + 1
        deaf.opened.set()
    assert tasks_alive() == before


async def test_a_cancelled_host_leaves_the_transcript_alone() -> None:
    gate = Gate()
    messages = [TASK, *turn_messages(1)]
    kept = list(messages)
    async with session_of(every_turn(gate)) as session:
        await cancelled_boundary(session, gate.entered, messages)
    assert messages == kept
