"""One SQLite file: opened when it is first needed, private to its user, and never open across a fork."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import TypeVar
from weakref import WeakSet

from foureyes.errors import StateVersionError, StoreError

__all__ = ["Database", "execute"]

_OURS = 0x34657965
"""The application id in the head of our files, so that nobody's other database is taken for a store."""
_BUSY_SECONDS = 0.025
"""How long a statement waits for another writer, on the event loop's own thread. A write takes some 30 µs."""
_PAUSE_SECONDS = 0.001
"""How long to wait between two tries. SQLite's own waiting tries six times in 25 ms, and a busy writer starves it."""
_TRIES = 12
"""Tries at least, where the machine is so busy that they take longer: whoever holds the lock is waiting for it too."""
_OPENING_SECONDS = 1.0
"""How long opening waits for another process that is creating the same file."""

T = TypeVar("T")


class Database:
    """A context manager that gives the connection, and turns what SQLite raises into StoreErrors.

    Any thread may use it, one at a time. ``os.fork``, and what is built on it, closes the connection first; parent
    and child open their own when they next need one. It has to be so: a connection that a child inherits makes even
    a new one in that child trust locks which only the parent holds, and what the child writes is lost once the
    parent closes the file. Python is not told of a fork by C code: open the store after such a one.
    """

    def __init__(self, path: Path, *, version: int, schema: Sequence[str]) -> None:
        self.path = path
        self._version, self._schema = version, schema
        self._lock = threading.RLock()
        self._connection: sqlite3.Connection | None = None
        self._file: object = None
        with _registry:
            _databases.add(self)

    def __enter__(self) -> sqlite3.Connection:
        self._lock.acquire()
        try:
            if self._connection is not None and self._file != _file(self.path):
                self.close()
                raise StoreError(
                    f"{self.path} was deleted or replaced while in use. Sessions are saved anew where it was"
                )
            return self._connection or self._opened()
        except BaseException as error:
            self.__exit__(type(error), error, None)
            raise

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if error is not None and _code(error) in _STALE:
            with suppress(sqlite3.Error):
                self.close()
        self._lock.release()
        if isinstance(error, sqlite3.Error | OverflowError | OSError):
            raise StoreError(f"{self.path}: {error}. {_cure(error)}") from error

    def close(self) -> None:
        """Close the connection, if there is one. The next use opens another."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def hold(self) -> None:
        """Close the connection, and let no other thread use the database before :meth:`let_go`."""
        self._lock.acquire()
        self.close()

    def let_go(self) -> None:
        """Let the database be used again."""
        self._lock.release()

    def _opened(self) -> sqlite3.Connection:
        connection = self.connect()
        try:
            _patiently(lambda: self.examine(connection), _OPENING_SECONDS)
        except BaseException:
            connection.close()
            raise
        self._connection, self._file = connection, _file(self.path)
        return connection

    def connect(self) -> sqlite3.Connection:
        """Return a new connection to the file, which is made where there is none."""
        _make(self.path)
        return sqlite3.connect(self.path, timeout=0, isolation_level=None, check_same_thread=False)

    def examine(self, connection: sqlite3.Connection) -> None:
        """Make the tables where there are none. Raises for a file that cannot be used, and leaves it untouched."""
        if self.is_new(connection):
            self._create(connection)
        self._tune(connection)

    def is_new(self, connection: sqlite3.Connection) -> bool:
        """Tell whether the file has no tables yet. Raises for one that is not ours, or of a newer schema."""
        owner, version, tables = _head(connection)
        if owner == 0 and tables == 0:
            return True
        if owner != _OURS:
            raise StoreError(f"{self.path} is another application's database: give the store a file of its own")
        if version > self._version:
            raise StateVersionError(
                f"{self.path} was written by a newer foureyes (schema {version}; this one reads up to "
                f"{self._version}): upgrade foureyes, or use another file. Nothing was changed"
            )
        return False

    def _create(self, connection: sqlite3.Connection) -> None:
        self._tune(connection)
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            for statement in self._schema:
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {_OURS}")
            connection.execute(f"PRAGMA user_version = {self._version}")

    def _tune(self, connection: sqlite3.Connection) -> None:
        mode = connection.execute("PRAGMA journal_mode = WAL").fetchone()[0]
        if mode != "wal":
            raise StoreError(f"{self.path} is where SQLite cannot use WAL: put the store on a local disk")
        connection.execute("PRAGMA synchronous = NORMAL")


def execute(connection: sqlite3.Connection, statement: str, values: Sequence[object] = ()) -> sqlite3.Cursor:
    """Execute a statement that may find the database locked, and wait at most 25 ms for it.

    Enough for the first one of a transaction: the others find the lock taken.
    """
    return _patiently(lambda: connection.execute(statement, values), _BUSY_SECONDS)


def _patiently(call: Callable[[], T], seconds: float) -> T:
    began, tries = time.monotonic(), 0
    while True:
        try:
            return call()
        except sqlite3.OperationalError as error:
            tries += 1
            waited = time.monotonic() - began
            if _code(error) != sqlite3.SQLITE_BUSY or (waited >= seconds and tries >= _TRIES):
                raise
        time.sleep(_PAUSE_SECONDS)


def _file(path: Path) -> object:
    # Which file has the name now. SQLite goes on writing to one that has lost it, and says nothing.
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino


def _make(path: Path) -> None:
    # Only where there is no file: closing a descriptor of a database that is in use would drop its locks.
    if not path.exists():
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(mode=0o600)


def _head(connection: sqlite3.Connection) -> list[int]:
    # In one transaction: another process may be creating the file.
    questions = ("PRAGMA application_id", "PRAGMA user_version", "SELECT count(*) FROM sqlite_master")
    with connection:
        connection.execute("BEGIN")
        return [int(connection.execute(question).fetchone()[0]) for question in questions]


def _code(error: BaseException) -> int:
    return int(getattr(error, "sqlite_errorcode", 0)) & 0xFF


def _cure(error: BaseException) -> str:
    return _CURES.get(_code(error), "Check the file, its folder and this user's rights to both")


_CURES = {
    sqlite3.SQLITE_READONLY: "Let this user write to the file, to those beside it (-wal, -shm) and to the folder",
    sqlite3.SQLITE_BUSY: "Another process, or a database tool, is writing to it: close that one or wait",
    sqlite3.SQLITE_FULL: "Make room on the disk",
    sqlite3.SQLITE_CORRUPT: "Restore it from a backup, or move the file away to begin with an empty store",
    sqlite3.SQLITE_NOTADB: "Give the store a file of its own",
}
_STALE = {
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_NOTADB,
}
"""Errors that a connection keeps once it has met them; the next use opens another, and the fault may have ended."""

_registry = threading.RLock()
_databases: WeakSet[Database] = WeakSet()
_held: list[Database] = []


def _before_fork() -> None:
    _registry.acquire()
    _held.extend(_databases)
    for database in _held:
        database.hold()


def _after_fork() -> None:
    while _held:
        _held.pop().let_go()
    _registry.release()


if sys.platform != "win32":
    os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)
