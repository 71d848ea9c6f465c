"""Reading what a reviewer returned: notes one by one, so that a bad one never costs its siblings.

A reply is a :class:`~foureyes.core.facts.Reply`, a list of notes, or a mapping with a list under ``notes``; a note is
a :class:`~foureyes.core.facts.Note` or a mapping with its text under ``text`` or ``note``. Only a top level that is
none of these fails the reply: it is then *unparsed*, which is never taken for silence. An explicit empty list is
silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from foureyes.core.facts import NO_USAGE, Anchor, Note, Reply, Usage
from foureyes.core.text import clean, cut_middle
from foureyes.core.words import Severity

__all__ = ["MAX_ENTRIES", "read_reply"]

MAX_ENTRIES = 1_000
"""Entries of one reply that are looked at; the rest count as malformed. Far above any cap, far below harm."""
MAX_TEXT = 8_000
"""Code points of a note that are kept for comparing it; the agent reads fewer."""
MAX_WORD = 512


_SILENCE = Reply()


def read_reply(raw: object) -> Reply | None:
    """Return the reply, or None where this is none."""
    if type(raw) is list and not raw:
        return _SILENCE
    if isinstance(raw, Reply):
        malformed: object = raw.malformed
        return _checked(raw.notes, malformed if type(malformed) is int and malformed > 0 else 0, raw.usage)
    if isinstance(raw, Mapping):
        return _checked(raw.get("notes"), 0, NO_USAGE)
    return _checked(raw, 0, NO_USAGE) if isinstance(raw, list | tuple) else None


def _checked(entries: object, malformed: int, usage: object) -> Reply | None:
    if not isinstance(entries, Sequence) or isinstance(entries, str | bytes):
        return None
    notes = [_note(entry) for entry in entries[:MAX_ENTRIES]]
    kept = tuple(note for note in notes if note is not None)
    lost = len(entries) - len(kept) + malformed
    return Reply(notes=kept, malformed=lost, usage=usage if isinstance(usage, Usage) else NO_USAGE)


def _note(entry: object) -> Note | None:
    if isinstance(entry, Note):
        return _bounded(entry.text, entry.severity, entry.key, entry.subject, entry.anchor)
    if not isinstance(entry, Mapping):
        return None
    text = entry.get("text", entry.get("note"))
    anchor = entry.get("anchor")
    return _bounded(text, entry.get("severity"), entry.get("key"), entry.get("subject", "work"), anchor)


def _bounded(text: object, severity: object, key: object, subject: object, anchor: object) -> Note | None:
    if not isinstance(text, str):
        return None
    return Note(
        text=clean(cut_middle(text, MAX_TEXT)),
        severity=Severity.parse(severity)[0],
        key=_word(key),
        subject=(_word(subject) or "work").strip().casefold(),
        anchor=_anchor(anchor),
    )


def _word(value: object) -> str | None:
    return clean(value[:MAX_WORD]) if isinstance(value, str) and value.strip() else None


def _anchor(value: object) -> Anchor | None:
    if isinstance(value, Anchor):
        turn: Any = value.turn
        call, path = value.call, value.path
    elif isinstance(value, Mapping):
        turn, call, path = value.get("turn"), value.get("call"), value.get("path")
    else:
        return None
    plain_turn = turn if isinstance(turn, int) and not isinstance(turn, bool) and 0 <= turn < 2**53 else None
    return Anchor(turn=plain_turn, call=_word(call), path=_word(path))
