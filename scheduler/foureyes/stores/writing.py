"""Writing records: the parts of a state as JSON.

A state falls into parts, so that a store writes only those that changed, and a reader can lose one without the
others: the session's own record, one record and one history per reviewer, one record per note.
"""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from pydantic import TypeAdapter

from foureyes.core.state import NoteRecord, ReviewerState, SessionState
from foureyes.core.text import clean
from foureyes.errors import RevisionConflictError

__all__ = [
    "check_revision",
    "note_adapter",
    "note_body",
    "prepare",
    "reviewer_adapter",
    "reviewer_body",
    "session_adapter",
    "session_body",
]

_ELSEWHERE = {"revision", "turn", "version", "request_text", "notes", "reviewers"}
"""Fields that are no part of the session's body: they change at every turn, or are long and hardly ever change."""


@cache
def session_adapter() -> TypeAdapter[SessionState]:
    """Return what reads and writes a session's own record."""
    return TypeAdapter(SessionState)


@cache
def reviewer_adapter() -> TypeAdapter[ReviewerState]:
    """Return what reads and writes a reviewer's record."""
    return TypeAdapter(ReviewerState)


@cache
def note_adapter() -> TypeAdapter[NoteRecord]:
    """Return what reads and writes a note's record."""
    return TypeAdapter(NoteRecord)


def prepare() -> None:
    """Build what reads and writes records, so that no review has to wait for it."""
    for adapter in (session_adapter, reviewer_adapter, note_adapter):
        adapter()


def session_body(state: SessionState) -> str:
    """Return the session's own record as JSON, without turn, revision, version and the original request."""
    return _written(session_adapter(), state, _ELSEWHERE)


def reviewer_body(progress: ReviewerState) -> str:
    """Return a reviewer's record as JSON, without its history."""
    return _written(reviewer_adapter(), progress, {"history"})


def note_body(note: NoteRecord) -> str:
    """Return a note as JSON."""
    return _written(note_adapter(), note, set())


def check_revision(session: str, held: int, expected: int, where: str) -> None:
    """Return where both are equal; else raise RevisionConflictError, which names the session and both."""
    if held != expected:
        raise RevisionConflictError(
            f"session {session!r} in {where} is at revision {held}, and not at {expected} as expected: somebody else "
            "moved it on. Let one process at a time drive a session, and load it again before going on"
        )


def _written(adapter: TypeAdapter[Any], value: object, exclude: set[str]) -> str:
    try:
        # Its warnings about a wrong type would quote the value, which may be a secret.
        return adapter.dump_json(value, exclude=exclude, warnings=False).decode()
    except ValueError:
        # A lone surrogate, in the id or in what a reviewer gave as a key: JSON in UTF-8 has no place for it.
        plain = adapter.dump_python(value, mode="json", exclude=exclude, warnings=False)
        return clean(json.dumps(plain, ensure_ascii=False))
