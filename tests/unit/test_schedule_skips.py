"""The one reason given for somebody who is due and not called, and what a crash leaves behind."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.ledger import started
from foureyes.core.schedule import decide
from foureyes.core.state import SessionState, Started
from foureyes.core.words import SkipReason, Stop, Trigger

from .builders import called_at, config, fresh, moment, progress, skip, step, with_progress

EVERY = {"interval_turns": 1, "max_periodic_reviews": 1_000}


# --- skips ---


@pytest.mark.parametrize(("turn", "reason"), [(4, SkipReason.COOLDOWN), (5, None), (6, None)])
def test_a_cooldown_ends_with_the_turn_it_names(turn: int, reason: SkipReason | None) -> None:
    reviewer = config(**EVERY)
    here = step(with_progress(fresh(reviewer), "correctness", cooldown_until=5), [reviewer], turn)
    assert here.skipped.get("correctness") == reason
    if reason:
        assert here.decision.skips == (skip(reason, turn, 5),)


@pytest.mark.parametrize(("used", "called"), [(0, True), (3, True), (4, False), (5, False)])
def test_a_cap_is_reached_at_its_number_and_says_how_many_were_spent(used: int, called: bool) -> None:
    reviewer = config(interval_turns=1, max_periodic_reviews=4)
    here = step(with_progress(fresh(reviewer), "correctness", periodic_used=used), [reviewer], 1)
    assert here.called == (["correctness"] if called else [])
    assert called or here.decision.skips == (skip(SkipReason.CAP, used, 4),)


def test_the_two_caps_do_not_touch_each_other() -> None:
    reviewer = config(interval_turns=1, max_periodic_reviews=1, max_rounds=1)
    spent = with_progress(fresh(reviewer), "correctness", periodic_used=1)
    assert step(spent, [reviewer], 1, stop=Stop.ANSWER).called == ["correctness"]
    finished = with_progress(fresh(reviewer), "correctness", rounds_used=1)
    assert step(finished, [reviewer], 1).called == ["correctness"]


OBSTACLES = {
    # In the order of the rules: what ends the matter for the request comes before what only delays it.
    "disabled": SkipReason.DISABLED,
    "stopped": SkipReason.STOP_REASON,
    "aborted": SkipReason.ABORTED,
    "paused": SkipReason.PAUSED,
    "muted": SkipReason.MUTED,
    "capped": SkipReason.CAP,
    "cooling": SkipReason.COOLDOWN,
    "busy": SkipReason.BUSY,
    "idle": SkipReason.NOTHING_NEW,
}
AT_BOUNDARIES = [name for name in OBSTACLES if name != "stopped"]
AT_FINISHES = [name for name in OBSTACLES if name not in {"cooling", "idle"}]


def reason_given(obstacles: set[str], *, finish: bool) -> SkipReason:
    """Return the reason that is given where all of these stand in the way at once."""
    reviewer = config(enabled="disabled" not in obstacles, interval_turns=1, max_periodic_reviews=2)
    state = with_progress(
        fresh(reviewer),
        "correctness",
        muted="muted" in obstacles,
        periodic_used=2 if "capped" in obstacles else 0,
        rounds_used=2 if "capped" in obstacles else 0,
        cooldown_until=9 if "cooling" in obstacles else 0,
    )
    names = {key: frozenset({"correctness"}) for key in ("paused", "busy", "idle") if key in obstacles}
    stop = (Stop.BUDGET if "stopped" in obstacles else Stop.ANSWER) if finish else None
    decision = decide([reviewer], state, moment(5, stop, aborted="aborted" in obstacles, **names))
    assert decision.calls == ()
    assert len(decision.skips) == 1
    return decision.skips[0].reason


@pytest.mark.parametrize("obstacle", AT_BOUNDARIES)
def test_each_obstacle_at_a_boundary_is_given_as_the_reason(obstacle: str) -> None:
    assert reason_given({obstacle}, finish=False) == OBSTACLES[obstacle]


@pytest.mark.parametrize("obstacle", AT_FINISHES)
def test_each_obstacle_at_a_finish_is_given_as_the_reason(obstacle: str) -> None:
    assert reason_given({obstacle}, finish=True) == OBSTACLES[obstacle]


@pytest.mark.parametrize(("first", "second"), list(combinations(AT_BOUNDARIES, 2)))
def test_of_two_obstacles_at_a_boundary_the_one_that_ends_the_matter_is_named(first: str, second: str) -> None:
    assert reason_given({first, second}, finish=False) == OBSTACLES[first]


@pytest.mark.parametrize(("first", "second"), list(combinations(AT_FINISHES, 2)))
def test_of_two_obstacles_at_a_finish_the_one_that_ends_the_matter_is_named(first: str, second: str) -> None:
    assert reason_given({first, second}, finish=True) == OBSTACLES[first]


def test_a_reviewer_whose_record_is_damaged_is_skipped_like_one_that_is_switched_off() -> None:
    reviewer = config(**EVERY)
    state = with_progress(fresh(reviewer), "correctness", damaged="the counter is negative")
    assert step(state, [reviewer], 1).skipped == {"correctness": SkipReason.DISABLED}


def test_what_hinders_one_reviewer_does_not_hinder_another() -> None:
    configs = [config(name, **EVERY) for name in ("busy", "free", "paused")]
    here = moment(1, busy=frozenset({"busy"}), paused=frozenset({"paused"}))
    decision = decide(configs, fresh(*configs), here)
    assert [call.reviewer for call in decision.calls] == ["free"]
    assert [(one.reviewer, one.reason) for one in decision.skips] == [
        ("busy", SkipReason.BUSY),
        ("paused", SkipReason.PAUSED),
    ]


def test_a_reviewer_that_is_not_due_is_neither_called_nor_skipped_whatever_hinders_it() -> None:
    reviewer = config(enabled=False, interval_turns=5)
    state = with_progress(fresh(reviewer), "correctness", muted=True, periodic_used=99, cooldown_until=99)
    decision = decide([reviewer], state, moment(4, busy=frozenset({"correctness"})))
    assert (decision.calls, decision.skips, decision.interrupted) == ((), (), ())


# --- a crash ---


def crashed(reviewer: ReviewerConfig, turn: int, stop: Stop | None = None) -> SessionState:
    """Return the state of a process that died between the charge and the result."""
    state = fresh(reviewer, turn=turn - 1)
    return started(state, decide([reviewer], state, moment(turn, stop)).calls)


@pytest.mark.parametrize("stop", [None, Stop.ANSWER])
def test_a_review_that_a_crash_cut_off_is_repeated_under_its_own_key_and_without_a_charge(stop: Stop | None) -> None:
    reviewer = config(interval_turns=3, max_periodic_reviews=1, max_rounds=1)
    state = crashed(reviewer, 3, stop)
    first = decide([reviewer], fresh(reviewer, turn=2), moment(3, stop)).calls[0]
    again = decide([reviewer], state, moment(3, stop))
    assert again.calls == (replace(first, attempt=2),)
    charged = progress(started(state, again.calls))
    assert (charged.periodic_used, charged.rounds_used) == ((0, 1) if stop else (1, 0))


def test_a_review_that_is_cut_off_for_the_second_time_counts_as_interrupted() -> None:
    reviewer = config(interval_turns=3)
    state = crashed(reviewer, 3)
    state = started(state, decide([reviewer], state, moment(3)).calls)
    decision = decide([reviewer], state, moment(3))
    assert (decision.calls, decision.skips) == ((), ())
    assert [(call.reviewer, call.turn) for call in decision.interrupted] == [("correctness", 3)]


@pytest.mark.parametrize(
    ("turn", "stop"), [(4, None), (3, Stop.ANSWER), (4, Stop.ANSWER), (3, Stop.BUDGET), (3, Stop.ABORTED)]
)
def test_a_review_whose_moment_has_passed_cannot_be_repeated(turn: int, stop: Stop | None) -> None:
    reviewer = config(interval_turns=3)
    decision = decide([reviewer], crashed(reviewer, 3), moment(turn, stop))
    assert decision.calls == ()
    assert [(call.turn, call.trigger) for call in decision.interrupted] == [(3, Trigger.PERIODIC)]


def test_an_interrupted_reviewer_is_due_again_after_its_interval() -> None:
    reviewer = config(interval_turns=3)
    state = with_progress(fresh(reviewer), "correctness", last_review=3, periodic_used=1)
    assert called_at([reviewer], range(4, 8), state=state)[0] == [6]


def test_a_crash_of_one_review_does_not_repeat_those_that_were_not_under_way() -> None:
    configs = [config("cut", interval_turns=3), config("settled", interval_turns=3)]
    state = fresh(*configs, turn=2)
    state = with_progress(
        state, "cut", last_review=3, started=Started(turn=3, trigger=Trigger.PERIODIC, last_review=0, round=0)
    )
    state = with_progress(state, "settled", last_review=3, periodic_used=1)
    assert [(call.reviewer, call.attempt) for call in decide(configs, state, moment(3)).calls] == [("cut", 2)]
