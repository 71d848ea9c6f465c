"""Truncation: a note cut between two words of an earlier one says nothing new; one that claims more or else does."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.similarity import folded
from foureyes.core.truncation import cut_inside, cut_short

NOTE = "Close the file handle before returning"


def is_cut(text: str, earlier: str) -> bool:
    return cut_short(folded(text), folded(earlier))


@pytest.mark.parametrize("words", range(1, len(NOTE.split())))
def test_every_beginning_of_a_note_is_a_cut_of_it(words: int) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/7130: each note a word shorter than the last."""
    assert is_cut(" ".join(NOTE.split()[:words]), NOTE)


@pytest.mark.parametrize(
    ("text", "earlier"),
    [
        (NOTE, NOTE),
        (NOTE + " twice", NOTE),
        ("", NOTE),
        ("x < 5", "x < 50"),
        ("The time-out is 30", "The time-out is 300"),
        ("The limit is 5", "The limit is 5 million"),
        ("missing await in save", "missing await in saver"),
        ("Rows are lost", "Rows are lost unless the flag is set"),
        ("The cache is stale", "The cache is stale only after a deploy"),
        ("Delete the branch", "Delete the branch if it is merged"),
        ("file handle", NOTE),
    ],
)
def test_the_same_more_or_a_claim_of_its_own_is_no_cut(text: str, earlier: str) -> None:
    assert not is_cut(text, earlier)


@given(st.text(max_size=30), st.text(max_size=30))
def test_no_text_is_a_cut_of_a_shorter_one(one: str, other: str) -> None:
    assert not (is_cut(one, other) and is_cut(other, one))


LONG = "The migration drops column billing_email before the backfill job has copied it to the new users of the table."


@pytest.mark.parametrize("end", ["before the back", "before the backfill job h", "has copied it to the n"])
def test_a_long_text_that_breaks_off_inside_a_word_is_a_cut(end: str) -> None:
    text = LONG[: LONG.index(end) + len(end)]
    assert cut_inside(folded(text), text, folded(LONG))


@pytest.mark.parametrize(
    "text",
    [
        "missing await in sav",
        "The migration drops column bil",
        "The migration drops column billing_email before the backfill job has copied it to the new user",
        LONG,
    ],
)
def test_a_short_text_a_name_and_a_word_that_stands_for_itself_break_off_nowhere(text: str) -> None:
    earlier = folded(LONG) if text.startswith("The") else "missing await in save_user of the handler"
    assert not cut_inside(folded(text), text, earlier)
