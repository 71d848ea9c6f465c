"""When reviewers are due in a run without incidents."""

from __future__ import annotations

import pytest

from foureyes.commands.forecast import Forecast, forecasts
from foureyes.core.config import ReviewerConfig
from foureyes.core.schedule import Call
from foureyes.core.state import Skipped
from foureyes.core.words import SkipReason, Trigger


def forecast(boundaries: int, **settings: object) -> Forecast:
    """Return the forecast of one reviewer."""
    [found] = forecasts([ReviewerConfig.model_validate({"name": "sec", "use": "checks", **settings})], boundaries)
    return found


@pytest.mark.parametrize(
    ("interval", "cap", "boundaries"),
    [(1, 1, 1), (1, 3, 5), (3, 8, 40), (3, 8, 24), (10, 2, 9), (7, 100, 700), (0, 1, 9)],
)
def test_a_reviewer_is_called_at_every_interval_until_its_allowance_is_spent(
    interval: int, cap: int, boundaries: int
) -> None:
    due = [turn for turn in range(1, boundaries + 1) if interval and turn % interval == 0]
    found = forecast(boundaries, interval_turns=interval, max_periodic_reviews=cap)
    assert list(found.turns) == due[:cap]


def test_it_stays_due_and_capped_from_the_next_interval_on() -> None:
    found = forecast(12, interval_turns=3, max_periodic_reviews=2)
    assert [turn for turn, _ in found.skips] == [9, 10, 11, 12]
    assert {(skip.reason, skip.have, skip.limit) for _, skip in found.skips} == {(SkipReason.CAP, 2, 2)}
    assert found.marks == "..o..o..xxxx"


def test_a_disabled_reviewer_is_skipped_where_it_would_be_due() -> None:
    found = forecast(3, interval_turns=2, enabled=False)
    assert found.marks == ".xx"
    assert isinstance(found.finish, Skipped)
    assert found.finish.reason is SkipReason.DISABLED


@pytest.mark.parametrize(
    ("settings", "due"), [({}, True), ({"max_rounds": 0}, False), ({"triggers": ["periodic"]}, False)]
)
def test_a_reviewer_is_due_at_the_finish_if_it_has_rounds_and_the_trigger(
    settings: dict[str, object], due: bool
) -> None:
    assert isinstance(forecast(3, **settings).finish, Call) is due


def test_reviewers_do_not_spend_each_others_allowance() -> None:
    every_2 = ReviewerConfig(name="a", use="checks", interval_turns=2, max_periodic_reviews=1)
    every_3 = ReviewerConfig(name="b", use="checks", interval_turns=3, triggers=frozenset({Trigger.PERIODIC}))
    assert [found.marks for found in forecasts([every_2, every_3], 6)] == [".o.xxx", "..o..o"]


def test_no_reviewers_have_no_forecasts() -> None:
    assert forecasts([], 5) == []
