"""The pipes to a program, with ends of our own.

The event loop's own pipes stay open for as long as anybody holds the other end, and asyncio has no way to let go of
them. These are closed when we say so.
"""

from __future__ import annotations

import os
from contextlib import suppress

import anyio

__all__ = ["Inlet", "Outlet"]

_CHUNK = 65_536
_SWEEPS = 64
"""Chunks that are read at once at most: whoever is still writing must not keep us."""


class _Pipe:
    def __init__(self, *, ours_reads: bool) -> None:
        reads, writes = os.pipe()
        self.theirs, self._ours = (writes, reads) if ours_reads else (reads, writes)
        """The end that the program gets."""
        os.set_blocking(self._ours, False)
        self._open = {self.theirs, self._ours}

    def handed_over(self) -> None:
        """Close the program's end here: the program has it."""
        self._close(self.theirs)

    def close(self) -> None:
        """Close both ends; closing again does nothing."""
        self._close(self.theirs)
        self._close(self._ours)

    def _close(self, end: int) -> None:
        if end in self._open:
            self._open.discard(end)
            os.close(end)


class Inlet(_Pipe):
    """What a program reads."""

    def __init__(self) -> None:
        super().__init__(ours_reads=False)

    async def feed(self, given: bytes) -> None:
        """Write it all and close the pipe. A program that does not want it is not forced."""
        left = memoryview(given)
        with suppress(BrokenPipeError):
            while left:
                await anyio.wait_writable(self._ours)
                left = left[os.write(self._ours, left[:_CHUNK]) :]
        self._close(self._ours)


class Outlet(_Pipe):
    """What a program writes: the first ``limit`` bytes of it, or the newest."""

    def __init__(self, limit: int, *, newest: bool = False) -> None:
        super().__init__(ours_reads=True)
        self._limit, self._newest = limit, newest
        self._data = bytearray()
        self.lost = False
        """Whether there was more than is kept."""

    @property
    def data(self) -> bytes:
        """Return what is kept."""
        return bytes(self._data)

    async def drain(self) -> None:
        """Read until the program closes the pipe; where the first bytes are kept, until there are too many."""
        while not self._is_full:
            await anyio.wait_readable(self._ours)
            if self._read() == 0:
                return

    def sweep(self) -> None:
        """Read what is in the pipe now, without waiting for more."""
        for _ in range(_SWEEPS):
            if self._is_full or not self._read():
                return

    @property
    def _is_full(self) -> bool:
        return self.lost and not self._newest

    def _read(self) -> int | None:
        # 0 at the end; None where nothing is there yet.
        try:
            chunk = os.read(self._ours, _CHUNK)
        except BlockingIOError:
            return None
        self._data += chunk
        if len(self._data) > self._limit:
            self.lost = True
            del self._data[slice(0, -self._limit) if self._newest else slice(self._limit, None)]
        return len(chunk)
