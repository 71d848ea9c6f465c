"""Reviewers that block get threads of our own, and what belongs to the host reaches it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any

import anyio
import pytest

from foureyes.core.facts import Note, Review
from foureyes.core.words import Disposition, OutcomeKind, Severity, SkipReason
from foureyes.errors import RateLimitedError
from foureyes.scheduler import ReviewScheduler
from foureyes.tasks import own_tasks
from foureyes.telemetry.events import LeftoverChanged, NoteJudged, ReviewSettled
from foureyes.testing import RecordingSink, note
from foureyes.threads import MAX_THREADS, Threads

from .shell import every_turn, outcomes, scripted, session_of, skips, texts, transcript

pytestmark = pytest.mark.anyio

BLOCKER = note("There is an await missing in a.py.", Severity.BLOCKER)
SHORT = 0.05


async def outcome_of(function: Callable[..., Any], **settings: Any) -> OutcomeKind:
    """Return how the only review of a session ends."""
    async with session_of(every_turn(function, **settings)) as session:
        return outcomes(await session.boundary(transcript()))["one"]


@pytest.fixture
def release() -> Iterator[threading.Event]:
    """Return what blocked threads wait for; set at the end, so that none outlives its test."""
    event = threading.Event()
    yield event
    event.set()


def blocks(release: threading.Event, review: Review) -> list[Note]:
    """Block until released, and then find something."""
    release.wait(10)
    return [BLOCKER]


async def test_a_blocking_reviewer_does_not_hold_the_loop(release: threading.Event) -> None:
    async def frees(review: Review) -> list[Note]:
        release.set()
        return []

    async with session_of(every_turn(partial(blocks, release), "blocking"), every_turn(frees, "free")) as session:
        guidance = await session.boundary(transcript())
    assert outcomes(guidance) == {"blocking": OutcomeKind.NOTED, "free": OutcomeKind.QUIET}


async def test_a_blocking_reviewer_is_left_at_its_deadline_and_its_answer_is_late(release: threading.Event) -> None:
    """As in https://github.com/agronholm/anyio/issues/601: the turn was held for the length of the call."""
    sink, ended = RecordingSink(), anyio.Event()

    class Ended(RecordingSink):
        def emit(self, event: Any) -> None:
            if isinstance(event, LeftoverChanged) and event.running == 0:
                ended.set()

    configs = [
        every_turn(partial(blocks, release), "blocking", timeout_seconds=SHORT),
        every_turn(scripted(note("I am sound.")), "sound"),
    ]
    async with session_of(*configs, sinks=[sink, Ended()]) as session:
        guidance = await session.boundary(transcript())
        release.set()
        with anyio.fail_after(5):
            await ended.wait()
        assert [record.text for record in session.state.notes.values()] == ["I am sound."]
    assert outcomes(guidance) == {"blocking": OutcomeKind.TIMEOUT, "sound": OutcomeKind.NOTED}
    assert texts(guidance) == ["I am sound."]
    assert [(event.reviewer, event.running) for event in sink.of(LeftoverChanged)] == [("blocking", 1), ("blocking", 0)]
    late = [event for event in sink.of(NoteJudged) if event.reviewer == "blocking"]
    assert [(event.turn, event.text, event.disposition) for event in late] == [(1, BLOCKER.text, Disposition.LATE)]


class Crossing(Threads):
    """Threads whose caller is cancelled just when its call lands, before it has learned of either."""

    def __init__(self) -> None:
        self.told: list[tuple[int, object]] = []
        super().__init__(lambda key, turn, change, result: self.told.append((change, result)))
        self.cancel: Callable[[], None] = lambda: None

    def _landed(self, job: Any) -> None:
        self.cancel()
        super()._landed(job)


async def test_a_call_that_ends_just_as_it_is_given_up_is_not_left_over_for_ever() -> None:
    threads, left = Crossing(), anyio.Event()

    async def caller() -> None:
        try:
            await threads.call(("s", "one"), 1, lambda: [BLOCKER])
        finally:
            left.set()

    threads.cancel = own_tasks().start(caller)
    with anyio.fail_after(5):
        await left.wait()
    assert threads.told == [(1, None), (-1, [BLOCKER])], "late, and gone"


async def test_a_thread_that_hangs_makes_its_reviewer_busy_and_is_not_joined_by_another(
    release: threading.Event,
) -> None:
    calls: list[int] = []

    def counted(review: Review) -> list[Note]:
        calls.append(review.turn)
        return blocks(release, review)

    config = every_turn(counted, timeout_seconds=SHORT, cooldown_turns=0, pause_after_failures=99)
    async with session_of(config) as session:
        seen = [skips(await session.boundary(transcript(turn))) for turn in (1, 2, 3)]
    assert (calls, seen[1:]) == ([1], [{"one": SkipReason.BUSY}] * 2)


async def test_threads_are_bounded_and_beyond_the_bound_a_review_fails_at_once(release: threading.Event) -> None:
    sink = RecordingSink()
    config = every_turn(partial(blocks, release), timeout_seconds=600)
    async with ReviewScheduler([config], sinks=[sink]) as scheduler, anyio.create_task_group() as tasks:
        for number in range(MAX_THREADS):
            tasks.start_soon((await scheduler.session(f"s{number}")).boundary, transcript())
        await anyio.wait_all_tasks_blocked()
        one_too_many = await (await scheduler.session("last")).boundary(transcript())
        release.set()
    assert outcomes(one_too_many) == {"one": OutcomeKind.ERROR}
    [failed] = [event for event in sink.of(ReviewSettled) if event.session == "last"]
    assert str(MAX_THREADS) in failed.error


async def test_what_a_blocking_reviewer_raises_is_its_outcome() -> None:
    def fails(review: Review) -> None:
        raise RateLimitedError("slow down")

    assert await outcome_of(fails, max_attempts=1) is OutcomeKind.RATE_LIMITED


# --- exceptions that are not ours to keep ---


def interrupts(review: Review) -> None:
    """Raise what belongs to the host."""
    raise KeyboardInterrupt


async def interrupts_on_the_loop(review: Review) -> None:
    """Raise what belongs to the host, in a coroutine."""
    raise KeyboardInterrupt


async def interrupts_in_a_group(review: Review) -> None:
    """Raise what belongs to the host beside something that does not."""
    raise BaseExceptionGroup("two tasks failed", [ValueError(), BaseExceptionGroup("one", [KeyboardInterrupt()])])


@pytest.mark.parametrize("function", [interrupts, interrupts_on_the_loop, interrupts_in_a_group])
async def test_an_interrupt_reaches_the_host_and_the_session_stays_sound(
    function: Callable[[Review], Awaitable[None] | None],
) -> None:
    """As in https://github.com/openai/openai-agents-python/issues/1985; only an interrupt is the host's."""
    said = scripted(BLOCKER)
    async with session_of(every_turn(function, "interrupting", cooldown_turns=0), every_turn(said, "sound")) as session:
        with pytest.raises(KeyboardInterrupt):
            await session.boundary(transcript(), turn=1)
        again = await session.boundary(transcript(), turn=1)
        assert session.state.reviewer("interrupting").started is None
    assert texts(again) == [BLOCKER.text], "what the others said is not lost"


async def test_a_system_exit_reaches_the_host() -> None:
    async def leaves(review: Review) -> None:
        raise SystemExit(3)

    async with session_of(every_turn(leaves)) as session:
        with pytest.raises(SystemExit):
            await session.boundary(transcript())


async def test_a_reviewer_that_cancels_itself_is_an_error() -> None:
    async def cancels_itself(review: Review) -> list[Note]:
        raise asyncio.CancelledError

    assert await outcome_of(cancels_itself) is OutcomeKind.ERROR
