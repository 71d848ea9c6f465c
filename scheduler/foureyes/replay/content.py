"""The runs in the content of one file, whatever its formats are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TextIO

from foureyes.replay.beside import Beside, is_labels
from foureyes.replay.decoding import Entry, decoded
from foureyes.replay.framing import Log, Unknown, Whole, framed
from foureyes.replay.importers import Importer, Run, known
from foureyes.replay.recording import Recording, RecordingError
from foureyes.replay.turns import turn_at

__all__ = ["UnknownFormatError", "runs_in"]


class UnknownFormatError(RecordingError):
    """Nothing in the file is of a known format."""


def runs_in(file: TextIO, source: str, beside: Beside) -> Iterator[Recording | RecordingError]:
    """Yield the runs in an open file in order, and an error for each run or record that cannot be read.

    Two runs are in memory at a time: only a second one tells whether the first needs a number. A file without any
    run yields an error, unless it holds labels, which are for other files. ``source``: how the user named the file.
    """
    runs = 0
    held: tuple[Run, Importer] | None = None
    for item in _runs(file, beside):
        if isinstance(item, RecordingError):
            yield item.located(source)
            continue
        if held:
            runs += 1
            yield _recording(*held, source, runs)
        held = item
    if held:
        yield _recording(*held, source, runs + 1 if runs else 0)


def _recording(run: Run, importer: Importer, source: str, number: int) -> Recording:
    file = Path(source).name
    name = f"{file}, run {number}" if number else file
    return Recording(
        name=name,
        messages=run.messages,
        source=source,
        id=run.id or name,
        format=importer.format,
        narrates=run.narrates,
        reward=run.reward,
        decisive=None if run.decisive is None else turn_at(run.messages, run.decisive),
    )


def _runs(file: TextIO, beside: Beside) -> Iterator[tuple[Run, Importer] | RecordingError]:
    any_known, broken = False, False
    strange: list[Entry] = []
    for frame in framed(decoded(file)):
        if isinstance(frame, Unknown):
            strange.append(frame.entry)
            continue
        any_known = any_known or not isinstance(frame, RecordingError)
        for item in (frame,) if isinstance(frame, RecordingError) else _read(frame, beside):
            # That nothing is left of a log which breaks off at once needs no further word.
            if not (broken and isinstance(item, RecordingError) and not item.place):
                yield item
            broken = broken or isinstance(item, RecordingError)
    if any_known or not broken:
        yield from _strange(strange, any_known)


def _read(frame: Whole | Log, beside: Beside) -> Iterator[tuple[Run, Importer] | RecordingError]:
    try:
        read = (
            (frame.importer.run(frame.entry, _place(frame.entry), beside),)
            if isinstance(frame, Whole)
            else frame.importer.log(frame.entries, beside)
        )
        for item in read:
            yield item if isinstance(item, RecordingError) else (item, frame.importer)
    except RecordingError as error:
        yield error
    except RecursionError:
        place = "" if isinstance(frame, Log) else _place(frame.entry)
        yield RecordingError("a value that is too deeply nested", place=place, cure="record the run again")


def _place(entry: Entry) -> str:
    return entry.place("run") if entry.number is not None or entry.line > 1 else ""


def _strange(entries: Sequence[Entry], any_known: bool) -> Iterator[RecordingError]:
    if not any_known and entries and all(is_labels(entry.value) for entry in entries):
        return
    if any_known:
        for entry in entries:
            problem = "no messages" if _is_hollow(entry.value) else "not a run of a known format"
            yield RecordingError(problem, place=entry.place("run"), cure="repair it or remove it")
    elif entries and all(_is_hollow(entry.value) for entry in entries):
        yield RecordingError("no messages", cure="record the run again")
    else:
        yield UnknownFormatError("not a known format of recorded runs", cure=f"known: {known()}")


def _is_hollow(value: object) -> bool:
    run = value.get("messages") if isinstance(value, dict) else value
    return isinstance(run, list) and all(part in ([], {"messages": []}) for part in run)
