"""What a review has used is known however it ends, attempt by attempt and model by model."""

from __future__ import annotations

import threading
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from foureyes.charging import charge, expect
from foureyes.core.facts import Reply, Review, Spend, Usage
from foureyes.errors import ReviewerError, TransientReviewerError
from foureyes.guidance import Guidance
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink

from .shell import every_turn, session_of, transcript

pytestmark = pytest.mark.anyio

GUESS = Usage(input_tokens=100, output_tokens=50, cost_usd=1.0)
USED = Usage(input_tokens=90, output_tokens=15, cost_usd=0.5)


async def settled(function: Any, **settings: Any) -> tuple[ReviewSettled, Usage, Guidance]:
    """Return how one review of the function was settled, and what its session has spent then."""
    sink = RecordingSink()
    async with session_of(every_turn(function, **settings), sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
        [event] = sink.of(ReviewSettled)
        return event, session.state.reviewer("one").spent, guidance


async def test_a_charge_replaces_what_was_expected() -> None:
    async def reviews(review: Review) -> list[object]:
        expect(GUESS, model="small")
        charge(USED, model="small")
        return []

    event, spent, _ = await settled(reviews)
    assert event.spent == (Spend(model="small", usage=USED),)
    assert spent == USED


async def test_what_was_expected_and_never_charged_counts_in_full() -> None:
    async def fails(review: Review) -> None:
        expect(GUESS, model="small")
        raise ReviewerError("gone")

    event, spent, _ = await settled(fails)
    assert (event.spent, spent) == ((Spend(model="small", usage=GUESS),), GUESS)


async def test_a_review_that_is_cut_off_has_been_paid_for() -> None:
    async def hangs(review: Review) -> None:
        charge(USED, model="small")
        expect(GUESS, model="large")
        await anyio.sleep_forever()

    event, spent, _ = await settled(hangs, timeout_seconds=0.01)
    assert [spend.model for spend in event.spent] == ["small", "large"]
    assert spent == USED + GUESS


async def test_every_attempt_is_charged() -> None:
    async def fails(review: Review) -> None:
        charge(USED)
        raise TransientReviewerError(retry_after=0)

    event, spent, _ = await settled(fails, max_attempts=3)
    assert (event.attempts, len(event.spent)) == (3, 3)
    assert spent.input_tokens == 270


async def test_what_a_reply_reports_is_added_to_what_was_charged() -> None:
    async def reviews(review: Review) -> Reply:
        charge(USED, model="small")
        return Reply(usage=GUESS)

    event, spent, _ = await settled(reviews)
    assert event.spent == (Spend(model="small", usage=USED), Spend(model="", usage=GUESS))
    assert spent == USED + GUESS


async def test_a_reviewer_in_a_thread_charges_its_own_review() -> None:
    def blocks(review: Review) -> list[object]:
        charge(USED, model=threading.current_thread().name)
        return []

    event, _, _ = await settled(blocks)
    assert event.spent == (Spend(model="foureyes-reviewer", usage=USED),)


async def test_reviews_at_the_same_time_do_not_pay_for_each_other() -> None:
    async def reviews(review: Review) -> list[object]:
        for _ in range(3):
            await anyio.lowlevel.checkpoint()
            charge(Usage(input_tokens=1, cost_usd=0.0), model=review.reviewer)
        return []

    sink = RecordingSink()
    configs = [every_turn(reviews, name) for name in ("a", "b", "c")]
    async with session_of(*configs, sinks=[sink]) as session:
        await session.boundary(transcript())
    for event in sink.of(ReviewSettled):
        assert [spend.model for spend in event.spent] == [event.reviewer] * 3


async def test_an_unknown_cost_makes_the_sum_unknown() -> None:
    async def reviews(review: Review) -> list[object]:
        charge(USED)
        charge(Usage(input_tokens=5))
        return []

    event, spent, _ = await settled(reviews)
    assert event.usage.cost_usd is None
    assert (spent.input_tokens, spent.cost_usd) == (95, None)


@pytest.mark.parametrize("rubbish", [None, "many", Usage(input_tokens=-5), Usage(input_tokens=True), 42])
async def test_a_charge_that_is_none_costs_nothing_and_hurts_nobody(rubbish: Any) -> None:
    async def reviews(review: Review) -> list[object]:
        charge(rubbish, model=rubbish)
        return []

    event, spent, _ = await settled(reviews)
    assert (event.usage.input_tokens, spent.input_tokens) == (0, 0)


def test_outside_of_a_review_a_charge_does_nothing() -> None:
    expect(GUESS)
    charge(USED)
