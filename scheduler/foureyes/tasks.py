"""Tasks that the scheduler owns, so that a boundary can walk away from a review that does not let go.

A cancel scope around a call waits for the call, and on asyncio spins while a reviewer swallows its cancellation.
So the review runs in a task beside the boundary; it is cancelled once, and whatever it does then is its own affair.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack
from typing import Any, Protocol, TypeAlias

import anyio
import sniffio

__all__ = ["CLOSE_SECONDS", "Tasks", "own_tasks"]

CLOSE_SECONDS = 1.0
"""How long closing waits for cancelled tasks on asyncio."""

Work: TypeAlias = Callable[[], Coroutine[Any, Any, None]]


class Tasks(Protocol):
    """Starts and cancels tasks on one event loop."""

    def start(self, work: Work) -> Callable[[], None]:
        """Start a task and return what cancels it, once. The work must not raise but for cancellation."""

    async def close(self) -> int:
        """Cancel what still runs, wait a while for it, and return how many tasks were abandoned."""


class _AsyncioTasks:
    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, work: Work) -> Callable[[], None]:
        task = self._loop.create_task(work())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

        def cancel() -> None:
            task.cancel()

        return cancel

    async def close(self) -> int:
        left = set(self._tasks)
        for task in left:
            task.cancel()
        if left:
            await asyncio.wait(left, timeout=CLOSE_SECONDS)
        return sum(not task.done() for task in left)


class _NurseryTasks:
    # Trio has no tasks without a nursery: closing has to wait until every task has let go.
    def __init__(self, stack: AsyncExitStack, group: anyio.abc.TaskGroup) -> None:
        self._stack, self._group = stack, group

    def start(self, work: Work) -> Callable[[], None]:
        scope = anyio.CancelScope()
        self._group.start_soon(self._within, scope, work)
        return scope.cancel

    async def close(self) -> int:
        self._group.cancel_scope.cancel()
        await self._stack.aclose()
        return 0

    @staticmethod
    async def _within(scope: anyio.CancelScope, work: Work) -> None:
        with scope:
            await work()


async def own_tasks() -> Tasks:
    """Return the tasks of the running event loop. On trio they must be closed in the task that asked for them."""
    if sniffio.current_async_library() == "asyncio":
        return _AsyncioTasks()
    stack = AsyncExitStack()
    return _NurseryTasks(stack, await stack.enter_async_context(anyio.create_task_group()))
