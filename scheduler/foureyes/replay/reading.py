"""Reading recorded runs from a file of any known format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from foureyes.core.facts import Message
from foureyes.replay.decoding import Entry, decoded
from foureyes.replay.importers import IMPORTERS, Importer, accepted
from foureyes.replay.recording import Recording, RecordingError

__all__ = ["read", "recordings"]


def read(path: str) -> tuple[Recording, ...]:
    """Return the runs in the file, at least one.

    Raises RecordingError for a file that cannot be opened, is of no known format, or is broken somewhere.
    """
    try:
        data = Path(path).read_bytes()
    except OSError as error:
        reason = (error.strerror or type(error).__name__).lower()
        raise RecordingError(reason, source=path, cure="name a file with a recorded run") from None
    return recordings(data, source=path)


def recordings(data: bytes, *, source: str) -> tuple[Recording, ...]:
    """Return the runs in the content of a file, at least one. Raises RecordingError where it cannot be read."""
    try:
        runs = _runs(decoded(data))
    except RecordingError as error:
        raise RecordingError(error.problem, source=source, place=error.place, cure=error.cure) from None
    names = _names(Path(source).name, len(runs))
    return tuple(Recording(name=name, messages=run, source=source) for name, run in zip(names, runs, strict=True))


def _runs(entries: Sequence[Entry]) -> list[tuple[Message, ...]]:
    return list(_importer(entries).runs(entries))


def _importer(entries: Sequence[Entry]) -> Importer:
    for importer in IMPORTERS:
        if importer.recognises(entries):
            return importer
    if all(_is_hollow(entry.value) for entry in entries):
        raise RecordingError("no messages", cure="record the run again")
    raise RecordingError("not a known format of recorded runs", cure=f"convert it to {accepted()}")


def _is_hollow(value: object) -> bool:
    run = value.get("messages") if isinstance(value, dict) else value
    return isinstance(run, list) and all(part in ([], {"messages": []}) for part in run)


def _names(file: str, count: int) -> list[str]:
    return [file] if count == 1 else [f"{file}, run {number}" for number in range(1, count + 1)]
