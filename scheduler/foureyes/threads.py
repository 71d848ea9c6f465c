"""Daemon threads of our own for reviewers that block, and for work that would hold up the event loop.

A thread cannot be cancelled. Ours are daemons, so one that never returns cannot keep the process alive, and they are
bounded, so reviewers that hang cannot pile up: beyond the bound a review fails at once, and says why.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

import anyio
from anyio.lowlevel import EventLoopToken, RunVar, current_token

from foureyes.errors import ReviewerError

__all__ = ["MAX_THREADS", "Threads", "beside"]

T = TypeVar("T")

MAX_THREADS = 32
"""Threads at a time for one reviewer, so that one that hangs takes none from the others."""
AT_A_TIME = 2
"""Pieces of work beside one event loop at a time. A busy thread gives way to the loop after 5 ms, so each more would
hold it up by as much, and none would make the work any faster. Two, so that a long piece does not keep all waiting."""


class _Job:
    """One call in a thread."""

    def __init__(self, key: tuple[str, str], turn: int, work: Callable[[], Any]) -> None:
        self.key, self.turn, self.work = key, turn, work
        self.token: EventLoopToken = current_token()
        self.done = anyio.Event()
        self.abandoned = False
        self.result: Any = None
        self.error: BaseException | None = None


class Threads:
    """Runs blocking reviewers for one scheduler.

    ``left_over(key, turn, change, result)`` is told when a call is abandoned (1) and when an abandoned one has ended
    (-1), then with what it returned.
    """

    def __init__(self, left_over: Callable[[Any, int, int, Any], None], limit: int = MAX_THREADS) -> None:
        self._left_over, self._limit = left_over, limit
        self._running: set[_Job] = set()

    @property
    def in_use(self) -> bool:
        """Tell whether any call runs."""
        return bool(self._running)

    def running(self, key: object) -> bool:
        """Tell whether a call under this key still runs, awaited or abandoned."""
        return any(job.key == key for job in tuple(self._running))  # A thread may end meanwhile.

    async def call(self, key: tuple[str, str], turn: int, work: Callable[[], Any]) -> Any:
        """Return what the work returns in a thread, or raise what it raises. The key is (session, reviewer).

        A caller that is cancelled leaves at once; the thread runs on, and its result is late. Raises
        ReviewerError where all threads of the reviewer are taken.
        """
        if sum(job.key[1] == key[1] for job in tuple(self._running)) >= self._limit:
            raise ReviewerError(f"all {self._limit} threads of this reviewer are taken by calls that hang")
        context = contextvars.copy_context()
        job = _Job(key, turn, lambda: context.run(work))
        self._running.add(job)
        try:
            threading.Thread(target=self._run, args=(job,), name="foureyes-reviewer", daemon=True).start()
        except BaseException:
            self._running.discard(job)
            raise
        try:
            await job.done.wait()
        except BaseException:
            job.abandoned = True
            self._left_over(key, turn, 1, None)
            if job.done.is_set():  # It ended just before the caller was cancelled: it is late all the same.
                self._left_over(key, turn, -1, job.result)
            raise
        if job.error is not None:
            raise job.error
        return job.result

    def _run(self, job: _Job) -> None:
        try:
            job.result = job.work()
        except BaseException as error:  # noqa: BLE001 - handed to the loop, which decides
            job.error = error
        self._running.discard(job)
        from anyio import from_thread  # not in the deadline: the review is over

        with suppress(Exception):  # The loop may be gone, and with it everybody who waited.
            from_thread.run_sync(self._landed, job, token=job.token)

    def _landed(self, job: _Job) -> None:
        job.done.set()
        if job.abandoned:
            self._left_over(job.key, job.turn, -1, job.result)


class _Side:
    """What works beside one event loop."""

    def __init__(self) -> None:
        self.places = anyio.Semaphore(AT_A_TIME)
        self.threads = Threads(lambda *_: None)


_SIDE: RunVar[_Side] = RunVar("foureyes_side")


async def beside(work: Callable[[], T]) -> T:
    """Return what the work returns in a thread, or raise what it raises; the event loop goes on meanwhile.

    For work of our own that takes longer than a few milliseconds. Two pieces are done at a time for each event loop,
    and the others wait. A caller that is cancelled leaves at once and makes room; the thread runs on to its end, and
    nobody hears of that. Raises ReviewerError where 32 pieces hang.
    """
    side = _SIDE.get(None)
    if side is None:
        side = _Side()
        _SIDE.set(side)
    async with side.places:
        result: T = await side.threads.call(("", ""), 0, work)
    return result
