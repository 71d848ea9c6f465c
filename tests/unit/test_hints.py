"""How long a provider asks us to wait is read wherever it says so."""

from __future__ import annotations

from math import inf

import pytest

from foureyes_reviewers.hints import longer, retry_after


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "20"}, 20.0),
        ({"Retry-After": " 20.5 "}, 20.5),
        ({"retry-after": "0"}, 0.0),
        ({"retry-after": "-5"}, 0.0),
        ({"retry-after-ms": "1500"}, 1.5),
        ({"retry-after-ms": "1500", "retry-after": "2"}, 1.5),
        ({"retry-after-ms": "soon", "retry-after": "2"}, 2.0),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, inf),
        ({"retry-after": "1" * 400}, inf),
        ({"retry-after": "soon"}, None),
        ({"retry-after": ""}, None),
        ({"retry-after": "Mon, 30 Nov 2026 12:00:42 GMT", "date": "Mon, 30 Nov 2026 12:00:00 GMT"}, 42.0),
        ({"retry-after": "Mon, 30 Nov 2026 11:00:00 GMT", "date": "Mon, 30 Nov 2026 12:00:00 GMT"}, 0.0),
    ],
)
def test_a_header_tells_seconds_milliseconds_or_a_date(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers, "") == seconds


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("Rate limit reached. Please try again in 20s. Visit the site.", 20.0),
        ("Please try again in 6m0s.", 360.0),
        ("Please try again in 7m12.5s", 432.5),
        ("Please try again in 350ms.", 0.35),
        ("Please retry in 42.1s", 42.1),
        ("Retry after 42 seconds", 42.0),
        ("try again after 5 minutes", 300.0),
        ("You may try again in 1 hour, 5 minutes.", 3_900.0),
        ("quota resets in 2h30m", 9_000.0),
        ("try again in 3 days", 259_200.0),
        ("42s", 42.0),
        ("please wait 10 seconds before you go on", 10.0),
        ("Limit 3, used 3. Try again later.", None),
        ("The meeting is in 20s", None),
        ("try again in a moment", None),
    ],
)
def test_a_text_tells_it_in_words(text: str, seconds: float | None) -> None:
    assert retry_after({}, text) == (None if seconds is None else pytest.approx(seconds))


def test_a_header_is_stronger_than_a_text() -> None:
    assert retry_after({"retry-after": "2"}, "Please try again in 20s") == 2.0


@pytest.mark.parametrize(
    ("one", "other", "seconds"),
    [(None, None, None), (3.0, None, 3.0), (None, 0.0, 0.0), (3.0, 600.0, 600.0), (600.0, 3.0, 600.0), (1.0, inf, inf)],
)
def test_of_two_hints_the_longer_one_counts(one: float | None, other: float | None, seconds: float | None) -> None:
    assert longer(one, other) == seconds
