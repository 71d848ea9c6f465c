"""The labelled runs of real agents, read and replayed as a user does it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording

pytestmark = pytest.mark.shared


@pytest.fixture
def runs(shared: Path) -> Path:
    """Return the folder with all recorded runs."""
    return shared / "data" / "trajectories"


def read(*paths: Path) -> list[Recording]:
    """Return the runs, and fail for anything else that is yielded."""
    items = list(recordings([str(path) for path in paths]))
    assert all(isinstance(item, Recording) for item in items), items
    return [item for item in items if isinstance(item, Recording)]


def test_all_of_them_are_replayed_in_one_command_without_a_word_on_standard_error(runs: Path, tmp_path: Path) -> None:
    (tmp_path / "foureyes.toml").write_text(
        '[reviewers.checks]\nuse = "checks"\ninterval_turns = 1\n', encoding="utf-8"
    )
    command = [sys.executable, "-m", "foureyes", "replay", "--json", str(runs)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=300, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    found = json.loads(done.stdout)
    assert found["totals"]["runs"] == 98 + 47 + 96 + 20
    assert found["totals"]["turns"] == sum(len(recording.turns()) for recording in read(runs))


def test_every_turn_of_the_customer_service_runs_is_an_assistant_message(runs: Path) -> None:
    for name in ("agentrx_tau_retail", "tau_bench_airline"):
        raw = json.loads((runs / name / "runs.json").read_bytes())
        expected = [sum(message["role"] == "assistant" for message in run["traj"]) for run in raw]
        assert [len(recording.turns()) for recording in read(runs / name)] == expected
        assert [recording.reward for recording in read(runs / name)] == [run["reward"] for run in raw]


def test_every_turn_of_the_coding_runs_is_a_step_of_the_agent(runs: Path) -> None:
    for recording in read(runs / "codetracer"):
        raw = json.loads(Path(recording.source).read_bytes())
        assert len(recording.turns()) == sum(step["source"] == "agent" for step in raw["steps"])
        assert recording.reward == float(Path(recording.source).with_name("reward.txt").read_text())


def test_every_failed_run_that_was_labelled_has_its_decisive_turn(runs: Path) -> None:
    labelled = Counter(recording.format for recording in read(runs) if recording.decisive is not None)
    assert labelled == {"Who&When": 98, "tau-bench or AgentRx results": 11}


def test_the_decisive_turn_of_a_run_of_several_agents_is_one_of_the_agent_that_made_the_error(runs: Path) -> None:
    for recording in read(runs / "who_and_when"):
        raw = json.loads(Path(recording.source).read_bytes())
        blamed = raw["mistake_agent"].casefold()
        speaker = raw["history"][int(raw["mistake_step"])]
        if not (speaker.get("name") or speaker["role"]).casefold().startswith(blamed):
            continue  # the label contradicts itself
        said = recording.turns()[(recording.decisive or 0) - 1].said
        assert said.name.casefold().startswith(blamed) or raw["mistake_step"] == "0"


def test_every_failure_of_a_tool_that_the_agents_host_recorded_is_seen(runs: Path) -> None:
    for recording in read(runs / "codetracer"):
        raw = json.loads(Path(recording.source).read_bytes())
        flags = [step.get("extra", {}).get("tool_result_metadata", {}).get("is_error") for step in raw["steps"]]
        assert sum(message.error for message in recording.messages) == flags.count(True)
