"""When a reviewer is paused for the whole process, and how it comes back."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.health import MAX_PAUSE_SECONDS, TRIAL_AFTER, Health


def failed(times: int, limit: int = 3) -> Health:
    """Return the health after failures in a row."""
    health = Health()
    for _ in range(times):
        health = health.failed(limit)
    return health


def skipped(health: Health, times: int) -> Health:
    """Return the health after the reviewer was passed over."""
    for _ in range(times):
        health = health.passed_over()
    return health


@pytest.mark.parametrize(("times", "limit", "paused"), [(0, 1, False), (1, 1, True), (2, 3, False), (3, 3, True)])
def test_as_many_failures_in_a_row_as_the_limit_pause(times: int, limit: int, paused: bool) -> None:
    assert failed(times, limit).paused is paused


def test_a_completed_review_starts_the_count_again() -> None:
    assert failed(2).recovered() == Health()
    assert not failed(2).recovered().failed(3).paused


@pytest.mark.parametrize(("times", "consulted"), [(0, False), (9, False), (10, True), (11, True)])
def test_the_trial_comes_after_ten_skips(times: int, consulted: bool) -> None:
    assert TRIAL_AFTER == 10
    assert skipped(failed(3), times).consulted(0.0) is consulted


def test_one_that_is_not_paused_is_consulted_whatever_it_was_skipped() -> None:
    assert skipped(Health(), 3).consulted(0.0)
    assert failed(2).consulted(0.0)


def test_a_failed_trial_renews_the_pause() -> None:
    health = skipped(failed(3), TRIAL_AFTER).failed(3)
    assert (health.paused, health.consulted(0.0), health.skipped) == (True, False, 0)


def test_a_completed_trial_ends_it() -> None:
    assert skipped(failed(3), TRIAL_AFTER).recovered() == Health()


def test_a_healthy_reviewer_stays_what_it_is() -> None:
    health = Health()
    assert health.recovered() == health


@given(st.lists(st.sampled_from(["failed", "recovered", "skipped"])), st.integers(1, 5))
def test_a_dead_reviewer_costs_at_most_a_tenth_of_what_it_would(history: list[str], limit: int) -> None:
    health = Health()
    for act in history:
        if act == "skipped":
            health = health.passed_over() if health.paused else health
        else:
            health = health.failed(limit) if act == "failed" else health.recovered()
        assert health.consulted(0.0) or health.paused
        assert health.paused or health.skipped == 0
        assert health.paused == (health.failures >= limit)


@pytest.mark.parametrize(("now", "consulted"), [(100.0, False), (141.9, False), (142.0, True), (150.0, True)])
def test_one_that_names_a_time_is_paused_at_once_and_tried_after_it(now: float, consulted: bool) -> None:
    health = Health().failed(3, now=100.0, pause_seconds=42.0)
    assert (health.paused, skipped(health, 50).consulted(now)) == (True, consulted)


@pytest.mark.parametrize("seconds", [math.inf, MAX_PAUSE_SECONDS + 1])
def test_one_that_names_no_time_or_too_long_a_one_is_tried_after_ten_skips(seconds: float) -> None:
    health = Health().failed(3, now=100.0, pause_seconds=seconds)
    assert health.paused
    assert not skipped(health, 9).consulted(10**9)
    assert skipped(health, 10).consulted(0.0)


def test_the_longest_time_to_wait_for_still_counts() -> None:
    assert Health().failed(3, now=0.0, pause_seconds=MAX_PAUSE_SECONDS).until == MAX_PAUSE_SECONDS


def test_a_trial_that_has_begun_is_the_only_one_whatever_the_time() -> None:
    health = Health().failed(3, now=0.0, pause_seconds=5.0)
    assert health.consulted(6.0)
    assert not health.tried().consulted(6.0)
