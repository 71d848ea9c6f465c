"""Which values of a file are runs, and which are records of one run.

A value that an importer knows as a run is one. The first that it knows as a record makes everything beside it (the
other lines of the file, or the other items of its array) the records of one log, unknown ones included.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby
from operator import attrgetter

from foureyes.replay.decoding import Broken, Entry
from foureyes.replay.importers import IMPORTERS, Importer
from foureyes.replay.recording import RecordingError

__all__ = ["Log", "Unknown", "Whole", "framed"]

_HELD = 256
"""Values of no known kind that may stand before the first known one. Logs begin with a few; other files never end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """One value that is a run."""

    importer: Importer
    entry: Entry


@dataclass(frozen=True, slots=True, kw_only=True)
class Log:
    """Values that are the records of one log."""

    importer: Importer
    entries: Sequence[Entry]


@dataclass(frozen=True, slots=True, kw_only=True)
class Unknown:
    """A value of no known kind."""

    entry: Entry


Frame = Whole | Log | Unknown | RecordingError


def framed(values: Iterator[Entry | Broken]) -> Iterator[Frame]:
    """Yield what the values of a file are, in order; a log where it ends.

    An error among the lines of a log leaves one record out; an error in an array that is a log leaves out the whole
    log, since an array of which the end is missing is no transcript. After 256 unknown values side by side the others
    are passed over.
    """
    lines = _Series()
    for array, group in groupby(values, key=attrgetter("array")):
        if array is not None:
            yield from _array(group)
        else:
            yield from chain.from_iterable(map(lines.taken, group))
    yield from lines.ended()


def _array(values: Iterator[Entry | Broken]) -> Iterator[Frame]:
    items = _Series()
    for value in values:
        if isinstance(value, Broken):
            items.forget()
        yield from items.taken(value)
    yield from items.ended()


class _Series:
    """Values that stand side by side."""

    def __init__(self) -> None:
        self._held: list[Entry] = []
        self._is_log = False

    def taken(self, value: Entry | Broken) -> Iterator[Frame]:
        """Take the next value, and yield what has become clear by it."""
        if isinstance(value, Broken):
            yield value.error
        elif self._hopeless():
            return
        elif not self._is_log and (importer := _first(value, lambda known, raw: known.is_run(raw))):
            yield Whole(importer=importer, entry=value)
        else:
            self._is_log = self._is_log or _first(value, lambda known, raw: known.is_record(raw)) is not None
            self._held.append(value)

    def forget(self) -> None:
        """Forget a log of which the rest cannot be read."""
        if self._is_log:
            self._held.clear()

    def ended(self) -> Iterator[Frame]:
        """Yield what was held: the log, or the values that nobody knows."""
        if not self._is_log:
            yield from (Unknown(entry=entry) for entry in self._held)
        elif importer := _owner(self._held):
            yield Log(importer=importer, entries=self._held)

    def _hopeless(self) -> bool:
        return not self._is_log and len(self._held) >= _HELD


def _first(entry: Entry, holds: Callable[[Importer, object], bool]) -> Importer | None:
    return next((importer for importer in IMPORTERS if holds(importer, entry.value)), None)


def _owner(entries: Sequence[Entry]) -> Importer | None:
    owners = (known for known in IMPORTERS if any(known.is_record(entry.value) for entry in entries))
    return next(owners, None)
