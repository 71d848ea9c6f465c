"""What may still be used, and who is not called because it is too little."""

from __future__ import annotations

from math import inf
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.charging import charge, expect
from foureyes.core.backend import BudgetConfig
from foureyes.core.budget import UNBOUNDED, Room, room
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import NO_USAGE, Review, Usage
from foureyes.core.words import OutcomeKind, SkipReason
from foureyes.errors import TransientReviewerError
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink

from .shell import Gate, every_turn, outcomes, session_of, skips, transcript


def tokens(number: int, cost: float | None = None) -> Usage:
    return Usage(input_tokens=number, cost_usd=cost)


@pytest.mark.parametrize(
    ("left", "estimate", "fits"),
    [
        (Room(tokens=10), tokens(10), True),
        (Room(tokens=10), tokens(11), False),
        (Room(tokens=10), Usage(input_tokens=6, output_tokens=5), False),
        (Room(tokens=0), tokens(0, 0.0), True),
        (Room(tokens=0), NO_USAGE, False),
        (Room(tokens=1), NO_USAGE, True),
        (Room(usd=1.0), tokens(5, 1.0), True),
        (Room(usd=1.0), tokens(5, 1.01), False),
        (Room(usd=1.0), tokens(5), False),
        (Room(usd=0.0), tokens(5, 0.0), True),
        (Room(usd=0.0), NO_USAGE, False),
        (Room(usd=-1.0), tokens(5, 0.0), False),
        (UNBOUNDED, tokens(10**9), True),
        (UNBOUNDED, NO_USAGE, True),
    ],
)
def test_an_estimate_fits_up_to_what_is_left_and_an_unknown_cost_fits_no_bound(
    left: Room, estimate: Usage, fits: bool
) -> None:
    assert left.fits(estimate) is fits


@pytest.mark.parametrize(
    ("budget", "session", "request_", "left"),
    [
        ({}, tokens(9, 9.0), tokens(9, 9.0), UNBOUNDED),
        ({"tokens_per_request": 10}, tokens(100), tokens(4), Room(tokens=6)),
        ({"tokens_per_session": 10}, tokens(8), tokens(0), Room(tokens=2)),
        ({"tokens_per_request": 10, "tokens_per_session": 20}, tokens(15), tokens(2), Room(tokens=5)),
        ({"tokens_per_request": 10}, tokens(50), tokens(50), Room(tokens=0)),
        ({"usd_per_request": 1.0}, tokens(9, 5.0), tokens(3, 0.25), Room(usd=0.75)),
        ({"usd_per_session": 1.0}, tokens(9, 5.0), tokens(0, 0.0), Room(usd=0.0)),
        ({"usd_per_session": 1.0}, tokens(9), tokens(0, 0.0), Room(usd=-1.0)),
    ],
)
def test_what_is_left_is_the_least_of_all_bounds(
    budget: dict[str, Any], session: Usage, request_: Usage, left: Room
) -> None:
    assert room(BudgetConfig(**budget), session=session, request=request_) == left


@given(st.floats(0, 100), st.lists(st.floats(0, 30), max_size=8))
def test_what_fits_one_after_another_never_goes_beyond(limit: float, costs: list[float]) -> None:
    left, used = Room(usd=limit), 0.0
    for cost in costs:
        if left.fits(tokens(1, cost)):
            left, used = left.without(tokens(1, cost)), used + cost
    assert used <= limit + 1e-9
    assert left.tokens == inf


# --- reviews ---


class Metered:
    """A reviewer that says what it will use, and uses it."""

    def __init__(self, guess: Usage, used: Usage | None = None, errors: int = 0) -> None:
        self.guess, self.used, self.errors = guess, used or guess, errors
        self.calls = 0

    def estimate(self, review: Review) -> Usage:
        """Return the guess."""
        return self.guess

    async def __call__(self, review: Review) -> list[object]:
        """Use it, and fail as often as was said."""
        expect(self.guess)
        self.calls += 1
        charge(self.used)
        if self.calls <= self.errors:
            raise TransientReviewerError(retry_after=0)
        return []


def costing(guess: Usage, name: str = "one", **settings: Any) -> tuple[ReviewerConfig, Metered]:
    settings = dict(settings)
    function = Metered(guess, settings.pop("used", None), settings.pop("errors", 0))
    return every_turn(function, name, **settings), function


@pytest.mark.anyio
async def test_reviewers_at_one_boundary_share_what_is_left_in_their_order() -> None:
    pairs = [costing(tokens(40), name) for name in ("a", "b", "c")]
    budget = BudgetConfig(tokens_per_request=100)
    async with session_of(*(config for config, _ in pairs), budget=budget) as session:
        first = await session.boundary(transcript(1))
        second = await session.boundary(transcript(2))
    assert (set(outcomes(first)), skips(first)) == ({"a", "b"}, {"c": SkipReason.BUDGET})
    assert skips(second) == dict.fromkeys("abc", SkipReason.BUDGET)


@pytest.mark.anyio
async def test_a_reviewers_own_budget_binds_it_alone() -> None:
    (bound, _), (free, _) = costing(tokens(60), "a", budget={"tokens_per_request": 100}), costing(tokens(60), "b")
    async with session_of(bound, free) as session:
        await session.boundary(transcript(1))
        guidance = await session.boundary(transcript(2))
    assert (skips(guidance), set(outcomes(guidance))) == ({"a": SkipReason.BUDGET}, {"b"})


@pytest.mark.anyio
async def test_a_new_request_refills_its_budget_and_not_that_of_the_session() -> None:
    budget = {"tokens_per_request": 60, "tokens_per_session": 100}
    config, function = costing(tokens(50), budget=budget)
    async with session_of(config, request="One.") as session:
        await session.boundary(transcript(1))
        spent = await session.boundary(transcript(2))
        await session.new_request("Two.")
        await session.boundary(transcript(3))
        await session.new_request("Three.")
        over = await session.boundary(transcript(4))
    assert skips(spent) == skips(over) == {"one": SkipReason.BUDGET}
    assert function.calls == 2


@pytest.mark.anyio
async def test_another_attempt_is_only_made_while_the_budget_has_room_for_it() -> None:
    sink = RecordingSink()
    config, function = costing(tokens(40), errors=9, max_attempts=5, budget={"tokens_per_request": 100})
    async with session_of(config, sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
        spent = session.state.reviewer("one").spent
    assert (function.calls, spent.input_tokens) == (2, 80)
    assert outcomes(guidance) == {"one": OutcomeKind.ERROR}
    assert "budget" in sink.of(ReviewSettled)[0].error


@pytest.mark.anyio
async def test_attempts_of_one_do_not_eat_what_is_set_aside_for_another() -> None:
    greedy, _ = costing(tokens(40), "a", errors=9, max_attempts=5)
    modest, function = costing(tokens(40), "b")
    async with session_of(greedy, modest, budget=BudgetConfig(tokens_per_request=100)) as session:
        await session.boundary(transcript())
        used = sum(session.state.reviewer(name).spent.input_tokens for name in "ab")
    assert (function.calls, used) == (1, 80)


@pytest.mark.anyio
async def test_a_reviewer_that_cannot_say_what_it_will_use_is_called_until_nothing_is_left() -> None:
    async def silent(review: Review) -> list[object]:
        charge(tokens(60))
        return []

    config = every_turn(silent, budget={"tokens_per_request": 100})
    async with session_of(config) as session:
        guidances = [await session.boundary(transcript(turn)) for turn in (1, 2, 3)]
    assert [set(outcomes(guidance)) for guidance in guidances] == [{"one"}, {"one"}, set()]


@pytest.mark.anyio
async def test_an_unknown_cost_is_never_taken_for_nothing_where_money_is_bounded() -> None:
    config, _ = costing(tokens(5), budget={"usd_per_request": 100.0})
    async with session_of(config) as session:
        assert skips(await session.boundary(transcript())) == {"one": SkipReason.BUDGET}


class HostsAccount:
    """What a host keeps of its agent's requests, as nested runs share it."""

    def __init__(self, limit: int, used: int, kept: int) -> None:
        self.limit, self.used, self.kept, self.reserved = limit, used, kept, 0
        self.settled: list[tuple[str, int]] = []

    def reserve(self, reviewer: str, estimate: Usage) -> bool:
        """Grant a request while the agent's own next ones are safe."""
        fits = self.used + self.reserved + self.kept < self.limit
        self.reserved += fits
        return fits

    def settle(self, reviewer: str, estimate: Usage, used: Usage) -> None:
        """Count it."""
        self.reserved -= 1
        self.used += 1
        self.settled.append((reviewer, used.input_tokens))


@pytest.mark.anyio
async def test_reviews_leave_the_agents_own_next_request_its_place_in_a_shared_account() -> None:
    """As in https://github.com/pydantic/pydantic-ai-harness/issues/528: nested runs overshot the limit of the whole."""
    account = HostsAccount(limit=5, used=3, kept=1)
    pairs = [costing(tokens(10), name, used=tokens(7)) for name in ("a", "b", "c")]
    async with session_of(*(config for config, _ in pairs), shared_usage=account) as session:
        guidance = await session.boundary(transcript())
    assert (set(outcomes(guidance)), skips(guidance)) == ({"a"}, dict.fromkeys("bc", SkipReason.BUDGET))
    assert (account.used, account.reserved, account.settled) == (4, 0, [("a", 7)])


@pytest.mark.anyio
async def test_what_a_review_had_used_before_its_host_was_cancelled_is_charged_to_the_shared_account() -> None:
    account, gate, sink = HostsAccount(limit=5, used=0, kept=0), Gate(), RecordingSink()

    async def uses(review: Review) -> object:
        charge(tokens(7))
        return await gate(review)

    async with session_of(every_turn(uses), shared_usage=account, sinks=[sink]) as session:
        with anyio.fail_after(5):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(session.boundary, transcript())
                await gate.entered.wait()
                tasks.cancel_scope.cancel()
    assert [event.usage.input_tokens for event in sink.of(ReviewSettled)] == [7]
    assert (account.reserved, account.settled) == (0, [("one", 7)])


class Broken:
    """An account that only raises."""

    def reserve(self, reviewer: str, estimate: Usage) -> bool:
        """Raise."""
        raise RuntimeError("no")

    def settle(self, reviewer: str, estimate: Usage, used: Usage) -> None:
        """Raise."""
        raise RuntimeError("no")


@pytest.mark.anyio
async def test_an_account_that_raises_costs_the_review_and_not_the_run() -> None:
    config, _ = costing(tokens(10))
    async with ReviewScheduler([config], shared_usage=Broken()) as scheduler:
        guidance = await (await scheduler.session("s")).boundary(transcript())
    assert skips(guidance) == {"one": SkipReason.BUDGET}


LET_THROUGH: list[Review] = []


async def unpriced(review: Review) -> list[object]:
    """Ask a model of which nobody knows the price."""
    expect(tokens(40))
    LET_THROUGH.append(review)
    return []


@pytest.mark.anyio
async def test_a_fallback_of_unknown_cost_never_fits_where_money_is_bounded() -> None:
    config, function = costing(tokens(40, 0.01), errors=9, max_attempts=2, budget={"usd_per_request": 0.5})

    config = config.model_copy(update={"fallbacks": (f"{__name__}:unpriced",)})
    sink, before = RecordingSink(), len(LET_THROUGH)
    async with session_of(config, sinks=[sink]) as session:
        await session.boundary(transcript())
    assert (function.calls, len(LET_THROUGH) - before) == (2, 0)
    assert "budget" in sink.of(ReviewSettled)[0].error


@pytest.mark.anyio
async def test_further_attempts_are_reserved_with_the_hosts_account_too() -> None:
    account = HostsAccount(limit=5, used=2, kept=1)
    config, function = costing(tokens(10), errors=9, max_attempts=5)
    async with session_of(config, shared_usage=account) as session:
        await session.boundary(transcript())
    assert (function.calls, account.used, account.reserved) == (2, 4, 0)
    assert [used for _, used in account.settled] == [20, 0]
