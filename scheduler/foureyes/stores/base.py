"""The contract of a store: one value per session, replaced only by its successor."""

from __future__ import annotations

from typing import Protocol

from foureyes.core.changes import Changes
from foureyes.core.state import SessionState

__all__ = ["Store"]


class Store(Protocol):
    """Where the states of sessions are kept.

    All methods raise :class:`~foureyes.errors.StoreError` where the store cannot do its work, and leave what they
    hold as it was. A store may be used by many sessions at a time, but never by two calls for one session.
    """

    async def open(self) -> None:
        """Make the store ready. Opening an open store does nothing."""

    async def load(self, session: str) -> SessionState | None:
        """Return the saved state, or None for a session that the store does not know.

        A record of one reviewer that cannot be read comes back with ``damaged`` set and its allowances spent as
        far as they can be read; the others are not affected. Raises StateVersionError for a state that a newer
        foureyes wrote.
        """

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Make the state the saved one.

        ``changes`` leads from the saved state to this one, and all of it is written or nothing. Raises
        RevisionConflictError where the store does not hold revision ``changes.expected``.
        """

    async def sessions(self) -> list[str]:
        """Return the ids of all saved sessions, sorted."""

    async def close(self) -> None:
        """Let go of files and connections. Closing a closed store does nothing; it may be opened again."""
