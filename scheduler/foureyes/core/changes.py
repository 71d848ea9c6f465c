"""What a store has to write to get from one state to the next: derived, so it cannot disagree with the states.

The size of the changes depends on what happened at the boundary, never on how much happened before.
"""

from __future__ import annotations

from dataclasses import dataclass

from foureyes.core.history import Entry
from foureyes.core.state import NoteRecord, ReviewerState, SessionState

__all__ = ["Changes", "Remembered", "changes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What changed in one reviewer's history."""

    reviewer: str
    cleared: bool
    """Whether everything that was stored before is void; the slots below are then all there is."""
    slots: tuple[tuple[int, Entry], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """The difference between the state last saved and the one to be saved."""

    expected: int
    """The revision that the store must hold; 0 for a session that it must not know yet."""
    quiet: bool
    """Nothing but the turn and the revision differs."""
    reviewers: tuple[ReviewerState, ...] = ()
    """Records to write, apart from their histories."""
    histories: tuple[Remembered, ...] = ()
    notes: tuple[NoteRecord, ...] = ()
    """Notes to write, new or with another status."""
    gone: tuple[str, ...] = ()
    """Ids of notes to remove."""


def changes(before: SessionState | None, after: SessionState) -> Changes:
    """Return what leads from the state last saved (None: nothing was) to the one to be saved."""
    if before is None:
        before = SessionState(id=after.id, nonce="")
        expected = 0
    else:
        expected = before.revision
    if _only_moved(before, after):
        return Changes(expected=expected, quiet=True)
    reviewers: list[ReviewerState] = []
    histories: list[Remembered] = []
    for name, progress in after.reviewers.items():
        old = before.reviewers.get(name)
        if progress is not old:
            reviewers.append(progress)
            if old is None or progress.history is not old.history:
                histories += _remembered(progress, old)
    notes, gone = _notes(before, after)
    return Changes(
        expected=expected,
        quiet=False,
        reviewers=tuple(reviewers),
        histories=tuple(histories),
        notes=notes,
        gone=gone,
    )


def _notes(before: SessionState, after: SessionState) -> tuple[tuple[NoteRecord, ...], tuple[str, ...]]:
    if before.notes is after.notes:
        return (), ()
    written = tuple(note for key, note in after.notes.items() if note is not before.notes.get(key))
    return written, tuple(key for key in before.notes if key not in after.notes)


def _only_moved(before: SessionState, after: SessionState) -> bool:
    return (
        before.revision > 0
        and before.reviewers is after.reviewers
        and before.notes is after.notes
        and before.settled is after.settled
        and before.closed is after.closed
        and before.offer is after.offer
        and before.request == after.request
        and before.reopens == after.reopens
        and before.nonce == after.nonce
    )


def _remembered(progress: ReviewerState, old: ReviewerState | None) -> list[Remembered]:
    if old is None:
        slots = tuple(progress.history.slots())
        return [Remembered(reviewer=progress.name, cleared=False, slots=slots)] if slots else []
    cleared = progress.history.restarted_after(old.history)
    return [Remembered(reviewer=progress.name, cleared=cleared, slots=tuple(progress.history.since(old.history)))]
