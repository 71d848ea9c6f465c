"""``foureyes replay`` as a user types it."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
from functools import partial
from importlib.resources import files
from pathlib import Path

import pytest

RUN = files("foureyes.replay").joinpath("demo_run.json").read_text(encoding="utf-8")
WITHOUT_RICH = "import sys; sys.modules['rich'] = None; from foureyes.cli import main; sys.exit(main(sys.argv[1:]))"
COMMAND = (sys.executable, "-m", "foureyes", "replay")
PERSONAL = ("FOUREYES_", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_")
EVIL = "\x1b]0;title\x07\x1b[2J\x9b31m\u202e[bold]x[/bold]"


def environment(folder: Path, **env: str) -> dict[str, str]:
    """Return the tester's environment without any settings of their own."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PERSONAL)}
    return kept | {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONIOENCODING": "utf-8", **env}


def replay(folder: Path, *args: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command in a folder, with its output in a pipe."""
    return subprocess.run(
        [*COMMAND, *args],
        cwd=folder,
        env=environment(folder, **env),
        capture_output=True,
        encoding="utf-8",
        timeout=60,
        check=False,
    )


def replay_in_terminal(folder: Path, *args: str) -> str:
    """Return what the command sends to a terminal with colours."""
    screen, end = pty.openpty()
    env = environment(folder, TERM="xterm-256color", COLUMNS="80")
    with subprocess.Popen([*COMMAND, *args], cwd=folder, env=env, stdout=end, stderr=subprocess.DEVNULL):
        os.close(end)
        sent = b"".join(iter(partial(received, screen), b""))
    os.close(screen)
    return sent.decode()


def received(screen: int) -> bytes:
    """Return the next bytes; Linux tells the end of a terminal by an error."""
    try:
        return os.read(screen, 65_536)
    except OSError:
        return b""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a run that can be read, one that was cut off, and one that is full of tricks."""
    (tmp_path / "run.json").write_text(RUN, encoding="utf-8")
    (tmp_path / "cut.json").write_text(RUN[:2_000], encoding="utf-8")
    messages = [{"role": "user", "content": EVIL}, {"role": "assistant", "content": EVIL}]
    (tmp_path / "evil.json").write_text(json.dumps(messages), encoding="utf-8")
    return tmp_path


def test_a_run_is_shown_with_the_built_in_reviewer_where_none_is_configured(folder: Path) -> None:
    done = replay(folder, "run.json")
    assert done.returncode == 0
    assert "No reviewers are configured" in done.stdout
    assert "checks (uses checks): every 3 turns" in done.stdout
    assert "run.json: 15 turns" in done.stdout
    assert "would have read:" in done.stdout


def test_configured_reviewers_are_used(folder: Path) -> None:
    (folder / "foureyes.toml").write_text('[reviewers.mine]\nuse = "checks"\ninterval_turns = 5\n', encoding="utf-8")
    done = replay(folder, "run.json")
    assert done.returncode == 0
    assert "No reviewers are configured" not in done.stdout
    assert "mine (uses checks): every 5 turns" in done.stdout


def test_configured_bounds_are_used(folder: Path) -> None:
    bound = replay(folder, "run.json", "--json", FOUREYES_NOTES_PER_REQUEST="1")
    assert json.loads(bound.stdout)["totals"]["notes"] == {"admitted": 1, "over_request": 1}


def test_a_file_that_cannot_be_read_gives_one_line_and_the_others_go_on(folder: Path) -> None:
    done = replay(folder, "cut.json", "none.json", "run.json", FOUREYES_REVIEWERS__ONE__USE="checks")
    assert done.returncode == 1
    cut, none = done.stderr.splitlines()
    assert cut.startswith("foureyes: cut.json, line ")
    assert "ends in the middle" in cut
    assert none.startswith("foureyes: none.json: no such file")
    assert "run.json: 15 turns" in done.stdout


def test_several_runs_end_with_a_summary(folder: Path) -> None:
    done = replay(folder, "run.json", "run.json")
    assert done.returncode == 0
    assert "all 2 runs" in done.stdout
    assert "30 turns in 2 requests" in done.stdout.split("all 2 runs")[1]


def test_two_hundred_quiet_runs_are_one_line_with_the_way_to_see_them(folder: Path) -> None:
    messages = [{"role": "user", "content": "Say hello."}, {"role": "assistant", "content": "Hello."}]
    (folder / "quiet.jsonl").write_text(f"{json.dumps({'messages': messages})}\n" * 200, encoding="utf-8")
    done = replay(folder, "quiet.jsonl", COLUMNS="100")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) <= 20
    assert "200 runs, 200 turns, 200 reviews without a note" in " ".join(done.stdout.split())
    assert "add --all" in done.stdout
    in_full = replay(folder, "quiet.jsonl", "--all").stdout
    assert in_full.count("verdict approved") == 200
    assert "add --all" not in in_full
    assert json.loads(replay(folder, "quiet.jsonl", "--json").stdout)["totals"]["runs"] == 200


def test_all_is_for_a_time_line_only(folder: Path) -> None:
    done = replay(folder, "run.json", "--all", "--score")
    assert (done.returncode, done.stdout, done.stderr) == (
        2,
        "",
        "foureyes: --all is for a time line: leave out --score\n",
    )


def test_json_is_one_object_and_nothing_else_on_standard_output(folder: Path) -> None:
    done = replay(folder, "--json", "run.json", "cut.json", "run.json")
    assert done.returncode == 1
    found = json.loads(done.stdout)
    assert list(found) == ["runs", "totals"]
    assert [(run["source"], len(run["steps"])) for run in found["runs"]] == [("run.json", 15), ("run.json", 15)]
    assert (found["totals"]["runs"], found["totals"]["turns"]) == (2, 30)


def test_json_tells_the_same_story_as_the_time_line(folder: Path) -> None:
    [run] = json.loads(replay(folder, "--json", "run.json").stdout)["runs"]
    kinds = {step["turn"]: step["kind"] for step in run["steps"]}
    advised = [step["turn"] for step in run["steps"] if step["advisory"]]
    results = {step["turn"]: (step["result"], step["verdict"]) for step in run["steps"] if step["result"]}
    assert [turn for turn, kind in kinds.items() if kind == "finish"] == [12, 15]
    assert advised == [6, 12]
    assert results == {12: ("reopened", "changes_requested"), 15: ("clean", "approved")}
    assert run["totals"]["sent"] == 2


def test_json_is_an_object_even_where_no_file_could_be_read(folder: Path) -> None:
    done = replay(folder, "--json", "cut.json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["runs"] == []


@pytest.mark.parametrize("args", [("evil.json",), ("evil.json", "--json")])
def test_nothing_recorded_reaches_a_pipe_as_a_command(folder: Path, args: tuple[str, ...]) -> None:
    done = replay(folder, *args)
    assert done.returncode == 0
    assert done.stdout.replace("\n", "").isprintable()
    assert "[bold]x[/bold]" in done.stdout


def test_a_terminal_gets_text_and_colours_and_nothing_that_was_recorded_as_a_command(folder: Path) -> None:
    sent = replay_in_terminal(folder, "--all", "evil.json", "run.json")
    assert "\x1b[1m" in sent
    assert re.sub(r"\x1b\[[0-9;]*m", "", sent).replace("\r\n", "").isprintable()
    assert "\\x1b[2J" in sent


@pytest.mark.parametrize("columns", ["80", "120"])
def test_a_pipe_gets_plain_lines_no_wider_than_asked_for(folder: Path, columns: str) -> None:
    lines = replay(folder, "run.json", COLUMNS=columns).stdout.splitlines()
    assert max(map(len, lines)) <= int(columns)
    assert all(line.isprintable() and line == line.rstrip() for line in lines)


def test_a_reviewer_that_is_not_installed_is_an_error_without_a_traceback(folder: Path) -> None:
    done = replay(folder, "run.json", FOUREYES_REVIEWERS__ONE__USE="no_such_module:reviewer")
    assert done.returncode == 1
    assert "no_such_module" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_file_is_a_wrong_command_line(folder: Path) -> None:
    assert replay(folder).returncode == 2


@pytest.mark.shared
@pytest.mark.parametrize("name", ["tau_bench_airline", "agentrx_tau_retail"])
def test_every_recorded_customer_service_run_can_be_replayed(shared: Path, tmp_path: Path, name: str) -> None:
    path = shared / "data" / "trajectories" / name / "runs.json"
    done = replay(tmp_path, "--json", str(path))
    assert done.returncode == 0
    assert "Traceback" not in done.stderr
    runs = json.loads(path.read_bytes())
    turns = [sum(message["role"] == "assistant" for message in run["traj"]) for run in runs]
    assert [len(run["steps"]) for run in json.loads(done.stdout)["runs"]] == turns


def test_a_folder_is_replayed_with_all_its_files_and_what_cannot_be_read_sets_the_exit_code(folder: Path) -> None:
    (folder / "deep" / "er").mkdir(parents=True)
    (folder / "deep" / "er" / "run.json").write_text(RUN, encoding="utf-8")
    done = replay(folder, "--json", ".")
    assert done.returncode == 1
    assert [run["name"] for run in json.loads(done.stdout)["runs"]] == ["run.json", "evil.json", "run.json"]
    [error] = [line for line in done.stderr.splitlines() if line.startswith("foureyes: ")]
    assert "cut.json, line " in error


def test_files_of_a_folder_that_hold_no_run_are_told_and_no_error(folder: Path) -> None:
    (folder / "cut.json").write_text('{"settings": 1}', encoding="utf-8")
    done = replay(folder, "--json", ".")
    assert done.returncode == 0
    assert "cut.json left out: no recorded run of a known format" in done.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_several_processes_change_nothing_but_the_seconds(folder: Path, jobs: str) -> None:
    args = ("run.json", "evil.json", "cut.json", "run.json", "run.json", "evil.json")
    done = replay(folder, "--json", "--jobs", jobs, *args)
    assert done.returncode == 1
    plain = replay(folder, "--json", *args)
    seconds = re.compile(r'"seconds": [^,]*,')
    assert seconds.sub("", done.stdout) == seconds.sub("", plain.stdout)
    assert done.stderr == plain.stderr


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_what_is_in_the_result_is_not_logged_as_well(folder: Path, jobs: str) -> None:
    (folder / "broken.py").write_text(
        "def review(review):\n    raise RuntimeError('no such model')\n", encoding="utf-8"
    )
    done = replay(
        folder, "--json", "--jobs", jobs, "run.json", "run.json", FOUREYES_REVIEWERS__ONE__USE="broken:review"
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.count("no such model") > 1


@pytest.mark.parametrize("jobs", ["0", "-1", "x", "9999", ""])
def test_a_number_of_processes_must_be_a_sensible_number(folder: Path, jobs: str) -> None:
    done = replay(folder, "--jobs", jobs, "run.json")
    assert done.returncode == 2
    assert "must be a number from 1 to 256" in done.stderr


PEAK = """
import resource, sys
from foureyes.cli import main
main(['replay', '--json', '--jobs', '1', 'many.json'])
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)
"""


def peak(folder: Path, runs: int) -> int:
    """Return the most memory, in KB, that a replay of so many runs of 100 KB in one file takes."""
    messages = [{"role": "user", "content": "x" * 100_000}, {"role": "assistant", "content": "Done."}]
    run = json.dumps({"task_id": 1, "reward": 1, "traj": messages})
    (folder / "many.json").write_text(f"[{','.join([run] * runs)}]", encoding="utf-8")
    command = [sys.executable, "-c", PEAK]
    done = subprocess.run(command, cwd=folder, env=environment(folder), capture_output=True, timeout=120, check=True)
    return int(done.stderr.split()[-1])


def test_memory_does_not_grow_with_the_number_of_runs(folder: Path) -> None:
    # 300 runs more are 30 MB of text alone.
    assert peak(folder, 310) < peak(folder, 10) + 10_000


@pytest.mark.parametrize(("args", "code"), [(("run.json",), 1), (("run.json", "--json"), 0)])
def test_only_the_time_line_needs_rich(folder: Path, args: tuple[str, ...], code: int) -> None:
    command = [sys.executable, "-c", WITHOUT_RICH, "replay", *args]
    done = subprocess.run(
        command, cwd=folder, env=environment(folder), capture_output=True, encoding="utf-8", timeout=60, check=False
    )
    assert done.returncode == code
    assert ("pip install 'foureyes[cli]', or ask for --json" in done.stderr) == (code == 1)


def test_help_shows_what_a_file_may_hold(folder: Path) -> None:
    shown = " ".join(replay(folder, "--help").stdout.split())
    assert '[{"role": "user", "content": "..."}, ...] or {"messages": [...]}' in shown
    assert "one message or one run a line" in shown


OUTSIDE = """
from pathlib import Path
from foureyes.core.account import account
from foureyes.core.facts import Reply, Usage

class Outside:
    account = account("openai", "https://models.example/v1", "sk-other")

    async def __call__(self, review):
        with Path("asked").open("a") as asked:
            asked.write("x")
        return Reply(usage=Usage(input_tokens=90, output_tokens=10))

review = Outside()
"""


def of_three(folder: Path, jobs: str, **env: str) -> tuple[str, dict[str, object]]:
    """Replay three runs with a reviewer of another account; return an x for every call, and the sums."""
    (folder / "outside.py").write_text(OUTSIDE, encoding="utf-8")
    one = {"FOUREYES_REVIEWERS__ONE__USE": "outside:review"}
    done = replay(folder, "--json", "--jobs", jobs, "run.json", "run.json", "run.json", **one, **env)
    assert done.returncode == 0
    asked = folder / "asked"
    return asked.read_text() if asked.exists() else "", json.loads(done.stdout)["totals"]


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_reviewer_outside_the_boundary_of_the_agent_is_never_sent_a_recorded_run(folder: Path, jobs: str) -> None:
    asked, sums = of_three(folder, jobs, FOUREYES_AGENT__PROTOCOL="openai", FOUREYES_AGENT__API_KEY="sk-agent")
    assert (asked, sums["calls"], list(sums["skips"])) == ("", {}, ["not_permitted"])


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("owner", ["FOUREYES_", "FOUREYES_REVIEWERS__ONE__"])
def test_a_configured_budget_bounds_every_replay(folder: Path, jobs: str, owner: str) -> None:
    asked, sums = of_three(folder, jobs, **{f"{owner}BUDGET__TOKENS_PER_SESSION": "100"})
    assert (asked, list(sums["skips"])) == ("xxx", ["budget"])
    assert sums["spent"]["one"] == {"input_tokens": 270, "cached_tokens": 0, "output_tokens": 30, "cost_usd": None}


@pytest.mark.parametrize("path", [".", "*.jsonl"])
@pytest.mark.parametrize("form", [(), ("--json",), ("--score",)])
def test_a_place_without_any_run_is_one_line_and_an_error(tmp_path: Path, path: str, form: tuple[str, ...]) -> None:
    (tmp_path / "foureyes.toml").write_text('[reviewers.one]\nuse = "checks"\n', encoding="utf-8")
    done = replay(tmp_path, *form, path)
    assert done.returncode == 1
    [line] = done.stderr.splitlines()
    assert line.startswith(f"foureyes: {path}: no ")


def test_a_project_folder_with_settings_and_packages_is_replayed(folder: Path) -> None:
    (folder / "cut.json").unlink()
    (folder / "foureyes.toml").write_text('[reviewers.one]\nuse = "checks"\n', encoding="utf-8")
    (folder / "node_modules").mkdir()
    (folder / "node_modules" / "broken.json").write_text("{", encoding="utf-8")
    done = replay(folder, "--json", ".")
    assert (done.returncode, done.stderr) == (0, "")
    assert [run["name"] for run in json.loads(done.stdout)["runs"]] == ["evil.json", "run.json"]
