"""Tasks that swallow every cancellation. Nobody waits for them any more, not even the end of the process."""

from __future__ import annotations

import asyncio
import atexit
from contextlib import suppress

__all__ = ["forsake"]

_forsaken: set[asyncio.Task[None]] = set()


def forsake(task: asyncio.Task[None]) -> None:
    """Let the loop end without the task. It goes on as long as the loop does, and is forgotten once it has ended.

    ``asyncio.run`` cancels the tasks that it knows of and waits for them, which for this one was in vain already.
    Tasks that it has started itself are not known here, and asyncio waits for those.
    """
    if not _forsaken:
        atexit.unregister(_keep)
        atexit.register(_keep)
    _forsaken.add(task)
    task.add_done_callback(_forsaken.discard)
    asyncio._unregister_task(task)  # noqa: SLF001 - documented, for those who extend asyncio


def _keep() -> None:
    # When the interpreter takes its objects apart it closes the coroutine of a task, and one that swallows
    # cancellation swallows that as well, which is told on standard error. So it must not get at the task.
    import ctypes  # only for a process that ends with such a task

    for task in _forsaken:
        with suppress(AttributeError):  # An interpreter without reference counts does not take it apart either.
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(task))
