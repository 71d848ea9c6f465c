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
    reviewers = [
        (progress, before.reviewers.get(name))
        for name, progress in after.reviewers.items()
        if progress is not before.reviewers.get(name)
    ]
    return Changes(
        expected=expected,
        quiet=False,
        reviewers=tuple(progress for progress, _ in reviewers),
        histories=tuple(filter(None, (_remembered(progress, old) for progress, old in reviewers))),
        notes=tuple(note for key, note in after.notes.items() if note is not before.notes.get(key)),
        gone=tuple(key for key in before.notes if key not in after.notes),
    )


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


def _remembered(progress: ReviewerState, old: ReviewerState | None) -> Remembered | None:
    if old is None:
        slots = tuple(progress.history.slots())
        return Remembered(reviewer=progress.name, cleared=False, slots=slots) if slots else None
    if progress.history is old.history:
        return None
    return Remembered(
        reviewer=progress.name,
        cleared=progress.history.restarted_after(old.history),
        slots=tuple(progress.history.since(old.history)),
    )
