"""Time as an argument: what the scheduler asks of a clock, and the real one."""

from __future__ import annotations

import time
from typing import Protocol

import anyio

__all__ = ["Clock", "SystemClock"]


class Clock(Protocol):
    """Tells durations and waits. Deadlines are the event loop's own and do not go through it."""

    def monotonic(self) -> float:
        """Return seconds that only ever grow."""

    async def sleep(self, seconds: float) -> None:
        """Wait that long; a point at which the caller can be cancelled."""


class SystemClock:
    """The clock of the machine."""

    monotonic = staticmethod(time.perf_counter)
    """Return seconds that only ever grow."""

    async def sleep(self, seconds: float) -> None:
        """Wait that long on the running event loop."""
        await anyio.sleep(seconds)
