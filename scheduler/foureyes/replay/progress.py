"""A progress bar on standard error for work on many runs, where somebody may be looking."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from foureyes.replay.files import Found, found

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Meter", "progress"]

_MANY = 20
"""Runs that are done before a bar appears; fewer are done before anybody wonders."""


class Meter:
    """Is told how far the work has come, and shows nothing."""

    def read(self, size: int) -> None:
        """Take note that so many bytes of all files have been read."""

    def done(self) -> None:
        """Take note that one more run is done."""


@contextmanager
def progress(paths: Sequence[str], *, wanted: bool = True) -> Iterator[Meter]:
    """Give a meter for the time of the work on the files and folders; a bar is gone after it.

    There is a bar from the 20th run on, if standard error is a terminal, rich is installed, and it is ``wanted``: it
    is not where the same terminal shows the results as they come.
    """
    bar = _bar() if wanted and sys.stderr.isatty() else None
    if bar is None:
        yield Meter()
        return
    with bar:
        yield _Shown(bar, _total(paths))


class _Shown(Meter):
    def __init__(self, bar: Progress, total: int | None) -> None:
        self._bar, self._total = bar, total
        self._task: TaskID | None = None
        self._read, self._runs = 0, 0

    def read(self, size: int) -> None:
        self._read = size

    def done(self) -> None:
        self._runs += 1
        if self._task is None and self._runs >= _MANY:
            self._task = self._bar.add_task("", total=self._total)
        if self._task is not None:
            self._bar.update(self._task, completed=self._read, description=f"{self._runs:,} runs")


def _bar() -> Progress | None:
    try:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
    except ModuleNotFoundError:
        return None
    columns = (TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True, redirect_stdout=False)


def _total(paths: Sequence[str]) -> int | None:
    """Return the bytes of all files; None where one has no size, as a pipe has none."""
    sizes = [_size(item.path) for item in found(paths) if isinstance(item, Found)]
    return sum(sizes) if all(sizes) else None


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0
