"""Working on many runs in several processes, and having the results in the order of the runs."""

from __future__ import annotations

import logging
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing.context import SpawnContext, SpawnProcess
from typing import Any, TypeVar

from foureyes.errors import FoureyesError
from foureyes.replay.recording import LeftOut, Recording, RecordingError

__all__ = ["in_order", "processors"]

_Result = TypeVar("_Result")
Item = Recording | RecordingError | LeftOut
"""What :func:`foureyes.replay.reading.recordings` yields."""

_ALONE = 100
"""Runs that are done here before other processes are started: less work than starting them is."""
_AHEAD = 4
"""Runs for each process that are read before their results are wanted. Memory is bounded by it."""


def processors() -> int:
    """Return how many processors this process may use, at least 1."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def in_order(
    items: Iterable[Item], work: Callable[[Recording], _Result], *, jobs: int | None = None
) -> Iterator[tuple[Recording, _Result] | RecordingError | LeftOut]:
    """Yield every item in its order, each recording together with what ``work`` returned for it.

    ``jobs``: how many processes work, at least 1; 1 is this one. None: this one for the first 100 items, and as many
    as there are processors for what comes after. ``work`` and its results must survive pickling, unless all is done
    here. The first item is always worked on here, so that an error of the settings is raised before anything is
    started. Raises what ``work`` raises, and FoureyesError where a process dies.
    """
    waiting = iter(items)
    alone = None if jobs == 1 or (jobs is None and processors() == 1) else 1 if jobs else _ALONE
    for item in islice(waiting, alone):
        yield _done(item, work)
    for first in waiting:
        yield from _spread(_and_rest(first, waiting), work, jobs or processors())


def _done(item: Item, work: Callable[[Recording], _Result]) -> tuple[Recording, _Result] | RecordingError | LeftOut:
    return (item, work(item)) if isinstance(item, Recording) else item


def _and_rest(first: Item, rest: Iterator[Item]) -> Iterator[Item]:
    yield first
    yield from rest


def _spread(
    items: Iterator[Item], work: Callable[[Recording], _Result], jobs: int
) -> Iterator[tuple[Recording, _Result] | RecordingError | LeftOut]:
    context = _Context()
    executor = ProcessPoolExecutor(jobs, mp_context=context, initializer=_quiet)
    under_way: deque[tuple[Item, Future[_Result] | None]] = deque()
    try:
        for item in items:
            with _interrupts_held():
                future = executor.submit(work, item) if isinstance(item, Recording) else None
            under_way.append((item, future))
            while len(under_way) > _AHEAD * jobs:
                yield _settled(*under_way.popleft())
        while under_way:
            yield _settled(*under_way.popleft())
    except BrokenProcessPool:
        for process in context.started:
            process.kill()
        raise FoureyesError("a process that works on the runs has died; try again with --jobs 1") from None
    finally:
        executor.shutdown(wait=False, cancel_futures=True)


class _Context(SpawnContext):
    """Starts processes anew and keeps them in ``started``.

    Not forked: a process with threads, such as a progress bar's, must not be. Kept, because an executor that breaks
    while it starts a process ends only those that it has noted already, and would wait for the new one for ever.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[SpawnProcess] = []

    def Process(self, *args: Any, **kwargs: Any) -> SpawnProcess:  # type: ignore[override]  # noqa: N802 - its name
        """Return a new process, and keep it."""
        self.started.append(SpawnProcess(*args, **kwargs))
        return self.started[-1]


def _settled(item: Item, future: Future[_Result] | None) -> tuple[Recording, _Result] | RecordingError | LeftOut:
    return (item, future.result()) if future and isinstance(item, Recording) else item  # type: ignore[return-value]


@contextmanager
def _interrupts_held() -> Iterator[None]:
    # A process that is started meanwhile holds them, too, until it can end without a traceback; here they come after.
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _quiet() -> None:
    # An interrupt ends a worker without a traceback of its own, and what foureyes logs there is in the results: the
    # one who started it says what happened.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    logging.getLogger("foureyes").addHandler(logging.NullHandler())
