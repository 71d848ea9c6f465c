"""Reading recorded runs from files of any known format, one run at a time.

This is what scoring and replaying stand on: :func:`recordings` yields the runs of any number of files and folders
with their labels, and goes on after whatever cannot be read.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TextIO

from foureyes.replay.beside import Beside, is_labels
from foureyes.replay.decoding import Entry, decoded
from foureyes.replay.files import Found, found, opened, seems_json, unreadable
from foureyes.replay.framing import Log, Unknown, Whole, framed
from foureyes.replay.importers import Importer, Run, accepted
from foureyes.replay.recording import LeftOut, Recording, RecordingError
from foureyes.replay.turns import turn_at

__all__ = ["parsed", "recordings"]

_TOLD = 3
"""Errors of one file that are told one by one; of the others the number. A broken log may have thousands."""


def recordings(
    paths: Sequence[str], *, labels: Sequence[str] = (), read: Callable[[int], None] | None = None
) -> Iterator[Recording | RecordingError | LeftOut]:
    """Yield every run in the files and folders, in order, with its reward and its label where there are any.

    What cannot be read is yielded as a RecordingError, a file or a record each, and reading goes on; at most three
    for a file, and a fourth with the number of the others. A file that was named and has no run is an error. In a
    folder only what looks like JSON is read, and a file of no known format is no error: how many there were is
    yielded as a LeftOut after the last file of the folder, or as an error where the folder has no run at all.

    One run is in memory at a time, however many a file holds, apart from a format that says otherwise.

    ``labels``: files with labels of AgentRx, besides those that lie beside the runs. ``read`` is told, from time to
    time, how many bytes of all files have been read.
    """
    shelf = _Shelf(tuple(labels), read or (lambda size: None))
    folder: _Folder | None = None
    for item in found(paths):
        name = item.folder if isinstance(item, Found) else ""
        if folder is not None and name != folder.name:
            yield from folder.ended()
            folder = None
        if isinstance(item, RecordingError):
            yield item
            continue
        if not name:
            yield from shelf.read(item.path)
            continue
        folder = folder or _Folder(name)
        yield from folder.read(item.path, shelf)
    yield from folder.ended() if folder else ()


def parsed(data: bytes, *, source: str) -> tuple[Recording, ...]:
    """Return the runs in the content of a file, at least one, without what lies beside it.

    Raises RecordingError for the first thing that cannot be read.
    """
    file = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="surrogateescape", newline="")
    runs: list[Recording] = []
    for item in _in_text(file, source, Beside()):
        if isinstance(item, RecordingError):
            raise item
        runs.append(item)
    return tuple(runs)


class _Shelf:
    """All files that are read, one after the other."""

    def __init__(self, labels: Sequence[str], tell: Callable[[int], None]) -> None:
        self._labels, self._tell = labels, tell
        self._bytes = 0

    def read(self, path: str) -> Iterator[Recording | RecordingError]:
        """Yield what is in one file, with few errors at most."""
        yield from _bounded(self._items(path), path)

    def _items(self, path: str) -> Iterator[Recording | RecordingError]:
        beside, told = Beside(path, self._labels), 0
        try:
            with opened(path) as file:
                for item in _in_text(file, path, beside):
                    yield from beside.problems[told:]
                    told = len(beside.problems)
                    self._tell(self._bytes + _position(file))
                    yield item
                self._bytes += _position(file)
        except RecordingError as error:
            yield error
        except OSError as error:
            yield unreadable(error, path)


def _position(file: TextIO) -> int:
    try:
        return file.buffer.tell()
    except OSError:  # a pipe has no places
        return 0


class _Folder:
    """What was found in one named folder."""

    def __init__(self, name: str) -> None:
        self.name = name
        self._runs, self._errors = 0, 0
        self._strange: list[str] = []
        self._others = 0

    def read(self, path: str, shelf: _Shelf) -> Iterator[Recording | RecordingError]:
        """Yield what is in one file of the folder, and remember the file if it is of no known format."""
        if not seems_json(path):
            return
        for item in shelf.read(path):
            if isinstance(item, _UnknownFormatError):
                self._others += 1
                self._strange = self._strange or [path]
                continue
            self._runs += isinstance(item, Recording)
            self._errors += isinstance(item, RecordingError)
            yield item

    def ended(self) -> Iterator[RecordingError | LeftOut]:
        """Yield what is to be said about the folder as a whole."""
        if not self._runs and not self._errors:
            cure = f"name a folder with {accepted()}"
            yield RecordingError("no recorded run of a known format in it", source=self.name, cure=cure)
        elif self._others:
            yield LeftOut(folder=self.name, files=self._others, example=self._strange[0])


class _UnknownFormatError(RecordingError):
    """The whole file is of no known format."""


def _bounded(items: Iterator[Recording | RecordingError], path: str) -> Iterator[Recording | RecordingError]:
    errors = 0
    for item in items:
        errors += isinstance(item, RecordingError)
        if errors <= _TOLD or isinstance(item, Recording):
            yield item
    if errors > _TOLD:
        yield RecordingError(f"{errors - _TOLD:,} more places that cannot be read", source=path)


def _in_text(file: TextIO, source: str, beside: Beside) -> Iterator[Recording | RecordingError]:
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
    known, broken = False, False
    strange: list[Entry] = []
    for frame in framed(decoded(file)):
        if isinstance(frame, Unknown):
            strange.append(frame.entry)
            continue
        known = known or not isinstance(frame, RecordingError)
        for item in (frame,) if isinstance(frame, RecordingError) else _read(frame, beside):
            # That nothing is left of a log which breaks off at once needs no further word.
            if not (broken and isinstance(item, RecordingError) and not item.place):
                yield item
            broken = broken or isinstance(item, RecordingError)
    if known or not broken:
        yield from _strange(strange, known)


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


def _strange(entries: Sequence[Entry], known: bool) -> Iterator[RecordingError]:
    if not known and entries and all(is_labels(entry.value) for entry in entries):
        return
    cure = f"convert it to {accepted()}"
    if known:
        for entry in entries:
            problem = "no messages" if _is_hollow(entry.value) else "not a run of a known format"
            yield RecordingError(problem, place=entry.place("run"), cure="repair it or remove it")
    elif entries and all(_is_hollow(entry.value) for entry in entries):
        yield RecordingError("no messages", cure="record the run again")
    else:
        yield _UnknownFormatError("not a known format of recorded runs", cure=cure)


def _is_hollow(value: object) -> bool:
    run = value.get("messages") if isinstance(value, dict) else value
    return isinstance(run, list) and all(part in ([], {"messages": []}) for part in run)
