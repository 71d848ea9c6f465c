"""Two notes of the same words and other signs are two notes, wherever the guard compares them."""

from __future__ import annotations

import pytest

from foureyes.core.facts import Anchor, Note
from foureyes.core.guard import Limits
from foureyes.core.words import Disposition

from .builders import config, dispositions, fresh, judged, note, one_by_one

ADMITTED, DUPLICATE, MERGED = Disposition.ADMITTED, Disposition.DUPLICATE, Disposition.MERGED
OVER_REQUEST = Disposition.OVER_REQUEST

PAIRS = [
    ("The total must be a + b here.", "The total must be a * b here."),
    ("The loop must run while x < 5 holds.", "The loop must run while x > 5 holds."),
    ("The offset is x + 5 in the header.", "The offset is x - 5 in the header."),
    ("The file belongs in /tmp/cache of it.", "The file belongs in ./tmp/cache of it."),
    ("Map user_id onto it now please.", "Map user.id onto it now please."),
    ("Use a | b in the filter of it.", "Use a & b in the filter of it."),
    ("The status is ✅ in the table of it.", "The status is ❌ in the table of it."),
]
CUT = [
    ("The total must be a + b in the sum of the invoice", "The total must be a * b in the"),
    ("The loop must run while x < 5 holds and the", "The loop must run while x > 5 holds"),
    ("Set the offset to + 5 in the header of the file", "Set the offset to - 5 in the header"),
    ("Use a | b in the filter of it and", "Use a & b in the filter of it"),
    ("Write it to /tmp/cache of the service now", "Write it to ./tmp/cache of the service"),
    ("The status is ✅ in the table of it", "The status is ❌ in the table"),
]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_a_note_that_waits_to_be_listed_silences_none_with_other_signs(first: str, second: str) -> None:
    reviewer, limits = config(), Limits(notes_per_request=1)
    state = fresh(reviewer)
    found = []
    for turn, text in enumerate(["Nobody closes the socket.", first, second, first], start=1):
        state, guarded = judged(state, [reviewer], {"correctness": [note(text)]}, turn=turn, limits=limits)
        found += dispositions(guarded)
    assert found == [ADMITTED, OVER_REQUEST, OVER_REQUEST, DUPLICATE]


@pytest.mark.parametrize(("first", "second"), PAIRS)
def test_notes_at_one_place_with_other_signs_do_not_merge(first: str, second: str) -> None:
    assert at_one_place(first, second) == [ADMITTED, ADMITTED]


@pytest.mark.parametrize("text", [pair[0] for pair in PAIRS])
def test_the_same_note_at_one_place_merges(text: str) -> None:
    assert MERGED in at_one_place(text, text)


def at_one_place(first: str, second: str) -> list[Disposition]:
    """Return what becomes of the notes of two reviewers about one place, at one boundary."""
    reviewers = [config("alpha"), config("beta")]
    said = {"alpha": [placed(first)], "beta": [placed(second)]}
    guarded = judged(fresh(*reviewers), reviewers, said)[1]
    return [one.disposition for one in guarded.judged]


def placed(text: str) -> Note:
    """Return a note about one place."""
    return note(text, anchor=Anchor(path="a.py"))


@pytest.mark.parametrize(("first", "second"), CUT)
def test_the_beginning_of_a_note_with_other_signs_is_a_note_of_its_own(first: str, second: str) -> None:
    assert one_by_one([note(first), note(second)]) == [ADMITTED, ADMITTED]


@pytest.mark.parametrize("text", [pair[0] for pair in CUT if "< 5" not in pair[0]])
def test_the_beginning_of_a_note_with_its_signs_repeats_it(text: str) -> None:
    cut = text.rpartition(" ")[0]
    assert one_by_one([note(text), note(cut)]) == [ADMITTED, DUPLICATE]
    assert one_by_one([note(text), note(f"{cut} …")]) == [ADMITTED, DUPLICATE]
