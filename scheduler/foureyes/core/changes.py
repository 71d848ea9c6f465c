"""What a store has to write to get from one state to the next: derived, so it cannot disagree with the states.

The size of the changes depends on what happened at the boundary, never on how much happened before.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from foureyes.core.history import Entry
from foureyes.core.state import NoteRecord, ReviewerState, SessionState

__all__ = ["Changes", "Remembered"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """What changed in one reviewer's history."""

    reviewer: str
    cleared: bool
    """Whether everything that was stored before is void; the slots below are then all there is."""
    slots: tuple[tuple[int, Entry], ...]


class Changes:
    """What leads from the state last saved (None: nothing was) to the one to be saved.

    Each part is worked out when it is asked for, and kept: a store that keeps the whole state asks for none.
    """

    def __init__(self, before: SessionState | None, after: SessionState) -> None:
        self.expected = before.revision if before is not None else 0
        """The revision that the store must hold; 0 for a session that it must not know yet."""
        self._before, self._after = before or SessionState(id=after.id, nonce=""), after

    @cached_property
    def quiet(self) -> bool:
        """Tell whether nothing but the turn and the revision differs."""
        return _only_moved(self._before, self._after)

    @cached_property
    def reviewers(self) -> tuple[ReviewerState, ...]:
        """Records to write, apart from their histories."""
        return tuple(progress for progress, _ in self._progressed)

    @cached_property
    def histories(self) -> tuple[Remembered, ...]:
        """Histories to write, of reviewers that are written."""
        changed = [(now, old) for now, old in self._progressed if old is None or now.history is not old.history]
        return tuple(one for now, old in changed for one in _remembered(now, old))

    @cached_property
    def notes(self) -> tuple[NoteRecord, ...]:
        """Notes to write, new or with another status."""
        if self._before.notes is self._after.notes:
            return ()
        return tuple(note for key, note in self._after.notes.items() if note is not self._before.notes.get(key))

    @cached_property
    def gone(self) -> tuple[str, ...]:
        """Ids of notes to remove."""
        if self._before.notes is self._after.notes:
            return ()
        return tuple(key for key in self._before.notes if key not in self._after.notes)

    @cached_property
    def _progressed(self) -> list[tuple[ReviewerState, ReviewerState | None]]:
        before = self._before.reviewers
        pairs = ((progress, before.get(name)) for name, progress in self._after.reviewers.items())
        return [(progress, old) for progress, old in pairs if progress is not old]


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
