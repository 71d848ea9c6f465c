"""A process that dies in the middle of a review: it is repeated once, under its own key and charge."""

from __future__ import annotations

from functools import partial

import anyio
import pytest

from foureyes.core.changes import Changes
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Review
from foureyes.core.state import SessionState
from foureyes.core.words import OutcomeKind, Severity
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink, note

from .shell import Gate, answering, every_turn, outcomes, reviewer, scripted, texts, transcript

pytestmark = pytest.mark.anyio

BLOCKER = note("The data is gone.", Severity.BLOCKER)


async def after_a_crash(config: ReviewerConfig, held: SessionState | None = None, *, turn: int = 1) -> SessionState:
    """Return what a store holds of a process that died while its reviewer was at work on a boundary."""
    gate, store = Gate(), await store_of(held)
    dying = config.model_copy(update={"reviewer": gate})
    async with ReviewScheduler([dying], store=store) as scheduler, anyio.create_task_group() as tasks:
        session = await scheduler.session("s")
        finish = partial(session.finish, answering("done", turn), answer="done", turn=turn)
        boundary = partial(session.boundary, transcript(turn), turn=turn)
        tasks.start_soon(boundary if config.periodic else finish)
        await gate.entered.wait()
        saved = await store.load("s")
        tasks.cancel_scope.cancel()
    assert saved is not None
    return saved


async def store_of(state: SessionState | None) -> MemoryStore:
    """Return a store that holds the state."""
    store = MemoryStore()
    if state is not None:
        first = Changes(None, state)
        await store.save(state, first)
    return store


def named(review: Review) -> str:
    """Return what the key of a review names, without the digest of its content."""
    return review.key.rpartition(":")[0]


async def test_the_charge_is_saved_before_the_reviewer_is_called() -> None:
    saved = await after_a_crash(every_turn(scripted()))
    progress = saved.reviewer("one")
    assert progress.started is not None
    assert (progress.periodic_used, progress.last_review, saved.turn) == (1, 1, 0)


async def test_an_interrupted_review_is_repeated_under_its_key_and_without_a_new_charge() -> None:
    said = scripted(BLOCKER)
    config = every_turn(said, max_periodic_reviews=1)
    store = await store_of(await after_a_crash(config))
    async with ReviewScheduler([config], store=store) as scheduler:
        session = await scheduler.session("s")
        guidance = await session.boundary(transcript(1), turn=1)
        assert session.state.reviewer("one").periodic_used == 1
    assert texts(guidance) == [BLOCKER.text]
    assert [(named(review), review.attempt) for review in said.reviews] == [("s:1:one:periodic", 2)]


async def test_an_interrupted_finish_review_is_repeated_as_one() -> None:
    said = scripted(BLOCKER)
    config = reviewer(said, max_rounds=1)
    store = await store_of(await after_a_crash(config))
    async with ReviewScheduler([config], store=store) as scheduler:
        session = await scheduler.session("s")
        guidance = await session.finish(answering("done"), answer="done", turn=1)
        assert session.state.reviewer("one").rounds_used == 1
    assert guidance.reopen
    assert [(named(review), review.round, review.attempt) for review in said.reviews] == [("s:1:one:finish", 0, 2)]


async def test_after_a_second_crash_it_counts_as_interrupted_and_is_not_asked_again() -> None:
    sink, said = RecordingSink(), scripted(BLOCKER)
    config = every_turn(said)
    store = await store_of(await after_a_crash(config, await after_a_crash(config)))
    async with ReviewScheduler([config], store=store, sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
        guidance = await session.boundary(transcript(1), turn=1)
        later = await session.boundary(transcript(2), turn=2)
        assert session.state.reviewer("one").periodic_used == 2
    assert outcomes(guidance) == {"one": OutcomeKind.INTERRUPTED}
    assert [event.outcome for event in sink.of(ReviewSettled)] == [OutcomeKind.INTERRUPTED, OutcomeKind.NOTED]
    assert (said.turns, texts(later)) == ([2], [BLOCKER.text])


async def test_a_host_that_has_moved_on_does_not_have_it_repeated() -> None:
    said = scripted(BLOCKER)
    config = every_turn(said)
    store = await store_of(await after_a_crash(config))
    async with ReviewScheduler([config], store=store) as scheduler:
        session = await scheduler.session("s")
        guidance = await session.boundary(transcript(2), turn=2)
        later = await session.boundary(transcript(3), turn=3)
    assert outcomes(guidance) == {"one": OutcomeKind.INTERRUPTED}
    assert (said.turns, texts(later)) == ([3], [BLOCKER.text])


async def test_an_interrupted_review_is_no_failure_of_the_reviewer() -> None:
    config = every_turn(scripted())
    store = await store_of(await after_a_crash(config))
    async with ReviewScheduler([config], store=store) as scheduler:
        session = await scheduler.session("s")
        await session.boundary(transcript(2), turn=2)
        progress = session.state.reviewer("one")
    assert (progress.failures, progress.cooldown_until, progress.started) == (0, 0, None)


async def test_an_abort_drops_what_was_interrupted_and_refunds_it() -> None:
    said = scripted(BLOCKER)
    config = every_turn(said, max_periodic_reviews=1)
    store = await store_of(await after_a_crash(config))
    async with ReviewScheduler([config], store=store) as scheduler:
        session = await scheduler.session("s")
        await session.abort()
        assert session.state.reviewer("one").started is None
        messages = [*transcript(1), {"role": "user", "content": "Go on."}]
        guidance = await session.boundary(messages, turn=1)
    assert texts(guidance) == [BLOCKER.text]
    assert [review.attempt for review in said.reviews] == [1]
