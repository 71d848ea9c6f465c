"""The public fakes do what they say, so that a test that uses them means something."""

from __future__ import annotations

from typing import Any

import anyio
import pytest

from foureyes.core.facts import Note, Reply, Review
from foureyes.core.words import Severity, Trigger
from foureyes.telemetry.events import CheckpointFailed, NoteSent, Sink
from foureyes.testing import FakeClock, RecordingSink, ScriptedReviewer, note, run_turns, turn_messages

from .shell import every_turn, reviewer, session_of, texts

pytestmark = pytest.mark.anyio

REVIEW = Review(session="s", reviewer="one", trigger=Trigger.PERIODIC, turn=1, since=0, round=0, request="")


async def test_a_scripted_reviewer_answers_from_its_script_and_then_is_silent() -> None:
    said = ScriptedReviewer([note("One leak.")], note("Two leaks."), {"notes": []}, None)
    answers = [await said(REVIEW) for _ in range(6)]
    assert answers == [[note("One leak.")], [note("Two leaks.")], {"notes": []}, None, Reply(), Reply()]
    assert said.turns == [1] * 6


async def test_a_scripted_reviewer_raises_what_its_script_says() -> None:
    said = ScriptedReviewer(ValueError("down"), KeyError, lambda review: TypeError("built"))
    with pytest.raises(ValueError, match="down"):
        await said(REVIEW)
    assert await said(REVIEW) is KeyError
    with pytest.raises(TypeError, match="built"):
        await said(REVIEW)


async def test_an_entry_may_be_a_function_of_the_review() -> None:
    async def later(review: Review) -> list[Note]:
        return [note(f"Later: {review.turn}.")]

    said = ScriptedReviewer(lambda review: [note(f"Turn {review.turn}.")], later)
    assert [await said(REVIEW), await said(REVIEW)] == [[note("Turn 1.")], [note("Later: 1.")]]


def test_a_note_is_a_concern_unless_said_otherwise() -> None:
    assert note("x") == Note(text="x", severity=Severity.CONCERN)
    assert note("x", Severity.NIT, key="k") == Note(text="x", severity=Severity.NIT, key="k")


def test_a_recording_sink_keeps_everything_in_order() -> None:
    sink: Sink = RecordingSink()
    failed = CheckpointFailed(session="s", error="x")
    sent = NoteSent(session="s", reviewer="one", severity=Severity.NIT, note="n1")
    for event in (failed, sent, failed):
        sink.emit(event)
    sink.quiet(False)
    assert isinstance(sink, RecordingSink)
    assert sink.events == [failed, sent, failed]
    assert (sink.of(NoteSent), sink.of(CheckpointFailed), sink.quiet_boundaries) == ([sent], [failed, failed], 1)


async def test_a_fake_clock_moves_only_when_somebody_waits_or_tells_it_to() -> None:
    clock = FakeClock(100.0)
    with anyio.fail_after(5):
        await clock.sleep(3_600.0)
    clock.advance(0.5)
    assert (clock.monotonic(), clock.slept) == (3_700.5, [3_600.0])
    with pytest.raises(ValueError, match="does not go back"):
        clock.advance(-0.1)


def test_a_turn_is_a_call_and_its_result() -> None:
    call, result = turn_messages(7)
    assert call["tool_calls"][0]["id"] == result["tool_call_id"] == "call-7"
    assert (call["role"], result["role"]) == ("assistant", "tool")


async def test_run_turns_drives_a_loop_as_a_host_would() -> None:
    messages: list[Any] = [{"role": "user", "content": "Go."}]
    async with session_of(
        reviewer(ScriptedReviewer(note("One leak."), [], note("Two leaks.")), interval_turns=1)
    ) as session:
        guidances = await run_turns(session, 2, messages=messages, answers=["a", "b", "c"])
    assert [texts(guidance) for guidance in guidances] == [["One leak."], [], ["Two leaks."], []]
    assert [message["content"] for message in messages if message["role"] == "assistant"] == [
        "Step 1.",
        "Step 2.",
        "a",
        "b",
    ]
    given = [message["content"] for message in messages if message["role"] == "user"]
    assert given[1:] == [guidances[0].messages[0]["content"], guidances[2].messages[0]["content"]]


async def test_run_turns_needs_no_messages_of_its_own() -> None:
    said = ScriptedReviewer()
    async with session_of(every_turn(said)) as session:
        await run_turns(session, 1, each=lambda turn: [{"role": "assistant", "content": f"I am at {turn}."}])
    assert [message.text for message in said.reviews[0].messages] == ["Do the work.", "I am at 1."]
