"""Runs that do not get on: each check with what it notices and what it lets pass."""

from __future__ import annotations

import pytest

from foureyes.core.facts import Message, Review
from foureyes.core.words import Severity

from .told import Call, call, human, notes, severities, told

CONCERN = [Severity.CONCERN]
ORDER = "Please open the list of all members and tell me who joined in the year in which the company was founded."


def test_the_third_equal_message_is_noticed() -> None:
    assert notes("circles", told("Who?", ORDER, "Page 1 of the list.", ORDER)) == ()
    assert severities("circles", told("Who?", ORDER, "Page 1.", ORDER, "Page 1.", ORDER)) == CONCERN


def test_short_messages_and_those_around_a_humans_words_may_repeat() -> None:
    assert notes("circles", told("Go.", "Done.", "Done.", "Done.")) == ()
    assert notes("circles", told("Go.", ORDER, human("Again."), ORDER, human("Again."), ORDER)) == ()


READ, EDIT = call("read_file", "x = 1", path="a.py"), call("edit_file", "ok", path="a.py", text="x = 2")


def test_a_series_of_calls_is_noticed_the_third_time_through() -> None:
    assert notes("circles", told("Fix.", *(READ, EDIT) * 2)) == ()
    (note,) = notes("circles", told("Fix.", *(READ, EDIT) * 3))
    assert "read_file" in note.text
    assert "edit_file" in note.text


def test_a_series_with_other_results_gets_somewhere() -> None:
    series = [part for n in range(3) for part in (call("read_file", f"x = {n}", path="a.py"), EDIT)]
    assert notes("circles", told("Fix.", *series)) == ()


def test_the_key_of_a_loop_is_the_same_however_long_it_lasts() -> None:
    three, five = told("Fix.", *(READ, EDIT) * 3), told("Fix.", *(READ, EDIT) * 5)
    assert [note.key for note in notes("circles", three)] == [note.key for note in notes("circles", five)]


@pytest.mark.parametrize(
    "admission",
    [
        "We are going in circles with this page.",
        "So far we have made it through two pages with no progress.",
        '{"is_in_loop": {"reason": "the same page", "answer": true}}',
        '{"is_progress_being_made": false}',
    ],
)
def test_the_second_admission_of_standing_still_is_noticed(admission: str) -> None:
    assert notes("stalled", told("Who?", admission)) == ()
    assert severities("stalled", told("Who?", admission, "I try again.", admission)) == CONCERN


@pytest.mark.parametrize(
    "said",
    ["We are not stuck.", '{"is_in_loop": false}', "No progress bar.", '{"is_progress_being_made": true}'],
)
def test_getting_on_is_no_admission(said: str) -> None:
    assert notes("stalled", told("Who?", said, said, said)) == ()


MISSING = "Traceback (most recent call last):\n  x\nModuleNotFoundError: No module named 'tf'"


def test_the_third_failure_in_the_same_words_is_noticed() -> None:
    two, three = (told("Do.", *(call("run", MISSING, code=f"{n}") for n in range(count))) for count in (2, 3))
    assert notes("repeated-error", two) == ()
    assert severities("repeated-error", three) == CONCERN


def test_a_cosmetic_change_of_a_failed_call_is_a_nit() -> None:
    first, second = (
        call("open", "Error: no such page", q="The page"),
        call("open", "Error: no such page", q="the  page."),
    )
    assert severities("repeated-error", told("Do.", first, second)) == [Severity.NIT]


@pytest.mark.parametrize(
    "run",
    [
        told("Do.", *(call("open", f"Error: no file {n}", q=f"{n}") for n in "abc")),
        told("Do.", *(call("open", "Error: timed out", q=f"{n}") for n in "abc")),
        told("Do.", call("open", "Error: no", q="a"), call("open", "fine", q="b"), call("open", "Error: no", q="c")),
        told("Do.", *[call("open", "Error: no", q="a")] * 3),
    ],
    ids=["other errors", "may pass", "success between", "identical"],
)
def test_other_errors_passing_ones_and_identical_calls_are_left_to_others(run: Review) -> None:
    assert notes("repeated-error", run) == ()


PLANS = (
    "I will now look up the nominator.",
    "I'll proceed to review the nomination page.",
    "Let me check the page.",
)


def test_announcements_in_a_row_are_a_nit_and_then_a_concern() -> None:
    assert notes("plan-not-followed", told("Who?", PLANS[0])) == ()
    assert severities("plan-not-followed", told("Who?", *PLANS[:2])) == [Severity.NIT]
    assert severities("plan-not-followed", told("Who?", *PLANS)) == [Severity.NIT, Severity.CONCERN]


@pytest.mark.parametrize("between", [call("search", "a page", q="x"), human("Go on.")])
def test_an_announcement_that_is_followed_by_anything_is_let_pass(between: Call | Message) -> None:
    run = told("Who?", PLANS[0], between, PLANS[1], between, PLANS[2])
    assert notes("plan-not-followed", run) == ()


SPELLINGS = ("Rope, length", "rope length", "LENGTH: rope")


def test_the_third_spelling_of_a_look_with_the_same_result_is_noticed() -> None:
    looks = [call("search", "No results", q=q) for q in SPELLINGS]
    assert notes("near-repeat", told("How long?", *looks[:2])) == ()
    assert severities("near-repeat", told("How long?", *looks)) == CONCERN
    assert severities("near-repeat", told("How long?", *looks, "It is 3 m.", finish=True)) == [Severity.NIT]


@pytest.mark.parametrize(
    "run",
    [
        told("How long?", *(call("search", "No results", q=q) for q in ("rope", "rope length", "rope size"))),
        told("How long?", *(call("search", f"{n} results", q=q) for n, q in enumerate(SPELLINGS))),
        told("How long?", *[call("search", "No results", q="rope")] * 3),
        told("How long?", *(call("submit", "ok", q=q) for q in SPELLINGS)),
        told("How long?", *(call("search", "No results", path=f"src/{q}.py") for q in "abc")),
    ],
    ids=["other words", "other results", "one spelling", "acts", "other files"],
)
def test_other_words_results_and_deeds_are_let_pass(run: Review) -> None:
    assert notes("near-repeat", run) == ()
