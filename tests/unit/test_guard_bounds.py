"""The emission guard's bounds, and the shape in which an admitted note leaves it."""

from __future__ import annotations

from collections import Counter

import pytest

from foureyes.core.facts import Anchor
from foureyes.core.guard import Limits
from foureyes.core.ledger import new_request
from foureyes.core.state import NoteStatus
from foureyes.core.words import Disposition, Trigger

from .builders import (
    BLOCKER,
    LIMITS,
    NIT,
    config,
    dispositions,
    fresh,
    judged,
    note,
    together,
)

ADMITTED = Disposition.ADMITTED
DUPLICATE = Disposition.DUPLICATE
OVER_BOUNDARY = Disposition.OVER_BOUNDARY
OVER_REQUEST = Disposition.OVER_REQUEST
OVER_REVIEW = Disposition.OVER_REVIEW
WIDE = {"max_notes": 32}


# --- bounds ---


def test_the_third_of_three_notes_waits_for_the_next_review_where_two_are_allowed() -> None:
    reviewer = config(max_notes=2)
    texts = ["one leak", "another leak", "a third leak"]
    state, first = judged(fresh(reviewer), [reviewer], {"correctness": [note(text) for text in texts]})
    _, second = judged(state, [reviewer], {"correctness": [note(texts[2]), note(texts[0])]})
    assert dispositions(first) == [ADMITTED, ADMITTED, OVER_REVIEW]
    assert dispositions(second) == [ADMITTED, DUPLICATE]


def test_the_blocker_that_comes_last_is_not_the_one_that_is_cut() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/pull/11881: the rest is counted, not lost without a word."""
    notes = [note("first typo", NIT), note("second typo", NIT), note("third typo", NIT), note("data is lost", BLOCKER)]
    reviewer = config(max_notes=3)
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": notes})
    assert dispositions(guarded) == [ADMITTED, ADMITTED, OVER_REVIEW, ADMITTED]
    assert [record.text for record in guarded.records] == ["data is lost", "first typo", "second typo"]


def test_severity_buys_no_way_round_a_bound() -> None:
    notes = [note(f"leak number {number}", BLOCKER) for number in range(100)]
    assert Counter(together(notes, max_notes=3)) == {ADMITTED: 3, OVER_REVIEW: 97}


def test_beyond_the_notes_of_a_boundary_an_admitted_note_waits_in_the_queue() -> None:
    configs = [config(name, **WIDE) for name in ("a", "b")]
    notes = {name: [note(f"{name} leak {number}") for number in range(3)] for name in ("a", "b")}
    state, guarded = judged(fresh(*configs), configs, notes, limits=Limits(notes_per_boundary=4))
    assert dispositions(guarded, "a") == [ADMITTED] * 3
    assert dispositions(guarded, "b") == [ADMITTED, OVER_BOUNDARY, OVER_BOUNDARY]
    assert [one.status for one in state.notes.values()] == [NoteStatus.QUEUED] * 6
    assert not any(one.host_only for one in state.notes.values())


def test_beyond_the_notes_of_a_request_a_note_is_for_the_host_only() -> None:
    reviewer = config(**WIDE)
    limits = Limits(notes_per_request=2)
    said = {"correctness": [note(f"leak {number}") for number in range(4)]}
    state, guarded = judged(fresh(reviewer), [reviewer], said, limits=limits)
    assert dispositions(guarded) == [ADMITTED, ADMITTED, OVER_REQUEST, OVER_REQUEST]
    assert [one.host_only for one in state.notes.values()] == [False, False, True, True]
    assert state.admitted == 2

    more = {"correctness": [note("another leak")]}
    assert dispositions(judged(state, [reviewer], more, limits=limits)[1]) == [OVER_REQUEST]
    assert dispositions(judged(new_request(state, "Next."), [reviewer], more, limits=limits)[1]) == [ADMITTED]


@pytest.mark.parametrize(
    ("settings", "limits", "disposition", "text"),
    [
        ({"max_notes": 2}, LIMITS, OVER_REVIEW, "over_review: number 3, limit 2"),
        ({}, Limits(notes_per_boundary=2), OVER_BOUNDARY, "over_boundary: number 3, limit 2"),
        ({}, Limits(notes_per_request=2), OVER_REQUEST, "over_request: number 3, limit 2"),
    ],
)
def test_a_bound_says_which_number_met_which_limit(
    settings: dict[str, int], limits: Limits, disposition: Disposition, text: str
) -> None:
    reviewer = config(**settings)
    said = {"correctness": [note(f"leak {number}") for number in range(3)]}
    _, guarded = judged(fresh(reviewer), [reviewer], said, limits=limits)
    last = guarded.judged[-1]
    assert (last.disposition, last.have, last.limit, last.explain()) == (disposition, 2, 2, text)


def test_a_duplicate_names_the_note_that_it_repeats() -> None:
    reviewer = config()
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note("The lock leaks"), note("the lock leaks")]})
    said = 'duplicate: repeats n1, the same text: "The lock leaks"'
    assert [one.explain() for one in guarded.judged] == ["admitted", said]


# --- delivery ---


def test_two_thousand_code_points_are_delivered_and_the_last_is_intact() -> None:
    reviewer = config()
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note("ê" * 2_500)]})
    assert [record.text for record in guarded.records] == ["ê" * 2_000]


def test_a_note_is_trimmed_before_it_is_cut() -> None:
    text = "  " + "a" * 499 + "\N{MATHEMATICAL BOLD CAPITAL A}" + "extra"
    reviewer = config(max_note_chars=500)
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note(text)]})
    assert [record.text for record in guarded.records] == ["a" * 499 + "\N{MATHEMATICAL BOLD CAPITAL A}"]


def test_what_lies_beyond_the_cut_still_tells_two_notes_apart() -> None:
    long = "the same beginning " * 200
    assert together([note(long + "ends in a leak"), note(long + "ends in a deadlock")]) == [ADMITTED, ADMITTED]


def test_an_admitted_note_keeps_where_it_came_from() -> None:
    reviewer = config()
    anchor = Anchor(turn=3, path="users.py:42")
    said = note("The SQL is built by hand.", BLOCKER, key="sql", anchor=anchor)
    state = fresh(reviewer, request=4, serial=11)
    (record,) = judged(state, [reviewer], {"correctness": [said]}, turn=9)[1].records
    assert (record.id, record.turn, record.request, record.trigger) == ("n12", 9, 4, Trigger.PERIODIC)
    assert (record.reviewers, record.severity, record.key, record.anchor) == (("correctness",), BLOCKER, "sql", anchor)


def test_what_cannot_be_stored_does_not_stop_a_note() -> None:
    reviewer = config()
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note("lost \ud800 half \x00 byte")]})
    assert [record.text for record in guarded.records] == ["lost \ufffd half \ufffd byte"]
