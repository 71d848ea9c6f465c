"""The key of a review: the same review has the same one, and a review of anything else has another."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import anyio
import pytest

from foureyes.core.facts import EarlierNote, Message, Review, ToolTrace
from foureyes.core.words import Severity, Trigger
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session

from .shell import Gate, answering, every_turn, scripted, session_of, transcript
from .test_session_crashes import after_a_crash, store_of

REVIEW = Review(
    session="conversation", reviewer="correctness", trigger=Trigger.PERIODIC, turn=3, since=0, round=0, request="Do it."
)
OTHER = [*transcript(1)[:-1], {"role": "tool", "tool_call_id": "call-1", "content": "something else"}]


def test_the_key_names_session_turn_reviewer_and_trigger() -> None:
    *named, content = REVIEW.key.split(":")
    assert named == ["conversation", "3", "correctness", "periodic"]
    assert len(content) == 16


@pytest.mark.parametrize("same", [{}, {"attempt": 2}, {"timeout_seconds": 5.0}])
def test_the_same_review_asked_for_again_has_the_same_key(same: dict[str, Any]) -> None:
    assert replace(REVIEW, **same).key == REVIEW.key


@pytest.mark.parametrize(
    "other",
    [
        {"session": "another"},
        {"turn": 4},
        {"reviewer": "scope"},
        {"trigger": Trigger.FINISH},
        {"round": 1},
        {"request": "Do it not."},
        {"messages": (Message(role="assistant", text="Done."),)},
        {"elided": 1},
        {"tools": (ToolTrace(name="ls", arguments="{}", result="empty"),)},
        {"answer": ""},
        {"earlier": (EarlierNote(text="No.", severity=Severity.NIT, turn=1),)},
        {"request": "\ud800"},
    ],
    ids=lambda other: next(iter(other)),
)
def test_a_review_of_anything_else_has_another_key(other: dict[str, Any]) -> None:
    assert replace(REVIEW, **other).key != REVIEW.key


@pytest.mark.anyio
@pytest.mark.parametrize("again", [transcript(1), OTHER], ids=["the same turn", "another turn"])
async def test_after_a_rewind_the_same_turn_is_another_review(again: list[Any]) -> None:
    said = scripted()
    async with session_of(every_turn(said)) as session:
        await session.boundary(transcript(1))
        await session.rewound(0)
        await session.boundary(again)
    first, second = said.reviews
    assert (first.turn, second.turn) == (1, 1)
    assert first.key != second.key


async def cancelled(session: Session, gate: Gate) -> None:
    """Cancel the host while a reviewer is at work on its first turn."""
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(session.boundary, transcript(1))
        await gate.entered.wait()
        tasks.cancel_scope.cancel()


@pytest.mark.anyio
async def test_after_a_cancelled_call_the_same_turn_of_another_request_is_another_review() -> None:
    gate = Gate()
    async with session_of(every_turn(gate), request="Do the work.") as session:
        await cancelled(session, gate)
        gate.opened.set()
        await session.new_request("Do something else.")
        await session.boundary(OTHER)
    first, second = gate.reviews
    assert (first.turn, second.turn) == (1, 1)
    assert first.key != second.key


@pytest.mark.anyio
async def test_an_agent_that_does_something_else_after_a_crash_is_not_given_the_old_answer() -> None:
    said = scripted()
    config = every_turn(said)
    keys = []
    for messages in (transcript(1), transcript(1), OTHER):
        async with ReviewScheduler([config], store=await store_of(await after_a_crash(config))) as scheduler:
            await (await scheduler.session("s")).boundary(messages, turn=1)
        keys.append(said.reviews[-1].key)
    assert [review.attempt for review in said.reviews] == [2, 2, 2]
    assert keys[0] == keys[1] != keys[2]


@pytest.mark.anyio
async def test_another_answer_at_the_same_finish_is_another_review() -> None:
    said = scripted()
    async with ReviewScheduler([every_turn(said, max_rounds=2)]) as scheduler:
        for identity, answer in (("s", "done"), ("s2", "done"), ("s", "never")):
            session = await scheduler.session(identity)
            if answer == "never":
                await session.rewound(0)
            await session.finish(answering(answer), answer=answer)
    assert len({review.key for review in said.reviews}) == 3
