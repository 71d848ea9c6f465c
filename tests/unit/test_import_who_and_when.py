"""What is read from runs of several agents with the labels of Who&When."""

from __future__ import annotations

import json

import pytest

from .recorded import CODE, FAILURE, WHO_AND_WHEN, only, pretty, refusal, results, roles

HISTORY = WHO_AND_WHEN["history"]
assert isinstance(HISTORY, list)


def run(*history: object, **fields: object) -> bytes:
    return pretty({**WHO_AND_WHEN, "history": [HISTORY[0], *history], **fields})


def says(speaker: str, content: object = "Hm.") -> dict[str, object]:
    return {"role": speaker, "content": content}


def test_each_message_of_an_agent_is_a_turn_and_a_terminal_is_a_tool() -> None:
    recording = only(pretty(WHO_AND_WHEN))
    assert roles(recording) == ["user", "assistant", "tool", "assistant", "assistant"]
    assert [message.name for message in recording.messages[1:]] == ["Tester", "Computer_terminal", "Checker", "Tester"]
    assert [turn.start for turn in recording.turns()] == [1, 3, 4]


def test_only_the_last_words_of_an_agent_are_an_answer() -> None:
    recording = only(run(says("Orchestrator (thought)"), says("WebSurfer"), says("Orchestrator (-> WebSurfer)")))
    assert [turn.answers for turn in recording.turns()] == [False, False, True]


def test_executed_code_is_a_tool_call() -> None:
    [call] = only(pretty(WHO_AND_WHEN)).messages[1].tool_calls
    assert call.name == "Computer_terminal"
    assert json.loads(call.arguments) == {"code": "print(1)\n"}


def test_code_that_nobody_executed_is_no_tool_call() -> None:
    assert only(run(says("Tester", CODE), says("Checker"))).messages[1].tool_calls == ()


@pytest.mark.parametrize(
    ("words", "error"),
    [
        ("exitcode: 1 (execution failed)\nCode output: x", True),
        ("exitcode: 0 (execution succeeded)\nCode output: Traceback", False),
        ("exitcode: -9 (execution failed)", True),
        ("The script ran, then exited with an error (POSIX exit code: 1)\nIts output was: x", True),
        ("The script ran but produced no output to console. The POSIX exit code was: 0.", False),
        ("No code block detected.", False),
    ],
)
def test_code_failed_where_its_exit_status_says_so(words: str, error: bool) -> None:
    [result] = results(only(run(says("Tester", CODE), says("ComputerTerminal", words))))
    assert (result.text, result.error) == (words, error)


def test_whoever_reports_an_exit_status_is_a_tool_in_all_its_messages() -> None:
    history = [says("Runner", "exitcode: 0 (execution succeeded)"), says("Tester"), says("Runner", "No code.")]
    assert roles(only(run(*history))) == ["user", "tool", "assistant", "tool"]


def test_a_human_speaks_under_their_own_name() -> None:
    recording = only(run(says("Orchestrator"), says("human", "Go on."), says("Orchestrator")))
    assert roles(recording) == ["user", "assistant", "user", "assistant"]
    assert [turn.answers for turn in recording.turns()] == [True, True]


@pytest.mark.parametrize(
    ("step", "turn"),
    [
        ("0", 1),
        ("1", 1),
        ("2", 1),
        ("3", 2),
        (3, 2),
        ("4", 3),
        ("99", 3),
        ("-1", 1),
        ("", None),
        ("x", None),
        (None, None),
    ],
)
def test_the_label_counts_messages_from_0_and_is_clipped_to_the_run(step: object, turn: int | None) -> None:
    assert only(pretty({**WHO_AND_WHEN, "mistake_step": step})).decisive == turn


@pytest.mark.parametrize("key", ["is_correct", "is_corrected"])
@pytest.mark.parametrize(("value", "reward"), [(False, 0.0), ("False", 0.0), (True, 1.0), ("True", 1.0), ("?", None)])
def test_the_reward_is_whether_the_run_was_correct(key: str, value: object, reward: float | None) -> None:
    fields = {name: kept for name, kept in WHO_AND_WHEN.items() if name != "is_correct"}
    assert only(pretty({**fields, key: value})).reward == reward


def test_a_run_is_called_by_the_id_of_its_question() -> None:
    assert only(pretty(WHO_AND_WHEN)).id == "q-1"


@pytest.mark.parametrize(
    ("message", "problem"),
    [({"content": "x"}, "nobody said it"), (says("Tester", 7), "neither text nor null"), (7, "nobody said it")],
)
def test_a_malformed_message_is_named_with_its_step(message: object, problem: str) -> None:
    assert "run.json, step 1: " in refusal(run(message))
    assert problem in refusal(run(message))


def test_nothing_else_in_the_file_reaches_the_messages() -> None:
    shown = repr(only(pretty(WHO_AND_WHEN)).messages)
    assert FAILURE in shown
    assert not any(text in shown for text in ("the truth", "a reason", "mistake"))
