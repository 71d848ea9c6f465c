"""``foureyes status``, as a user types it: what is in the store, and what comes next."""

from __future__ import annotations

import json
import subprocess
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest

from foureyes.core.facts import Reply, Review, Usage
from foureyes.session import Session
from foureyes.stores.sqlite import SQLiteStore
from foureyes.testing import note, run_turns, turn_messages

from .status_shell import COMMAND, Shell, drive, in_project, turns


@pytest.fixture
def shell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Shell:
    """Return a shell in a project with two reviewers and no sessions yet."""
    return in_project(tmp_path, monkeypatch, capsys)


# --- nothing to see ---


@pytest.mark.parametrize("words", [[], ["--json"], ["s"]], ids=" ".join)
def test_a_store_that_is_not_there_is_said_so_and_not_created(words: list[str], shell: Shell) -> None:
    code, out, err = shell.type(*words)
    assert (code, err) == (0, "")
    assert "no sessions yet: there is no file states/runs.db" in out
    assert not shell.store.parent.exists()


def test_the_memory_of_other_processes_cannot_be_seen(shell: Shell) -> None:
    shell.settings('store = "memory"')
    code, out, _ = shell.type()
    assert (code, "every process keeps for itself" in out) == (0, True)


def test_a_store_without_sessions_has_none_yet(shell: Shell) -> None:
    anyio.run(SQLiteStore(shell.store).open)
    assert shell.document()["remark"] == "no sessions yet"


# --- what is shown ---


def test_a_session_is_shown_with_what_comes_next_for_each_reviewer(shell: Shell) -> None:
    said = Reply(notes=(note("The lock is never released."),), usage=Usage(input_tokens=12_345, output_tokens=67))
    drive(shell.store, turns(4), "chat-1", [said])
    code, out, err = shell.type()
    assert (code, err) == (0, "")
    assert (
        out
        == """\
store sqlite:states/runs.db

session chat-1: turn 4, request 1 open
  "Do the work."
  correctness  next: turn 6 or a finish
               left: 7 of 8 periodic reviews, 2 of 2 rounds
               last: turn 3, noted
               spent: 12,345 tokens in, 67 out, cost unknown
  security     next: a finish; never between turns
               left: 1 of 1 round
               not reviewed yet
"""
    )


def test_json_has_everything_and_nothing_else_on_standard_output(shell: Shell) -> None:
    said = Reply(notes=(note("The lock is never released."),), usage=Usage(input_tokens=5, cost_usd=0.5))
    drive(shell.store, turns(3), "chat-1", [said])
    found = shell.document()
    assert {key: value for key, value in found.items() if key != "sessions"} == {
        "store": "sqlite:states/runs.db",
        "remark": "",
        "warnings": [],
    }
    [session] = found["sessions"]
    correctness, security = session.pop("reviewers")
    assert session == {
        "id": "chat-1",
        "problem": "",
        "state": "open",
        "turn": 3,
        "request": 1,
        "request_text": "Do the work.",
        "waiting": 1,
    }
    assert correctness == {
        "name": "correctness",
        "declared": True,
        "enabled": True,
        "damaged": "",
        "periodic": {"turn": 6, "after_cooldown": False, "skip": None, "left": 7, "limit": 8},
        "finish": {"turn": 4, "after_cooldown": False, "skip": None, "left": 2, "limit": 2},
        "last_review": 3,
        "outcome": "noted",
        "failures": 0,
        "cooldown_until": 0,
        "muted": False,
        "paused": False,
        "under_way": None,
        "spent": {"input_tokens": 5, "cached_tokens": 0, "output_tokens": 0, "cost_usd": 0.5},
        "spent_in_request": {"input_tokens": 5, "cached_tokens": 0, "output_tokens": 0, "cost_usd": 0.5},
    }
    assert (security["periodic"], security["outcome"]) == (None, None)


def test_what_a_request_has_cost_is_told_apart_from_what_the_session_has(shell: Shell) -> None:
    for request, tokens in (("Do the work.", 500), ("Go on.", 20)):
        used = Usage(input_tokens=tokens, cost_usd=0.5)
        drive(shell.store, turns(3), script=[Reply(usage=used)], request=request)
    found = shell.reviewer("correctness")
    assert (found["spent"]["input_tokens"], found["spent_in_request"]["input_tokens"]) == (520, 20)
    lines = [line.strip() for line in shell.type()[1].splitlines()]
    assert "spent: 520 tokens in, 0 out, $1.0000" in lines
    assert "in this request: 20 tokens in, 0 out, $0.5000" in lines


WORDS: dict[str, tuple[str, list[object], str]] = {
    "cooldown": ("interval_turns = 1", [ValueError()], "next: turn 4 (after the cooldown) or a finish"),
    "capped": (
        "interval_turns = 1\nmax_periodic_reviews = 1",
        [],
        "next: a finish; between turns capped for this request (1 of 1)",
    ),
    "paused": (
        "interval_turns = 1\npause_after_failures = 1\ncooldown_turns = 0",
        [ValueError()],
        "next: paused when last seen; otherwise due at turn 3",
    ),
    "failed": ("interval_turns = 2", [ValueError()], "last: turn 2, error; 1 failure in a row; cooldown before turn 5"),
    "rested": (
        "interval_turns = 1\npause_after_failures = 1\ncooldown_turns = 0",
        [ValueError()],
        "last: turn 1, error; 1 failure in a row; paused when last seen",
    ),
    "disabled": ("interval_turns = 1\nenabled = false", [], "disabled: switched off in foureyes.toml"),
    "finish only": ("", [], "next: a finish; never between turns"),
    "no finish": ("interval_turns = 5\nmax_rounds = 0", [], "next: turn 5; never at a finish"),
    "never": ("max_rounds = 0", [], "left: nothing, as it is never due"),
}


@pytest.mark.parametrize("name", WORDS)
def test_what_keeps_a_reviewer_back_is_said(name: str, shell: Shell) -> None:
    settings, script, said = WORDS[name]
    shell.settings(f'store = "states/runs.db"\n[reviewers.one]\nuse = "checks"\n{settings}\n')
    drive(shell.store, turns(2), script=script)
    assert said in " ".join(shell.type()[1].split())


COMING: dict[str, tuple[str, list[object]]] = {
    "interval": ("interval_turns = 4", []),
    "cooldown": ("interval_turns = 1\ncooldown_turns = 5", [[], [], ValueError()]),
    "cooldown shorter than the interval": ("interval_turns = 3\ncooldown_turns = 1", [ValueError()]),
    "no cooldown": ("interval_turns = 2\ncooldown_turns = 0", [ValueError()]),
}


@pytest.mark.parametrize("name", COMING)
def test_the_turn_that_is_announced_is_the_turn_that_comes(name: str, shell: Shell) -> None:
    settings, script = COMING[name]
    shell.settings(f'store = "states/runs.db"\n[reviewers.one]\nuse = "checks"\nmax_rounds = 0\n{settings}\n')
    drive(shell.store, turns(3), script=script)
    announced = shell.reviewer("one")["periodic"]
    assert announced["skip"] is None
    called: list[int] = []

    async def goes_on(session: Session) -> None:
        for turn in range(4, 20):
            guidance = await session.boundary([note for n in range(1, turn + 1) for note in turn_messages(n)])
            called.extend([turn] * len(guidance.outcomes))

    drive(shell.store, goes_on)
    assert announced["turn"] == called[0]


def test_an_aborted_session_waits_for_the_human(shell: Shell) -> None:
    async def host(session: Session) -> None:
        await run_turns(session, 2)
        await session.abort()

    drive(shell.store, host)
    text = " ".join(shell.type()[1].split())
    assert "session s: turn 2, request 1 aborted" in text
    assert text.count("next: nothing before the human speaks left:") == 2


def test_a_finished_session_is_closed_and_its_rounds_are_spent(shell: Shell) -> None:
    drive(shell.store, partial(run_turns, turns=1, answers=["done"]))
    assert shell.document()["sessions"][0]["state"] == "closed"
    finish = shell.reviewer("security")["finish"]
    assert (finish["skip"], finish["left"], finish["limit"]) == ("cap", 0, 1)


def test_a_review_under_way_is_seen_while_its_process_uses_the_store(shell: Shell) -> None:
    shell.settings('store = "states/runs.db"\n[reviewers.one]\nuse = "checks"\ninterval_turns = 2\n')
    seen: list[dict[str, Any]] = []

    def looks(review: Review) -> None:
        # A process of its own, as it would be: two connections of one process share their locks.
        [session] = json.loads(subprocess.check_output(COMMAND, timeout=60))["sessions"]
        seen.extend(session["reviewers"])

    drive(shell.store, turns(2), function=looks)
    assert seen[0]["under_way"] == {"turn": 2, "trigger": "periodic", "attempt": 1}
    assert (seen[0]["periodic"]["turn"], seen[0]["periodic"]["left"]) == (4, 7), "charged before it is made"
    assert shell.reviewer("one")["under_way"] is None


def test_a_review_that_a_crash_cut_off_is_said_to_be(shell: Shell) -> None:
    drive(shell.store, turns(2))
    started = json.dumps({"turn": 3, "trigger": "periodic", "attempt": 1, "last_review": 0, "round": 0})
    statement = "UPDATE reviewers SET body = json_set(body, '$.started', json(?)) WHERE name = 'correctness'"
    shell.run(statement, started)
    assert "a periodic review of turn 3 is under way, or was cut off" in " ".join(shell.type()[1].split())


def test_a_reviewer_that_is_not_declared_any_more_is_shown_as_such(shell: Shell) -> None:
    drive(shell.store, turns(3))
    shell.settings(
        'store = "states/runs.db"\n[reviewers.security]\nuse = "checks"\n[reviewers.young]\nuse = "checks"\n'
    )
    code, out, _ = shell.type()
    assert code == 0
    assert "correctness  not declared in the settings, so not consulted from here\n               last: turn 3" in out
    names = [(one["name"], one["declared"]) for one in shell.document()["sessions"][0]["reviewers"]]
    assert names == [("security", True), ("young", True), ("correctness", False)]


def test_of_many_sessions_each_has_one_line(shell: Shell) -> None:
    for number in range(11):
        drive(shell.store, turns(1), f"chat-{number:02}")
    lines = shell.type()[1].splitlines()
    assert lines[1] == "session chat-00: turn 1, request 1 open"
    assert len(lines) == 1 + 11 + 2
    assert lines[-1] == "11 sessions; for the reviewers of one: foureyes status SESSION"
    assert "correctness" in shell.type("chat-07")[1]
    assert len(shell.document()["sessions"]) == 11


def test_the_path_of_the_store_is_in_one_piece_however_narrow_the_terminal(
    shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that it can be copied."""
    monkeypatch.setenv("COLUMNS", "40")
    store = shell.folder / ("long_" * 20) / "runs.db"
    shell.settings(f'store = "sqlite:{store}"\n')
    lines = shell.type()[1].splitlines()
    assert f"sqlite:{store}" in lines
    assert str(store) in lines


@pytest.mark.parametrize("columns", [80, 60, 40])
def test_no_line_is_wider_than_the_terminal(columns: int, shell: Shell, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("FOUREYES_STROE", "memory")
    drive(shell.store, turns(4), "x" * 200, [ValueError()], request="word " * 200)
    lines = shell.type()[1].splitlines()
    assert len(lines) > 8
    assert max(map(len, lines)) <= columns


def test_nothing_in_a_store_reaches_the_terminal_as_a_command(shell: Shell) -> None:
    drive(shell.store, turns(1), "chat\x1b[2J\u202e1\ud800", request="Say \x1b]0;title\x07 and\r\nmore.")
    out = shell.type()[1]
    assert {character for character in out if not character.isprintable()} == {"\n"}
    assert "session chat\\x1b[2J\\u202e1" in out
