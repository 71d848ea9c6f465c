"""Places in which stores keep sessions. A new store is one more entry of ``PLACES``, and passes the same tests."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Protocol

from foureyes.core.changes import Changes
from foureyes.core.state import SessionState
from foureyes.stores.base import Store
from foureyes.stores.memory import MemoryStore
from foureyes.stores.records import dumped, loaded
from foureyes.stores.sqlite import SQLiteStore

__all__ = ["PLACES", "Place", "SQLitePlace"]


class Place(Protocol):
    """One place, empty at first."""

    def store(self) -> Store:
        """Return a store on the place, another one at each call where the place is outside of the process."""

    def size(self) -> int:
        """Return how many bytes are kept there, 0 where nothing is written."""


class MemoryPlace:
    def __init__(self, _: Path) -> None:
        self._store = MemoryStore()

    def store(self) -> Store:
        return self._store

    def size(self) -> int:
        return 0


class SnapshotPlace:
    """What a host has that keeps the sessions itself: text, and our two functions."""

    def __init__(self, _: Path) -> None:
        self.kept: dict[str, str] = {}

    def store(self) -> Store:
        return _SnapshotStore(self.kept)

    def size(self) -> int:
        return sum(map(len, self.kept.values()))


class _SnapshotStore(MemoryStore):
    def __init__(self, kept: dict[str, str]) -> None:
        super().__init__()
        self._kept, self._wrote = kept, ""

    async def load(self, session: str) -> SessionState | None:
        return loaded(json.loads(self._kept[session])) if session in self._kept else None

    async def save(self, state: SessionState, changes: Changes) -> None:
        if self._wrote is not self._kept.get(state.id):  # somebody else has written since, or nobody has at all
            self._states = {key: loaded(json.loads(text)) for key, text in self._kept.items() if key == state.id}
        await super().save(state, changes)
        self._kept[state.id] = self._wrote = json.dumps(dumped(state), allow_nan=False)

    async def sessions(self) -> list[str]:
        return sorted(self._kept)


class SQLitePlace:
    def __init__(self, folder: Path) -> None:
        self.path = folder / "states" / "store.db"

    def store(self) -> Store:
        return SQLiteStore(self.path)

    def size(self) -> int:
        return sum(file.stat().st_size for file in self.path.parent.iterdir())

    def run(self, statement: str, *values: object) -> list[tuple[object, ...]]:
        """Look into the tables, or change them, behind the store's back."""
        with closing(sqlite3.connect(self.path)) as connection, connection:
            return connection.execute(statement, values).fetchall()


PLACES: dict[str, Callable[[Path], Place]] = {
    "memory": MemoryPlace,
    "snapshot": SnapshotPlace,
    "sqlite": SQLitePlace,
}
