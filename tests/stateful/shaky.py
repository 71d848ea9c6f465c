"""A store that works, or does not, as a test says."""

from __future__ import annotations

from collections.abc import Mapping

from foureyes.core.changes import Changes
from foureyes.core.state import SessionState
from foureyes.errors import StoreError
from foureyes.stores.memory import MemoryStore

__all__ = ["ShakyStore"]


class ShakyStore(MemoryStore):
    """A store in memory that is out of order as long as it is told to be."""

    def __init__(self, states: Mapping[str, SessionState]) -> None:
        super().__init__()
        self._states.update(states)
        self.fails = False
        self.behind = False
        """Whether a save has failed since the last that did not."""

    async def load(self, session: str) -> SessionState | None:
        """Load, or fail."""
        self._check()
        return await super().load(session)

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save, or fail."""
        self.behind = True
        self._check()
        await super().save(state, changes)
        self.behind = False

    def copied(self) -> dict[str, SessionState]:
        """Return what is saved now, as a process that is killed leaves it behind."""
        return dict(self._states)

    def _check(self) -> None:
        if self.fails:
            raise StoreError("the disk is full")
