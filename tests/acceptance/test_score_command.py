"""``foureyes replay --score`` as a user types it."""

from __future__ import annotations

import json
import os
import pty
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

COMMAND = (sys.executable, "-m", "foureyes", "replay", "--score")
PERSONAL = ("FOUREYES_", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_", "XDG_")
MEASURED = (
    "import resource, sys; from foureyes.cli import main; code = main(sys.argv[1:]);"
    "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr); sys.exit(code)"
)
"""The command, and on standard error the most memory that it ever held, in kilobytes."""
MANY = int(os.environ.get("FOUREYES_TEST_SCORED_RUNS", "2000"))
"""Runs over which memory must stay as it is; 10,000 take a minute."""


def environment(folder: Path, **env: str) -> dict[str, str]:
    """Return the tester's environment without any settings of their own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PERSONAL)}
    return kept | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONIOENCODING": "utf-8", **env}


def score(folder: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, with its output in a pipe."""
    return subprocess.run(
        [*COMMAND, *args],
        cwd=folder,
        env=environment(folder, **env),
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def scored(folder: Path, *args: str, **env: str) -> dict[str, Any]:
    """Return the JSON object that the command writes, without its seconds."""
    done = score(folder, "--json", *args, **env)
    assert (done.returncode, done.stderr) == (0, "")
    found: dict[str, Any] = json.loads(done.stdout)
    assert found.pop("seconds") > 0
    return found


# --- the runs ---


def run(task: int, result: str, reward: float | None = None, *, more: str = "") -> dict[str, object]:
    """Return a run in which a tool gives a result, and the answer says that all went well.

    ``more``: what the human and the agent say to each other afterwards.
    """
    call = {"id": "c1", "type": "function", "function": {"name": "create_ticket", "arguments": '{"title": "x"}'}}
    messages: list[dict[str, object]] = [
        {"role": "user", "content": "Open a ticket."},
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": result},
        {"role": "assistant", "content": "Here you are."},
    ]
    messages += [{"role": ("user", "assistant")[place % 2], "content": word} for place, word in enumerate(more.split())]
    return {"task_id": task, "trial": 0, "reward": reward, "traj": messages}


def label(task: int, message: int) -> dict[str, object]:
    """Return what AgentRx says of a run: the message, from 0, with which it went wrong."""
    failure = {"failure_id": 1, "step_number": message, "step_reason": "a reason"}
    return {"trajectory_id": task, "failures": [failure], "root_cause": {"failure_id": 1}}


BROKEN, WORKED = "Error: the queue is closed", "Ticket 7 is open."
RUNS = [
    run(1, BROKEN, 0.0),  # flagged at its finish, turn 2, and labelled with turn 1
    run(2, BROKEN, 0.0, more="Thanks! Goodbye."),  # flagged at turn 2, and labelled with turn 3
    run(3, WORKED, 0.0),  # labelled, and nobody notices
    run(4, BROKEN, 0.5),  # failed, flagged, and not labelled
    run(5, BROKEN, 1.0),  # flagged although it is good
    run(6, WORKED, 1.0),
    run(7, WORKED, 1.0),
    run(8, BROKEN),  # nobody knows how it ended
]
LABELS = [label(1, 1), label(2, 5), label(3, 3)]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with eight runs, and the labels of three of them beside them."""
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / "runs.json").write_text(json.dumps(RUNS), encoding="utf-8")
    (tmp_path / "runs" / "labels.json").write_text(json.dumps(LABELS), encoding="utf-8")
    return tmp_path


def many(folder: Path, number: int) -> Path:
    """Return a file with so many runs, every second one flagged."""
    path = folder / f"{number}.jsonl"
    with path.open("w", encoding="utf-8") as file:
        for place in range(number):
            file.write(f"{json.dumps(run(place, (BROKEN, WORKED)[place % 2], float(place % 2)))}\n")
    return path


# --- what is counted ---


def test_json_counts_the_flags_of_labelled_failed_and_good_runs(folder: Path) -> None:
    found = scored(folder, "runs")
    assert [found[name] for name in ("runs", "failed_runs", "labelled_runs", "good_runs")] == [8, 4, 3, 3]
    assert [found[name] for name in ("flagged_labelled", "flagged_failed", "flagged_good")] == [1, 2, 1]
    assert (found["unjudged_runs"], found["flagged_early"]) == (1, 1)
    assert found["per_check"]["unhandled-error"]["labelled"] == 1
    assert found["per_check"]["unhandled-error"]["failed"] == 2
    assert found["per_check"]["unhandled-error"]["good"] == 1
    assert (found["turns"], found["calls"], found["skips"], found["unread"]) == (17, 17, 0, 0)
    (format_,) = found["per_format"]
    assert found["per_format"][format_]["flagged_failed"] == 2


def test_every_check_of_the_roster_has_its_counts_and_rates(folder: Path) -> None:
    found = scored(folder, "runs")
    assert list(found["per_check"]) == [check["name"] for check in found["roster"]["checks"]]
    for counts in found["per_check"].values():
        assert {"labelled", "failed", "good", "rates", "notes"} <= set(counts)
        for group, of in (("labelled", 3), ("failed", 4), ("good", 3)):
            rate = counts["rates"][group]
            assert rate["rate"] == round(counts[group] / of, 4)
            assert 0 <= rate["low"] <= rate["rate"] <= rate["high"] <= 1


def test_the_roster_is_the_same_whatever_is_configured(folder: Path) -> None:
    expected = scored(folder, "runs")
    settings = '[reviewers.checks]\nuse = "checks"\nmax_rounds = 0\n[reviewers.mine]\nuse = "no_such:thing"\n'
    (folder / "foureyes.toml").write_text(settings, encoding="utf-8")
    assert scored(folder, "runs", FOUREYES_NOTES_PER_REQUEST="1", FOUREYES_REVIEWERS__X__USE="checks") == expected


def test_the_score_is_the_same_with_any_number_of_processes(folder: Path) -> None:
    path = str(many(folder, 30))
    assert scored(folder, path, "--jobs", "2") == scored(folder, path, "--jobs", "1") == scored(folder, path)


def test_what_cannot_be_read_is_told_and_counted_and_the_others_are_scored(folder: Path) -> None:
    (folder / "runs" / "cut.json").write_text('[{"role": "user", "content": "He', encoding="utf-8")
    (folder / "runs" / "strange.json").write_text('{"a": 1}', encoding="utf-8")
    done = score(folder, "--json", "runs", "none.json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert (found["runs"], found["unread"], found["left_out"]) == (8, 2, 1)
    cut, strange, none = done.stderr.splitlines()
    assert cut.startswith("foureyes: runs/cut.json")
    assert "strange.json left out" in strange
    assert none.startswith("foureyes: none.json: no such file")


def test_where_there_is_no_run_there_is_an_object_all_the_same(folder: Path) -> None:
    done = score(folder, "--json", "none.json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["runs"] == 0
    assert "no runs to score" in score(folder, "none.json").stdout


# --- how it looks ---


@pytest.mark.parametrize("columns", ["80", "120"])
def test_a_page_shows_the_roster_the_picture_the_table_and_the_curve(folder: Path, columns: str) -> None:
    done = score(folder, "runs", COLUMNS=columns)
    assert (done.returncode, done.stderr) == (0, "")
    lines = done.stdout.splitlines()
    assert max(map(len, lines)) <= int(columns)
    assert all(line.isprintable() and line == line.rstrip() for line in lines)
    for part in ("checks: after every turn and at every finish, no caps", "false alarm", "hit rate", "the curve"):
        assert part in done.stdout


def test_the_same_runs_give_the_same_page_but_for_the_seconds(folder: Path) -> None:
    first, second = (score(folder, "runs", PYTHONHASHSEED=seed).stdout for seed in ("1", "2"))
    without = partial(re.sub, r"(?m)^took .*$", "took")
    assert without(first) == without(second)


def test_the_table_for_a_readme_is_all_that_markdown_gives(folder: Path) -> None:
    lines = score(folder, "--markdown", "runs").stdout.splitlines()
    assert all(line.startswith("| ") and line.endswith(" |") for line in lines)
    assert "| `unhandled-error` | 1: 33.3 % [6.1-79.2] | 2: 50.0 % [15.0-85.0] | 1: 33.3 % [6.1-79.2] |" in lines
    assert lines[-1].startswith("| all together |")


@pytest.mark.parametrize("form", [["--json"], ["--markdown"]])
def test_only_the_page_needs_rich(folder: Path, form: list[str]) -> None:
    without = "import sys; sys.modules['rich'] = None; from foureyes.cli import main; sys.exit(main(sys.argv[1:]))"
    for args, code in ((form, 0), ([], 1)):
        done = subprocess.run(
            [sys.executable, "-c", without, "replay", "--score", *args, "runs"],
            cwd=folder,
            env=environment(folder),
            capture_output=True,
            encoding="utf-8",
            timeout=60,
            check=False,
        )
        assert done.returncode == code
        assert ("pip install 'foureyes[cli]', or ask for --json or --markdown" in done.stderr) == (code == 1)


@pytest.mark.parametrize("args", [("--json", "--markdown"), ("--jobs", "0")])
def test_what_makes_no_sense_is_a_wrong_command_line(folder: Path, args: tuple[str, ...]) -> None:
    assert score(folder, *args, "runs").returncode == 2


def test_markdown_is_only_for_a_score(folder: Path) -> None:
    command = [*COMMAND[:-1], "--markdown", "runs"]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "add --score" in done.stderr


def received(screen: int) -> bytes:
    """Return the next bytes; Linux tells the end of a terminal by an error."""
    try:
        return os.read(screen, 65_536)
    except OSError:
        return b""


def test_a_terminal_has_a_progress_bar_which_a_pipe_has_not(folder: Path) -> None:
    path = many(folder, 60)
    screen, end = pty.openpty()
    env = environment(folder, TERM="xterm-256color", COLUMNS="80")
    command = [*COMMAND, "--json", str(path)]
    with subprocess.Popen(command, cwd=folder, env=env, stdout=subprocess.PIPE, stderr=end) as process:
        os.close(end)
        shown = b"".join(iter(partial(received, screen), b"")).decode()
        assert process.stdout is not None
        assert json.loads(process.stdout.read())["runs"] == 60
    os.close(screen)
    assert re.search(r"\d+ runs", shown)
    assert score(folder, "--json", str(path)).stderr == ""


# --- many runs, several processes ---


def measured(folder: Path, path: Path) -> int:
    """Return the most kilobytes that scoring the file in one process takes."""
    done = subprocess.run(
        [sys.executable, "-c", MEASURED, "replay", "--score", "--json", "--jobs", "1", str(path)],
        cwd=folder,
        env=environment(folder),
        capture_output=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["runs"] == int(path.stem)
    return int(done.stderr)


def test_memory_does_not_grow_with_the_number_of_runs(tmp_path: Path) -> None:
    few, lots = (measured(tmp_path, many(tmp_path, number)) for number in (MANY // 10, MANY))
    assert lots < few + 4_000, f"{few:,} kB for {MANY // 10:,} runs, {lots:,} kB for {MANY:,}"


@pytest.fixture
def under_way(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Return the command at work on many runs in two processes, in a process group of its own."""
    command = [*COMMAND, "--json", "--jobs", "2", str(many(tmp_path, 20_000))]
    with subprocess.Popen(
        command,
        cwd=tmp_path,
        env=environment(tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    ) as process:
        yield process
        process.kill()


def workers(process: subprocess.Popen[str]) -> list[int]:
    """Return the processes that work for the command, once both are there."""
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text(encoding="ascii").split()
        if len(found := [int(child) for child in children if "spawn_main" in told(child)]) == 2:
            return found
    raise AssertionError("no worker was started")


def told(process: str) -> str:
    """Return the command line of a process, "" once it is gone."""
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes().decode(errors="replace")
    except OSError:
        return ""


needs_proc = pytest.mark.skipif(not Path("/proc/self/task").is_dir(), reason="finds processes by /proc")


@needs_proc
def test_a_worker_that_is_killed_is_a_clear_error(under_way: subprocess.Popen[str]) -> None:
    os.kill(workers(under_way)[0], signal.SIGKILL)
    out, err = under_way.communicate(timeout=60)
    assert (under_way.returncode, out) == (1, "")
    assert err == "foureyes: a process that works on the runs has died; try again with --jobs 1\n"


@needs_proc
def test_an_interrupt_ends_the_command_and_its_workers_without_a_word(under_way: subprocess.Popen[str]) -> None:
    begun = workers(under_way)
    os.killpg(under_way.pid, signal.SIGINT)
    out, err = under_way.communicate(timeout=60)
    assert (under_way.returncode, out, err) == (130, "", "")
    assert [process for process in begun if "spawn_main" in told(str(process))] == []


# --- the recorded runs of real agents ---


@pytest.mark.shared
def test_all_recorded_runs_are_scored_in_one_command(shared: Path, tmp_path: Path) -> None:
    found = scored(tmp_path, str(shared / "data" / "trajectories"))
    assert [found[name] for name in ("runs", "labelled_runs", "unjudged_runs")] == [261, 98 + 11, 0]
    assert found["failed_runs"] + found["good_runs"] == 261
    assert found["good_runs"] >= 36
    assert found["calls"] + found["skips"] == found["turns"]
    assert set(found["calls_by_outcome"]) <= {"quiet", "noted"}
    for counts in found["per_check"].values():
        assert counts["labelled"] <= counts["failed"] <= found["flagged_failed"]
        assert counts["good"] <= found["flagged_good"]
