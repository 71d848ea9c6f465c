"""A store that keeps the states in the memory of this process."""

from __future__ import annotations

from foureyes.core.changes import Changes
from foureyes.core.state import SessionState
from foureyes.stores.writing import check_revision

__all__ = ["MemoryStore"]


class MemoryStore:
    """For tests, and for hosts that keep no files: whatever is saved is gone with the process.

    A state is immutable, so keeping it is keeping a reference. Closing the store loses nothing.
    """

    def __init__(self) -> None:
        self._states: dict[str, SessionState] = {}

    async def open(self) -> None:
        """Do nothing: the store is always ready."""

    async def load(self, session: str) -> SessionState | None:
        """Return the saved state, or None for a session that the store does not know."""
        return self._states.get(session)

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Make the state the saved one.

        Raises RevisionConflictError where the store does not hold revision ``changes.expected``; it then holds
        what it held before.
        """
        held = self._states.get(state.id)
        check_revision(state.id, held.revision if held else 0, changes.expected, "this process")
        self._states[state.id] = state

    async def sessions(self) -> list[str]:
        """Return the ids of all saved sessions, sorted."""
        return sorted(self._states)

    async def close(self) -> None:
        """Do nothing: what is saved stays, and the store may go on being used."""
