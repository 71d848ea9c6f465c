"""A store that cannot write: nobody is called before it, nothing is lost after it, and the agent goes on."""

from __future__ import annotations

from typing import Any

import pytest

from foureyes.core.changes import Changes
from foureyes.core.state import SessionState
from foureyes.core.words import FinishResult, OutcomeKind, Severity, SkipReason, Verdict
from foureyes.errors import HostError, RevisionConflictError, StateVersionError, StoreError
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import Checkpointed, CheckpointFailed
from foureyes.testing import RecordingSink, note, run_turns, turn_messages

from .shell import (
    TASK,
    FailingStore,
    answering,
    every_turn,
    outcomes,
    reviewer,
    scripted,
    session_of,
    skips,
    texts,
    transcript,
)

pytestmark = pytest.mark.anyio

CONCERN = note("The lock is never released.")
BLOCKER = note("The data is gone.", Severity.BLOCKER)


async def test_a_store_that_fails_before_the_call_keeps_everybody_from_being_called() -> None:
    asked, store, sink = scripted(CONCERN), FailingStore(), RecordingSink()
    store.failing = True
    async with session_of(every_turn(asked), store=store, sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
        assert session.state.reviewer("one").periodic_used == 0
        assert session.state.turn == 1
    assert (skips(guidance), guidance.messages) == ({"one": SkipReason.STORE_UNAVAILABLE}, [])
    assert asked.reviews == []
    assert {event.error for event in sink.of(CheckpointFailed)} == {"the disk is full"}


async def test_a_finish_without_a_store_is_unavailable_and_lets_the_answer_go() -> None:
    store = FailingStore()
    store.failing = True
    async with session_of(reviewer(scripted(BLOCKER)), store=store) as session:
        guidance = await session.finish(answering("done"), answer="done")
    assert (guidance.reopen, guidance.result, guidance.verdict) == (
        False,
        FinishResult.UNAVAILABLE,
        Verdict.UNAVAILABLE,
    )


async def test_a_store_that_fails_after_the_call_loses_no_note() -> None:
    store, sink = FailingStore(), RecordingSink()
    store.fails_from_save = 2
    async with session_of(every_turn(scripted(CONCERN)), store=store, sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == [CONCERN.text]
    assert outcomes(guidance) == {"one": OutcomeKind.NOTED}
    assert [event.error for event in sink.of(CheckpointFailed)] == ["the disk is full"]


async def test_the_next_save_writes_all_that_the_last_one_could_not() -> None:
    store, messages = FailingStore(), transcript(0)
    store.fails_from_save = 2
    async with session_of(every_turn(scripted(CONCERN, BLOCKER)), store=store) as session:
        await run_turns(session, 1, messages=messages)
        store.fails_from_save = 0
        guidances = await run_turns(session, 1, messages=messages)
        assert await store.load("s") == session.state
    assert texts(guidances[0]) == [BLOCKER.text]


async def test_a_repeat_after_a_lost_save_is_still_a_repeat() -> None:
    store, asked = FailingStore(), scripted(CONCERN)
    store.fails_from_save = 2
    async with session_of(every_turn(asked), store=store) as session:
        first = await session.boundary(transcript(), turn=1)
        again = await session.boundary(transcript(), turn=1)
    assert (len(asked.reviews), again.advisory) == (1, first.advisory)


async def test_a_quiet_boundary_goes_on_without_a_store_and_catches_up() -> None:
    store, sink = FailingStore(), RecordingSink()
    store.failing = True
    config = reviewer(scripted(CONCERN), interval_turns=3, max_rounds=0)
    async with session_of(config, store=store, sinks=[sink]) as session:
        messages = transcript(0)
        await run_turns(session, 2, messages=messages)
        assert len(sink.of(CheckpointFailed)) == 2
        store.failing = False
        guidances = await run_turns(session, 1, messages=messages)
        assert await store.load("s") == session.state
    assert texts(guidances[0]) == [CONCERN.text]


@pytest.mark.parametrize("call", ["new_request", "abort", "rewound", "compacted"])
async def test_no_other_call_raises_because_of_a_store(call: str) -> None:
    store = FailingStore()
    arguments: dict[str, list[Any]] = {"new_request": ["Next."], "rewound": [0]}
    async with session_of(every_turn(scripted()), store=store) as session:
        await session.boundary(transcript())
        store.failing = True
        await getattr(session, call)(*arguments.get(call, []))
        store.failing = False
        await session.boundary([*transcript(), *turn_messages(2)], turn=2)
        assert await store.load("s") == session.state


async def test_a_second_process_is_found_out_and_changes_nothing() -> None:
    store = MemoryStore()
    async with (
        ReviewScheduler([every_turn(scripted())], store=store) as first,
        ReviewScheduler([every_turn(scripted())], store=store) as second,
    ):
        ours, theirs = await first.session("s"), await second.session("s")
        await ours.boundary(transcript())
        before, held = theirs.state, await store.load("s")
        with pytest.raises(RevisionConflictError, match="session 's'") as raised:
            await theirs.boundary(transcript())
        assert isinstance(raised.value, HostError)
        assert (theirs.state, await store.load("s")) == (before, held)


class BrokenStore(MemoryStore):
    """A store that breaks its contract: what it raises is its own."""

    def __init__(self, *broken: str) -> None:
        super().__init__()
        self._broken = broken

    def _break(self, what: str) -> None:
        if what in self._broken:
            raise OSError("the network is gone")

    async def open(self) -> None:
        """Open, or break."""
        self._break("open")

    async def load(self, session: str) -> SessionState | None:
        """Load, or break."""
        self._break("load")
        return await super().load(session)

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save, or break."""
        self._break("save")
        await super().save(state, changes)

    async def close(self) -> None:
        """Close, or break."""
        self._break("close")


@pytest.mark.parametrize("broken", ["open", "load", "save", "close"])
async def test_a_store_that_raises_something_else_is_a_store_that_fails(broken: str) -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN)), store=BrokenStore(broken), sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == ([] if broken in ("load", "save") else [CONCERN.text])
    assert {event.error for event in sink.of(CheckpointFailed)} == {"OSError: the network is gone"}


class UnreadableStore(FailingStore):
    """A store that cannot read."""

    def __init__(self, error: StoreError) -> None:
        super().__init__()
        self._error = error

    async def load(self, session: str) -> SessionState | None:
        """Fail."""
        raise self._error


async def test_a_session_that_cannot_be_read_starts_empty_and_says_so() -> None:
    sink = RecordingSink()
    async with ReviewScheduler([], store=UnreadableStore(StoreError("no such disk")), sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
    assert session.state.turn == 0
    assert [(event.session, event.error) for event in sink.of(CheckpointFailed)] == [("s", "no such disk")]


class ReopeningStore(MemoryStore):
    """A store that cannot read as long as the test says so."""

    def __init__(self) -> None:
        super().__init__()
        self.blind = False

    async def load(self, session: str) -> SessionState | None:
        """Fail, or read."""
        if self.blind:
            raise StoreError("database is locked")
        return await super().load(session)


async def test_a_session_that_could_not_be_read_goes_on_from_what_the_store_holds_once_it_can_be() -> None:
    store, said = ReopeningStore(), scripted(BLOCKER)
    async with ReviewScheduler([every_turn(said)], store=store) as scheduler:
        await (await scheduler.session("s", request="Do it.")).boundary(transcript(1))
    store.blind = True
    async with ReviewScheduler([every_turn(said)], store=store) as scheduler:
        session = await scheduler.session("s", request="Do it.")
        blind = await session.boundary(transcript(2))
        store.blind = False
        seeing = await session.boundary(transcript(3))
        assert (await store.load("s")) == session.state
    assert skips(blind) == {"one": SkipReason.STORE_UNAVAILABLE}
    assert (seeing.turn, seeing.outcomes != ()) == (2, True)
    assert session.state.request == 1, "the same text in another process is a restart, not a request"
    assert session.state.reviewer("one").periodic_used == 2


async def test_a_session_of_a_newer_version_is_refused() -> None:
    async with ReviewScheduler([], store=UnreadableStore(StateVersionError("written by version 9"))) as scheduler:
        with pytest.raises(StateVersionError):
            await scheduler.session("s")


async def test_a_store_of_a_newer_version_is_not_opened() -> None:
    class Newer(MemoryStore):
        async def open(self) -> None:
            raise StateVersionError("written by version 9")

    with pytest.raises(StateVersionError):
        async with ReviewScheduler([], store=Newer()):
            raise AssertionError("it is not open")


async def test_a_busy_boundary_is_saved_twice_and_a_quiet_one_once() -> None:
    store = FailingStore()
    async with session_of(reviewer(scripted(), interval_turns=2, max_rounds=0), store=store) as session:
        counts = []
        messages = [TASK]
        for turn in (1, 2, 3):
            messages += turn_messages(turn)
            before = store.saves
            await session.boundary(messages)
            counts.append(store.saves - before)
    assert counts == [1, 2, 1]


async def test_a_quiet_boundary_is_no_checkpoint_of_its_own() -> None:
    sink = RecordingSink()
    async with session_of(reviewer(scripted(), interval_turns=9), sinks=[sink]) as session:
        await run_turns(session, 5)
    assert len(sink.of(Checkpointed)) == 1
