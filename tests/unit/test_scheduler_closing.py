"""Closing a scheduler while a boundary is under way: the host goes on at once, and no reviewer is blamed."""

from __future__ import annotations

from contextlib import suppress

import anyio
import anyio.lowlevel
import pytest

from foureyes.errors import HostError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink, note

from .shell import Deaf, Gate, every_turn, outcomes, texts, transcript

pytestmark = pytest.mark.anyio


class Host:
    """A host that calls at a boundary, and keeps what it got."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.guidance: Guidance | None = None
        self.left = anyio.Event()

    async def call(self) -> None:
        """Call, where the scheduler is still open."""
        with suppress(HostError):
            self.guidance = await self.session.boundary(transcript())
        self.left.set()


@pytest.mark.parametrize("passes", range(8))
async def test_a_review_that_has_not_begun_at_the_close_does_not_hold_the_host_until_its_deadline(passes: int) -> None:
    gate, sink = Gate(), RecordingSink()
    scheduler = ReviewScheduler([every_turn(gate)], sinks=[sink])
    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            async with scheduler:
                host = Host(await scheduler.session("s"))
                tasks.start_soon(host.call)
                for _ in range(passes):
                    await anyio.lowlevel.checkpoint()
            await host.left.wait()
        gate.opened.set()
        async with scheduler:
            again = await (await scheduler.session("s")).boundary(transcript(2))
    if host.guidance is not None:
        assert outcomes(host.guidance) == {"one": "cancelled"}
    assert not {event.outcome for event in sink.of(ReviewSettled)} & {"error", "timeout"}
    assert "one" in outcomes(again), "neither cooldown nor pause"


async def test_a_reviewer_that_ignores_the_close_does_not_hold_the_host() -> None:
    deaf, sink = Deaf(note("It leaks.")), RecordingSink()
    scheduler = ReviewScheduler([every_turn(deaf)], sinks=[sink])

    async def call() -> None:
        await host.call()
        deaf.opened.set()  # Only now does the reviewer let go.

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            async with scheduler:
                host = Host(await scheduler.session("s"))
                tasks.start_soon(call)
                await deaf.entered.wait()
            assert host.left.is_set(), "before the scheduler is closed, so that what it saves is kept"
    assert host.guidance is not None
    assert (outcomes(host.guidance), texts(host.guidance)) == ({"one": "cancelled"}, [])
    assert [event.outcome for event in sink.of(ReviewSettled)] == ["cancelled"]
    assert host.session.state.reviewer("one").periodic_used == 0
