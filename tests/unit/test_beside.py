"""Work beside the event loop: a thread does it, the loop goes on, and who is cancelled leaves at once."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import anyio
import anyio.to_thread
import pytest

from foureyes.errors import ReviewerError
from foureyes.threads import AT_A_TIME, MAX_THREADS, beside

pytestmark = pytest.mark.anyio


class Work:
    """Work that waits until it is let go, and counts how often it was begun."""

    def __init__(self) -> None:
        self.opened, self.begun = threading.Event(), threading.Semaphore(0)
        self.count = 0

    def __call__(self) -> int:
        """Wait, but not for ever."""
        self.count += 1
        self.begun.release()
        self.opened.wait(10)
        return self.count

    async def begins(self) -> None:
        """Return once it has begun once more."""
        await anyio.to_thread.run_sync(self.begun.acquire)


@pytest.fixture
def work() -> Iterator[Work]:
    """Return work that is let go at the end, so that no thread outlives its test."""
    one = Work()
    yield one
    one.opened.set()


async def test_what_the_work_returns_is_returned_from_another_thread() -> None:
    here = threading.get_ident()
    assert await beside(lambda: threading.get_ident()) != here


async def test_what_the_work_raises_is_raised() -> None:
    def broken() -> None:
        raise LookupError("nothing there")

    with pytest.raises(LookupError, match="nothing there"):
        await beside(broken)


async def test_a_caller_that_is_cancelled_leaves_at_once_and_makes_room(work: Work) -> None:
    for _ in range(AT_A_TIME + 1):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(beside, work)
            await work.begins()
            tasks.cancel_scope.cancel()
    assert work.count == AT_A_TIME + 1


async def test_no_more_than_two_pieces_are_done_at_a_time(work: Work) -> None:
    async with anyio.create_task_group() as tasks:
        for _ in range(5):
            tasks.start_soon(beside, work)
        for _ in range(AT_A_TIME):
            await work.begins()
        await anyio.wait_all_tasks_blocked()
        assert work.count == AT_A_TIME
        work.opened.set()
    assert work.count == 5


async def test_pieces_that_hang_are_bounded_and_the_next_one_fails(work: Work) -> None:
    for _ in range(MAX_THREADS):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(beside, work)
            await work.begins()
            tasks.cancel_scope.cancel()
    with pytest.raises(ReviewerError, match="32 threads"):
        await beside(work)
