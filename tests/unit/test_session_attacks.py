"""What a hostile or clumsy reviewer, host or human can do, and what it does not lead to."""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any

import anyio
import pytest

from foureyes.core.facts import Note, Review
from foureyes.core.guard import Limits
from foureyes.core.words import FinishResult, OutcomeKind, Severity, SkipReason, Verdict
from foureyes.errors import ConfigError, HostError
from foureyes.scheduler import ReviewScheduler
from foureyes.testing import note, run_turns, turn_messages

from .shell import every_turn, outcomes, reviewer, scripted, session_of, skips, texts, transcript

pytestmark = pytest.mark.anyio

BLOCKER = note("The data is gone.", Severity.BLOCKER)


@pytest.mark.parametrize(
    "said", [["The answer is wrong"], [{"message": "no"}], [None], [note("Fine.", Severity.NIT), 7]]
)
async def test_an_answer_whose_review_cannot_be_read_is_not_approved(said: list[Any]) -> None:
    async with session_of(reviewer(scripted(said))) as session:
        (end,) = await run_turns(session, 0, answers=["Done."])
    assert (end.result, end.verdict) == (FinishResult.UNAVAILABLE, Verdict.UNAVAILABLE)


async def test_a_reviewer_may_do_with_its_review_what_it_likes() -> None:
    async def greedy(review: Review) -> list[Note]:
        vars(review).clear()
        return [BLOCKER]

    async with session_of(every_turn(greedy)) as session:
        assert texts(await session.boundary(transcript())) == [BLOCKER.text]


async def test_a_failure_is_told_without_any_sink(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(review: Review) -> None:
        raise ValueError("my bug")

    with caplog.at_level(logging.WARNING, "foureyes"):
        async with session_of(every_turn(broken)) as session:
            guidance = await session.boundary(transcript())
    assert [called.error for called in guidance.outcomes] == ["ValueError: my bug"]
    assert ["my bug" in record.getMessage() for record in caplog.records] == [True]
    assert session.state.settled is not None
    assert [called.error for called in session.state.settled.calls] == [""], "it is not saved"


async def test_a_human_who_quotes_an_advisory_is_heard() -> None:
    async with session_of(reviewer(scripted(BLOCKER))) as session:
        messages: list[Any] = [{"role": "user", "content": "Do it."}]
        first, last = await run_turns(session, 0, messages=messages, answers=["Done.", "Really done."])
        quoted = f"I saw '{first.messages[0]['content'][:60]}' in the log. Delete the branch instead."
        messages += [{"role": "user", "content": quoted}, *turn_messages(3)]
        await session.boundary(messages)
    assert last.result is not FinishResult.REOPENED
    assert (session.state.request, session.state.request_text) == (2, quoted)


async def test_a_trimmed_transcript_is_reviewed_all_the_same() -> None:
    said = scripted()
    async with session_of(every_turn(said, max_periodic_reviews=99)) as session:
        messages: list[Any] = [{"role": "user", "content": "Do it."}]
        for number in range(1, 11):
            messages += turn_messages(number)
            await session.boundary(messages[-6:])
    assert said.turns == list(range(1, 11))


async def test_what_the_host_appends_during_a_review_is_reviewed_next_time() -> None:
    messages = transcript()

    async def slow(review: Review) -> list[Note]:
        messages.extend(turn_messages(9))
        await anyio.lowlevel.checkpoint()
        return []

    async with session_of(every_turn(slow)) as session:
        await session.boundary(messages)
        assert outcomes(await session.boundary(list(messages))) == {"one": OutcomeKind.QUIET}


async def test_another_answer_at_a_settled_turn_is_not_approved_with_the_first() -> None:
    async with session_of(reviewer(scripted())) as session:
        messages = [*transcript(), {"role": "assistant", "content": "A"}]
        ends = [await session.finish(messages, answer=answer, turn=1) for answer in ("A", "A", "B")]
    assert [end.verdict for end in ends] == [Verdict.APPROVED, Verdict.APPROVED, Verdict.UNREVIEWED]


async def test_one_trial_of_a_paused_reviewer_is_one_call() -> None:
    calls = 0

    async def dead(review: Review) -> None:
        nonlocal calls
        calls += 1
        await anyio.lowlevel.checkpoint()
        raise ValueError("dead")

    async with ReviewScheduler([every_turn(dead, pause_after_failures=1, cooldown_turns=0)]) as scheduler:
        sessions = [await scheduler.session(f"s{number}") for number in range(12)]
        for session in sessions[:11]:
            await session.boundary(transcript())
        assert calls == 1, "the first call pauses it, and ten more boundaries pass it over"
        async with anyio.create_task_group() as tasks:
            for session in sessions[:10]:
                tasks.start_soon(session.boundary, transcript(2))
    assert calls == 2


@pytest.mark.parametrize("turn", [2**53 + 1, 2**63, 10**30])
async def test_a_turn_that_no_store_could_keep_is_refused(turn: int) -> None:
    async with session_of(every_turn(scripted())) as session:
        with pytest.raises(HostError):
            await session.boundary(transcript(), turn=turn)
        assert session.state.turn == 0


async def test_a_handle_that_was_replaced_or_closed_says_so() -> None:
    scheduler = ReviewScheduler([every_turn(scripted())])
    async with scheduler:
        old = await scheduler.session("s")
        await scheduler.session("s", snapshot=old.snapshot())
        with pytest.raises(HostError, match="out of date"):
            await old.boundary(transcript())
    async with scheduler:
        with pytest.raises(HostError, match="out of date"):
            await old.boundary(transcript())


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: ReviewScheduler(["checks"]),  # type: ignore[list-item]
        lambda: ReviewScheduler(every_turn(scripted())),  # type: ignore[arg-type]
        lambda: ReviewScheduler([], store="x.db"),  # type: ignore[arg-type]
        lambda: ReviewScheduler([], sinks=[print]),  # type: ignore[list-item]
        lambda: ReviewScheduler([], limits=Limits(notes_per_boundary=0)),
        lambda: ReviewScheduler([], limits=Limits(notes_per_request=True)),
    ],
)
async def test_what_is_given_wrongly_is_refused_at_once(wrong: Callable[[], object]) -> None:
    with pytest.raises(ConfigError):
        wrong()


async def test_an_answer_is_reviewed_again_where_another_gate_sent_the_agent_on() -> None:
    said = scripted()
    async with session_of(reviewer(said)) as session:
        ends = [await run_turns(session, 0, answers=[answer]) for answer in ("One.", "Two.", "Three.")]
    assert [end[0].verdict for end in ends] == [Verdict.APPROVED, Verdict.APPROVED, Verdict.UNREVIEWED]
    assert skips(ends[2][0]) == {"one": SkipReason.CAP}


def test_a_scheduler_used_on_a_second_event_loop_says_so() -> None:
    """Else it fails deep inside the loop, or hangs."""

    def elsewhere(call: Callable[[], Coroutine[Any, Any, object]]) -> BaseException | None:
        raised: list[BaseException] = []

        def run() -> None:
            try:
                asyncio.run(call())
            except BaseException as error:
                raised.append(error)

        thread = threading.Thread(target=run)
        thread.start()
        thread.join()
        return raised[0] if raised else None

    async def go() -> None:
        async with ReviewScheduler([every_turn(scripted())]) as scheduler:
            session = await scheduler.session("s")
            calls: list[Callable[[], Coroutine[Any, Any, object]]] = [
                lambda: session.boundary(transcript()),
                lambda: scheduler.session("t"),
                session.compacted,
            ]
            for call in calls:
                error = elsewhere(call)
                assert isinstance(error, HostError)
                assert "another event loop" in str(error)
            assert (await session.boundary(transcript())).turn == 1

    asyncio.run(go())
