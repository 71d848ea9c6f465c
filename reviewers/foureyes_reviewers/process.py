"""A program that is given something to read and says something, and of which nothing is left afterwards.

It runs in a session of its own, so that everything it starts can be ended with it, and cannot ask at the terminal.
What counts is that the program has ended, not that its output has: a grandchild that holds the pipe delays nothing.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass

import anyio

from foureyes_reviewers.pipes import Inlet, Outlet

__all__ = ["GRACE_SECONDS", "MAX_ERRORS", "MAX_OUTPUT", "Ended", "run"]

MAX_OUTPUT = 1_000_000
"""Bytes of standard output. A program that writes more is killed."""
MAX_ERRORS = 8_192
"""Bytes of standard error that are kept, the newest. A program may write any number."""
GRACE_SECONDS = 0.25
"""How long a program may take to tidy up after SIGTERM before it is killed: less than closing the scheduler allows."""
_LOOK_SECONDS = 0.01
"""How often to look whether the program has ended where the system does not tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a program ended, and what it said."""

    status: int | None
    """Its exit status; below 0 the number of the signal that ended it; None where it wrote too much."""
    output: bytes
    """The first MAX_OUTPUT bytes of its standard output."""
    errors: bytes
    """The newest MAX_ERRORS bytes of its standard error."""
    errors_cut: bool
    """Whether there was more on standard error before these."""


async def run(command: Sequence[str], environment: Mapping[str, str], given: bytes) -> Ended:
    """Start the program, give it these bytes on standard input, and return how it ended.

    Whether it reads them is its own affair. When this returns or raises, on cancellation too, the program and what
    is left of its process group have been killed, after a SIGTERM and, for a program that has not ended by itself,
    GRACE_SECONDS; one that writes too much is killed at once. Only what has left the group lives on, and is not
    waited for. Raises OSError where the program cannot be started.
    """
    with ExitStack() as files:
        child = _Child(files, command, environment)
        try:
            await child.talk(given)
        finally:
            await child.end()
        return child.ended()


class _Child:
    # Started without a pause in between, so that no cancellation can come before we know whom to end.
    def __init__(self, files: ExitStack, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self._input = files.enter_context(closing(Inlet()))
        self._output = files.enter_context(closing(Outlet(MAX_OUTPUT)))
        self._errors = files.enter_context(closing(Outlet(MAX_ERRORS, newest=True)))
        self._process = subprocess.Popen(  # noqa: S603 - the operator's own program, and no shell
            command,
            stdin=self._input.theirs,
            stdout=self._output.theirs,
            stderr=self._errors.theirs,
            env=environment,
            start_new_session=True,
        )
        self._handle = _handle(self._process.pid, files)
        for pipe in (self._input, self._output, self._errors):
            pipe.handed_over()

    async def talk(self, given: bytes) -> None:
        async with anyio.create_task_group() as group:
            group.start_soon(self._input.feed, given)
            group.start_soon(self._errors.drain)
            group.start_soon(self._listen, group.cancel_scope)
            await self._end_of_program()
            group.cancel_scope.cancel()

    async def _listen(self, scope: anyio.CancelScope) -> None:
        await self._output.drain()
        if self._output.lost:
            scope.cancel()

    async def _end_of_program(self) -> None:
        # It stays a zombie until its status is asked for, so that its number, and its group's, cannot be another's.
        if self._handle is not None:
            await anyio.wait_readable(self._handle)
        while self._handle is None and self._process.poll() is None:  # noqa: ASYNC110 - nobody tells us
            await anyio.sleep(_LOOK_SECONDS)

    async def end(self) -> None:
        try:
            if not self._output.lost:
                self._signal(signal.SIGTERM)
                with anyio.move_on_after(GRACE_SECONDS, shield=True):
                    await self._end_of_program()
        finally:
            self._signal(signal.SIGKILL)
            await self._bury()

    async def _bury(self) -> None:
        # A killed program is gone in a moment. A cancellation that no shield holds off waits for that.
        cancelled: BaseException | None = None
        while self._process.poll() is None:
            try:
                with anyio.CancelScope(shield=True):
                    await self._end_of_program()
            except anyio.get_cancelled_exc_class() as error:
                cancelled = error
        if cancelled is not None:
            raise cancelled

    def ended(self) -> Ended:
        self._output.sweep()
        self._errors.sweep()
        return Ended(
            status=None if self._output.lost else self._process.returncode,
            output=self._output.data,
            errors=self._errors.data,
            errors_cut=self._errors.lost,
        )

    def _signal(self, number: signal.Signals) -> None:
        with suppress(ProcessLookupError, PermissionError):  # Nobody is left in the group, or nobody who is ours.
            os.killpg(self._process.pid, number)


def _handle(pid: int, files: ExitStack) -> int | None:
    # Readable once the process has ended; None where the system, or its sandbox, has no such thing.
    try:
        handle = os.pidfd_open(pid)
    except (AttributeError, OSError):
        return None
    files.callback(os.close, handle)
    return handle
