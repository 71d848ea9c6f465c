"""A store that hangs costs its own call, and never the agent's run."""

from __future__ import annotations

import anyio
import pytest

from foureyes.core.changes import Changes
from foureyes.core.state import SessionState
from foureyes.core.words import OutcomeKind, SkipReason
from foureyes.errors import StoreError
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.memory import MemoryStore
from foureyes.stores.patient import PatientStore
from foureyes.telemetry.events import CheckpointFailed
from foureyes.testing import RecordingSink

from .shell import every_turn, outcomes, scripted, skips, transcript

pytestmark = pytest.mark.anyio


class HangingStore(MemoryStore):
    """A store that never answers while it is told to hang."""

    def __init__(self) -> None:
        super().__init__()
        self.hangs = False

    async def load(self, session: str) -> SessionState | None:
        """Answer, unless it hangs."""
        await self._wait()
        return await super().load(session)

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save, unless it hangs."""
        await self._wait()
        await super().save(state, changes)

    async def _wait(self) -> None:
        if self.hangs:
            await anyio.sleep_forever()


async def test_a_call_that_takes_too_long_is_a_fault_of_the_store() -> None:
    store = HangingStore()
    patient = PatientStore(store, seconds=0.01)
    store.hangs = True
    with pytest.raises(StoreError, match=r"within 0\.01 s"):
        await patient.load("s")
    store.hangs = False
    assert await patient.load("s") is None


async def test_a_host_that_is_cancelled_while_the_store_hangs_is_cancelled() -> None:
    store = HangingStore()
    store.hangs = True
    with anyio.move_on_after(0.01) as scope:
        await PatientStore(store, seconds=60).load("s")
    assert scope.cancelled_caught


async def test_while_the_store_hangs_nobody_is_called_and_afterwards_all_is_well() -> None:
    store, sink, reviewer = HangingStore(), RecordingSink(), scripted()
    async with ReviewScheduler([every_turn(reviewer)], store=PatientStore(store, 0.01), sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
        store.hangs = True
        hung = await session.boundary(transcript(1))
        store.hangs = False
        well = await session.boundary(transcript(2))
    assert (skips(hung), outcomes(well)) == ({"one": SkipReason.STORE_UNAVAILABLE}, {"one": OutcomeKind.QUIET})
    assert "did not answer" in sink.of(CheckpointFailed)[0].error


async def test_a_store_of_the_hosts_own_is_waited_for_and_ours_keep_their_speed() -> None:
    own, ours = HangingStore(), MemoryStore()
    assert type(ReviewScheduler([], store=own)._runtime.store) is PatientStore
    assert ReviewScheduler([], store=ours)._runtime.store is ours
