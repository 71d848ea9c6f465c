"""A finish review cannot hold an agent for ever, and letting go is never called an approval."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.words import FinishResult, Severity, SkipReason, Stop, Verdict
from foureyes.guidance import Guidance
from foureyes.session import Session
from foureyes.telemetry.events import FinishSettled
from foureyes.testing import RecordingSink, note, run_turns, turn_messages

from .shell import TASK, reviewer, scripted, session_of, skips

pytestmark = pytest.mark.anyio

BLOCKER = note("The answer is not good enough.", Severity.BLOCKER)


def always_blocking() -> Any:
    """Return a reviewer that finds something new wrong with every answer."""
    numbers = count(1)
    words = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven"]

    async def block(review: Review) -> list[Note]:
        place = words[next(numbers) % len(words)]
        return [note(f"Module {place} is broken.", Severity.BLOCKER, key=f"module-{place}-{review.turn}")]

    return block


async def answered(session: Session, messages: list[Any], *, tools: int = 0) -> Guidance:
    """Return the guidance for one more answer, before which the agent has used tools."""
    for _ in range(tools):
        messages += turn_messages(session.state.turn + 1)
        guidance = await session.boundary(messages)
        messages += guidance.messages
    messages.append({"role": "assistant", "content": "done"})
    guidance = await session.finish(messages, answer="done")
    messages += guidance.messages
    return guidance


async def attempts(session: Session, messages: list[Any], *, tools: int = 0) -> list[Guidance]:
    """Return the guidance of every answer until one is accepted; more than 20 are no end at all."""
    guidances = [await answered(session, messages, tools=tools)]
    while guidances[-1].reopen:
        assert len(guidances) < 20, "the finish never lets go"
        guidances.append(await answered(session, messages, tools=tools))
    return guidances


async def test_a_reviewer_that_is_never_content_sends_back_as_often_as_it_has_rounds() -> None:
    """As in https://github.com/anthropics/claude-code/issues/58550: 200 rounds over five hours."""
    async with session_of(reviewer(always_blocking(), max_rounds=3)) as session:
        guidances = await attempts(session, [TASK])
    assert [guidance.reopen for guidance in guidances] == [True, True, True, False]
    assert guidances[-1].result is FinishResult.CAPPED


async def test_tools_between_the_answers_do_not_refill_the_rounds() -> None:
    """As in https://github.com/QwenLM/qwen-code/issues/11673: a cap that every tool call reset."""
    async with session_of(reviewer(always_blocking(), max_rounds=2)) as session:
        guidances = await attempts(session, [TASK], tools=3)
    assert [guidance.reopen for guidance in guidances] == [True, True, False]


async def test_the_next_request_of_the_human_counts_from_zero() -> None:
    messages: list[Any] = [TASK]
    async with session_of(reviewer(always_blocking(), max_rounds=2)) as session:
        await attempts(session, messages, tools=1)
        messages.append({"role": "user", "content": "Now the other file."})
        guidances = await attempts(session, messages, tools=1)
    assert [guidance.reopen for guidance in guidances] == [True, True, False]


async def test_a_run_let_go_at_the_cap_is_neither_clean_nor_approved() -> None:
    """As in https://github.com/anthropics/claude-code/issues/85547: one outcome for passed and for given up."""
    sink = RecordingSink()
    async with session_of(reviewer(always_blocking(), max_rounds=1), sinks=[sink]) as session:
        guidances = await attempts(session, [TASK])
    last = guidances[-1]
    assert (last.result, last.verdict) == (FinishResult.CAPPED, Verdict.CHANGES_REQUESTED)
    assert skips(last) == {"one": SkipReason.CAP}
    assert [event.result for event in sink.of(FinishSettled)] == [FinishResult.REOPENED, FinishResult.CAPPED]


async def test_at_a_cap_with_nothing_open_the_answer_is_unreviewed() -> None:
    async with session_of(reviewer(scripted(BLOCKER), max_rounds=2)) as session:
        messages: list[Any] = [TASK]
        await attempts(session, messages)
        last = await answered(session, messages)
    assert (last.result, last.verdict) == (FinishResult.CAPPED, Verdict.UNREVIEWED)


async def test_one_reviewer_at_its_cap_keeps_the_other_from_approving_alone() -> None:
    first, second = reviewer(scripted(BLOCKER), "alpha", max_rounds=1), reviewer(scripted(), "beta", max_rounds=2)
    async with session_of(first, second) as session:
        guidances = await attempts(session, [TASK])
    assert guidances[-1].result is FinishResult.CAPPED
    assert guidances[-1].verdict is Verdict.CHANGES_REQUESTED


async def test_a_reviewer_without_rounds_is_never_asked_at_a_finish() -> None:
    asked = scripted(BLOCKER)
    async with session_of(reviewer(asked, max_rounds=0)) as session:
        guidance = await answered(session, [TASK])
    assert asked.reviews == []
    assert (guidance.result, guidance.verdict, guidance.skips) == (FinishResult.CLEAN, Verdict.UNREVIEWED, ())


async def test_a_capped_run_lists_what_the_agent_was_never_told() -> None:
    async with session_of(reviewer(always_blocking(), max_rounds=1), reviewer(late_nit, "two")) as session:
        guidances = await attempts(session, [TASK])
    assert [left.text for left in guidances[-1].unsent] == ["Rename the index."]


async def late_nit(review: Review) -> list[Note]:
    """Say nothing but a nit, and that only about a second answer."""
    return [note("Rename the index.", Severity.NIT)] if review.round else []


@settings(max_examples=60)
@given(
    rounds=st.lists(st.integers(0, 4), min_size=1, max_size=4),
    acts=st.lists(st.sampled_from(["tool", "answer", "stop"]), max_size=14),
)
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_reopenings_never_exceed_the_largest_allowance(rounds: list[int], acts: list[str]) -> None:
    configs: list[ReviewerConfig] = [
        reviewer(always_blocking(), f"r{place}", max_rounds=allowed) for place, allowed in enumerate(rounds)
    ]
    messages: list[Any] = [TASK]
    reopened = 0
    async with session_of(*configs) as session:
        for act in acts:
            if act == "tool":
                messages += turn_messages(session.state.turn + 1)
                messages += (await session.boundary(messages)).messages
            elif act == "stop":
                await session.finish(messages, answer="", stop=Stop.PAUSED_FOR_HUMAN)
            else:
                guidance = await answered(session, messages)
                assert guidance.reopen == (guidance.result is FinishResult.REOPENED)
                assert guidance.verdict is not Verdict.APPROVED
                reopened += guidance.reopen
        assert session.state.reopens == reopened
    assert reopened <= max(rounds)


async def test_a_host_that_goes_on_after_a_reopened_finish_keeps_its_turn_numbers() -> None:
    async with session_of(reviewer(scripted(BLOCKER))) as session:
        guidances = await run_turns(session, 2, answers=["done", "done again"])
    assert [guidance.turn for guidance in guidances] == [1, 2, 3, 4]
