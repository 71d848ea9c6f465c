"""What a checkpoint costs, as a ratio to what SQLite itself costs, and to itself with nothing behind it."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Coroutine, Iterator
from contextlib import closing
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from foureyes.core import ledger
from foureyes.core.changes import Changes
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Outcome, Reply
from foureyes.core.guard import Limits, Raised, admitted
from foureyes.core.history import Entry
from foureyes.core.schedule import Call
from foureyes.core.state import SessionState, Settled
from foureyes.core.words import OutcomeKind, Severity, Trigger
from foureyes.stores.sqlite import SQLiteStore

from .ratios import ratio

pytestmark = pytest.mark.benchmark

ROUNDS, INNER = 15, 100
CONFIGS = tuple(ReviewerConfig(name=f"reviewer-{number}", use="checks") for number in range(4))
KEYS = 4_096


def finished(call: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine that never waits, as those of the SQLite store, without an event loop around it."""
    try:
        call.send(None)
    except StopIteration:
        return
    raise AssertionError("the store waited for something")


def test_a_quiet_boundary_costs_at_most_three_bare_upserts(tmp_path: Path) -> None:
    state = ledger.fitted(SessionState(id="a session", nonce="0" * 32, revision=1), CONFIGS)
    store = SQLiteStore(tmp_path / "store.db")
    finished(store.save(state, Changes(None, state)))
    with closing(bare(tmp_path / "bare.db")) as connection:
        found = ratio(quiet_saves(store, state), upserts(connection), rounds=ROUNDS, inner=INNER)
    finished(store.close())
    print(f"\nquiet save / bare upsert: {found:.2f} (at most 3)")
    assert found <= 3


def test_a_checkpoint_costs_the_same_after_sixteen_thousand_keys_as_after_none(tmp_path: Path) -> None:
    full, empty = SQLiteStore(tmp_path / "full.db"), SQLiteStore(tmp_path / "empty.db")
    found = ratio(noted_saves(full, KEYS), noted_saves(empty, 0), rounds=ROUNDS, inner=INNER)
    for store in (full, empty):
        finished(store.close())
    print(f"\ncheckpoint at 4 x {KEYS:,} keys / at none: {found:.2f} (at most 1.3)")
    assert found <= 1.3


def bare(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("CREATE TABLE rows (id TEXT PRIMARY KEY, version INTEGER, revision INTEGER, turn INTEGER)")
    return connection


def upserts(connection: sqlite3.Connection) -> Callable[[], object]:
    """Return what writes the row of a session again, each time with other numbers: the same ones would be free."""
    numbers = count(1)
    statement = (
        "INSERT INTO rows VALUES (?, ?, ?, ?) "
        "ON CONFLICT (id) DO UPDATE SET revision = excluded.revision, turn = excluded.turn"
    )

    def upsert() -> object:
        number = next(numbers)
        return connection.execute(statement, ("a session", 1, number, number))

    return upsert


def quiet_saves(store: SQLiteStore, state: SessionState) -> Callable[[], object]:
    """Return what settles and saves one more quiet boundary."""
    now = state

    def save() -> None:
        nonlocal now
        after = ledger.revised(ledger.moved(now, now.turn + 1), now.revision + 1)
        finished(store.save(after, Changes(now, after)))
        now = after

    return save


def noted_saves(store: SQLiteStore, keys: int) -> Callable[[], object]:
    """Return what saves one more boundary at which a reviewer had something new to say.

    The boundaries are lived beforehand: what is measured is finding out what changed, and writing it.
    """
    first = born(keys)
    finished(store.save(first, Changes(None, first)))
    lived = iter(list(life(first, ROUNDS * INNER + 1)))

    def save() -> None:
        before, after = next(lived)
        finished(store.save(after, Changes(before, after)))

    return save


def born(keys: int) -> SessionState:
    state = ledger.fitted(SessionState(id="a session", nonce="0" * 32, revision=1), CONFIGS)
    reviewers, digests = {}, count(2**62)
    for name, progress in state.reviewers.items():
        history = progress.history
        for number in range(keys):
            history = history.remembered(Entry(next(digests), 2, f"n{number}"))
        reviewers[name] = replace(progress, history=history)
    return ledger.new_request(replace(state, reviewers=reviewers), "Fix the leak, and say what it was.")


def life(state: SessionState, boundaries: int) -> Iterator[tuple[SessionState, SessionState]]:
    for number in range(boundaries):
        name = CONFIGS[number % 4].name
        note = Note(text=f"the {number}th query has no bound " + "x" * 300, severity=Severity.CONCERN)
        after = reviewed(state, name, note)
        yield state, after
        state = after


def reviewed(state: SessionState, name: str, note: Note) -> SessionState:
    turn = state.turn + 1
    call = Call(reviewer=name, trigger=Trigger.PERIODIC, turn=turn, round=0, since=0)
    outcome = Outcome(reviewer=name, trigger=call.trigger, kind=OutcomeKind.NOTED, reply=Reply(notes=(note,)))
    # The note before this one is gone, so that the number of notes stays the same.
    state = ledger.started(ledger.listed(state), [call])
    state = ledger.reported(state, [outcome], CONFIGS, turn=turn, read=turn)
    raised = [Raised(reviewer=name, trigger=call.trigger, notes=(note,))]
    state = ledger.noted(state, admitted(CONFIGS, state, raised, turn, Limits(notes_per_request=10**9)))
    return ledger.revised(ledger.settled(state, Settled(turn=turn)), state.revision + 1)
