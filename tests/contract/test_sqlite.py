"""What the SQLite store promises beyond the contract: about its file, its locks, its processes and its bad records."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import AsyncIterator
from contextlib import closing
from dataclasses import replace
from functools import partial
from pathlib import Path

import anyio
import pytest

from foureyes.core import ledger
from foureyes.core.schedule import Call
from foureyes.core.state import SessionState
from foureyes.core.words import Trigger
from foureyes.errors import StateVersionError, StoreError
from foureyes.stores.base import Store
from foureyes.stores.sqlite import SQLiteStore
from foureyes.stores.writing import note_adapter, reviewer_adapter, session_adapter

from .lives import born, moved, noted, saved
from .places import SQLitePlace

pytestmark = pytest.mark.anyio


@pytest.fixture
def place(tmp_path: Path) -> SQLitePlace:
    """Return an empty place."""
    return SQLitePlace(tmp_path)


@pytest.fixture
async def store(place: SQLitePlace) -> AsyncIterator[Store]:
    """Return an open store on the place."""
    store = place.store()
    await store.open()
    yield store
    await store.close()


def charged(state: SessionState, name: str) -> SessionState:
    """Return the state in which a reviewer has spent one review of each kind, ready to be saved."""
    for trigger in (Trigger.PERIODIC, Trigger.FINISH):
        state = ledger.started(state, [Call(reviewer=name, trigger=trigger, turn=state.turn, round=0, since=0)])
    return ledger.revised(state, state.revision + 1)


# The file


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


async def test_a_new_file_is_its_users_own_and_so_is_the_folder_made_for_it(place: SQLitePlace, store: Store) -> None:
    await saved(store, None, born("s"))
    assert {file.name: mode(file) for file in place.path.parent.iterdir()} == dict.fromkeys(
        ("store.db", "store.db-shm", "store.db-wal"), 0o600
    )
    assert mode(place.path.parent) == 0o700


async def test_a_file_that_is_there_keeps_its_mode(place: SQLitePlace, store: Store) -> None:
    await store.close()
    place.path.chmod(0o660)
    await store.open()
    assert mode(place.path) == 0o660


async def test_the_path_is_absolute_from_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    store = SQLiteStore("store.db")
    monkeypatch.chdir("/")
    assert store.path == tmp_path / "store.db"


async def test_the_file_is_in_wal_mode_and_is_not_synced_at_every_save(place: SQLitePlace, store: Store) -> None:
    assert place.run("PRAGMA journal_mode") == [("wal",)]


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"no database at all, but a text of more than a hundred characters, which is " * 3, "not a database.* own"),
        (None, "another application's database"),
    ],
    ids=["text", "foreign database"],
)
async def test_a_file_that_is_no_store_is_refused_untouched(
    place: SQLitePlace, content: bytes | None, problem: str
) -> None:
    place.path.parent.mkdir()
    if content is None:
        place.run("CREATE TABLE theirs (x)")
    else:
        place.path.write_bytes(content)
    before = place.path.read_bytes()
    with pytest.raises(StoreError, match=problem) as caught:
        await place.store().open()
    assert str(place.path) in str(caught.value)
    assert place.path.read_bytes() == before


async def test_a_newer_schema_is_refused_untouched(place: SQLitePlace, store: Store) -> None:
    await saved(store, None, born("s"))
    await store.close()
    place.run("PRAGMA user_version = 2")
    before = place.path.read_bytes()
    for call in (store.open, store.sessions, partial(store.load, "s"), partial(saved, store, None, born("t"))):
        with pytest.raises(StateVersionError, match=r"schema 2.* up to 1\): upgrade foureyes") as caught:
            await call()
        assert str(place.path) in str(caught.value)
    assert place.path.read_bytes() == before


@pytest.mark.parametrize("place_of_the_file", ["a file/store.db", "a folder"])
async def test_a_path_that_cannot_be_a_file_is_an_error_that_says_what_to_check(
    tmp_path: Path, place_of_the_file: str
) -> None:
    (tmp_path / "a file").touch()
    (tmp_path / "a folder").mkdir()
    store = SQLiteStore(tmp_path / place_of_the_file)
    for call in (store.open, store.sessions, partial(store.load, "s"), partial(saved, store, None, born("s"))):
        with pytest.raises(StoreError, match=r"Check the file, its folder") as caught:
            await call()
        assert str(store.path) in str(caught.value)


async def test_a_store_that_could_not_be_opened_works_once_it_can(tmp_path: Path) -> None:
    obstacle = tmp_path / "states"
    obstacle.touch()
    store = SQLiteStore(obstacle / "store.db")
    with pytest.raises(StoreError):
        await store.open()
    obstacle.unlink()
    state = await saved(store, None, born("s"))
    assert await store.load("s") == state
    await store.close()


@pytest.mark.timing
async def test_an_error_that_waiting_does_not_cure_is_not_waited_for(tmp_path: Path) -> None:
    store = SQLiteStore(tmp_path)
    began = time.perf_counter()
    with pytest.raises(StoreError, match="unable to open"):
        await store.open()
    assert time.perf_counter() - began < 0.5


async def test_what_reads_and_writes_records_is_ready_once_the_store_is_open(place: SQLitePlace) -> None:
    store = place.store()
    adapters = (session_adapter, reviewer_adapter, note_adapter)
    for adapter in adapters:
        adapter.cache_clear()
    await store.open()
    assert [adapter.cache_info().currsize for adapter in adapters] == [1, 1, 1]
    await store.close()


# What a save writes


def forbid(place: SQLitePlace, deed: str, *tables: str) -> None:
    """Make each of the deeds on the tables fail."""
    for table in tables:
        place.run(
            f"CREATE TRIGGER no_{deed}_{table} BEFORE {deed} ON {table} BEGIN SELECT RAISE(ABORT, 'written'); END"
        )


async def test_a_quiet_boundary_writes_one_row_of_numbers(place: SQLitePlace, store: Store) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    for deed in ("INSERT", "UPDATE", "DELETE"):
        forbid(place, deed, "bodies", "requests", "reviewers", "histories", "notes")
    await saved(store, state, moved(state))


async def test_a_new_note_leaves_the_other_notes_and_keys_and_the_request_alone(
    place: SQLitePlace, store: Store
) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends", "the file is never closed"))
    forbid(place, "UPDATE", "requests", "histories", "notes")
    forbid(place, "DELETE", "histories", "notes")
    after = await saved(store, state, noted(state, "the lock is held for too long"))
    assert await store.load("s") == after


async def test_only_the_reviewer_that_has_changed_is_written(place: SQLitePlace, store: Store) -> None:
    state = await saved(store, None, born("s"))
    place.run(
        "CREATE TRIGGER spare BEFORE UPDATE ON reviewers WHEN new.name <> 'two' BEGIN SELECT RAISE(ABORT, 'no'); END"
    )
    after = await saved(store, state, charged(state, "two"))
    assert await store.load("s") == after


async def test_a_note_that_has_left_the_state_leaves_the_file(place: SQLitePlace, store: Store) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    await saved(store, state, ledger.revised(ledger.listed(state), state.revision + 1))
    assert place.run("SELECT count(*) FROM notes") == [(0,)]


# Failures and locks


async def test_a_save_that_fails_half_way_writes_nothing(place: SQLitePlace, store: Store) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    forbid(place, "INSERT", "notes")
    after = noted(state, "the file is never closed")
    with pytest.raises(StoreError, match="written") as caught:
        await saved(store, state, after)
    assert str(place.path) in str(caught.value)
    assert await store.load("s") == state
    place.run("DROP TRIGGER no_INSERT_notes")
    await saved(store, state, after)
    assert await store.load("s") == after


async def test_a_number_that_does_not_fit_is_an_error_of_the_store(store: Store) -> None:
    state = await saved(store, None, born("s"))
    for after in (moved(state), noted(state, "the loop never ends")):
        with pytest.raises(StoreError, match="too large"):
            await saved(store, state, replace(after, turn=1 << 63))
        assert await store.load("s") == state


@pytest.mark.timing
async def test_a_lock_held_by_another_is_an_error_soon_and_no_harm_afterwards(place: SQLitePlace, store: Store) -> None:
    state = await saved(store, None, born("s"))
    with closing(sqlite3.connect(place.path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        for after in (moved(state), noted(state, "the loop never ends")):
            began = time.perf_counter()
            with pytest.raises(StoreError, match=r"database is locked\. Another process"):
                await saved(store, state, after)
            assert time.perf_counter() - began < 0.1
            assert await store.load("s") == state
    after = await saved(store, state, moved(state))
    assert await store.load("s") == after


@pytest.mark.timing
async def test_a_lock_that_is_let_go_soon_is_waited_for(place: SQLitePlace, store: Store) -> None:
    state = await saved(store, None, born("s"))
    with closing(sqlite3.connect(place.path, isolation_level=None, check_same_thread=False)) as other:
        for following in (moved, partial(noted, name="two")):
            other.execute("BEGIN IMMEDIATE")
            release = threading.Timer(0.005, other.execute, ["COMMIT"])
            release.start()
            state = await saved(store, state, following(state))
            release.join()
    assert await store.load("s") == state


async def test_a_lone_surrogate_in_a_key_is_replaced_as_it_cannot_be_written(store: Store) -> None:
    state = noted(born("s"), "the loop never ends")
    note = state.notes["n1"]
    await saved(store, None, replace(state, notes={"n1": replace(note, key="a\ud800b", text="10 µs \N{PILE OF POO}")}))
    loaded = await store.load("s")
    assert loaded is not None
    assert loaded.notes["n1"] == replace(note, key="a\N{REPLACEMENT CHARACTER}b", text="10 µs \N{PILE OF POO}")


# Processes and threads

_WRITER = """
import anyio, sys
from foureyes.core.changes import Changes
from foureyes.core.state import SessionState
from foureyes.stores.sqlite import SQLiteStore

async def main(path, name):
    store = SQLiteStore(path)
    await store.open()
    for number in range(200):
        state = SessionState(id=f"{name} {number}", nonce="", revision=1)
        await store.save(state, Changes(None, state))
    await store.close()

anyio.run(main, *sys.argv[1:])
"""


def test_two_processes_write_to_one_new_file_without_an_error(place: SQLitePlace) -> None:
    command = [sys.executable, "-c", _WRITER, str(place.path)]
    writers = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in ("one", "two")]
    assert [writer.communicate(timeout=60)[1] for writer in writers] == ["", ""]
    assert place.run("SELECT count(*) FROM sessions") == [(400,)]


def test_a_child_that_outlives_its_parents_store_loses_nothing(place: SQLitePlace) -> None:
    # The order matters: with a connection that it had inherited, the child's last write would be lost.
    store = place.store()
    state = anyio.run(saved, store, None, born("parent"))
    ready, done = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        try:
            written = anyio.run(saved, store, None, born("child"))
            os.write(ready[1], b"1")
            os.read(done[0], 1)
            anyio.run(saved, store, written, moved(written))
            os._exit(0)
        finally:
            os._exit(1)
    assert os.read(ready[0], 1) == b"1"
    state = anyio.run(saved, store, state, moved(state))
    anyio.run(store.close)
    os.write(done[1], b"1")
    assert os.waitpid(child, 0)[1] == 0
    assert anyio.run(store.load, "parent") == state
    assert anyio.run(store.load, "child") == moved(born("child"))
    assert place.run("PRAGMA integrity_check") == [("ok",)]
    anyio.run(store.close)
    for end in (*ready, *done):
        os.close(end)


async def test_a_store_may_be_used_from_another_thread_than_the_one_that_opened_it(store: Store) -> None:
    state = await saved(store, None, born("s"))
    found: list[SessionState | None] = []
    thread = threading.Thread(target=lambda: found.append(anyio.run(store.load, "s")))
    thread.start()
    thread.join()
    assert found == [state]


# Bad records


async def test_a_bad_record_of_one_reviewer_damages_that_one_and_refills_nothing(
    place: SQLitePlace, store: Store
) -> None:
    state = await saved(store, None, charged(noted(born("s"), "the loop never ends"), "one"))
    place.run("UPDATE reviewers SET body = json_set(body, '$.muted', 'perhaps') WHERE name = 'one'")
    loaded = await store.load("s")
    assert loaded is not None
    assert loaded.reviewers["one"].damaged == "muted: Input should be a valid boolean"
    assert (loaded.reviewers["one"].periodic_used, loaded.reviewers["one"].rounds_used) == (1, 1)
    assert replace(loaded, reviewers=state.reviewers) == state
    assert [loaded.reviewers[name] for name in ("two", "three")] == [state.reviewers[name] for name in ("two", "three")]


async def test_damage_outlives_the_next_save_of_the_reviewer(place: SQLitePlace, store: Store) -> None:
    await saved(store, None, noted(born("s"), "the loop never ends"))
    place.run("DELETE FROM histories")
    loaded = await store.load("s")
    assert loaded is not None
    assert "history" in loaded.reviewers["one"].damaged
    state = await saved(store, loaded, charged(loaded, "one"))
    assert await store.load("s") == state
    assert state.reviewers["one"].damaged == loaded.reviewers["one"].damaged


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE reviewers SET body = '{' WHERE name = 'one'",
        "UPDATE reviewers SET body = CAST(x'ff00' AS TEXT) WHERE name = 'one'",
        "UPDATE reviewers SET capacity = 'many' WHERE name = 'one'",
        "UPDATE reviewers SET serial = -1 WHERE name = 'one'",
        "UPDATE histories SET rank = 9",
        "UPDATE histories SET key = 'a key'",
        "INSERT INTO histories SELECT reviewer, slot + 7, key + 1, rank, note FROM histories",
        "UPDATE notes SET body = json_set(body, '$.severity', 'shouting')",
    ],
)
async def test_whatever_is_wrong_with_one_reviewer_the_session_goes_on(
    place: SQLitePlace, store: Store, harm: str
) -> None:
    state = await saved(store, None, noted(born("s"), "the loop never ends"))
    place.run(harm)
    loaded = await store.load("s")
    assert loaded is not None
    assert [name for name, progress in loaded.reviewers.items() if progress.damaged] == ["one"]
    after = await saved(store, loaded, charged(loaded, "two"))
    assert await store.load("s") == after
    assert after.turn == state.turn


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE bodies SET body = '{'",
        "UPDATE bodies SET body = CAST(x'ff00' AS TEXT)",
        "DELETE FROM bodies",
        "DELETE FROM requests",
        "UPDATE sessions SET turn = 'five'",
        "UPDATE sessions SET turn = -1",
        "UPDATE sessions SET version = 0",
        "UPDATE notes SET body = 'not JSON'",
    ],
)
async def test_a_bad_record_of_the_session_itself_is_an_error_that_names_it_and_the_cure(
    place: SQLitePlace, store: Store, harm: str
) -> None:
    await saved(store, None, noted(born("s"), "the loop never ends"))
    place.run(harm)
    with pytest.raises(StoreError, match=r"session 's' in .* cannot be read .* backup") as caught:
        await store.load("s")
    assert not isinstance(caught.value, StateVersionError)
    assert str(place.path) in str(caught.value)


async def test_a_session_of_a_newer_version_is_refused_and_the_others_are_not(place: SQLitePlace, store: Store) -> None:
    await saved(store, None, born("new"))
    old = await saved(store, None, born("old"))
    place.run("UPDATE sessions SET version = 2 WHERE id = 'new'")
    place.run("UPDATE bodies SET body = 'of a new kind' WHERE session = (SELECT key FROM sessions WHERE id = 'new')")
    with pytest.raises(StateVersionError, match=r"session 'new' in .* version 2.* up to 1\): upgrade"):
        await store.load("new")
    assert await store.load("old") == old
    assert place.run("SELECT revision, version FROM sessions WHERE id = 'new'") == [(1, 2)]
