"""What became of the notes of a review, in plain words; those that met the same rule share a row."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace

from foureyes.core.guard import Judged
from foureyes.core.words import Disposition, Likeness, Severity
from foureyes.replay.visible import one_line

__all__ = ["alike", "fate", "strongest", "weight"]

_FATES = {
    Disposition.RECORDED: "below the reviewer's floor, for the host only",
    Disposition.EMPTY: "no text in it",
    Disposition.NOISE: "a phrase without content",
    Disposition.ABOUT_REVIEWER: "about the review itself",
    Disposition.HELD_SIMILAR: "one like it was sent in this request, so it is for the host only",
    Disposition.MALFORMED: "not readable as a note",
    Disposition.LATE: "its review had been given up",
}
_SAME_WORDS = frozenset({Likeness.TEXT, Likeness.COUNTER, Likeness.MOVED})
"""What makes a note tell the words of the earlier one, so that quoting that one too would show them twice."""


def alike(notes: Iterable[Judged]) -> list[tuple[Judged, ...]]:
    """Return the notes in their order, those together to which the same rule happened with the same other note.

    They may differ in text, severity, and their number where a bound counts them. An admitted note is alone.
    """
    rows: dict[Hashable, list[Judged]] = {}
    for note in notes:
        rows.setdefault(_rule(note), []).append(note)
    return [tuple(row) for row in rows.values()]


def fate(notes: Sequence[Judged]) -> str:
    """Return what became of notes that are alike, by which rule, with the numbers or the note that they repeat."""
    first = min(notes, key=lambda note: note.have or 0)
    reason = one_line(_numbered(_unquoted(first).explain(), notes))
    if first.disposition is Disposition.ADMITTED and first.record:
        return reason.replace("admitted", f"admitted as {first.record}", 1)
    why = _FATES.get(first.disposition)
    return f"{first.disposition}: {why}{reason.removeprefix(first.disposition)}" if why else reason


def weight(notes: Sequence[Judged]) -> str:
    """Return the severity of the one note, or how many notes there are and which severities they have."""
    levels = sorted({note.severity for note in notes}, key=lambda level: -level.rank)
    return str(levels[0]) if len(notes) == 1 else f"{len(notes):,} notes ({', '.join(levels)})"


def strongest(notes: Sequence[Judged]) -> Severity:
    """Return the severity of the strongest of the notes, of which there is at least one."""
    return max((note.severity for note in notes), key=lambda level: level.rank)


def _rule(note: Judged) -> Hashable:
    admitted = note.record if note.disposition is Disposition.ADMITTED else None
    floor = note.severity if note.disposition is Disposition.RECORDED else None  # Its explanation names the severity.
    like = (note.matched, note.likeness, note.overlap, note.answer, note.risen)
    return note.disposition, admitted, like, note.limit, floor


def _unquoted(note: Judged) -> Judged:
    excerpt = one_line(note.excerpt).rstrip("…")
    same = note.likeness in _SAME_WORDS or one_line(note.note.text).startswith(excerpt)
    return replace(note, excerpt="") if same else note


def _numbered(reason: str, notes: Sequence[Judged]) -> str:
    # Beyond a bound on admitted notes all come after the same ones, so their own numbers do not count them.
    number = min(note.have or 0 for note in notes) + 1
    last = number + len(notes) - 1
    return reason.replace(f"number {number},", f"numbers {number} to {last},", 1) if len(notes) > 1 else reason
