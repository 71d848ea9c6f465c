"""What is read from results of tau-bench and AgentRx, and where their labels come from."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from foureyes.core.facts import Message
from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording, RecordingError

from .recorded import CHAT, LABELS, TAU, lines, only, pretty, refusal, results


def labelled(folder: Path, beside: object, runs: object = TAU, labels: Sequence[str] = ()) -> list[object]:
    """Return what is read from runs with labels beside them."""
    (folder / "runs.json").write_bytes(pretty(runs))
    if beside is not None:
        (folder / "labels.json").write_text(beside if isinstance(beside, str) else json.dumps(beside), encoding="utf-8")
    return list(recordings([str(folder / "runs.json")], labels=labels))


def decisive(items: list[object]) -> list[int | None]:
    return [item.decisive for item in items if isinstance(item, Recording)]


def label(step: object, task: object = 7) -> list[object]:
    failure = {"failure_id": 1, "step_number": step}
    return [{"trajectory_id": task, "failures": [failure], "root_cause": {"failure_id": 1}}]


@pytest.mark.parametrize(("reward", "read"), [(1.0, 1.0), (0, 0.0), (True, 1.0), (None, None), ("x", None), ([], None)])
def test_the_reward_is_a_number_or_unknown(reward: object, read: float | None) -> None:
    assert only(pretty([{**TAU[0], "reward": reward}])).reward == read


def test_a_run_is_called_by_its_task_and_trial() -> None:
    assert only(pretty(TAU)).id == "7, trial 0"
    assert only(pretty([{"task_id": "a", "reward": 1, "traj": CHAT}])).id == "a"


@pytest.mark.parametrize(
    ("text", "error"),
    [("Error: no such order", True), ("No Error: all is well", False), ("error: lower case", False), ("", False)],
)
def test_a_tool_failed_where_its_result_begins_as_the_benchmark_writes_it(text: str, error: bool) -> None:
    traj = [*CHAT[:2], {"role": "tool", "tool_call_id": "c1", "content": text}]
    [result] = results(only(pretty([{**TAU[0], "traj": traj}])))
    assert result == Message(role="tool", call_id="c1", text=text, error=error)


def test_what_the_agent_says_is_no_failure_of_a_tool() -> None:
    said = {"role": "assistant", "content": "Error: I was wrong."}
    assert not only(pretty([{**TAU[0], "traj": [said]}])).messages[0].error


def test_the_label_of_the_root_cause_is_the_decisive_turn(tmp_path: Path) -> None:
    assert decisive(labelled(tmp_path, LABELS)) == [1]


@pytest.mark.parametrize(("step", "turn"), [(0, 1), (1, 1), (2, 1), (3, 2), (4, 2), (900, 2), (-5, 1)])
def test_a_step_counts_messages_from_0_and_is_clipped_to_the_run(tmp_path: Path, step: int, turn: int) -> None:
    assert decisive(labelled(tmp_path, label(step))) == [turn]


@pytest.mark.parametrize("step", [None, "2", 2.5, True])
def test_a_step_that_is_no_whole_number_is_no_label(tmp_path: Path, step: object) -> None:
    assert decisive(labelled(tmp_path, label(step))) == [None]


def test_a_label_of_another_task_is_not_ours(tmp_path: Path) -> None:
    assert decisive(labelled(tmp_path, label(2, task=8))) == [None]


def test_labels_may_be_given(tmp_path: Path) -> None:
    given = tmp_path / "given.txt"
    given.write_text(json.dumps(LABELS), encoding="utf-8")
    assert decisive(labelled(tmp_path, None, labels=[str(given)])) == [1]


@pytest.mark.parametrize("labels", ["{broken", '{"a": 1}', "[]", "[" * 10_000])
def test_labels_that_cannot_be_read_are_told_once_and_the_runs_stay_unlabelled(tmp_path: Path, labels: str) -> None:
    items = labelled(tmp_path, labels, [*TAU, *TAU])
    [error] = [item for item in items if isinstance(item, RecordingError)]
    assert str(error).startswith(f"{tmp_path / 'labels.json'}: no labels")
    assert decisive(items) == [None, None]


def test_a_malformed_run_is_named_and_the_others_are_read(tmp_path: Path) -> None:
    items = labelled(tmp_path, None, [*TAU, {**TAU[0], "traj": [*CHAT, {"content": "x"}]}, *TAU])
    [error] = [item for item in items if isinstance(item, RecordingError)]
    assert error.place == "run 2, message 5"
    assert len(decisive(items)) == 2


def test_a_file_that_was_cut_off_gives_its_whole_runs(tmp_path: Path) -> None:
    path = tmp_path / "runs.json"
    path.write_bytes(pretty([*TAU, *TAU, *TAU])[:-200])
    *runs, error, last = recordings([str(path)])
    assert [type(item) for item in (*runs, error, last)] == [Recording, RecordingError, Recording]
    assert "ends in the middle" in str(error)


def test_one_result_a_line_is_read_as_well() -> None:
    assert only(lines(TAU[0])).format == "tau-bench or AgentRx results"


def test_a_result_without_messages_is_not_known() -> None:
    assert "not a known format" in refusal(pretty([{**TAU[0], "traj": []}]))
