"""Reading recorded runs from files of any known format, one run at a time.

This is what scoring and replaying stand on: :func:`recordings` yields the runs of any number of files and folders
with their labels, and goes on after whatever cannot be read.
"""

from __future__ import annotations

import io
import os
from collections.abc import Callable, Iterator, Sequence
from typing import TextIO

from foureyes.replay.beside import Beside
from foureyes.replay.content import UnknownFormatError, runs_in
from foureyes.replay.files import ENDINGS, found, opened, seems_json, unreadable
from foureyes.replay.importers import known
from foureyes.replay.recording import LeftOut, Recording, RecordingError

__all__ = ["parsed", "recordings"]

_TOLD = 3
"""Errors of one file that are told one by one; of the others the number. A broken log may have thousands."""


def recordings(
    paths: Sequence[str], *, labels: Sequence[str] = (), read: Callable[[int], None] | None = None
) -> Iterator[Recording | RecordingError | LeftOut]:
    """Yield every run in the files and folders, in order, with its reward and its label where there are any.

    What cannot be read is yielded as a RecordingError, a file or a record each, and reading goes on; at most three
    for a file, and a fourth with the number of the others. A file that was named and has no run is an error, unless
    it has labels; where there is nothing but labels, that is one. In a folder only files that end in .json, .jsonl or
    .ndjson and look like JSON are read, and one of no known format is no error: how many there were is yielded as a
    LeftOut after the last file of the folder, or as an error where the folder has no run at all.

    Two runs are in memory at a time, however many a file holds, apart from a format that says otherwise.

    ``labels``: files with labels of AgentRx, besides those that lie beside the runs. ``read`` is told, from time to
    time, how many bytes of all files have been read.
    """
    told = False
    for item in _items(paths, _Shelf(tuple(labels), read or (lambda size: None))):
        told = True
        yield item
    if paths and not told:
        yield RecordingError("labels, and no recorded run", source=", ".join(paths), cure="name the runs as well")


def _items(paths: Sequence[str], shelf: _Shelf) -> Iterator[Recording | RecordingError | LeftOut]:
    for path in paths:
        if os.path.isdir(path):
            yield from _Folder(path).read(shelf)
        else:
            yield from shelf.read(path)


def parsed(data: bytes, *, source: str) -> tuple[Recording, ...]:
    """Return the runs in the content of a file, without what lies beside it; none only where it holds labels.

    Raises RecordingError for the first thing that cannot be read.
    """
    file = io.TextIOWrapper(io.BytesIO(data), encoding="utf-8-sig", errors="surrogateescape", newline="")
    runs: list[Recording] = []
    for item in runs_in(file, source, Beside()):
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
                for item in runs_in(file, path, beside):
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

    def read(self, shelf: _Shelf) -> Iterator[Recording | RecordingError | LeftOut]:
        """Yield what is in the files of the folder, and then what is to be said about it as a whole."""
        for item in found([self.name]):
            for read in (item,) if isinstance(item, RecordingError) else self._file(item.path, shelf):
                self._runs += isinstance(read, Recording)
                self._errors += isinstance(read, RecordingError)
                yield read
        yield from self._ended()

    def _file(self, path: str, shelf: _Shelf) -> Iterator[Recording | RecordingError]:
        for item in shelf.read(path) if seems_json(path) else ():
            if isinstance(item, UnknownFormatError):
                self._others += 1
                self._strange = self._strange or [path]
            else:
                yield item

    def _ended(self) -> Iterator[RecordingError | LeftOut]:
        if not self._runs and not self._errors:
            cure = f"known: {known()}" if self._others else "a file of another name is read where it is named"
            problem = f"no recorded run in it, of all files that end in {', '.join(ENDINGS)}"
            yield RecordingError(problem, source=self.name, cure=cure)
        elif self._others:
            yield LeftOut(folder=self.name, files=self._others, example=self._strange[0])


def _bounded(items: Iterator[Recording | RecordingError], path: str) -> Iterator[Recording | RecordingError]:
    errors = 0
    for item in items:
        errors += isinstance(item, RecordingError)
        if errors <= _TOLD or isinstance(item, Recording):
            yield item
    if errors > _TOLD:
        yield RecordingError(f"{errors - _TOLD:,} more places that cannot be read", source=path)
