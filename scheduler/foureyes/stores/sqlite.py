"""The default store: one SQLite file on a local disk."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

from foureyes.core.changes import Changes, Remembered
from foureyes.core.state import SessionState
from foureyes.stores.database import Database, execute
from foureyes.stores.restoring import Saved, SavedReviewer, restored
from foureyes.stores.writing import (
    check_revision,
    note_body,
    prepare,
    reviewer_body,
    session_body,
)

__all__ = ["SCHEMA_VERSION", "SQLiteStore"]

SCHEMA_VERSION = 1
"""Raised with every change of the tables that an older foureyes could not work with."""

_SCHEMA = (
    # What a quiet boundary changes stands alone: SQLite rewrites a row as a whole.
    """CREATE TABLE IF NOT EXISTS sessions (
        key INTEGER PRIMARY KEY,
        id NOT NULL UNIQUE,
        version INTEGER NOT NULL,
        revision INTEGER NOT NULL,
        turn INTEGER NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS bodies (session INTEGER PRIMARY KEY, body TEXT NOT NULL)",
    "CREATE TABLE IF NOT EXISTS requests (session INTEGER PRIMARY KEY, text TEXT NOT NULL)",
    """CREATE TABLE IF NOT EXISTS reviewers (
        key INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        name TEXT NOT NULL,
        body TEXT NOT NULL,
        capacity INTEGER NOT NULL,
        serial INTEGER NOT NULL,
        UNIQUE (session, name))""",
    """CREATE TABLE IF NOT EXISTS histories (
        reviewer INTEGER NOT NULL,
        slot INTEGER NOT NULL,
        key INTEGER NOT NULL,
        rank INTEGER NOT NULL,
        note TEXT NOT NULL,
        PRIMARY KEY (reviewer, slot)) WITHOUT ROWID""",
    """CREATE TABLE IF NOT EXISTS notes (
        key INTEGER PRIMARY KEY,
        session INTEGER NOT NULL,
        id TEXT NOT NULL,
        body TEXT NOT NULL,
        UNIQUE (session, id))""",
)


class SQLiteStore:
    """Keeps sessions in one file, which it creates, readable by its user only, with the folders above it.

    Each save writes what changed and nothing else, in one transaction, on the event loop's own thread: some 30 µs,
    less than it would take to ask another thread. It waits at most 25 ms for another writer, and then says who
    may hold the file. Several processes and threads may use one file, for one session one at a time.

    The file needs a local disk: write-ahead logging shares memory between processes, which network file systems do
    not offer, and there it may corrupt the file. ``synchronous`` is NORMAL: a killed process loses nothing, a power
    cut at most the last moments. Nothing is ever deleted but notes that have left the state.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._database = self._on(Path(path).absolute())

    @staticmethod
    def _on(path: Path) -> Database:
        return Database(path, version=SCHEMA_VERSION, schema=_SCHEMA)

    @property
    def path(self) -> Path:
        """Return the absolute path of the file."""
        return self._database.path

    async def open(self) -> None:
        """Open the file, creating it where there is none. An open store stays as it is.

        Raises StateVersionError for a file that a newer foureyes wrote, and StoreError for one that is no store or
        cannot be used; neither changes the file.
        """
        prepare()
        with self._database:
            pass

    async def load(self, session: str) -> SessionState | None:
        """Return the saved state, or None for a session that the store does not know.

        A bad record of one reviewer comes back ``damaged``. Raises StateVersionError for a state that a newer
        foureyes wrote, and StoreError where the session's own record cannot be read.
        """
        with self._database as connection, connection:
            connection.execute("BEGIN")
            saved = _saved(connection, session, str(self.path))
        return restored(saved) if saved else None

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Make the state the saved one: all of the changes are written, or none.

        Raises RevisionConflictError where the store does not hold revision ``changes.expected``, and StoreError
        where the file is locked, full or gone.
        """
        if changes.quiet:
            with self._database as connection:
                if _moved(connection, state, changes.expected):
                    return
        rows = _rows(state, changes)
        with self._database as connection, connection:
            execute(connection, "BEGIN IMMEDIATE")
            key, held = connection.execute(_HELD, (_stored(state.id),)).fetchone() or (None, 0)
            check_revision(state.id, held, changes.expected, str(self.path))
            _write(connection, key, state, changes, rows)

    async def sessions(self) -> list[str]:
        """Return the ids of all saved sessions, sorted."""
        with self._database as connection:
            rows = execute(connection, "SELECT id FROM sessions").fetchall()
        return sorted(_id(stored) for (stored,) in rows)

    async def close(self) -> None:
        """Close the file. Closing a closed store does nothing; the next use opens it again."""
        self._database.close()


def _moved(connection: sqlite3.Connection, state: SessionState, expected: int) -> bool:
    row = (state.revision, state.turn, _stored(state.id), expected)
    return execute(connection, _MOVE, row).rowcount == 1


class _Rows(NamedTuple):
    # Written as JSON before the file is locked: others wait for the lock, and the first time takes long.
    body: str
    reviewers: list[tuple[str, str, int, int]]
    notes: list[tuple[str, str]]


def _rows(state: SessionState, changes: Changes) -> _Rows:
    return _Rows(
        body=session_body(state),
        reviewers=[
            (one.name, reviewer_body(one), one.history.capacity, one.history.serial) for one in changes.reviewers
        ],
        notes=[(note.id, note_body(note)) for note in changes.notes],
    )


def _write(connection: sqlite3.Connection, key: int | None, state: SessionState, changes: Changes, rows: _Rows) -> None:
    row = (state.version, state.revision, state.turn)
    if key is None:
        key = connection.execute(_MEET, (_stored(state.id), *row)).lastrowid
    else:
        connection.execute(_GO_ON, (*row, key))
    connection.execute(_BODY, (key, rows.body))
    connection.execute(_REQUEST, (key, state.request_text))
    connection.executemany(_REVIEWER, [(key, *reviewer) for reviewer in rows.reviewers])
    for remembered in changes.histories:
        _write_history(connection, key, remembered)
    connection.executemany(_GONE, [(key, identity) for identity in changes.gone])
    connection.executemany(_NOTE, [(key, *note) for note in rows.notes])


def _write_history(connection: sqlite3.Connection, key: int | None, remembered: Remembered) -> None:
    (reviewer,) = connection.execute(_REVIEWER_KEY, (key, remembered.reviewer)).fetchone()
    if remembered.cleared:
        connection.execute("DELETE FROM histories WHERE reviewer = ?", (reviewer,))
    connection.executemany(_SLOT, [(reviewer, slot, *entry) for slot, entry in remembered.slots])


def _saved(connection: sqlite3.Connection, session: str, where: str) -> Saved | None:
    row = execute(connection, _SESSION, (_stored(session),)).fetchone()
    if row is None:
        return None
    key, version, revision, turn, body, request = row
    return Saved(
        where=where,
        id=session,
        version=version,
        revision=revision,
        turn=turn,
        request_text=request,
        body=body,
        reviewers=[_saved_reviewer(connection, *found) for found in connection.execute(_REVIEWERS, (key,)).fetchall()],
        notes=[body for (body,) in connection.execute(_NOTES, (key,))],
    )


def _saved_reviewer(
    connection: sqlite3.Connection, key: int, name: object, body: object, capacity: object, serial: object
) -> SavedReviewer:
    slots = connection.execute("SELECT slot, key, rank, note FROM histories WHERE reviewer = ?", (key,)).fetchall()
    return SavedReviewer(name=name, body=body, capacity=capacity, serial=serial, slots=slots)


def _stored(session: str) -> str | bytes:
    # An id may be any string, but SQLite's text has no place for a lone surrogate.
    try:
        session.encode()
    except UnicodeEncodeError:
        return session.encode("utf-8", "surrogatepass")
    return session


def _id(stored: str | bytes) -> str:
    return stored if isinstance(stored, str) else stored.decode("utf-8", "surrogatepass")


_MOVE = "UPDATE sessions SET revision = ?, turn = ? WHERE id = ? AND revision = ?"
_HELD = "SELECT key, revision FROM sessions WHERE id = ?"
_MEET = "INSERT INTO sessions (id, version, revision, turn) VALUES (?, ?, ?, ?)"
_GO_ON = "UPDATE sessions SET version = ?, revision = ?, turn = ? WHERE key = ?"
_BODY = """
    INSERT INTO bodies (session, body) VALUES (?, ?) ON CONFLICT (session) DO UPDATE SET body = excluded.body"""
_REQUEST = """
    INSERT INTO requests (session, text) VALUES (?, ?)
    ON CONFLICT (session) DO UPDATE SET text = excluded.text WHERE text <> excluded.text"""
_REVIEWER = """
    INSERT INTO reviewers (session, name, body, capacity, serial) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (session, name)
    DO UPDATE SET body = excluded.body, capacity = excluded.capacity, serial = excluded.serial"""
_REVIEWER_KEY = "SELECT key FROM reviewers WHERE session = ? AND name = ?"
_SLOT = """
    INSERT INTO histories (reviewer, slot, key, rank, note) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT (reviewer, slot) DO UPDATE SET key = excluded.key, rank = excluded.rank, note = excluded.note"""
_GONE = "DELETE FROM notes WHERE session = ? AND id = ?"
_NOTE = """
    INSERT INTO notes (session, id, body) VALUES (?, ?, ?)
    ON CONFLICT (session, id) DO UPDATE SET body = excluded.body"""

# Bodies are read as bytes: text that is no UTF-8 any more must not keep the other records from being read.
_SESSION = """
    SELECT key, version, revision, turn, CAST(body AS BLOB), text FROM sessions
    LEFT JOIN bodies ON bodies.session = sessions.key LEFT JOIN requests ON requests.session = sessions.key
    WHERE id = ?"""
_REVIEWERS = """
    SELECT key, name, CAST(body AS BLOB), capacity, serial FROM reviewers WHERE session = ? ORDER BY key"""
_NOTES = "SELECT CAST(body AS BLOB) FROM notes WHERE session = ? ORDER BY key"
