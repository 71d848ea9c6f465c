"""A whole state as one plain value, for hosts that keep the state themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from foureyes.core.history import History
from foureyes.core.state import ReviewerState, SessionState
from foureyes.stores.restoring import Saved, SavedReviewer, restored
from foureyes.stores.writing import note_body, reviewer_body, session_body

__all__ = ["dumped", "loaded"]


def dumped(state: SessionState) -> dict[str, Any]:
    """Return the whole state as dicts, lists, strings, numbers, booleans and None.

    :func:`loaded` makes the same state of it, also after a trip through JSON. Its size is that of the histories,
    some 150 kB for 4,096 keys of one reviewer. Keys are whole numbers of up to 63 bits: keep them exact.
    """
    return {
        "version": state.version,
        "id": state.id,
        "revision": state.revision,
        "turn": state.turn,
        "request_text": state.request_text,
        "session": json.loads(session_body(state)),
        "reviewers": [_reviewer(progress) for progress in state.reviewers.values()],
        "notes": [json.loads(note_body(note)) for note in state.notes.values()],
    }


def loaded(snapshot: object) -> SessionState:
    """Return the state that was dumped; a bad record of one reviewer comes back ``damaged``.

    Raises StateVersionError for what a newer foureyes dumped, and StoreError for what is no snapshot of a session.
    """
    parts = _fields(snapshot)
    return restored(
        Saved(
            where="the snapshot",
            id=parts.get("id"),
            version=parts.get("version"),
            revision=parts.get("revision"),
            turn=parts.get("turn"),
            request_text=parts.get("request_text"),
            body=_json(parts.get("session")),
            reviewers=[_saved(part) for part in _listed(parts, "reviewers")],
            notes=[_json(part) for part in _listed(parts, "notes")],
        )
    )


def _reviewer(progress: ReviewerState) -> dict[str, Any]:
    return {
        "name": progress.name,
        "record": json.loads(reviewer_body(progress)),
        "history": _history(progress.history),
    }


def _history(history: History) -> dict[str, Any]:
    return {
        "capacity": history.capacity,
        "serial": history.serial,
        "slots": [list(entry) for _, entry in history.slots()],
    }


def _saved(part: object) -> SavedReviewer:
    fields = _fields(part)
    history = _fields(fields.get("history"))
    return SavedReviewer(
        name=fields.get("name"),
        body=_json(fields.get("record")),
        capacity=history.get("capacity"),
        serial=history.get("serial"),
        slots=_slots(history.get("slots")),
    )


def _slots(entries: Any) -> Iterator[tuple[Any, ...]]:
    for slot, entry in enumerate(entries):
        yield slot, *entry


def _json(part: object) -> str | None:
    try:
        return json.dumps(part)
    except (TypeError, ValueError, RecursionError):
        return None


def _fields(part: object) -> Mapping[str, Any]:
    return part if isinstance(part, Mapping) else {}


def _listed(parts: Mapping[str, Any], name: str) -> list[Any]:
    # Where there is no list at all the version and the other fields are still worth a look: a newer foureyes may
    # keep it elsewhere. So the reader gets one record that it cannot read.
    part = parts.get(name)
    return part if isinstance(part, list) else [None]
