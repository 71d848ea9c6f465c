"""Places: a finding whose line has moved a little is the same finding, and one elsewhere is another."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.places import moved
from foureyes.core.similarity import folded

NOTE = "users.py line {} builds the SQL text with an f-string from request input."
FORMS = [
    NOTE,
    "users.py:{} builds the SQL text with an f-string from request input.",
    "In users.py, at line {}, the SQL text is built from request input.",
    "Line {} of app/users.py builds the SQL text from request input.",
    "La línea {} de users.py construye el SQL con datos de la petición.",
]


def at_one_place(one: str, other: str) -> bool:
    return not set(moved(folded(one), one)).isdisjoint(moved(folded(other), other))


@pytest.mark.parametrize("form", FORMS)
@given(line=st.integers(1, 900_000), away=st.integers(0, 5))
def test_up_to_five_lines_away_is_the_same_place(form: str, line: int, away: int) -> None:
    assert at_one_place(form.format(line), form.format(line + away))


@pytest.mark.parametrize("form", FORMS)
@given(line=st.integers(1, 900_000), away=st.integers(10, 90_000))
def test_ten_lines_away_or_more_is_another_place(form: str, line: int, away: int) -> None:
    assert not at_one_place(form.format(line), form.format(line + away))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (NOTE.format(42), NOTE.format(42).replace("users", "orders")),
        (
            "Line 3 of the invoice is charged at the wrong VAT rate.",
            "Line 4 of the invoice is charged at the wrong VAT rate.",
        ),
        (
            "Row 3 of the tariff table in tariff.csv has no date at all.",
            "Row 4 of the tariff table in tariff.csv has no date at all.",
        ),
        (
            "The crontab entry on line 2 runs every minute, not hourly.",
            "The crontab entry on line 5 runs every minute, not hourly.",
        ),
        ("users.py:42 leaks", "users.py:43 leaks"),
        (
            "users.py: 3 tests fail when the locale is German or French",
            "users.py: 4 tests fail when the locale is German or French",
        ),
        (
            "users.py version 2 writes the header before the body is known.",
            "users.py version 3 writes the header before the body is known.",
        ),
        (
            "users.py lines 2 and 4 build the SQL text with an f-string from input.",
            "users.py lines 3 and 4 build the SQL text with an f-string from input.",
        ),
    ],
)
def test_another_file_a_row_of_a_document_and_a_text_that_says_little_are_other_places(one: str, other: str) -> None:
    assert not at_one_place(one, other)


def test_the_place_says_all_else_that_the_note_does() -> None:
    assert not at_one_place(NOTE.format(42), NOTE.format(42).replace("request", "session"))
