"""A flood through a session: what the host is told of it, and what a muted reviewer means for an answer."""

from __future__ import annotations

from typing import Any

import pytest

from foureyes.core.words import Disposition, FinishResult, MuteReason, Severity, SkipReason, Verdict
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.telemetry.events import NoteJudged, ReviewerMuted
from foureyes.testing import RecordingSink, note, turn_messages

from .shell import TASK, answering, every_turn, reviewer, scripted, session_of, skips, texts, transcript

pytestmark = pytest.mark.anyio

FLOOD = [note("Stop.", Severity.BLOCKER)] * 40
LEAK, JOIN, DRIFT, SOCKET = (
    note(text)
    for text in (
        "The lock is never released.",
        "The join doubles every row.",
        "Totals drift by a cent.",
        "A socket stays open.",
    )
)


async def test_a_mute_is_said_once_to_the_user_and_to_every_sink() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted([*FLOOD, LEAK], FLOOD)), sinks=[sink]) as session:
        first = await session.boundary(transcript(1))
        first.taken()
        second = await session.boundary(transcript(2))
    muted = "one: muted for the rest of this request: 40 suppressed blockers in a row, limit 32"
    assert first.progress == f"one: 1 concern; passed on to the agent; {muted}"
    assert (second.progress, skips(second)) == ("", {"one": SkipReason.MUTED})
    [event] = sink.of(ReviewerMuted)
    assert (event.reviewer, event.turn, event.reason, event.have) == ("one", 1, MuteReason.BLOCKERS, 40)


async def test_what_a_muted_reviewer_has_said_before_is_still_handed_over() -> None:
    async with session_of(every_turn(scripted([*FLOOD, LEAK]))) as session:
        guidance = await session.boundary(transcript(1))
    assert texts(guidance) == [LEAK.text]


async def test_an_answer_that_a_muted_reviewer_did_not_review_is_not_approved() -> None:
    async with session_of(reviewer(scripted(FLOOD), interval_turns=1)) as session:
        await session.boundary(transcript(1))
        guidance = await session.finish(answering("It works.", 1), answer="It works.")
    assert skips(guidance) == {"one": SkipReason.MUTED}
    assert (guidance.result, guidance.verdict) == (FinishResult.UNAVAILABLE, Verdict.UNAVAILABLE)


async def test_a_mute_survives_a_restart_and_ends_with_the_request() -> None:
    config = every_turn(scripted(FLOOD, [LEAK]))
    async with session_of(config, request="Do the work.") as session:
        await session.boundary(transcript(1))
        snapshot = session.snapshot()
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s", snapshot=snapshot)
        muted = await session.boundary(transcript(2))
        await session.new_request("And now this.")
        heard = await session.boundary(transcript(3))
    assert (skips(muted), texts(heard)) == ({"one": SkipReason.MUTED}, [LEAK.text])


async def said_at(session: Session, messages: list[Any], answer: str) -> Guidance:
    """Return the guidance of an answer, and keep it."""
    messages.append({"role": "assistant", "content": answer})
    guidance = await session.finish(messages, answer=answer)
    messages += guidance.messages
    return guidance


async def test_finishes_between_which_the_agent_does_nothing_share_one_allowance_of_notes() -> None:
    """An agent that answers each send-back with "Done." is sent back for what is left of the allowance, no more."""
    sink = RecordingSink()
    config = reviewer(scripted([LEAK], [JOIN, DRIFT], [SOCKET]), max_rounds=9, guard={"max_notes": 2})
    async with session_of(config, sinks=[sink]) as session:
        messages: list[Any] = [TASK, *turn_messages(1)]
        told = [texts(await said_at(session, messages, answer)) for answer in ("It works now.", "Done.", "Done.")]
    assert told == [[LEAK.text], [JOIN.text], []]
    kinds = [event.disposition for event in sink.of(NoteJudged)]
    admitted, over = Disposition.ADMITTED, Disposition.OVER_REVIEW
    assert kinds == [admitted, admitted, over, over]


async def test_work_between_two_finishes_fills_the_allowance_again() -> None:
    config = reviewer(scripted([LEAK, JOIN], [DRIFT, SOCKET]), max_rounds=9, guard={"max_notes": 2})
    async with session_of(config) as session:
        messages: list[Any] = [TASK, *turn_messages(1)]
        first = await said_at(session, messages, "It works now.")
        messages += turn_messages(2)
        second = await said_at(session, messages, "Done.")
    assert [texts(first), texts(second)] == [[LEAK.text, JOIN.text], [DRIFT.text, SOCKET.text]]


async def test_held_notes_are_listed_at_the_finish_and_do_not_reopen_it() -> None:
    ways = [
        "The token cache is never cleared after logout.",
        "After logout the token cache is never cleared.",
        "Never cleared after logout: the token cache.",
    ]
    async with session_of(reviewer(scripted(*([note(text)] for text in ways)), interval_turns=1)) as session:
        messages: list[Any] = [TASK]
        for turn in (1, 2):
            messages += turn_messages(turn)
            messages += (await session.boundary(messages)).messages
        guidance = await said_at(session, messages, "It works now.")
    assert (guidance.reopen, guidance.result) == (False, FinishResult.CAPPED)
    assert [left.text for left in guidance.unsent] == [ways[2]]
    assert [one.disposition for one in guidance.judged] == [Disposition.HELD_SIMILAR]
