"""Reading what a reviewer returned: notes one by one, so that a bad one never costs its siblings.

A reply is a :class:`~foureyes.core.facts.Reply`, a list of notes, or a mapping with a list under ``notes``; a note is
a :class:`~foureyes.core.facts.Note` or a mapping with its text under ``text`` or ``note``. Only a top level that is
none of these fails the reply: it is then *unparsed*, which is never taken for silence. An explicit empty list is
silence. A severity that is no known word counts as a nit, and is counted.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from foureyes.core.facts import NO_USAGE, Anchor, Note, Reply, Usage
from foureyes.core.text import Redact, clean, cut_middle
from foureyes.core.words import Severity

__all__ = ["MAX_ENTRIES", "read_reply", "read_usage", "redacted"]

MAX_ENTRIES = 256
"""Entries of one reply that are looked at; the rest count as malformed, of which no more than this are counted. Far
above any cap, far below harm."""
MAX_REPLY = 64_000
"""Code points of one reply that are looked at, over all notes: comparing them costs the event loop its time. The
strongest notes come first, then the order in which they were written; one that does not fit is malformed."""
MAX_TEXT = 8_000
"""Code points of a note that are kept for comparing it; the agent reads fewer."""
MAX_WORD = 512
"""Characters of a key and of a place, once secrets are taken out of them (:func:`redacted`)."""
_LONGEST_SECRET = 8_192


_SILENCE = Reply()


def read_reply(raw: object) -> Reply | None:
    """Return the reply, or None where this is none."""
    if type(raw) is list and not raw:
        return _SILENCE
    if isinstance(raw, Reply):
        reply = _checked(raw.notes, _most(raw.malformed), raw.usage, raw.resolved)
        unknown = _most(raw.unknown_severities)
        return reply and (replace(reply, unknown_severities=reply.unknown_severities + unknown) if unknown else reply)
    if isinstance(raw, Mapping):
        return _checked(raw.get("notes"), 0, NO_USAGE, raw.get("resolved"))
    return _checked(raw, 0, NO_USAGE) if isinstance(raw, list | tuple) else None


def _checked(entries: object, malformed: int, usage: object, resolved: object = ()) -> Reply | None:
    if not isinstance(entries, Sequence) or isinstance(entries, str | bytes):
        return None
    notes = [_note(entry) for entry in entries[:MAX_ENTRIES]]
    kept = _affordable([note for note in notes if note is not None])
    lost = min(len(entries) - len(kept) + malformed, MAX_ENTRIES)
    return Reply(
        notes=kept,
        malformed=lost,
        unknown_severities=sum(note is not None and _is_invented(entries[n]) for n, note in enumerate(notes)),
        resolved=_keys(resolved) if resolved else (),
        usage=NO_USAGE if usage is NO_USAGE else read_usage(usage),
    )


def _most(count: object) -> int:
    return min(count, MAX_ENTRIES) if type(count) is int and count > 0 else 0


def _is_invented(entry: object) -> bool:
    severity: object = entry.get("severity") if isinstance(entry, Mapping) else getattr(entry, "severity", None)
    return not Severity.parse(severity)[1]


def _keys(resolved: object) -> tuple[str, ...]:
    keys = resolved[:MAX_ENTRIES] if isinstance(resolved, list | tuple) else ()
    return tuple(dict.fromkeys(key for one in keys if (key := _word(one)) is not None))


def _affordable(notes: list[Note]) -> tuple[Note, ...]:
    room, kept = MAX_REPLY, set[int]()
    for place in sorted(range(len(notes)), key=lambda place: -notes[place].severity.rank):
        if len(notes[place].text) <= room:
            room -= len(notes[place].text)
            kept.add(place)
    return tuple(note for place, note in enumerate(notes) if place in kept)


def redacted(reply: Reply, redact: Redact) -> Reply:
    """Return the reply without secrets in its words, and with these cut: reviewers quote what they have read.

    Raises TypeError where the redactor, which may be foreign code, makes no text of a text.
    """
    if not reply.notes and not reply.resolved:
        return reply
    notes = tuple(_without_secrets(note, redact) for note in reply.notes)
    return replace(reply, notes=notes, resolved=tuple(_known(key, redact)[:MAX_WORD] for key in reply.resolved))


def _known(text: str, redact: Redact) -> str:
    known: object = redact(text)
    if not isinstance(known, str):
        raise TypeError(f"the redactor returned {type(known).__name__} in place of a text")
    return known


def _without_secrets(note: Note, redact: Redact) -> Note:
    text, key, anchor = _known(note.text, redact), note.key and _known(note.key, redact)[:MAX_WORD], note.anchor
    if anchor is not None:
        call, path = (word and _known(word, redact)[:MAX_WORD] for word in (anchor.call, anchor.path))
        anchor = replace(anchor, call=call, path=path)
    if (text, key, anchor) == (note.text, note.key, note.anchor):
        return note
    return replace(note, text=text, key=key, anchor=anchor)


def read_usage(usage: object) -> Usage:
    """Return the usage with what is no plain number in it as 0 tokens, or as an unknown cost."""
    if not isinstance(usage, Usage):
        return NO_USAGE
    cost: object = usage.cost_usd
    known = isinstance(cost, int | float) and not isinstance(cost, bool) and 0 <= cost < 2**53
    return Usage(
        input_tokens=_count(usage.input_tokens),
        cached_tokens=_count(usage.cached_tokens),
        output_tokens=_count(usage.output_tokens),
        cost_usd=usage.cost_usd if known else None,
    )


def _count(value: object) -> int:
    return value if type(value) is int and 0 <= value < 2**53 else 0


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
    return clean(value[: MAX_WORD + _LONGEST_SECRET]) if isinstance(value, str) and value.strip() else None


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
