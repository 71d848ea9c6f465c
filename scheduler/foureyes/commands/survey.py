"""What ``foureyes status`` finds in the configured store."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from foureyes.commands.outlook import Outlook, outlook
from foureyes.core.state import NoteStatus, ReviewerState, SessionState
from foureyes.errors import ConfigError, StoreError
from foureyes.settings import Settings
from foureyes.spelling import did_you_mean
from foureyes.stores.onlooking import OnlookingStore

__all__ = ["Member", "Seen", "Survey", "surveyed"]

_TRIES = 5
"""Times that a store is read in which somebody has just begun to write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One reviewer of one session."""

    name: str
    progress: ReviewerState
    outlook: Outlook | None
    """None for one that the session has met and that the settings do not declare."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One session."""

    id: str
    state: SessionState | None = None
    """None where it cannot be read."""
    problem: str = ""
    """Why not."""
    members: tuple[Member, ...] = ()
    """Those that are declared, in their order, and then the others by name."""

    @property
    def standing(self) -> str:
        """Return ``open``, ``closed`` or ``aborted``; ``unreadable`` where it is not known."""
        if self.state is None:
            return "unreadable"
        closed = self.state.closed
        return "open" if closed is None else "aborted" if closed.aborted else "closed"

    @property
    def waiting(self) -> int:
        """Return how many notes are for the agent and not sent."""
        notes = self.state.with_status(NoteStatus.QUEUED, NoteStatus.HANDED_OVER) if self.state else ()
        return sum(not note.host_only for note in notes)

    @property
    def is_well(self) -> bool:
        """Tell whether everything about the session could be read."""
        return self.state is not None and not any(member.progress.damaged for member in self.members)


@dataclass(frozen=True, slots=True, kw_only=True)
class Survey:
    """All sessions, or the one that was asked for."""

    settings: Settings
    remark: str = ""
    """Why there are no sessions; "" where there are some."""
    sessions: tuple[Seen, ...] = ()
    """By id."""

    @property
    def is_well(self) -> bool:
        """Tell whether everything could be read."""
        return all(seen.is_well for seen in self.sessions)


async def surveyed(settings: Settings, session: str | None) -> Survey:
    """Return what the store holds, of one session or of all (None), without touching it.

    Raises ConfigError for a session that the store does not know, and StoreError where the store itself cannot be
    read; that a session of it cannot is said of that session.
    """
    path = _path(settings)
    if path is None:
        remark = "no sessions to see: the store is memory, which every process keeps for itself"
    elif _is_missing(path):
        remark = f"no sessions yet: there is no file {path}"
    else:
        found = await _read(path, settings, session)
        remark = "" if found else "no sessions yet"
        return Survey(settings=settings, remark=remark, sessions=found)
    return Survey(settings=settings, remark=remark)


def _path(settings: Settings) -> Path | None:
    return None if settings.store == "memory" else Path(settings.store.removeprefix("sqlite:"))


def _is_missing(path: Path) -> bool:
    try:
        path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False  # It is for the store to say what is wrong with it.
    return False


async def _read(path: Path, settings: Settings, session: str | None) -> tuple[Seen, ...]:
    for _ in range(_TRIES):
        store = OnlookingStore(path)
        try:
            found = await _seen(store, settings, session)
        finally:
            await store.close()
        if not store.disturbed:
            break
    return found


async def _seen(store: OnlookingStore, settings: Settings, session: str | None) -> tuple[Seen, ...]:
    known = await store.sessions()
    if session is not None and session not in known:
        raise ConfigError(f"no session {session!r} in {store.path}{did_you_mean(session, known)}")
    return tuple([await _look(store, name, settings) for name in known if session in (None, name)])


async def _look(store: OnlookingStore, name: str, settings: Settings) -> Seen:
    try:
        state = await store.load(name)
    except StoreError as error:
        return Seen(id=name, problem=str(error))
    if state is None:
        return Seen(id=name, problem="it was there a moment ago, and is gone")
    return Seen(id=name, state=state, members=tuple(_members(settings, state)))


def _members(settings: Settings, state: SessionState) -> Iterator[Member]:
    declared = [config.name for config in settings.reviewers]
    for config in settings.reviewers:
        yield Member(name=config.name, progress=state.reviewer(config.name), outlook=outlook(config, state))
    for name in sorted(state.reviewers.keys() - set(declared)):
        yield Member(name=name, progress=state.reviewer(name), outlook=None)
