"""Which of the waiting notes are handed over now.

The queue is kept per request. The strongest notes go first, then the oldest, at most ``notes_per_boundary`` at a
time. Between turns the agent is addressed only if a note of at least ``reopen_severity`` waits; weaker ones ride
along. At a finish only a note that was admitted *at this finish* can re-open the run: what could not be sent before
is listed to the host instead.
"""

from __future__ import annotations

from collections.abc import Collection

from foureyes.core.guard import Limits
from foureyes.core.state import NoteRecord, NoteStatus, Offer, SessionState

__all__ = ["due_offer", "unsent"]


def due_offer(
    state: SessionState, limits: Limits, turn: int, *, finish: bool, fresh: Collection[NoteRecord] = ()
) -> Offer | None:
    """Return what is to be handed over at this boundary, or None for nothing.

    An offer that the host has not confirmed comes first, unchanged and under its own id: a host that drops doubles
    must not lose what was added to one. At a finish ``fresh`` are the notes that it has just admitted; None of them
    strong enough means that the answer is accepted.
    """
    floor = limits.reopen_severity.rank
    urgent = fresh if finish else waiting(state)
    if not any(note.severity.rank >= floor and not note.host_only for note in urgent):
        return _unconfirmed(state) if not finish else None
    return _unconfirmed(state) or Offer(
        id=f"a{_number(state) + 1}",
        turn=turn,
        finish=finish,
        notes=tuple(note.id for note in waiting(state)[: limits.notes_per_boundary]),
    )


def waiting(state: SessionState) -> list[NoteRecord]:
    """Return the queued notes that may reach the agent, strongest first, then oldest."""
    queued = [note for note in state.with_status(NoteStatus.QUEUED) if not note.host_only]
    return sorted(queued, key=lambda note: (-note.severity.rank, note.turn))


def unsent(state: SessionState) -> tuple[NoteRecord, ...]:
    """Return the admitted notes that the agent has not been sent, oldest first."""
    return state.with_status(NoteStatus.QUEUED, NoteStatus.HANDED_OVER)


def _unconfirmed(state: SessionState) -> Offer | None:
    return state.offer if state.offer is not None and not state.offer.taken else None


def _number(state: SessionState) -> int:
    return int(state.offer.id[1:]) if state.offer is not None else 0
