"""Answers that are none, or not what was asked for: each check with what it notices and what it lets pass."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foureyes.core.facts import Message, Review
from foureyes.core.words import Severity

from .told import call, human, notes, severities, told

CONCERN = [Severity.CONCERN]
STACK = "Traceback (most recent call last):\n" + '  File "a.py", line 1, in f\n    x\n' * 3 + "KeyError: 'x'\n"


@pytest.mark.parametrize(
    "answer",
    [
        "Max rounds (30) reached.\nFINAL ANSWER: Smith",
        "Maximum number of turns reached. The answer is 3.",
        "Agent stopped due to iteration limit or time limit.",
        f"No agent selected.\n{STACK}FINAL ANSWER: Smith",
    ],
)
def test_an_answer_out_of_a_run_that_broke_off_is_noticed(answer: str) -> None:
    assert severities("broken-answer", told("Who?", answer, finish=True)) == CONCERN


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("Who?", "It is Smith."),
        ("Who?", "The step that reached the maximum was the third."),
        ("Why does it raise an exception?", STACK),
        ("Who?", f"It logs this:\n```\n{STACK}\n```"),
    ],
)
def test_an_answer_about_errors_is_let_pass(request_: str, answer: str) -> None:
    assert notes("broken-answer", told(request_, answer, finish=True)) == ()


@pytest.mark.parametrize(
    "end",
    [
        "Next, I'll verify the availability of the third film.",
        "Let's execute this script.",
        "To ensure accuracy, let me verify the information on the page.",
        "I will return with the results shortly.",
        "Please hold on while I gather the prices.",
    ],
)
def test_an_answer_that_ends_with_what_is_still_to_be_done_is_noticed(end: str) -> None:
    assert severities("unfinished-answer", told("Which?", f"The first two are there. {end}", finish=True)) == CONCERN
    assert notes("unfinished-answer", told("Which?", f"The first two are there. {end}")) == ()


@pytest.mark.parametrize(
    "end",
    [
        "Shall I check the third film?",
        "If you agree, I will book it.",
        "Let me know if you need more.",
        "I will check nothing.\n\nIt is A.\n\nIt is B.\n\nIt is C.\n\nThat is all.",
        "I'll send it once you confirm the date.",
    ],
)
def test_an_offer_a_question_and_an_announcement_long_before_the_end_are_let_pass(end: str) -> None:
    assert notes("unfinished-answer", told("Which?", end, finish=True)) == ()


@pytest.mark.parametrize(
    "said",
    [
        "You will need to perform these steps: open the link, watch the video.",
        "Manual inspection will be required.",
        "If you could manually check the page, we can go on.",
        "Please report the exact name you see.",
    ],
)
def test_work_that_is_handed_back_is_noticed(said: str) -> None:
    assert severities("handed-back", told("What does the video show?", said)) == CONCERN


@pytest.mark.parametrize(
    "run",
    [
        told("What does it show?", "Could you please give me your e-mail address?"),
        told("What does it show?", "You do not need to check this manually."),
        told("How do I reset the router?", "You will need to perform these steps: press reset."),
        told("What does it show?", call("open", "a page", words="You can manually check it too.", url="x")),
    ],
)
def test_a_question_instructions_on_request_and_work_that_goes_on_are_let_pass(run: Review) -> None:
    assert notes("handed-back", run) == ()


def hand_off(*before: str | Message, request: str = "I want my money back.") -> Review:
    return told(request, *before, call("transfer_to_human_agent", "ok", summary="x"))


def test_a_hand_off_out_of_the_blue_is_noticed() -> None:
    assert severities("needless-handoff", hand_off("What is your order?", human("It is 4711."))) == CONCERN


@pytest.mark.parametrize(
    "run",
    [
        hand_off(request="Can I talk to a person?"),
        hand_off("I would have to transfer you to a colleague.", human("Well.")),
        told("I want my money back.", call("transfer_money", "ok", amount=3)),
    ],
)
def test_a_hand_off_that_was_asked_for_or_announced_is_let_pass(run: Review) -> None:
    assert notes("needless-handoff", run) == ()


TESTED = call("bash", "3 passed in 0.1s", command="pytest -q")
CHANGED = call("edit_file", "ok", path="app.py", text="x = 2")


def test_passing_tests_that_have_not_seen_the_last_change_are_noticed() -> None:
    (note,) = notes("untested-change", told("Fix it.", TESTED, CHANGED, "Fixed; all tests pass.", finish=True))
    assert note.severity is Severity.CONCERN
    assert "app.py" in note.text


@pytest.mark.parametrize(
    "run",
    [
        told("Fix it.", TESTED, CHANGED, TESTED, "All tests pass.", finish=True),
        told("Fix it.", CHANGED, "All tests pass.", finish=True),
        told("Fix it.", TESTED, CHANGED, "The tests should pass.", finish=True),
        told("Fix it.", TESTED, call("edit_file", "ok", path="README.md", text="x"), "All tests pass.", finish=True),
        told("Fix it.", TESTED, CHANGED, call("bash", "ok", command="./run.sh"), "All tests pass.", finish=True),
    ],
    ids=["again", "no run shown", "should", "no source", "unknown command"],
)
def test_tests_after_the_change_or_what_may_be_one_are_let_pass(run: Review) -> None:
    assert notes("untested-change", run) == ()


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("When was it? Answer as DD/MM/YYYY.", "It was on 2 October 2019."),
        ("When was it? Use the format YYYY-MM-DD.", "10/02/2019"),
        ("Respond with valid JSON.", "The name is Bob."),
        ("Give me exactly three reasons.", "- one\n- two"),
        ("Describe it in at most 5 words.", "It is a long description of something."),
    ],
)
def test_a_form_or_count_of_the_request_that_the_answer_misses_is_noticed(request_: str, answer: str) -> None:
    assert severities("missed-form", told(request_, answer, finish=True)) == CONCERN


@pytest.mark.parametrize(
    ("request_", "answer"),
    [
        ("When was it? Answer as DD/MM/YYYY.", "02/10/2019"),
        ("When was it? Answer as DD/MM/YYYY.", "I could not find the date of 2019."),
        ("Respond with valid JSON.", '```json\n{"name": "Bob"}\n```'),
        ("Write the JSON file.", "Written."),
        ("Give me exactly three reasons.", "1. one\n2. two\n3. three"),
        ("Give me some reasons.", "- one\n- two"),
        ("Describe it in at most 5 words.", "Red, round and very big."),
    ],
)
def test_what_has_the_form_or_owns_up_is_let_pass(request_: str, answer: str) -> None:
    assert notes("missed-form", told(request_, answer, finish=True)) == ()


def test_a_file_that_no_call_names_is_noticed() -> None:
    request = "Count the words and save the result to out.csv."
    counted = call("count_words", "3", path="a.txt")
    (note,) = notes("missed-form", told(request, counted, "Done.", finish=True))
    assert note.severity is Severity.CONCERN
    assert "out.csv" in note.text
    run = call("bash", "3", command="./count.sh a.txt")
    assert severities("missed-form", told(request, run, "Done.", finish=True)) == [Severity.NIT]
    written = call("write_file", "ok", path="/data/out.csv", text="3")
    assert notes("missed-form", told(request, counted, written, "Done.", finish=True)) == ()
    unsure = replace(told(request, counted, "Done.", finish=True), elided=1)
    assert notes("missed-form", unsure) == ()


GAP = "The word that was deleted in the last change is not explicitly stated on the page that was opened."


def test_an_answer_right_after_the_words_that_what_it_needs_is_missing_is_noticed() -> None:
    assert severities("answered-anyway", told("Which?", GAP, "FINAL ANSWER: but", finish=True)) == CONCERN
    assert severities("answered-anyway", told("Which?", GAP, "Satisfied.", "FINAL ANSWER: but", finish=True)) == CONCERN


@pytest.mark.parametrize(
    "run",
    [
        told("Which?", GAP, "I could not find it; it may be: but", finish=True),
        told("Which?", GAP, call("open", "deleted: but", url="x"), "FINAL ANSWER: but", finish=True),
        told("Which?", GAP, human("Then guess."), "FINAL ANSWER: but", finish=True),
        told("Which?", "The word that was deleted in the last change is on the first page.", "It is: but", finish=True),
    ],
    ids=["owns up", "result", "human", "no gap"],
)
def test_an_answer_that_says_so_or_that_came_after_something_new_is_let_pass(run: Review) -> None:
    assert notes("answered-anyway", run) == ()
