"""Putting a state together again: nothing that was written is believed before it has been checked.

Whose record is bad decides what happens. A bad record of one reviewer (its progress, its history, or a note of its)
comes back as a reviewer that is ``damaged``, and the session goes on with the others. A bad record of the session
itself is a StoreError: a turn or a queue that is wrong could call, charge or send anything. A newer version is
refused before anything else is looked at, because what looks bad may only be new.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from foureyes.core.facts import Usage
from foureyes.core.history import Entry, History
from foureyes.core.ledger import MAX_SHOWN
from foureyes.core.state import STATE_VERSION, NoteRecord, NoteStatus, ReviewerState, SessionState
from foureyes.errors import StateVersionError, StoreError
from foureyes.stores.reading import Unreadable, counter, parsed, read
from foureyes.stores.writing import note_adapter, reviewer_adapter, session_adapter

__all__ = ["SPENT", "Saved", "SavedReviewer", "restored"]

SPENT = 1_000_000_000
"""What an allowance that cannot be read counts as: the largest cap that a configuration can have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedReviewer:
    """What a store holds of one reviewer, unchecked."""

    name: object
    body: object
    """JSON as ``str`` or ``bytes``; anything else is a record that cannot be read."""
    capacity: object
    serial: object
    slots: Iterable[Sequence[Any]]
    """Slot, key, rank and note id of each remembered key, in any order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Saved:
    """What a store holds of one session, unchecked."""

    where: str
    """The place, for messages: a path or a name, without credentials."""
    id: object
    version: object
    revision: object
    turn: object
    request_text: object
    body: object
    """JSON as ``str`` or ``bytes``."""
    reviewers: Sequence[SavedReviewer] = ()
    """In the order in which the session met them."""
    notes: Sequence[object] = ()
    """JSON as ``str`` or ``bytes``, oldest note first."""


def restored(saved: Saved) -> SessionState:
    """Return the state that these records make, a bad record of one reviewer as a damaged reviewer.

    Raises StateVersionError for a newer version, and StoreError where the session's own record is bad; both name
    the session, the place and the cure.
    """
    name = repr(saved.id) if isinstance(saved.id, str) else "without an id"
    if type(saved.version) is int and saved.version > STATE_VERSION:
        raise StateVersionError(
            f"session {name} in {saved.where} was saved by a newer foureyes (state version {saved.version}; this one "
            f"reads up to {STATE_VERSION}): upgrade foureyes, or use another store. Nothing was changed"
        )
    try:
        return _state(saved)
    except Unreadable as why:
        raise StoreError(
            f"session {name} in {saved.where} cannot be read ({why}): restore it from a backup, or go on under "
            "another session id"
        ) from None


def _state(saved: Saved) -> SessionState:
    state = _session(saved)
    reviewers = {progress.name: progress for progress in (_reviewer(part, state.turn) for part in saved.reviewers)}
    if len(reviewers) < len(saved.reviewers):
        raise Unreadable("it holds one reviewer twice")
    notes, damage = _notes(saved.notes, reviewers.keys())
    for name, why in damage.items():
        reviewers[name] = replace(reviewers[name], damaged=reviewers[name].damaged or why)
    return _consistent(replace(state, notes=notes, reviewers=reviewers), lost=bool(damage))


def _session(saved: Saved) -> SessionState:
    if type(saved.version) is not int or saved.version < 1:
        raise Unreadable("it has no version")
    if not isinstance(saved.id, str) or not isinstance(saved.request_text, str):
        raise Unreadable("its id or its request is no text")
    return replace(
        read(session_adapter(), saved.body),
        id=saved.id,
        revision=counter(saved.revision, "revision"),
        turn=counter(saved.turn, "turn"),
        request_text=saved.request_text,
        version=STATE_VERSION,
    )


def _reviewer(part: SavedReviewer, turn: int) -> ReviewerState:
    if not isinstance(part.name, str):
        raise Unreadable("a reviewer's record does not say whose it is")
    history, why_not = _history(part)
    try:
        progress = read(reviewer_adapter(), part.body)
        _check(progress, part.name, turn)
    except Unreadable as why:
        return replace(_salvaged(part.name, part.body, str(why)), history=history)
    return replace(progress, history=history, damaged=progress.damaged or why_not)


def _check(progress: ReviewerState, name: str, turn: int) -> None:
    if progress.name != name:
        raise Unreadable("it is another reviewer's")
    # A review under way belongs to a turn that is not settled yet; how far ahead is the host's choice.
    latest = max(turn, progress.started.turn) if progress.started else turn
    if progress.last_review > latest:
        raise Unreadable("last_review is after the session's turn")


def _salvaged(name: str, body: object, why: str) -> ReviewerState:
    raw = parsed(body)
    return ReviewerState(
        name=name,
        damaged=why,
        periodic_used=_allowance(raw.get("periodic_used")),
        rounds_used=_allowance(raw.get("rounds_used")),
        spent=Usage(),
        spent_in_request=Usage(),
    )


def _allowance(used: object) -> int:
    return used if type(used) is int and used >= 0 else SPENT


def _history(part: SavedReviewer) -> tuple[History, str]:
    empty = History(capacity=4_096)
    try:
        capacity = counter(part.capacity, "the capacity of the history")
        empty = History(capacity=capacity or 4_096)
        return History.restored(capacity, counter(part.serial, "the serial of the history"), _entries(part)), ""
    except (Unreadable, ValueError, TypeError) as why:
        return empty, str(why)


def _entries(part: SavedReviewer) -> dict[int, Entry]:
    rows = list(part.slots)
    if not rows:
        return {}
    if any(len(row) != 4 for row in rows):
        raise Unreadable("an entry of the history is incomplete")
    # By columns, and without a call per row: there may be thousands, and nobody is reviewed before they are read.
    slots, keys, ranks, notes = zip(*rows, strict=True)
    if {*map(type, slots), *map(type, keys), *map(type, ranks)} != {int} or {*map(type, notes)} != {str}:
        raise Unreadable("an entry of the history is of the wrong type")
    if not (min(keys) >= 0 and max(keys) < 1 << 63 and min(ranks) >= 1 and max(ranks) <= 3):
        raise Unreadable("an entry of the history is out of bounds")
    return dict(zip(slots, map(partial(tuple.__new__, Entry), zip(keys, ranks, notes, strict=True)), strict=True))


def _notes(bodies: Iterable[object], known: Iterable[str]) -> tuple[dict[str, NoteRecord], dict[str, str]]:
    notes: dict[str, NoteRecord] = {}
    damage: dict[str, str] = {}
    for body in bodies:
        try:
            note = read(note_adapter(), body)
            if not note.reviewers or note.id in notes:
                raise Unreadable("it is nobody's, or there twice")
        except Unreadable as why:
            damage |= dict.fromkeys(_owners(body, known), f"a note of its cannot be read ({why})")
        else:
            notes[note.id] = note
    for note in _surplus(tuple(notes.values())):
        del notes[note.id]
        damage |= {name: f"it has more than {MAX_SHOWN} sent notes" for name in known if name in note.reviewers}
    return notes, damage


def _owners(body: object, known: Iterable[str]) -> list[str]:
    names = parsed(body).get("reviewers")
    owners = [name for name in known if name in names] if isinstance(names, list) else []
    if not owners:
        raise Unreadable("a note is bad and does not say whose it is")
    return owners


def _surplus(notes: Sequence[NoteRecord]) -> list[NoteRecord]:
    # The ledger's own rule: a note stays as long as one of those who raised it has room for it.
    kept: dict[str, int] = {}
    surplus = []
    for note in reversed([note for note in notes if note.status is NoteStatus.SENT]):
        kept |= {name: kept.get(name, 0) + 1 for name in note.reviewers}
        if all(kept[name] > MAX_SHOWN for name in note.reviewers):
            surplus.append(note)
    return surplus


def _consistent(state: SessionState, *, lost: bool) -> SessionState:
    if not all(0 < _number(identity) <= state.serial for identity in state.notes):
        raise Unreadable("a note has a number that was never given")
    offer = state.offer
    if offer is None or offer.taken or state.notes.keys() >= set(offer.notes):
        return state
    if not lost:
        raise Unreadable("it hands over a note that is missing")
    kept = tuple(identity for identity in offer.notes if identity in state.notes)
    return replace(state, offer=replace(offer, notes=kept))


def _number(identity: str) -> int:
    digits = identity.removeprefix("n")
    plain = digits.isascii() and digits.isdecimal() and len(digits) < 19
    return int(digits) if plain and digits != identity else 0
