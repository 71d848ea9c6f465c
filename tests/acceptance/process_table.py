"""What a test has to clean up after itself if the code under test did not: processes, and open files."""

from __future__ import annotations

import os
import select
from pathlib import Path

__all__ = ["children", "marked", "open_files", "wait_until_gone"]


def open_files() -> int:
    """Return how many files this process has open."""
    return len(os.listdir("/proc/self/fd"))


def children() -> set[int]:
    """Return the processes that this one has started and not waited for, zombies too."""
    return {pid for pid in _all() if _parent(pid) == os.getpid()}


def marked(mark: str) -> set[int]:
    """Return the processes that have the mark in their environment, wherever they have gone; no zombies."""
    return {pid for pid in _all() if pid != os.getpid() and mark.encode() in _read(pid, "environ")}


def wait_until_gone(pids: set[int], seconds: float = 5) -> None:
    """Return once the processes have ended: a kill takes effect a little later than it is sent."""
    for pid in pids:
        try:
            handle = os.pidfd_open(pid)
        except ProcessLookupError:
            continue
        select.select([handle], [], [], seconds)
        os.close(handle)


def _all() -> list[int]:
    return [int(name) for name in os.listdir("/proc") if name.isdigit()]


def _parent(pid: int) -> int:
    words = _read(pid, "stat").rpartition(b")")[2].split()
    return int(words[1]) if words else 0


def _read(pid: int, name: str) -> bytes:
    try:
        return Path(f"/proc/{pid}/{name}").read_bytes()
    except OSError:
        return b""
