"""Runs as lists of messages, whichever API the messages are of.

A run is a list of messages, or an object that holds one under ``messages``, ``traj`` or ``conversation``. A file is
one run, a list of runs, one run a line, or one message a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foureyes.core.facts import Message
from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Run, mapping, number, string, wrong
from foureyes.replay.importers.chat_messages import chat_message
from foureyes.replay.importers.content_blocks import block_messages, has_blocks
from foureyes.replay.recording import RecordingError

__all__ = ["has_role", "raw_messages", "read_log", "read_messages", "read_run"]

_KEYS = ("messages", "traj", "conversation")


def has_role(value: object) -> bool:
    """Tell whether the value is a message."""
    return isinstance(value, dict) and isinstance(value.get("role"), str)


def raw_messages(value: object) -> list[object]:
    """Return the messages of a value that is a run, unread; none where it is no run."""
    if isinstance(value, dict):
        value = next((value[key] for key in _KEYS if isinstance(value.get(key), list)), None)
    return value if isinstance(value, list) and value and has_role(value[0]) else []


def read_run(entry: Entry, place: str, beside: Beside) -> Run:
    """Return the run in one value. Raises RecordingError for a message that cannot be read."""
    inside = f"{place}, " if place else ""
    value = mapping(entry.value)
    return Run(
        messages=read_messages(raw_messages(entry.value), f"{inside}message "),
        id=string(value.get("id")),
        reward=number(value.get("reward")),
    )


def read_messages(raws: Sequence[object], kind: str) -> tuple[Message, ...]:
    """Return all messages of a list; ``kind`` stands before their number, from 1, where one cannot be read."""
    return tuple(read for count, raw in enumerate(raws, 1) for read in _read(raw, f"{kind}{count}"))


def read_log(entries: Sequence[Entry], beside: Beside) -> Iterator[Run | RecordingError]:
    """Yield the one run whose messages these are, after an error for each message of a line that cannot be read.

    An array of messages is one document: an error in it is all that is yielded.
    """
    messages: list[Message] = []
    for entry in entries:
        try:
            messages += _read(entry.value, entry.place("message"))
        except RecordingError as error:
            yield error
            if entry.array is not None:
                return
    if messages:
        yield Run(messages=tuple(messages))


def _read(raw: object, place: str) -> tuple[Message, ...]:
    if not isinstance(raw, Mapping) or not has_role(raw):
        raise wrong("not a message: it has no role", place)
    return block_messages(raw, place) if has_blocks(raw) else (chat_message(raw, place),)
