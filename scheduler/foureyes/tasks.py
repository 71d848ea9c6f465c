"""Tasks that the scheduler owns, so that a boundary can walk away from a review that does not let go.

A cancel scope around a call waits for the call, and on asyncio spins while a reviewer swallows its cancellation.
So the review runs in a task beside the boundary; it is cancelled once, and whatever it does then is its own affair.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import copy_context
from typing import Any, Protocol, TypeAlias

import anyio

from foureyes.forsaken import forsake

__all__ = ["CLOSE_SECONDS", "Gate", "Tasks", "own_tasks"]

CLOSE_SECONDS = 1.0
"""How long closing waits for cancelled tasks."""
_TIDYING_SECONDS = 0.5
"""Of these, how long a task may take to tidy up before it is cancelled again: it may have swallowed the first."""
_AGAIN_SECONDS = 0.05
"""How long to wait between further cancellations."""
_HOPS = 3
"""Passes of trio's loop in which a cancellation reaches every task that can be cancelled."""

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


class Gate(Protocol):
    """Opened once; one task may wait for it."""

    def open(self) -> None:
        """Let the waiting task go on, now and ever after."""

    def hurry(self, until: float) -> None:
        """Let the task that waits now wait no longer than until this time."""

    async def wait(self, until: float) -> None:
        """Return once the gate is open, or at this time by the event loop's clock."""


class Tasks(Protocol):
    """Starts and cancels tasks on one event loop."""

    def start(self, work: Work) -> Callable[[], None]:
        """Start a task and return what cancels it, once. The work must not raise but for cancellation.

        Work that is cancelled before it has begun never begins.
        """

    def now(self) -> float:
        """Return the event loop's time in seconds, by which deadlines are kept."""

    def here(self) -> bool:
        """Tell whether the caller runs on this event loop."""

    def gate(self) -> Gate:
        """Return a closed gate."""

    async def close(self) -> int:
        """Cancel what still runs, wait a while for it, and return how many tasks were abandoned."""


class _AsyncioTasks:
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._serial = 0
        self.now = self._loop.time

    def here(self) -> bool:
        try:
            return asyncio.get_running_loop() is self._loop
        except RuntimeError:  # no asyncio loop in this thread
            return False

    def start(self, work: Work) -> Callable[[], None]:
        self._serial = number = self._serial + 1
        task = self._tasks[number] = self._loop.create_task(self._owned(number, work))

        def cancel() -> None:
            task.cancel()
            task.add_done_callback(lambda _: self._tasks.pop(number, None))

        return cancel

    def gate(self) -> Gate:
        return _AsyncioGate(self._loop)

    async def close(self) -> int:
        left = {task for task in self._tasks.values() if not task.done()}
        ends, patience = self.now() + CLOSE_SECONDS, _TIDYING_SECONDS
        while left and (remaining := ends - self.now()) > 0:
            for task in left:
                task.cancel()
            _, left = await asyncio.wait(left, timeout=min(patience, remaining))
            patience = _AGAIN_SECONDS
        for task in left:
            forsake(task)
        return len(left)

    async def _owned(self, number: int, work: Work) -> None:
        # Cheaper than a done callback, which costs a pass of the loop for each task. One that is cancelled before
        # it begins never comes here, so those that are cancelled have a callback as well.
        try:
            await work()
        finally:
            self._tasks.pop(number, None)


class _AsyncioGate:
    # A future and a timer: a third of the cost of an event inside a cancel scope, at every boundary that calls.
    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop, self._opened = loop, False
        self._waiter: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None

    def open(self) -> None:
        self._opened = True
        self._wake()

    def hurry(self, until: float) -> None:
        if self._timer is not None and until < self._timer.when():
            self._timer.cancel()
            self._timer = self._loop.call_at(until, self._wake)

    async def wait(self, until: float) -> None:
        if self._opened:
            return
        self._waiter = self._loop.create_future()
        self._timer = self._loop.call_at(until, self._wake)
        try:
            await self._waiter
        finally:
            self._timer.cancel()
            self._timer = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)


class _TrioGate:
    def __init__(self) -> None:
        self._event = anyio.Event()
        self._scope: anyio.CancelScope | None = None

    def open(self) -> None:
        self._event.set()

    def hurry(self, until: float) -> None:
        if self._scope is not None:
            self._scope.deadline = min(self._scope.deadline, until)

    async def wait(self, until: float) -> None:
        with anyio.CancelScope(deadline=until) as self._scope:
            await self._event.wait()


class _TrioTask:
    # Cancelled by its outer scope. Trio repeats that at each await, so a task that swallows it would keep a core
    # busy for ever: once it has come, the inner scope shields the task from it, and it has come once, as on asyncio.
    # Trio does not tell when it has come. A task in a shield of its own for longer than that misses it, and is only
    # cancelled when the scheduler closes: better than waking one that swallows it again and again.
    def __init__(self) -> None:
        self._outer, self._inner = anyio.CancelScope(), anyio.CancelScope()

    async def run(self, work: Work) -> None:
        with self._outer, self._inner:
            if not self._outer.cancel_called:
                await work()

    def cancel(self) -> None:
        self._inner.shield = False
        self._outer.cancel()

    def calm(self) -> None:
        self._inner.shield = True


class _TrioTasks:
    # System tasks belong to the run and not to a nursery, so that a boundary and even closing can leave one behind.
    def __init__(self) -> None:
        import trio

        self._tasks: set[_TrioTask] = set()
        self._token = trio.lowlevel.current_trio_token()
        self.now = anyio.current_time
        self._empty = anyio.Event()

    def here(self) -> bool:
        import trio

        return trio.lowlevel.in_trio_run() and trio.lowlevel.current_trio_token() is self._token

    def start(self, work: Work) -> Callable[[], None]:
        import trio

        task = _TrioTask()
        self._tasks.add(task)
        trio.lowlevel.spawn_system_task(self._within, task, work, context=copy_context())

        def cancel() -> None:
            task.cancel()
            self._watch(task, _HOPS)

        return cancel

    def gate(self) -> Gate:
        return _TrioGate()

    async def close(self) -> int:
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            self._empty = anyio.Event()
            with anyio.move_on_after(CLOSE_SECONDS):
                await self._empty.wait()
        for task in self._tasks:
            task.calm()
        return len(self._tasks)

    async def _within(self, task: _TrioTask, work: Work) -> None:
        try:
            await task.run(work)
        finally:
            self._tasks.discard(task)
            if not self._tasks:
                self._empty.set()

    def _watch(self, task: _TrioTask, hops: int) -> None:
        import trio

        if hops:
            trio.lowlevel.current_trio_token().run_sync_soon(self._watch, task, hops - 1)
        else:
            task.calm()


def own_tasks() -> Tasks:
    """Return the tasks of the running event loop."""
    try:
        return _AsyncioTasks()
    except RuntimeError:  # no asyncio loop runs here, so it is trio's
        return _TrioTasks()
