"""The closed sets: what a reviewer's word for a severity means, and which outcomes count as what."""

from __future__ import annotations

from enum import StrEnum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.words import (
    FAILURES,
    FINISH_REASONS,
    Disposition,
    FinishResult,
    OutcomeKind,
    Severity,
    SkipReason,
    Stop,
    Trigger,
    Verdict,
)

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER


@pytest.mark.parametrize(
    ("word", "severity"),
    [
        ("nit", NIT),
        ("concern", CONCERN),
        ("blocker", BLOCKER),
        ("CONCERN", CONCERN),
        (" blocker ", BLOCKER),
        ("\tNit\n", NIT),
        ("CONCERN?", CONCERN),
        ("blocker!", BLOCKER),
        ("**blocker**", BLOCKER),
        ("[BLOCKER]", BLOCKER),
        ("`nit`", NIT),
        ("critical", BLOCKER),
        ("HIGH", BLOCKER),
        ("P0", BLOCKER),
        ("warning", CONCERN),
        ("medium", CONCERN),
        ("P1", CONCERN),
        ("minor", NIT),
        ("info", NIT),
        ("must fix", BLOCKER),
        ("must_fix", BLOCKER),
        ("showstopper", BLOCKER),
        ("high severity", BLOCKER),
        ("Severity: high", BLOCKER),
        ("sev1", BLOCKER),
        ("S1", BLOCKER),
        ("hoch", BLOCKER),
        ("严重", BLOCKER),
        ("mittel", CONCERN),
        ("low priority", NIT),
        (BLOCKER, BLOCKER),
    ],
)
def test_a_known_word_is_read_whatever_its_case_blanks_and_punctuation(word: str, severity: Severity) -> None:
    assert Severity.parse(word) == (severity, True)


@pytest.mark.parametrize("word", [None, "", "   ", "..."])
def test_a_missing_word_is_a_nit_and_no_misunderstanding(word: str | None) -> None:
    assert Severity.parse(word) == (NIT, True)


@pytest.mark.parametrize("word", ["apocalyptic", "not a blocker", "blocker or nit", "-1", 3, 3.0, True, [BLOCKER], {}])
def test_an_invented_level_is_a_nit_that_was_not_understood(word: object) -> None:
    assert Severity.parse(word) == (NIT, False)


def test_a_word_that_tries_to_leave_its_attribute_is_a_nit() -> None:
    """An unknown level is replaced, so nothing that a reviewer writes there reaches the rendered attribute."""
    assert Severity.parse('critical" onload="') == (NIT, False)


@given(st.one_of(st.text(), st.none(), st.integers(), st.floats(), st.binary()))
def test_whatever_is_given_as_severity_becomes_one_of_three(word: object) -> None:
    assert Severity.parse(word)[0] in Severity


def test_severities_rank_from_one_so_that_zero_can_mean_never_raised() -> None:
    assert {severity: severity.rank for severity in Severity} == {NIT: 1, CONCERN: 2, BLOCKER: 3}


@pytest.mark.parametrize("kind", OutcomeKind)
def test_only_a_review_that_was_answered_is_completed(kind: OutcomeKind) -> None:
    assert kind.completed == (kind.value in {"noted", "quiet"})


def test_no_outcome_is_both_completed_and_a_failure() -> None:
    assert not any(kind.completed for kind in FAILURES)


def test_what_the_host_or_a_crash_did_is_no_failure_of_the_reviewer() -> None:
    neither = set(OutcomeKind) - FAILURES - {kind for kind in OutcomeKind if kind.completed}
    assert neither == {OutcomeKind.CANCELLED, OutcomeKind.INTERRUPTED, OutcomeKind.STALE}


LABELS = """
OutcomeKind: noted quiet unparsed error timeout rate_limited quota_exhausted refused overflow cancelled
OutcomeKind: interrupted stale
SkipReason: disabled paused muted busy cap cooldown budget nothing_new not_permitted stop_reason aborted
SkipReason: store_unavailable
Disposition: admitted recorded empty noise about_reviewer duplicate merged held_similar over_review over_boundary
Disposition: over_request malformed late
FinishResult: clean reopened capped unavailable incomplete aborted
Verdict: approved changes_requested unavailable decided pending unreviewed
Stop: answer budget max_turns tool_budget terminal_tool error aborted paused_for_human
Trigger: periodic finish post_turn tool manual
Severity: nit concern blocker
"""


@pytest.mark.parametrize(
    "words",
    [Disposition, FinishResult, OutcomeKind, Severity, SkipReason, Stop, Trigger, Verdict],
    ids=lambda w: w.__name__,
)
def test_the_labels_are_closed_sets_on_which_a_dashboard_may_rely(words: type[StrEnum]) -> None:
    lines = [line.removeprefix(f"{words.__name__}:") for line in LABELS.splitlines() if line.startswith(words.__name__)]
    assert {word.value for word in words} == set(" ".join(lines).split())


def test_a_skip_that_leaves_an_answer_merely_unreviewed_ends_the_matter_for_the_request() -> None:
    assert {SkipReason.CAP, SkipReason.DISABLED, SkipReason.STOP_REASON} == FINISH_REASONS
