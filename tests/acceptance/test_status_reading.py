"""``foureyes status`` on a store that is damaged, in use or at rest: the truth, and not a trace left behind."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import anyio
import pytest

from foureyes.session import Session
from foureyes.stores.onlooking import OnlookingStore
from foureyes.testing import run_turns

from .status_shell import COMMAND, Shell, drive, in_project, turns


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project with two reviewers and no sessions yet."""
    return in_project(tmp_path, monkeypatch, capsys)


# --- what cannot be read ---


def test_one_session_of_a_newer_version_is_said_so_and_the_others_are_shown(shell: Shell) -> None:
    for name in ("new", "old"):
        drive(shell.store, turns(1), name)
    shell.run("UPDATE sessions SET version = 2 WHERE id = 'new'")
    code, out, _ = shell.type()
    text = " ".join(out.split())
    assert code == 1
    assert "session new: cannot be read: session 'new' in" in text
    assert "saved by a newer foureyes (state version 2; this one reads up to 1): upgrade foureyes" in text
    assert "session old: turn 1, request 1 open" in text
    assert [one["state"] for one in shell.document()["sessions"]] == ["unreadable", "open"]


def test_a_damaged_record_is_said_so_with_its_reason(shell: Shell) -> None:
    drive(shell.store, turns(1))
    shell.run("UPDATE reviewers SET body = '{' WHERE name = 'security'")
    code, out, _ = shell.type()
    assert code == 1
    assert "security disabled: its saved record cannot be read (Invalid JSON" in " ".join(out.split())
    assert shell.reviewer("security")["damaged"].startswith("Invalid JSON")
    assert shell.reviewer("correctness")["damaged"] == ""


HARM: dict[str, tuple[Callable[[Shell], object], str]] = {
    "no database": (lambda shell: shell.store.write_bytes(b"words" * 1_000), "not a database"),
    "of others": (lambda shell: shell.run("PRAGMA application_id = 7"), "another application's database"),
    "newer": (lambda shell: shell.run("PRAGMA user_version = 99"), "written by a newer foureyes (schema 99"),
    "empty": (lambda shell: shell.store.write_bytes(b""), "is empty: nothing was saved there yet"),
}


@pytest.mark.parametrize("harm", HARM)
@pytest.mark.parametrize("words", [[], ["--json"]], ids=" ".join)
def test_a_store_that_cannot_be_read_is_one_line_and_exit_1(harm: str, words: list[str], shell: Shell) -> None:
    drive(shell.store, turns(1))
    HARM[harm][0](shell)
    before = shell.files()
    code, out, err = shell.type(*words)
    assert (code, out, err.count("\n")) == (1, "", 1)
    assert HARM[harm][1] in err
    assert shell.files() == before


def test_a_session_that_is_not_there_is_told_with_the_one_that_was_meant(shell: Shell) -> None:
    drive(shell.store, turns(1), "chat-1")
    code, out, err = shell.type("chat-l")
    assert (code, out) == (1, "")
    assert err == f"foureyes: no session 'chat-l' in {shell.store}; did you mean chat-1?\n"


# --- not a trace ---


def test_a_store_that_nobody_uses_is_left_as_it_was(shell: Shell) -> None:
    drive(shell.store, turns(4))
    before = shell.files()
    assert before.keys() == {"runs.db"}
    shell.type()
    assert shell.files() == before


def test_a_store_in_use_is_read_to_the_last_save_and_its_user_is_not_held_up(shell: Shell) -> None:
    async def uses(session: Session) -> None:
        await run_turns(session, 5)
        before = shell.files()
        looked = await anyio.run_process(COMMAND, stderr=None)
        assert json.loads(looked.stdout)["sessions"][0]["turn"] == 5
        after = shell.files()
        assert [after[name] == before[name] for name in ("runs.db", "runs.db-wal")] == [True, True]
        await run_turns(session, 1)

    drive(shell.store, uses)
    assert shell.document()["sessions"][0]["turn"] == 6


def test_a_store_that_another_process_writes_to_can_be_read(shell: Shell) -> None:
    drive(shell.store, turns(1))
    with closing(sqlite3.connect(shell.store, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("UPDATE sessions SET turn = 99")
        assert shell.document()["sessions"][0]["turn"] == 1
        other.execute("ROLLBACK")


def test_what_a_killed_process_left_is_read(shell: Shell) -> None:
    drive(shell.store, turns(1))
    code = (
        "import os, sqlite3, sys; c = sqlite3.connect(sys.argv[1], isolation_level=None); "
        "c.execute('UPDATE sessions SET turn = 7'); os.kill(os.getpid(), 9)"
    )
    subprocess.run([sys.executable, "-c", code, str(shell.store)], check=False)
    before = shell.files()
    assert before["runs.db-wal"][1] != b""
    assert shell.document()["sessions"][0]["turn"] == 7
    after = shell.files()
    assert [after[name] == before[name] for name in ("runs.db", "runs.db-wal")] == [True, True]


def test_a_store_is_known_to_be_disturbed_once_somebody_writes_to_it(shell: Shell) -> None:
    drive(shell.store, turns(1))
    store = OnlookingStore(shell.store)
    assert anyio.run(store.sessions) == ["s"]
    assert not store.disturbed
    drive(shell.store, turns(1))
    assert store.disturbed
    anyio.run(store.close)


WITHOUT_RICH = "import sys; sys.modules['rich'] = None; from foureyes.cli import main; sys.exit(main())"


def test_without_rich_the_page_says_how_to_get_it_and_json_works(shell: Shell) -> None:
    command = [sys.executable, "-c", WITHOUT_RICH, "status"]
    page, document = (
        subprocess.run([*command, *words], capture_output=True, text=True, timeout=60, check=False)
        for words in ([], ["--json"])
    )
    assert (page.returncode, page.stdout) == (1, "")
    assert "pip install 'foureyes[cli]'" in page.stderr
    assert (document.returncode, json.loads(document.stdout)["sessions"]) == (0, [])
