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

__all__ = ["CLOSE_SECONDS", "Gate", "Tasks", "own_tasks"]

CLOSE_SECONDS = 1.0
"""How long closing waits for cancelled tasks."""

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
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=CLOSE_SECONDS)
        return sum(not task.done() for task in left)

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


class _TrioTasks:
    # System tasks belong to the run and not to a nursery, so that a boundary and even closing can leave one behind.
    def __init__(self) -> None:
        self._scopes: set[anyio.CancelScope] = set()
        self.now = anyio.current_time
        self._empty = anyio.Event()

    def start(self, work: Work) -> Callable[[], None]:
        import trio

        scope = anyio.CancelScope()
        self._scopes.add(scope)
        trio.lowlevel.spawn_system_task(self._within, scope, work, context=copy_context())
        return scope.cancel

    def gate(self) -> Gate:
        return _TrioGate()

    async def close(self) -> int:
        for scope in self._scopes:
            scope.cancel()
        if self._scopes:
            self._empty = anyio.Event()
            with anyio.move_on_after(CLOSE_SECONDS):
                await self._empty.wait()
        return len(self._scopes)

    async def _within(self, scope: anyio.CancelScope, work: Work) -> None:
        try:
            with scope:
                if not scope.cancel_called:
                    await work()
        finally:
            self._scopes.discard(scope)
            if not self._scopes:
                self._empty.set()


def own_tasks() -> Tasks:
    """Return the tasks of the running event loop."""
    try:
        return _AsyncioTasks()
    except RuntimeError:  # no asyncio loop runs here, so it is trio's
        return _TrioTasks()
