"""Failures around cancellation, timeouts and tasks that users of other systems have met, with the values they had."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextvars import ContextVar
from typing import Any, TypeVar

import anyio
import anyio.lowlevel
import pytest
import trio

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.words import Disposition, OutcomeKind, Severity, SkipReason
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.telemetry.events import Event, LeftoverChanged, NoteJudged, ReviewSettled
from foureyes.testing import RecordingSink, ScriptedReviewer, note, turn_messages

pytestmark = pytest.mark.anyio

BLOCKER = note("The data is gone.", Severity.BLOCKER)
TASK = {"role": "user", "content": "Do the work."}
F = TypeVar("F", bound=Callable[..., Any])


def reviewer(function: Callable[..., Any], name: str = "one", **settings: Any) -> ReviewerConfig:
    """Return a reviewer of every turn."""
    always = {"interval_turns": 1, "max_periodic_reviews": 1_000, "max_rounds": 0, "cooldown_turns": 0}
    return ReviewerConfig(name=name, reviewer=function, **(always | settings))


def transcript(turns: int = 1) -> list[dict[str, Any]]:
    """Return a transcript of some turns."""
    return [TASK, *(message for turn in range(1, turns + 1) for message in turn_messages(turn))]


def outcomes(guidance: Guidance) -> dict[str, OutcomeKind]:
    """Return how each review ended."""
    return {called.reviewer: called.outcome for called in guidance.outcomes}


def texts(guidance: Guidance) -> list[str]:
    """Return what the agent is told."""
    return [one.text for one in guidance.advisory.notes] if guidance.advisory else []


async def timed(call: Awaitable[Guidance]) -> tuple[Guidance, float]:
    """Return the guidance of a boundary, and how many seconds it took."""
    began = time.perf_counter()
    guidance = await call
    return guidance, time.perf_counter() - began


def tasks_alive() -> int:
    """Return how many tasks the event loop has."""
    try:
        return len(asyncio.all_tasks())
    except RuntimeError:
        return trio.lowlevel.current_statistics().tasks_living


class Listener(RecordingSink):
    """A sink that says when a late note has come."""

    def __init__(self) -> None:
        super().__init__()
        self.late = anyio.Event()

    def emit(self, event: Event) -> None:
        """Keep the event."""
        super().emit(event)
        if isinstance(event, NoteJudged) and event.disposition is Disposition.LATE:
            self.late.set()


@pytest.mark.timing
async def test_a_timeout_is_kept_for_a_reviewer_that_blocks_and_its_late_answer_is_dropped() -> None:
    """As in https://github.com/agronholm/anyio/issues/601: the turn was held for the whole call."""

    def blocks(review: Review) -> list[Note]:
        time.sleep(1.0)
        return [BLOCKER]

    async def at_once(review: Review) -> list[Note]:
        return [note("The lock is never released.")]

    sink = Listener()
    configs = [reviewer(blocks, "a", timeout_seconds=0.2), reviewer(at_once, "b")]
    async with ReviewScheduler(configs, sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
        guidance, seconds = await timed(session.boundary(transcript()))
        assert (outcomes(guidance), texts(guidance)) == (
            {"a": OutcomeKind.TIMEOUT, "b": OutcomeKind.NOTED},
            ["The lock is never released."],
        )
        assert seconds < 0.3
        with anyio.fail_after(5):
            await sink.late.wait()
        later = await session.boundary(transcript(2))
    assert [one.disposition for one in sink.of(NoteJudged) if one.reviewer == "a"] == [Disposition.LATE]
    assert BLOCKER.text not in texts(later)


def retried_unless_value_error(function: F) -> F:
    """Decorate as a retry does that was told to try again after everything but one error."""

    async def again(*args: Any) -> Any:
        for _ in range(5):
            try:
                return await function(*args)
            except ValueError:
                raise
            except BaseException:
                continue
        return None

    return again  # type: ignore[return-value]


@pytest.mark.timing
async def test_a_retry_of_everything_does_not_turn_a_timeout_into_an_answer() -> None:
    """As in https://github.com/jd/tenacity/issues/529: cancelled by the timeout, it simply started again."""
    attempts = 0

    @retried_unless_value_error
    async def stubborn(review: Review) -> list[Note]:
        nonlocal attempts
        attempts += 1
        if attempts == 1:
            await anyio.sleep(10)
        return [BLOCKER]

    async with ReviewScheduler([reviewer(stubborn, timeout_seconds=0.2)]) as scheduler:
        session = await scheduler.session("s")
        guidance, seconds = await timed(session.boundary(transcript()))
        assert (outcomes(guidance), texts(guidance)) == ({"one": OutcomeKind.TIMEOUT}, [])
        assert seconds < 0.25
        assert session.state.notes == {}


@pytest.mark.timing
async def test_a_reviewer_that_answers_its_cancellation_with_a_note_has_timed_out() -> None:
    """As in https://github.com/python/cpython/issues/86296: the timeout became a normal result."""
    ended = anyio.Event()

    async def swallowing(review: Review) -> list[Note]:
        try:
            await anyio.sleep(10)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await anyio.sleep(0.2)
        ended.set()
        return [BLOCKER]

    sink = RecordingSink()
    async with ReviewScheduler([reviewer(swallowing, timeout_seconds=0.2)], sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
        guidance, seconds = await timed(session.boundary(transcript()))
        await ended.wait()
        await anyio.wait_all_tasks_blocked()
        assert (outcomes(guidance), texts(guidance), session.state.notes) == ({"one": OutcomeKind.TIMEOUT}, [], {})
    assert seconds < 0.25
    assert [one.disposition for one in sink.of(NoteJudged)] == [Disposition.LATE]
    assert [one.running for one in sink.of(LeftoverChanged)] == [1, 0]


async def test_a_stream_that_is_dropped_in_the_middle_of_a_review_closes_cleanly() -> None:
    """As in https://github.com/modelcontextprotocol/python-sdk/issues/79: a scope was exited in a different task."""
    cancelled, entered = [], anyio.Event()

    async def waits(review: Review) -> None:
        entered.set()
        try:
            await anyio.sleep_forever()
        except BaseException as error:
            cancelled.append(type(error))
            raise

    async def agent(session: Session) -> AsyncIterator[int]:
        for turn in (1, 2, 3):
            yield turn
            if turn == 2:
                await session.boundary(transcript(turn), turn=turn)

    async def third(stream: AsyncIterator[int]) -> None:
        await anext(stream)

    async def consume(session: Session) -> None:
        stream = agent(session)
        assert [await anext(stream), await anext(stream)] == [1, 2]
        with anyio.CancelScope() as scope:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(third, stream)
                await entered.wait()
                scope.cancel()
        # Nobody has closed the stream: it is dropped here.

    async with ReviewScheduler([reviewer(waits)]) as scheduler:
        session = await scheduler.session("s")
        before = tasks_alive()
        await consume(session)
        gc.collect()
        assert tasks_alive() == before
        assert session.state.reviewer("one").periodic_used == 0
    assert cancelled == [anyio.get_cancelled_exc_class()]


@pytest.mark.timing
async def test_reviews_end_with_the_agent_that_fails_beside_them() -> None:
    """As in https://github.com/openai/openai-agents-python/issues/889: the checks went on calling the provider."""
    calls, cancelled = 0, []

    async def provider(review: Review) -> None:
        nonlocal calls
        ends = time.perf_counter() + 1
        try:
            while time.perf_counter() < ends:
                calls += 1
                await anyio.sleep(0.001)
        finally:
            cancelled.append(time.perf_counter())

    async def agent() -> None:
        await anyio.sleep(0.010)
        raise RuntimeError("the agent broke")

    async def run(session: Session) -> None:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.boundary, transcript())
            tasks.start_soon(agent)

    async with ReviewScheduler([reviewer(provider, "one"), reviewer(provider, "two")]) as scheduler:
        session = await scheduler.session("s")
        before, began = tasks_alive(), time.perf_counter()
        with pytest.raises(ExceptionGroup):
            await run(session)
        assert [moment - began < 0.050 for moment in cancelled] == [True, True]
        frozen = calls
        await anyio.sleep(0.02)
        assert (calls, tasks_alive()) == (frozen, before)


def test_one_scheduler_reviews_on_one_event_loop_after_another() -> None:
    """As in https://github.com/pydantic/pydantic-ai/issues/6849: the second run failed with a closed loop."""
    asked = ScriptedReviewer([note("First leak.")], [note("Second leak.")], [note("Third leak.")])
    scheduler = ReviewScheduler([reviewer(asked)])
    found: list[list[str]] = []

    async def go() -> None:
        async with scheduler:
            session = await scheduler.session("s")
            turn = session.state.turn + 1
            guidance = await session.boundary(transcript(turn))
            guidance.taken()
            found.append(texts(guidance))

    asyncio.run(go())
    asyncio.run(go())
    trio.run(go)
    assert found == [["First leak."], ["Second leak."], ["Third leak."]]


@pytest.mark.timing
async def test_one_that_never_returns_is_in_flight_once_and_busy_from_then_on() -> None:
    """As in https://github.com/openai/codex-plugin-cc/issues/611: each boundary started one more."""
    opened, calls = anyio.Event(), 0

    async def deaf(review: Review) -> None:
        nonlocal calls
        calls += 1
        while not opened.is_set():
            try:
                await opened.wait()
            except BaseException:
                continue

    sink = RecordingSink()
    async with ReviewScheduler([reviewer(deaf, timeout_seconds=0.05)], sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
        before, skipped = tasks_alive(), []
        for turn in range(1, 51):
            guidance = await session.boundary(transcript(turn))
            skipped += [skip.reason for skip in guidance.skips]
        assert tasks_alive() == before + 1
        opened.set()
    assert (calls, skipped) == (1, [SkipReason.BUSY] * 49)
    assert max(one.running for one in sink.of(LeftoverChanged)) == 1


async def test_an_error_that_will_not_pass_is_tried_once_and_named() -> None:
    """As in https://github.com/jd/tenacity/issues/186: five attempts, and a RetryError that named nothing."""
    attempts = 0

    async def forbidden(review: Review) -> None:
        nonlocal attempts
        attempts += 1
        raise PermissionError("not for you")

    sink = RecordingSink()
    async with ReviewScheduler([reviewer(forbidden, max_attempts=5)], sinks=[sink]) as scheduler:
        guidance = await (await scheduler.session("s")).boundary(transcript())
    assert (outcomes(guidance), attempts) == ({"one": OutcomeKind.ERROR}, 1)
    [review] = sink.of(ReviewSettled)
    assert (review.attempts, review.error) == (1, "PermissionError: not for you")


TENANT: ContextVar[str] = ContextVar("tenant", default="nobody")


@pytest.mark.parametrize("kind", ["async", "sync", "cancelled"])
async def test_what_a_reviewer_does_to_the_context_stays_with_it(kind: str) -> None:
    """As in https://github.com/pydantic/pydantic-ai/issues/7692: the agent went on in the reviewer's context."""
    seen: list[str] = []

    async def sets(review: Review) -> None:
        seen.append(TENANT.get())
        TENANT.set("r")
        if kind == "cancelled":
            await anyio.sleep_forever()

    def sets_in_a_thread(review: Review) -> None:
        seen.append(TENANT.get())
        TENANT.set("r")

    function = sets_in_a_thread if kind == "sync" else sets
    TENANT.set("agent")
    async with ReviewScheduler([reviewer(function, timeout_seconds=0.05)]) as scheduler:
        session = await scheduler.session("s")
        for turn in (1, 2):
            await session.boundary(transcript(turn))
    assert (TENANT.get(), seen) == ("agent", ["agent", "agent"])
