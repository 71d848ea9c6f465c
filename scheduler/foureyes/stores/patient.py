"""A store of somebody else's, waited for no longer than an agent can bear."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeVar

import anyio

from foureyes.core.changes import Changes
from foureyes.core.state import SessionState
from foureyes.errors import StoreError
from foureyes.stores.base import Store

__all__ = ["PATIENCE_SECONDS", "PatientStore"]

PATIENCE_SECONDS = 2.0
"""How long one call of a store may take. Two seconds: a network store that was busy is back by then, and a boundary,
which saves twice, stays below the shortest timeouts that hosts have."""

T = TypeVar("T")


class PatientStore:
    """Wraps a store: a call that takes too long is cancelled and fails, as any other fault of a store.

    What such a save has done is unknown, so the next one asks the store first. A store that swallows its
    cancellation cannot be bounded.
    """

    def __init__(self, store: Store, seconds: float = PATIENCE_SECONDS) -> None:
        self._store, self._seconds = store, seconds

    async def open(self) -> None:
        """Make the store ready."""
        await self._within(self._store.open)

    async def load(self, session: str) -> SessionState | None:
        """Return the saved state, or None for a session that the store does not know."""
        return await self._within(lambda: self._store.load(session))

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Make the state the saved one."""
        await self._within(lambda: self._store.save(state, changes))

    async def sessions(self) -> list[str]:
        """Return the ids of all saved sessions, sorted."""
        return await self._within(self._store.sessions)

    async def close(self) -> None:
        """Let go of files and connections."""
        await self._within(self._store.close)

    async def _within(self, call: Callable[[], Awaitable[T]]) -> T:
        with anyio.move_on_after(self._seconds):
            return await call()
        raise StoreError(f"the store did not answer within {self._seconds:g} s")
