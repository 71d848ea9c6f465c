"""A program that is given something to read and says something, and of which nothing is left afterwards.

It runs in a session of its own, so that everything it starts can be ended with it, and cannot ask at the terminal.
What counts is that the program has ended, not that its output has: a grandchild that holds the pipe delays nothing.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass

import anyio
import anyio.abc

from foureyes_reviewers.pipes import Inlet, Outlet

__all__ = ["GRACE_SECONDS", "MAX_ERRORS", "MAX_OUTPUT", "Ended", "run"]

MAX_OUTPUT = 1_000_000
"""Bytes of standard output. A program that writes more is killed."""
MAX_ERRORS = 8_192
"""Bytes of standard error that are kept, the newest. A program may write any number."""
GRACE_SECONDS = 0.25
"""How long a program may take to tidy up after SIGTERM before it is killed: less than closing the scheduler allows."""


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
    is left of its process group have been killed; a program that had not ended by itself got a SIGTERM before, and
    GRACE_SECONDS. Only what has left the group lives on, and is not waited for. Raises OSError where the program
    cannot be started.
    """
    with ExitStack() as pipes:
        child = _Child(pipes)
        try:
            await child.start(command, environment)
            await child.talk(given)
        finally:
            await child.end()
        return child.ended()


class _Child:
    def __init__(self, pipes: ExitStack) -> None:
        self._input = pipes.enter_context(closing(Inlet()))
        self._output = pipes.enter_context(closing(Outlet(MAX_OUTPUT)))
        self._errors = pipes.enter_context(closing(Outlet(MAX_ERRORS, newest=True)))
        self._process: anyio.abc.Process | None = None
        self._refusal: OSError | None = None

    async def start(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        # In a task of its own: a cancellation that comes between the start and the news of it would lose the group.
        async with anyio.create_task_group() as group:
            group.start_soon(self._start, command, environment)
        if self._refusal is not None:
            raise self._refusal

    async def _start(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        try:
            with anyio.CancelScope(shield=True):
                self._process = await anyio.open_process(
                    command,
                    stdin=self._input.theirs,
                    stdout=self._output.theirs,
                    stderr=self._errors.theirs,
                    env=environment,
                    start_new_session=True,
                )
        except OSError as error:
            self._refusal = error
        for pipe in (self._input, self._output, self._errors):
            pipe.handed_over()

    async def talk(self, given: bytes) -> None:
        assert self._process is not None  # It has been started.
        async with anyio.create_task_group() as group:
            group.start_soon(self._input.feed, given)
            group.start_soon(self._errors.drain)
            group.start_soon(self._listen, group.cancel_scope)
            await self._process.wait()
            group.cancel_scope.cancel()

    async def _listen(self, scope: anyio.CancelScope) -> None:
        await self._output.drain()
        if self._output.lost:
            scope.cancel()

    async def end(self) -> None:
        process = self._process
        if process is None:
            return
        try:
            if process.returncode is None and not self._output.lost:
                _signal(process, signal.SIGTERM)
                with anyio.move_on_after(GRACE_SECONDS, shield=True):
                    await process.wait()
        finally:
            _signal(process, signal.SIGKILL)
            with anyio.CancelScope(shield=True):
                await process.wait()

    def ended(self) -> Ended:
        assert self._process is not None  # As above.
        self._output.sweep()
        self._errors.sweep()
        return Ended(
            status=None if self._output.lost else self._process.returncode,
            output=self._output.data,
            errors=self._errors.data,
            errors_cut=self._errors.lost,
        )


def _signal(process: anyio.abc.Process, number: signal.Signals) -> None:
    # The group keeps the program's number for as long as anybody is in it. Where nobody is, there is nobody to end.
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, number)
