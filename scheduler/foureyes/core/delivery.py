"""Which of the waiting notes are handed over now.

The queue is kept per request. The strongest notes go first, then the oldest, at most ``notes_per_boundary`` at a
time; notes that only resemble what the agent has been told come after all others. Between turns the agent is addressed
only if a note of at least ``reopen_severity`` waits; weaker ones ride along. At a finish only a note that was admitted
*at this finish* can re-open the run: what could not be sent before is listed to the host instead. Where a request ends
without a finish, what it left over is listed at the next one, and never handed over.

An offer that the host has not confirmed is offered again between turns, unchanged and under its own id, and new notes
wait: a host that drops doubles must not lose what was added to one. A finish cannot wait, so there the notes of an
unconfirmed offer go back into the queue and travel with the new ones.
"""

from __future__ import annotations

from collections.abc import Collection

from foureyes.core.guard import Limits
from foureyes.core.similarity import digest
from foureyes.core.state import NoteRecord, NoteStatus, Offer, SessionState

__all__ = ["due_offer", "reopens", "unconfirmed", "unsent", "waiting"]


def due_offer(state: SessionState, limits: Limits, turn: int, *, finish: bool) -> Offer | None:
    """Return what is to be handed over, or None where nothing is strong enough to address the agent.

    Whether a finish addresses the agent at all is :func:`reopens`'s to say; here it only gets its notes.
    """
    if not finish and (again := unconfirmed(state)) and not _is_withdrawn(state, again):
        return again
    notes = waiting(state)
    if not finish and not any(_strong(note, limits) for note in notes):
        return None
    chosen = notes[: limits.notes_per_boundary]
    return Offer(id=_identity(state, chosen), turn=turn, finish=finish, notes=tuple(note.id for note in chosen))


def _identity(state: SessionState, notes: Collection[NoteRecord]) -> str:
    # The number alone could come twice, where a store failed after the first and the process was started again: what
    # it says then is another matter, and a host that drops doubles must not take it for the same.
    said = digest("o", "\0".join(f"{note.id} {note.text}" for note in notes))
    return f"a{state.offers + 1}-{said & 0xFFFFFFFF:08x}"


def reopens(fresh: Collection[NoteRecord], limits: Limits) -> bool:
    """Tell whether the notes that a finish has just admitted are reason enough to re-open the run."""
    return any(_strong(note, limits) for note in fresh)


def waiting(state: SessionState) -> list[NoteRecord]:
    """Return the queued notes that may reach the agent, strongest first, then oldest; flagged ones after the others.

    A flagged note that is stronger than the one it resembles does not wait for weaker ones.
    """
    queued = [note for note in state.with_status(NoteStatus.QUEUED) if not note.host_only]
    return sorted(queued, key=lambda note: (_comes_last(state, note), -note.severity.rank, note.turn))


def unsent(state: SessionState) -> tuple[NoteRecord, ...]:
    """Return the admitted notes that the agent has not been sent, oldest first."""
    return state.with_status(NoteStatus.QUEUED, NoteStatus.HANDED_OVER)


def unconfirmed(state: SessionState) -> Offer | None:
    """Return the offer that the host has been given and has not confirmed, if there is one.

    Also one of a request that is over: it is not made again, and the host may have taken it all the same.
    """
    return state.offer if state.offer is not None and not state.offer.taken else None


def _is_withdrawn(state: SessionState, offer: Offer) -> bool:
    return any(state.notes[identity].host_only for identity in offer.notes)


def _comes_last(state: SessionState, note: NoteRecord) -> bool:
    if note.similar_to is None:
        return False
    told = state.notes.get(note.similar_to)
    return told is None or told.severity.rank >= note.severity.rank


def _strong(note: NoteRecord, limits: Limits) -> bool:
    return note.severity.rank >= limits.reopen_severity.rank and not note.host_only
