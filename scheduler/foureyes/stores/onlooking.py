"""Looking into a store that may be in use, without leaving a trace in it."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path
from typing import TypeAlias

from foureyes.errors import StoreError
from foureyes.stores.database import Database
from foureyes.stores.sqlite import SCHEMA_VERSION, SQLiteStore

__all__ = ["OnlookingStore"]

_Trace: TypeAlias = tuple[int, int] | None


class OnlookingStore(SQLiteStore):
    """Reads the file of a :class:`~foureyes.stores.sqlite.SQLiteStore`, and neither creates nor changes any file.

    Whoever uses the store meanwhile waits for nothing. Saving is a StoreError, and so is reading a file that is not
    there. What was read is one moment's state of each session, unless :attr:`disturbed` says otherwise.
    """

    _database: _OnlookingDatabase

    @property
    def disturbed(self) -> bool:
        """Tell whether somebody has begun to write to a file that nobody used: then read it again."""
        return self._database.disturbed

    @staticmethod
    def _on(path: Path) -> Database:
        return _OnlookingDatabase(path, version=SCHEMA_VERSION, schema=())


class _OnlookingDatabase(Database):
    # A reader takes part in write-ahead logging, and leaves files of its own behind where there are none. So a file
    # without a log, which nobody has open, is read as if it could not change; and looked at again afterwards.
    _at_rest: _Trace = None

    @property
    def disturbed(self) -> bool:
        return self._at_rest is not None and self._at_rest != self._trace()

    def connect(self) -> sqlite3.Connection:
        if not self.path.is_file():
            raise StoreError(f"there is no file {self.path}: nothing was saved there yet")
        self._at_rest = self._trace()
        mode = "mode=ro" if self._at_rest is None else "mode=ro&immutable=1"
        uri = f"{self.path.as_uri()}?{mode}"
        return sqlite3.connect(uri, uri=True, timeout=0, isolation_level=None, check_same_thread=False)

    def examine(self, connection: sqlite3.Connection) -> None:
        if self.is_new(connection):
            raise StoreError(f"{self.path} is empty: nothing was saved there yet")

    def _trace(self) -> _Trace:
        # None while there is a log: then the file is in use, or was left by a process that was killed.
        if os.path.exists(f"{self.path}-wal"):
            return None
        found = self.path.stat()
        return found.st_mtime_ns, found.st_size
