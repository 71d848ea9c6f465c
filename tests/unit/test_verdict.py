"""How a finish ends, for the run and for the answer: the whole table."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.facts import Outcome
from foureyes.core.guard import Limits
from foureyes.core.state import Skipped
from foureyes.core.verdict import concluded, may_reopen
from foureyes.core.words import FinishResult, OutcomeKind, Severity, SkipReason, Stop, Trigger, Verdict

from .builders import LIMITS, config, fresh, moment, with_progress

ALPHA, BETA = config("alpha"), config("beta")
CLEAN, CAPPED, UNAVAILABLE = FinishResult.CLEAN, FinishResult.CAPPED, FinishResult.UNAVAILABLE
APPROVED, CHANGES, UNREVIEWED = Verdict.APPROVED, Verdict.CHANGES_REQUESTED, Verdict.UNREVIEWED


def ended(
    outcomes: dict[str, OutcomeKind] | None = None,
    skipped: dict[str, SkipReason] | None = None,
    raised: dict[str, Severity] | None = None,
    *,
    stop: Stop = Stop.ANSWER,
    reopened: bool = False,
    limits: Limits = LIMITS,
) -> tuple[FinishResult, Verdict]:
    """Return how a finish ends where the reviewers' reviews ended, or were skipped, like this."""
    state = fresh(ALPHA, BETA)
    for name, severity in (raised or {}).items():
        state = with_progress(state, name, raised=severity.rank)
    held = [Outcome(reviewer=name, trigger=Trigger.FINISH, kind=kind) for name, kind in (outcomes or {}).items()]
    skips = [Skipped(reviewer=name, trigger=Trigger.FINISH, reason=why) for name, why in (skipped or {}).items()]
    end = concluded(state, moment(5, stop), held, skips, limits, reopened=reopened)
    return end.result, end.verdict


NOTED, QUIET = OutcomeKind.NOTED, OutcomeKind.QUIET
FAILED = [kind for kind in OutcomeKind if not kind.completed]


def test_nobody_to_review_is_clean_and_unreviewed() -> None:
    assert ended() == (CLEAN, UNREVIEWED)


@pytest.mark.parametrize("kinds", [{"alpha": QUIET}, {"alpha": NOTED}, {"alpha": QUIET, "beta": NOTED}])
def test_completed_reviews_with_nothing_strong_approve(kinds: dict[str, OutcomeKind]) -> None:
    assert ended(kinds) == (CLEAN, APPROVED)
    assert ended(kinds, raised={"alpha": Severity.NIT}) == (CLEAN, APPROVED)


@pytest.mark.parametrize("kind", FAILED)
def test_a_review_that_was_not_completed_makes_it_unavailable(kind: OutcomeKind) -> None:
    assert ended({"alpha": kind}) == (UNAVAILABLE, Verdict.UNAVAILABLE)
    assert ended({"alpha": QUIET, "beta": kind}) == (UNAVAILABLE, Verdict.UNAVAILABLE)


@pytest.mark.parametrize(
    ("reason", "end"),
    [
        (SkipReason.DISABLED, (CLEAN, UNREVIEWED)),
        (SkipReason.STOP_REASON, (CLEAN, UNREVIEWED)),
        (SkipReason.CAP, (CAPPED, UNREVIEWED)),
        *(
            (reason, (UNAVAILABLE, Verdict.UNAVAILABLE))
            for reason in SkipReason
            if reason not in (SkipReason.DISABLED, SkipReason.STOP_REASON, SkipReason.CAP)
        ),
    ],
)
def test_only_switched_off_and_used_up_leave_an_answer_merely_unreviewed(
    reason: SkipReason, end: tuple[FinishResult, Verdict]
) -> None:
    assert ended(skipped={"alpha": reason}) == end


def test_one_that_is_switched_off_does_not_keep_the_other_from_approving() -> None:
    assert ended({"beta": QUIET}, {"alpha": SkipReason.DISABLED}) == (CLEAN, APPROVED)


def test_one_that_is_used_up_does() -> None:
    assert ended({"beta": QUIET}, {"alpha": SkipReason.CAP}) == (CAPPED, UNREVIEWED)


@pytest.mark.parametrize("severity", [Severity.CONCERN, Severity.BLOCKER])
@pytest.mark.parametrize("how", [{"outcomes": {"alpha": NOTED}}, {"skipped": {"alpha": SkipReason.CAP}}])
def test_what_is_open_is_requested_and_never_approved(how: dict[str, Any], severity: Severity) -> None:
    assert ended(**how, raised={"alpha": severity}) == (CAPPED, CHANGES)


def test_what_counts_as_open_is_what_may_reopen() -> None:
    strict = Limits(reopen_severity=Severity.BLOCKER)
    assert ended({"alpha": NOTED}, raised={"alpha": Severity.CONCERN}, limits=strict) == (CLEAN, APPROVED)
    lenient = Limits(reopen_severity=Severity.NIT)
    assert ended({"alpha": NOTED}, raised={"alpha": Severity.NIT}, limits=lenient) == (CAPPED, CHANGES)


def test_what_one_left_open_is_not_closed_by_the_failure_of_another() -> None:
    raised = {"alpha": Severity.BLOCKER}
    assert ended({"alpha": NOTED, "beta": OutcomeKind.TIMEOUT}, raised=raised) == (CAPPED, CHANGES)


def test_what_a_reviewer_raised_before_it_failed_is_no_statement_on_this_answer() -> None:
    assert ended({"alpha": OutcomeKind.ERROR}, raised={"alpha": Severity.BLOCKER}) == (
        UNAVAILABLE,
        Verdict.UNAVAILABLE,
    )


def test_a_reopened_finish_requests_changes() -> None:
    assert ended({"alpha": NOTED}, raised={"alpha": Severity.CONCERN}, reopened=True) == (
        FinishResult.REOPENED,
        CHANGES,
    )


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.ANSWER])
@pytest.mark.parametrize("raised", [{}, {"alpha": Severity.BLOCKER}])
def test_what_is_no_answer_is_unreviewed_whatever_was_raised(stop: Stop, raised: dict[str, Severity]) -> None:
    expected = FinishResult.ABORTED if stop is Stop.ABORTED else FinishResult.INCOMPLETE
    assert ended(skipped={"alpha": SkipReason.STOP_REASON}, raised=raised, stop=stop) == (expected, UNREVIEWED)


@given(
    outcomes=st.dictionaries(st.sampled_from(["alpha", "beta"]), st.sampled_from(list(OutcomeKind))),
    skipped=st.dictionaries(st.sampled_from(["alpha", "beta"]), st.sampled_from(list(SkipReason))),
    raised=st.dictionaries(st.sampled_from(["alpha", "beta"]), st.sampled_from(list(Severity))),
    stop=st.sampled_from(list(Stop)),
    reopened=st.booleans(),
)
def test_only_completed_reviews_that_found_nothing_ever_approve(
    outcomes: dict[str, OutcomeKind],
    skipped: dict[str, SkipReason],
    raised: dict[str, Severity],
    stop: Stop,
    reopened: bool,
) -> None:
    skipped = {name: reason for name, reason in skipped.items() if name not in outcomes}
    result, verdict = ended(outcomes, skipped, raised, stop=stop, reopened=reopened)
    if verdict is APPROVED:
        assert result is CLEAN
        assert outcomes
        assert all(kind.completed for kind in outcomes.values())
        assert not any(raised.get(name, Severity.NIT) is not Severity.NIT for name in outcomes)
    assert (result is FinishResult.CAPPED) <= (verdict in (CHANGES, UNREVIEWED))
    assert (result is UNAVAILABLE) == (verdict is Verdict.UNAVAILABLE)


@pytest.mark.parametrize(
    ("rounds", "reopened", "allowed"),
    [
        ([], 0, False),
        ([0], 0, False),
        ([1], 0, True),
        ([1], 1, False),
        ([1, 3], 2, True),
        ([1, 3], 3, False),
        ([2], 9, False),
    ],
)
def test_a_finish_may_be_reopened_as_often_as_the_largest_allowance(
    rounds: list[int], reopened: int, allowed: bool
) -> None:
    configs = [config(f"r{place}", max_rounds=most) for place, most in enumerate(rounds)]
    assert may_reopen(configs, fresh(*configs, reopens=reopened)) is allowed


@pytest.mark.parametrize("settings", [{"enabled": False}, {"triggers": {Trigger.PERIODIC}}])
def test_the_rounds_of_one_that_never_reviews_a_finish_do_not_count(settings: dict[str, Any]) -> None:
    configs = [config("alpha", max_rounds=9, **settings), config("beta", max_rounds=1)]
    assert not may_reopen(configs, fresh(*configs, reopens=1))
