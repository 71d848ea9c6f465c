"""Many sessions at once, and one scheduler on several event loops."""

from __future__ import annotations

import asyncio
from contextvars import ContextVar
from itertools import count
from typing import Any

import anyio
import anyio.lowlevel
import pytest
import trio

from foureyes.core.facts import Note, Review
from foureyes.core.words import OutcomeKind
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink, note, run_turns, turn_messages

from .shell import every_turn, outcomes, reviewer, scripted, texts, transcript

MARKERS = [f"marker{number:02d}" for number in range(20)]


@pytest.mark.anyio
async def test_what_is_said_in_one_session_never_shows_in_another() -> None:
    """As in https://github.com/pydantic/pydantic-ai/pull/7124: one user's note reached another."""
    reviews: list[Review] = []
    read: dict[str, list[Guidance]] = {}
    numbers = count()

    async def talkative(review: Review) -> list[Note]:
        await anyio.lowlevel.checkpoint()
        reviews.append(review)
        return [note(f"Number {next(numbers)} is about {review.session}.", key=f"{review.session}-{review.turn}")]

    async def agent(marker: str, place: int) -> None:
        session = await scheduler.session(marker, request=f"Work on {marker}.")
        messages: list[Any] = [{"role": "user", "content": f"Work on {marker}."}]
        read[marker] = await run_turns(session, 3 + place % 3, messages=messages, answers=[f"{marker} is done."])

    config = reviewer(talkative, interval_turns=2, max_rounds=1)
    async with ReviewScheduler([config]) as scheduler, anyio.create_task_group() as tasks:
        for place, marker in enumerate(MARKERS):
            tasks.start_soon(agent, marker, place)
    for review in reviews:
        shown = str((review.request, review.messages, review.tools, review.answer, review.earlier))
        assert {marker for marker in MARKERS if marker in shown} == {review.session}
    for place, marker in enumerate(MARKERS):
        said = [text for guidance in read[marker] for text in texts(guidance)]
        assert said
        assert all(marker in text for text in said)
        turns = [review.turn for review in reviews if review.session == marker]
        assert turns == sorted({turn for turn in (2, 4) if turn <= 3 + place % 3} | {4 + place % 3})


@pytest.mark.anyio
async def test_a_reference_of_one_session_means_nothing_in_another() -> None:
    async with ReviewScheduler([every_turn(scripted(note("One leak."), note("Two leaks.")))]) as scheduler:
        ours, theirs = await scheduler.session("ours"), await scheduler.session("theirs")
        first = await ours.boundary(transcript())
        second = await theirs.boundary(transcript())
        again = await theirs.boundary([*transcript(), *first.messages, *turn_messages(2)])
    assert again.advisory == second.advisory is not None


@pytest.mark.anyio
async def test_a_reviewer_that_hangs_in_one_session_is_free_in_the_others() -> None:
    opened = anyio.Event()

    async def deaf_in_a(review: Review) -> list[Note]:
        while review.session == "a" and not opened.is_set():
            try:
                await opened.wait()
            except BaseException:
                continue
        return [note("I am here.")]

    config = every_turn(deaf_in_a, timeout_seconds=0.05)
    async with ReviewScheduler([config]) as scheduler:
        hung = await (await scheduler.session("a")).boundary(transcript())
        heard = await (await scheduler.session("b")).boundary(transcript())
        opened.set()
    assert outcomes(hung) == {"one": OutcomeKind.TIMEOUT}
    assert texts(heard) == ["I am here."]


@pytest.mark.anyio
async def test_the_same_id_is_the_same_session_while_it_is_in_use() -> None:
    async with ReviewScheduler([]) as scheduler:
        session = await scheduler.session("s")
        assert await scheduler.session("s") is session
        assert await scheduler.session("t") is not session


@pytest.mark.parametrize("runs", ["asyncio", "trio", "one after the other"])
def test_one_scheduler_serves_several_event_loops(runs: str) -> None:
    """As in https://github.com/pydantic/pydantic-ai/issues/180: the second run found its event loop closed."""
    sink = RecordingSink()
    scheduler = ReviewScheduler([every_turn(scripted([], note("Late.")))], sinks=[sink])
    said: list[list[str]] = []

    async def run(turn: int) -> None:
        async with scheduler:
            session = await scheduler.session("s")
            said.append(texts(await session.boundary(transcript(turn))))

    loops: dict[str, list[Any]] = {
        "asyncio": [asyncio.run, asyncio.run],
        "trio": [lambda coroutine: trio.run(lambda: coroutine)] * 2,
        "one after the other": [asyncio.run, lambda coroutine: trio.run(lambda: coroutine)],
    }
    for turn, loop in enumerate(loops[runs], start=1):
        loop(run(turn))
    assert said == [[], ["Late."]]
    assert [event.turn for event in sink.of(ReviewSettled)] == [1, 2]


TENANT: ContextVar[str] = ContextVar("TENANT", default="agent")


@pytest.mark.anyio
@pytest.mark.parametrize("kind", ["async", "sync"])
async def test_a_review_cannot_change_the_agents_context(kind: str) -> None:
    """As in https://github.com/pydantic/pydantic-ai/issues/7692: the tenant was the reviewer's afterwards."""
    seen = []

    def in_a_thread(review: Review) -> list[Note]:
        seen.append(TENANT.get())
        TENANT.set("reviewer")
        return []

    async def on_the_loop(review: Review) -> list[Note]:
        return in_a_thread(review)

    config = every_turn(in_a_thread if kind == "sync" else on_the_loop)
    TENANT.set("agent seven")
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s")
        for turn in (1, 2):
            await session.boundary(transcript(turn))
    assert TENANT.get() == "agent seven"
    assert seen == ["agent seven"] * 2
