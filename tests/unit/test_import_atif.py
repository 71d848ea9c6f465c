"""What is read from trajectories of ATIF, and from the reward beside them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from foureyes.core.facts import Message
from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording, RecordingError

from .recorded import ATIF, FAILURE, only, pretty, refusal, results, roles


def trajectory(*steps: object, **fields: object) -> bytes:
    return pretty({**ATIF, "steps": list(steps), **fields})


def acted(results: object, **fields: object) -> dict[str, object]:
    call = {"tool_call_id": "c1", "function_name": "bash", "arguments": {"command": "pytest"}}
    observation = {"results": results}
    return {"step_id": 1, "source": "agent", "message": "", "tool_calls": [call], "observation": observation, **fields}


def rewarded(folder: Path, reward: str) -> list[object]:
    (folder / "trajectory.json").write_bytes(pretty(ATIF))
    (folder / "reward.txt").write_text(reward, encoding="utf-8")
    return list(recordings([str(folder / "trajectory.json")]))


def test_each_step_of_the_agent_is_a_turn() -> None:
    recording = only(pretty(ATIF))
    assert roles(recording) == ["user", "assistant", "assistant", "tool", "assistant"]
    assert [turn.start for turn in recording.turns()] == [1, 2, 4]
    assert recording.id == "s-1"


def test_a_step_that_the_agent_goes_on_from_is_no_answer() -> None:
    assert [turn.answers for turn in only(pretty(ATIF)).turns()] == [False, False, True]


def test_an_empty_last_step_does_not_hide_the_answer() -> None:
    steps = ATIF["steps"]
    assert isinstance(steps, list)
    recording = only(trajectory(*steps, {"step_id": 5, "source": "agent", "message": ""}))
    assert [turn.answers for turn in recording.turns()] == [False, False, True, False]


def test_a_tool_call_keeps_its_id_name_and_arguments() -> None:
    [call] = only(pretty(ATIF)).messages[2].tool_calls
    assert (call.id, call.name, json.loads(call.arguments)) == ("c1", "bash", {"command": "pytest"})


@pytest.mark.parametrize(
    ("extra", "error"),
    [
        ({"is_error": True}, True),
        ({"tool_result_is_error": True}, True),
        ({"tool_result_metadata": {"is_error": True}}, True),
        ({"tool_result_metadata": {"raw_tool_result": {"is_error": True}}}, True),
        ({"tool_result_metadata": {"raw_tool_result": {"is_error": False}}}, False),
        ({"tool_use_result": {"is_error": True}}, False),
        ({}, False),
        (None, False),
        (7, False),
    ],
)
def test_a_tool_failed_where_the_agents_host_said_so(extra: object, error: bool) -> None:
    [result] = results(only(trajectory(acted([{"source_call_id": "c1", "content": FAILURE}], extra=extra))))
    assert result == Message(role="tool", text=FAILURE, call_id="c1", error=error)


def test_a_flag_on_a_step_with_two_calls_tells_of_neither() -> None:
    calls = [{"tool_call_id": name, "function_name": "bash", "arguments": {}} for name in ("c1", "c2")]
    found = [{"source_call_id": name, "content": "x"} for name in ("c1", "c2")]
    step = acted(found, tool_calls=calls, extra={"is_error": True})
    assert [result.error for result in results(only(trajectory(step)))] == [False, False]


def test_a_result_may_carry_its_own_flag_and_lack_the_id_of_the_only_call() -> None:
    [result] = results(
        only(trajectory(acted([{"content": [{"type": "text", "text": "x"}], "extra": {"is_error": True}}])))
    )
    assert result == Message(role="tool", text="x", call_id="c1", error=True)


@pytest.mark.parametrize(("text", "reward"), [("1", 1.0), ("0\n", 0.0), ("0.5", 0.5)])
def test_the_reward_is_the_number_in_the_file_beside_it(tmp_path: Path, text: str, reward: float) -> None:
    [recording] = rewarded(tmp_path, text)
    assert isinstance(recording, Recording)
    assert (recording.reward, recording.decisive) == (reward, None)


@pytest.mark.parametrize("text", ["", "passed", "nan?"])
def test_a_reward_that_is_no_number_is_told_and_the_run_is_read(tmp_path: Path, text: str) -> None:
    error, recording = rewarded(tmp_path, text)
    assert isinstance(error, RecordingError)
    assert "reward.txt: no reward" in str(error)
    assert isinstance(recording, Recording)
    assert recording.reward is None


def test_without_a_reward_beside_it_the_outcome_is_unknown() -> None:
    assert only(pretty(ATIF)).reward is None


@pytest.mark.parametrize(
    ("step", "problem"),
    [
        ({"source": "robot"}, "neither agent, user nor system"),
        (7, "neither agent, user nor system"),
        (acted("text"), "results is not a list"),
        (acted([], tool_calls={}), "tool_calls is not a list"),
        (acted([], tool_calls=[{"arguments": {}}]), "without a function name"),
    ],
)
def test_a_malformed_step_is_named_with_its_number(step: object, problem: str) -> None:
    found = refusal(trajectory({"source": "user", "message": "x"}, step))
    assert found.startswith("run.json, step 2: ")
    assert problem in found


def test_a_trajectory_without_steps_is_refused() -> None:
    assert "without steps" in refusal(trajectory())
