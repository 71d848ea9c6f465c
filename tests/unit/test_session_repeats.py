"""Asking again, asking wrongly, and going back: what a host may do, and what changes nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest

from foureyes.core.facts import Message
from foureyes.core.words import FinishResult, Severity, Stop, Verdict
from foureyes.errors import HostError
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import NoteSent
from foureyes.testing import RecordingSink, note, run_turns, turn_messages

from .shell import (
    TASK,
    FailingStore,
    Gate,
    answering,
    every_turn,
    reviewer,
    scripted,
    session_of,
    texts,
    transcript,
)

pytestmark = pytest.mark.anyio

CONCERN = note("The lock is never released.")
BLOCKER = note("The lock is never released.", Severity.BLOCKER)


# --- asking again ---


async def test_a_repeat_of_the_last_turn_returns_the_same_guidance_and_calls_nobody() -> None:
    said = scripted(CONCERN)
    async with session_of(every_turn(said)) as session:
        first = await session.boundary(transcript(), turn=1)
        state = session.state
        again = await session.boundary(transcript(), turn=1)
        assert session.state is state
    assert len(said.reviews) == 1
    assert (again.messages, again.progress, again.outcomes) == (first.messages, first.progress, first.outcomes)
    assert again.advisory == first.advisory


async def test_a_repeat_after_a_restart_returns_the_same_guidance() -> None:
    said, store = scripted(CONCERN), MemoryStore()
    guidances = []
    for _ in range(2):
        async with ReviewScheduler([every_turn(said)], store=store) as scheduler:
            guidances.append(await (await scheduler.session("s")).boundary(transcript(), turn=1))
    assert len(said.reviews) == 1
    assert guidances[0].advisory == guidances[1].advisory is not None


async def test_a_repeated_finish_is_not_decided_twice() -> None:
    said = scripted(CONCERN)
    async with session_of(reviewer(said)) as session:
        first = await session.finish(answering("done"), answer="done", turn=1)
        again = await session.finish(answering("done"), answer="done", turn=1)
        assert session.state.reopens == 1
    assert (again.result, again.verdict, again.reopen, again.advisory) == (
        FinishResult.REOPENED,
        Verdict.CHANGES_REQUESTED,
        True,
        first.advisory,
    )


async def test_without_reviewers_a_boundary_is_quiet_and_the_turns_are_counted() -> None:
    async with session_of() as session:
        guidances = [await session.boundary(transcript()), await session.boundary(transcript(2))]
        assert await session.boundary(transcript(2), turn=2) == guidances[1]
    assert [(one.turn, one.messages, one.result) for one in guidances] == [(1, [], None), (2, [], None)]


async def test_a_repeated_finish_without_reviewers_says_the_same_again() -> None:
    async with session_of() as session:
        first = await session.finish(answering("done"), answer="done", turn=1)
        assert await session.finish(answering("done"), answer="done", turn=1) == first


async def test_a_repeated_quiet_boundary_is_quiet() -> None:
    async with session_of(reviewer(scripted(), interval_turns=9)) as session:
        first = await session.boundary(transcript(), turn=1)
        assert await session.boundary(transcript(), turn=1) == first


async def test_a_turn_cannot_be_a_boundary_and_a_finish() -> None:
    async with session_of(every_turn(scripted())) as session:
        await session.boundary(transcript(), turn=1)
        with pytest.raises(HostError, match="settled as a boundary"):
            await session.finish(answering("done"), answer="done", turn=1)


async def test_turns_may_be_left_out() -> None:
    asked = scripted()
    async with session_of(every_turn(asked)) as session:
        await session.boundary(transcript(1), turn=1)
        guidance = await session.boundary(transcript(7), turn=7)
        assert (guidance.turn, session.state.turn) == (7, 7)
    assert asked.turns == [1, 7]


# --- going back ---


async def test_a_lower_turn_is_refused_with_its_cure() -> None:
    async with session_of(every_turn(scripted())) as session:
        await run_turns(session, 3)
        with pytest.raises(HostError, match=r"turn 2 is before turn 3.*rewound\(1\)"):
            await session.boundary(transcript(2), turn=2)


async def test_a_lower_turn_is_fine_once_the_host_has_said_so() -> None:
    asked = scripted()
    async with session_of(every_turn(asked)) as session:
        await run_turns(session, 3)
        await session.rewound(1)
        guidance = await session.boundary(transcript(2), turn=2)
    assert (guidance.turn, asked.turns) == (2, [1, 2, 3, 2])


async def test_going_back_gives_no_review_back() -> None:
    asked = scripted()
    async with session_of(every_turn(asked, max_periodic_reviews=2)) as session:
        await run_turns(session, 2)
        await session.rewound(0)
        await run_turns(session, 2)
    assert asked.turns == [1, 2]


async def test_what_was_raised_in_the_removed_future_is_not_handed_over() -> None:
    async with session_of(every_turn(scripted([], CONCERN))) as session:
        await session.boundary(transcript(1))
        handed = await session.boundary(transcript(2))
        await session.rewound(1)
        after = await session.boundary(transcript(2))
    assert (texts(handed), texts(after)) == ([CONCERN.text], [])


async def test_a_guidance_of_the_removed_future_confirms_nothing() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN)), sinks=[sink]) as session:
        handed = await session.boundary(transcript(1))
        await session.rewound(0)
        handed.taken()
    assert sink.of(NoteSent) == []


@pytest.mark.parametrize("turn", [-1, 4, True, 1.0, "1", None])
async def test_going_to_a_turn_that_is_not_settled_is_refused(turn: Any) -> None:
    async with session_of(every_turn(scripted())) as session:
        await run_turns(session, 3)
        before = session.state
        with pytest.raises(HostError, match="from 0 to 3"):
            await session.rewound(turn)
        assert session.state == before


# --- asking wrongly ---


class Wrong:
    """No message: it has no role."""


MESSAGES = transcript(1)
ILLEGAL: dict[str, Callable[[Session], Awaitable[object]]] = {
    "turn 0": lambda session: session.boundary(MESSAGES, turn=0),
    "a negative turn": lambda session: session.boundary(MESSAGES, turn=-3),
    "a turn that is true": lambda session: session.boundary(MESSAGES, turn=True),
    "a turn in text": lambda session: session.boundary(MESSAGES, turn="3"),  # type: ignore[arg-type]
    "a fractional turn": lambda session: session.boundary(MESSAGES, turn=3.0),  # type: ignore[arg-type]
    "no answer": lambda session: session.finish(MESSAGES, answer=None),  # type: ignore[arg-type]
    "an answer in bytes": lambda session: session.finish(MESSAGES, answer=b"done"),  # type: ignore[arg-type]
    "an unknown stop": lambda session: session.finish(MESSAGES, answer="", stop="enough"),  # type: ignore[arg-type]
    "no stop": lambda session: session.finish(MESSAGES, answer="", stop=None),  # type: ignore[arg-type]
    "a stop in a list": lambda session: session.finish(MESSAGES, answer="", stop=["answer"]),  # type: ignore[arg-type]
    "no messages": lambda session: session.boundary(None),  # type: ignore[arg-type]
    "a number of messages": lambda session: session.boundary(3),  # type: ignore[arg-type]
    "a text instead of messages": lambda session: session.boundary("Do the work."),
    "bytes instead of messages": lambda session: session.boundary(b"Do the work."),
    "a message instead of messages": lambda session: session.boundary(TASK),  # type: ignore[arg-type]
    "an iterator of messages": lambda session: session.boundary(iter(MESSAGES)),  # type: ignore[arg-type]
    "messages without a role": lambda session: session.boundary([*MESSAGES, {"content": "x"}]),
    "messages that are objects of something else": lambda session: session.boundary([*MESSAGES, Wrong()]),
    "messages that are none": lambda session: session.boundary([*MESSAGES, None]),
    "a finish over no messages": lambda session: session.finish([Wrong()], answer="done"),
    "a request that is no text": lambda session: session.new_request(None),  # type: ignore[arg-type]
}


@pytest.mark.parametrize("known", [False, True], ids=["a new session", "a session with a past"])
@pytest.mark.parametrize("call", ILLEGAL.values(), ids=ILLEGAL.keys())
async def test_illegal_input_changes_nothing(call: Callable[[Session], Awaitable[object]], known: bool) -> None:
    store, said = FailingStore(), scripted(CONCERN)
    async with session_of(reviewer(said, interval_turns=1), store=store) as session:
        if known:
            await session.boundary(transcript(1))
        before, saves, asked = session.state, store.saves, len(said.reviews)
        with pytest.raises(HostError):
            await call(session)
        assert session.state == before
        assert (store.saves, len(said.reviews)) == (saves, asked)


async def test_a_session_works_after_illegal_input() -> None:
    said = scripted(CONCERN)
    async with session_of(reviewer(said, interval_turns=1)) as session:
        for call in ILLEGAL.values():
            with pytest.raises(HostError):
                await call(session)
        guidance = await session.boundary(transcript(1))
    assert (guidance.turn, texts(guidance)) == (1, [CONCERN.text])


async def test_a_note_that_was_taken_before_an_illegal_call_is_counted_once() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN)), sinks=[sink]) as session:
        messages = transcript(1)
        messages += (await session.boundary(messages)).messages
        messages += turn_messages(2)
        for _ in range(2):
            with pytest.raises(HostError):
                await session.boundary([*messages, Wrong()])
        await session.boundary(messages)
    assert [event.note for event in sink.of(NoteSent)] == ["n1"]


async def test_a_message_may_be_a_dictionary_a_message_or_an_object_of_the_same_shape() -> None:
    class Said:
        role, content, tool_calls = "assistant", "I am done.", None

    asked = scripted()
    async with session_of(every_turn(asked)) as session:
        await session.boundary((TASK, Message(role="assistant", text="I begin."), Said()))
    assert [message.text for message in asked.reviews[0].messages] == ["Do the work.", "I begin.", "I am done."]


async def test_two_calls_at_once_are_refused_and_the_first_one_goes_on() -> None:
    gate = Gate(CONCERN)
    async with session_of(every_turn(gate)) as session:
        guidances = []

        async def host() -> None:
            guidances.append(await session.boundary(transcript(1)))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(host)
            await gate.entered.wait()
            for call in (
                lambda: session.boundary(transcript(1)),
                lambda: session.finish(answering("done"), answer="done"),
                lambda: session.rewound(0),
                session.compacted,
            ):
                with pytest.raises(HostError, match="two calls at once on session 's'"):
                    await call()
            gate.opened.set()
    assert [texts(guidance) for guidance in guidances] == [[CONCERN.text]]


@pytest.mark.parametrize("stop", [Stop.ANSWER, "answer"])
async def test_a_stop_may_be_written_as_its_word(stop: Any) -> None:
    async with session_of(reviewer(scripted())) as session:
        assert (await session.finish(answering("done"), answer="done", stop=stop)).verdict is Verdict.APPROVED


# --- the host's own copy ---


async def test_a_snapshot_goes_on_where_it_was_taken() -> None:
    said = scripted(CONCERN, CONCERN, BLOCKER)
    messages = transcript(0)
    async with session_of(every_turn(said)) as session:
        await run_turns(session, 1, messages=messages)
        kept = session.snapshot()
    async with ReviewScheduler([every_turn(said)]) as scheduler:
        resumed = await scheduler.session("s", snapshot=kept)
        later = await run_turns(resumed, 2, messages=messages)
    assert [guidance.turn for guidance in later] == [2, 3]
    assert [texts(guidance) for guidance in later] == [[], [BLOCKER.text]]


async def test_a_state_is_a_value_that_later_turns_do_not_change() -> None:
    async with session_of(every_turn(scripted(CONCERN))) as session:
        before, kept = session.state, session.snapshot()
        await run_turns(session, 2)
        assert (before.turn, kept["turn"], session.state.turn) == (0, 0, 2)
        assert before.notes == {}
