"""What an endpoint accepts is found out once, and a chosen mode is used as it is."""

from __future__ import annotations

import re

import pytest

from foureyes.core.words import OutputMode
from foureyes_reviewers.model.client import Form
from foureyes_reviewers.model.modes import Modes
from foureyes_reviewers.model.problem import Problem

AUTO, SCHEMA, OBJECT, PROMPTED = OutputMode.AUTO, OutputMode.JSON_SCHEMA, OutputMode.JSON_OBJECT, OutputMode.PROMPTED
ALL = (SCHEMA, OBJECT, PROMPTED)


def rejected(text: str, status: int = 400) -> Problem:
    """Return the problem of a request that was not accepted."""
    return Problem(kinds=("BadRequestError",), status=status, text=text)


NO_FORMAT = rejected("'response_format' of type 'json_schema' is not supported with this model")


def test_auto_begins_with_the_strictest_mode_and_goes_down_step_by_step() -> None:
    modes, tried = Modes(AUTO, ALL), []
    while True:
        tried.append(modes.form.mode)
        if not modes.adapted(modes.form, NO_FORMAT):
            break
    assert tried == [SCHEMA, OBJECT, PROMPTED]
    assert modes.form.mode is PROMPTED


@pytest.mark.parametrize("chosen", ALL)
def test_a_chosen_mode_stays(chosen: OutputMode) -> None:
    modes = Modes(chosen, ALL)
    assert not modes.adapted(modes.form, NO_FORMAT)
    assert modes.form.mode is chosen


def test_questions_that_fail_at_the_same_time_go_down_one_step_together() -> None:
    modes = Modes(AUTO, ALL)
    first = second = modes.form
    assert modes.adapted(first, NO_FORMAT)
    assert modes.adapted(second, NO_FORMAT)
    assert modes.form.mode is OBJECT


@pytest.mark.parametrize(
    "problem",
    [
        rejected("temperature must be at most 1"),
        rejected("json_schema", 500),
        rejected("json_schema", 429),
        rejected("the context length is exceeded by messages and tools"),
        rejected("the content filter has flagged the tool results"),
        Problem(kinds=("APIConnectionError",), text="json_schema"),
    ],
)
def test_any_other_problem_changes_nothing(problem: Problem) -> None:
    modes = Modes(AUTO, ALL)
    assert not modes.adapted(modes.form, problem)
    assert modes.form.mode is SCHEMA


@pytest.mark.parametrize(
    "text",
    [
        "response_format.type: Input should be 'text' or 'json_object'",
        "This model does not support structured outputs",
        "output_config: Extra inputs are not permitted",
        "Failed to parse grammar",
        "'tools' is not supported",
        "unknown field: responseFormat",
    ],
)
@pytest.mark.parametrize("status", [400, 404, 422, 501])
def test_servers_say_it_in_many_words(text: str, status: int) -> None:
    modes = Modes(AUTO, ALL)
    assert modes.adapted(modes.form, rejected(text, status))


def test_the_second_dialect_is_tried_once_and_in_every_mode() -> None:
    spelling, unknown = re.compile("max_tokens"), rejected("max_tokens is not supported")
    modes = Modes(SCHEMA, ALL, ("new", "old"))
    assert modes.form == Form(mode=SCHEMA, dialect="new")
    assert modes.adapted(modes.form, unknown, spelling)
    assert modes.form == Form(mode=SCHEMA, dialect="old")
    assert not modes.adapted(modes.form, unknown, spelling)
