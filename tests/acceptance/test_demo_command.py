"""``foureyes demo`` as a user types it: no key, no network, no server, no files."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

PERSONAL = ("FOUREYES_", "COLUMNS", "FORCE_COLOR", "NO_COLOR", "TTY_")


def demo(folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the command in an empty folder, with none of the tester's own settings."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(PERSONAL)}
    kept |= {"HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "PYTHONIOENCODING": "utf-8", **env}
    command = [sys.executable, "-m", "foureyes", "demo"]
    return subprocess.run(command, cwd=folder, env=kept, capture_output=True, encoding="utf-8", timeout=30, check=False)


@pytest.fixture(scope="module")
def text(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what the command writes at 80 columns."""
    done = demo(tmp_path_factory.mktemp("demo"), COLUMNS="80")
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def row(text: str, turn: int) -> str:
    """Return the part of the time line about one turn, on one line."""
    found = re.search(rf"^turn {turn} .*?(?=^turns? |^\n|\Z)", text, re.DOTALL | re.MULTILINE)
    assert found is not None
    return " ".join(found[0].replace("│", " ").split())


def test_it_says_that_the_run_is_invented(text: str) -> None:
    assert "invented run" in text
    assert "no agent produced it" in text


def test_the_repeated_call_is_noticed_in_the_middle_of_the_run(text: str) -> None:
    noticed = row(text, 6)
    assert "checks periodic review: noted" in noticed
    assert "admitted as n1" in noticed
    assert "was called 3 times and failed each time" in noticed


def test_the_false_claim_is_noticed_at_the_finish_and_the_run_reopened(text: str) -> None:
    noticed = row(text, 12)
    assert "All tests pass" in noticed
    assert "checks finish review: noted" in noticed
    assert "reopened, verdict changes_requested" in noticed


def test_the_corrected_answer_is_accepted(text: str) -> None:
    assert "clean, verdict approved" in row(text, 15)


def test_nothing_else_is_said_to_the_agent(text: str) -> None:
    assert text.count("would have read:") == 2
    assert "2 notes, at 2 turns" in text


def test_it_says_beforehand_where_to_look(text: str) -> None:
    opening = " ".join(text.partition("reviewers ")[0].split())
    assert opening.endswith(
        "Watch turn 6, where the agent repeats a failing call, and turn 12, where it claims that failing tests pass."
    )


def test_it_says_afterwards_what_was_seen_and_that_the_rerun_is_recorded_too(text: str) -> None:
    closing = " ".join(text.split("to agent")[1].split())
    assert "foureyes spoke twice: at turn 6 " in closing
    assert ", and at turn 12 " in closing
    assert "The rerun of the tests after that was recorded" in closing


def test_without_rich_it_says_how_to_get_it_and_names_no_option_that_it_does_not_have(tmp_path: Path) -> None:
    code = "import sys; sys.modules['rich'] = None; from foureyes.cli import main; sys.exit(main(['demo']))"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, capture_output=True, encoding="utf-8", timeout=30, check=False
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == "foureyes: a time line needs rich: pip install 'foureyes[cli]'\n"


def test_it_ends_with_two_lines_on_what_to_do_next(text: str) -> None:
    *_, gap, declare, replay = text.splitlines()
    assert gap == ""
    assert "declare reviewers" in declare
    assert "foureyes replay your-run.json" in replay


def test_it_writes_no_file(tmp_path: Path) -> None:
    assert demo(tmp_path, PYTHONDONTWRITEBYTECODE="1").returncode == 0
    assert list(tmp_path.iterdir()) == []


def test_it_is_the_same_every_time_apart_from_the_seconds(tmp_path: Path, text: str) -> None:
    again = demo(tmp_path, COLUMNS="80").stdout
    assert re.sub(r"\d\.\d{3} s", "", again) == re.sub(r"\d\.\d{3} s", "", text)


@pytest.mark.parametrize("columns", ["80", "120"])
def test_no_line_is_wider_than_the_terminal(tmp_path: Path, columns: str) -> None:
    assert max(map(len, demo(tmp_path, COLUMNS=columns).stdout.splitlines())) <= int(columns)


def test_configured_reviewers_do_not_change_it(tmp_path: Path, text: str) -> None:
    done = demo(tmp_path, COLUMNS="80", FOUREYES_REVIEWERS__OTHER__USE="no_such_module:reviewer")
    assert re.sub(r"\d\.\d{3} s", "", done.stdout) == re.sub(r"\d\.\d{3} s", "", text)


@pytest.mark.timing
def test_it_takes_less_than_two_seconds(tmp_path: Path) -> None:
    began = time.monotonic()
    demo(tmp_path)
    assert time.monotonic() - began < 2
