"""Where the turns of a recording begin and end."""

from __future__ import annotations

import pytest

from foureyes.core.facts import Message, ToolCall
from foureyes.replay.turns import RecordedTurn, turn_at, turns

SYSTEM = Message(role="system", text="You are an agent.")
ASK = Message(role="user", text="Fix it.")
MORE = Message(role="user", text="And that.")
ADVISORY = Message(role="user", text="A remark.", human=False)
STEP = Message(role="assistant", text="Looking.", tool_calls=(ToolCall(name="ls"), ToolCall(name="ls")))
RESULT = Message(role="tool", text="a.py")
ANSWER = Message(role="assistant", text="Done.")
SILENCE = Message(role="assistant", text=" \n")


def spans(*messages: Message) -> list[tuple[int, int]]:
    return [(turn.start, turn.end) for turn in turns(messages)]


@pytest.mark.parametrize(
    ("messages", "expected"),
    [
        ((), []),
        ((SYSTEM, ASK), []),
        ((ASK, ANSWER), [(1, 2)]),
        ((ASK, STEP, RESULT, RESULT, ANSWER), [(1, 4), (4, 5)]),
        ((ASK, STEP, RESULT, MORE, ANSWER), [(1, 3), (4, 5)]),
        ((ASK, STEP, STEP, RESULT), [(1, 2), (2, 4)]),
        ((ASK, STEP, RESULT, SYSTEM, RESULT, ANSWER), [(1, 5), (5, 6)]),
        ((STEP, RESULT), [(0, 2)]),
        ((RESULT, ANSWER), [(1, 2)]),
    ],
    ids=[
        "nothing",
        "nobody spoke",
        "an answer",
        "a step with two results",
        "a human ends a turn",
        "an assistant message ends a turn",
        "a system message does not",
        "no human",
        "a stray result",
    ],
)
def test_a_turn_ends_before_the_next_assistant_or_user_message(
    messages: tuple[Message, ...], expected: list[tuple[int, int]]
) -> None:
    assert spans(*messages) == expected


@pytest.mark.parametrize(("said", "answers"), [(STEP, False), (ANSWER, True), (SILENCE, False)])
def test_an_answer_is_text_without_tool_calls(said: Message, answers: bool) -> None:
    [turn] = turns([ASK, said])
    assert turn.answers is answers


def test_a_turn_knows_the_first_thing_that_the_human_said_before_it() -> None:
    found = [turn.asked for turn in turns([SYSTEM, ASK, MORE, STEP, RESULT, ANSWER, ADVISORY, MORE, ANSWER])]
    assert found == ["Fix it.", None, "And that."]


def test_what_no_human_wrote_is_not_asked() -> None:
    assert [turn.asked for turn in turns([ADVISORY, ANSWER])] == [None]


def test_a_turn_begins_with_what_the_agent_said() -> None:
    assert list(turns([ASK, ANSWER])) == [RecordedTurn(said=ANSWER, start=1, end=2, asked="Fix it.")]


@pytest.mark.parametrize(
    ("messages", "answers"),
    [
        ((ASK, ANSWER, STEP, RESULT, ANSWER), [False, False, True]),
        ((ASK, ANSWER, ANSWER, ANSWER), [False, False, True]),
        ((ASK, ANSWER, MORE, ANSWER), [True, True]),
        ((ASK, ANSWER, ADVISORY, ANSWER), [True, True]),
        ((ASK, ANSWER, SILENCE, SILENCE), [True, False, False]),
        ((ASK, ANSWER, SILENCE, STEP), [False, False, False]),
        ((ASK, ANSWER, SYSTEM, RESULT), [True]),
        ((ASK, ANSWER, SYSTEM, ANSWER), [False, True]),
        ((ASK, STEP, RESULT), [False]),
        ((), []),
    ],
)
def test_where_agents_also_speak_between_steps_only_words_that_they_do_not_go_on_from_are_an_answer(
    messages: tuple[Message, ...], answers: list[bool]
) -> None:
    assert [turn.answers for turn in turns(messages, narrates=True)] == answers


def test_where_agents_do_not_speak_between_steps_all_words_without_a_call_are_an_answer() -> None:
    assert [turn.answers for turn in turns([ASK, ANSWER, STEP, RESULT, ANSWER])] == [True, False, True]


@pytest.mark.parametrize(("place", "turn"), [(0, 1), (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (99, 2)])
def test_a_message_belongs_to_the_turn_that_began_last_and_at_least_to_the_first(place: int, turn: int) -> None:
    assert turn_at([ASK, STEP, RESULT, MORE, ANSWER], place) == turn


def test_where_the_agent_never_spoke_no_turn_holds_anything() -> None:
    assert turn_at([SYSTEM, ASK], 1) is None
