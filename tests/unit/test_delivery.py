"""Which waiting notes are handed over now: strongest first, bounded, and one offer at a time."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import permutations

import pytest

from foureyes.core.delivery import due_offer, reopens, unconfirmed, unsent, waiting
from foureyes.core.guard import Limits
from foureyes.core.ledger import offered, requeued, taken
from foureyes.core.state import NoteRecord, NoteStatus, Offer, SessionState
from foureyes.core.words import Severity

from .builders import BLOCKER, CONCERN, NIT, record

LIMITS = Limits(notes_per_boundary=3)


def state_with(*notes: NoteRecord, offer: Offer | None = None, offers: int = 0) -> SessionState:
    """Return a state that keeps these notes."""
    return SessionState(id="s", nonce="0" * 32, notes={note.id: note for note in notes}, offer=offer, offers=offers)


def ids(state: SessionState, *, finish: bool = False, limits: Limits = LIMITS) -> list[str]:
    """Return the notes that would be handed over."""
    offer = due_offer(state, limits, 9, finish=finish)
    return list(offer.notes) if offer else []


BLOCKER_LATE = record("b", severity=BLOCKER, turn=5)
CONCERN_EARLY = record("c1", turn=1)
CONCERN_LATE = record("c2", turn=4)
NIT_EARLY = record("n", severity=NIT, turn=1)


def test_the_strongest_go_first_and_then_the_oldest() -> None:
    for order in permutations([BLOCKER_LATE, CONCERN_EARLY, CONCERN_LATE, NIT_EARLY]):
        assert [note.id for note in waiting(state_with(*order))] == ["b", "c1", "c2", "n"]


def test_notes_of_the_same_turn_and_strength_keep_the_order_of_the_guard() -> None:
    assert [note.id for note in waiting(state_with(record("x"), record("y"), record("z")))] == ["x", "y", "z"]


@pytest.mark.parametrize(("most", "expected"), [(1, ["b"]), (2, ["b", "c1"]), (3, ["b", "c1", "c2"]), (9, [*"bn"])])
def test_no_more_than_a_boundary_may_take(most: int, expected: list[str]) -> None:
    notes = [BLOCKER_LATE, NIT_EARLY] if most == 9 else [BLOCKER_LATE, CONCERN_EARLY, CONCERN_LATE, NIT_EARLY]
    assert ids(state_with(*notes), limits=Limits(notes_per_boundary=most)) == expected


@pytest.mark.parametrize(
    ("notes", "level", "handed"),
    [
        ([NIT_EARLY], CONCERN, []),
        ([NIT_EARLY, CONCERN_LATE], CONCERN, ["c2", "n"]),
        ([CONCERN_LATE], BLOCKER, []),
        ([CONCERN_LATE, BLOCKER_LATE], BLOCKER, ["b", "c2"]),
        ([NIT_EARLY], NIT, ["n"]),
        ([], CONCERN, []),
    ],
)
def test_weak_notes_ride_along_and_never_go_alone(notes: list[NoteRecord], level: Severity, handed: list[str]) -> None:
    assert ids(state_with(*notes), limits=Limits(reopen_severity=level)) == handed


def test_notes_for_the_host_alone_are_never_handed_over() -> None:
    strong = record("h", severity=BLOCKER, host_only=True)
    assert ids(state_with(strong)) == []
    assert ids(state_with(strong, CONCERN_EARLY)) == ["c1"]
    assert not reopens([strong], LIMITS)


@pytest.mark.parametrize("status", [NoteStatus.HANDED_OVER, NoteStatus.SENT])
def test_only_queued_notes_wait(status: NoteStatus) -> None:
    assert waiting(state_with(record("x", status=status))) == []


def test_offers_are_numbered_and_say_where_they_were_made() -> None:
    offer = due_offer(state_with(CONCERN_EARLY, offers=4), LIMITS, 9, finish=True)
    assert offer is not None
    assert offer == Offer(id=offer.id, turn=9, finish=True, notes=("c1",))
    assert re.fullmatch("a5-[0-9a-f]{8}", offer.id)


def test_what_else_is_said_under_the_same_number_is_another_offer() -> None:
    """A store may fail after an offer, and the process be started again: hosts drop what they take for a double."""
    said = [replace(CONCERN_EARLY, text=text) for text in ("The lock is kept.", "The lock is kept.", "The key leaks.")]
    ids = [due_offer(state_with(note), LIMITS, 1, finish=False) for note in said]
    first, again, other = (offer.id for offer in ids if offer is not None)
    assert first == again
    assert first != other


def test_an_unconfirmed_offer_is_made_again_unchanged_and_new_notes_wait() -> None:
    before = state_with(CONCERN_EARLY)
    first = due_offer(before, LIMITS, 1, finish=False)
    assert first is not None
    state = offered(before, first)
    later = state_with(*state.notes.values(), BLOCKER_LATE, offer=state.offer, offers=state.offers)
    assert unconfirmed(later) == first
    assert due_offer(later, LIMITS, 2, finish=False) is first
    assert offered(later, first) is later


def test_once_taken_the_next_offer_has_the_next_notes() -> None:
    first = Offer(id="a1", turn=1, finish=False, notes=("c1",))
    handed = record("c1", status=NoteStatus.HANDED_OVER)
    state = taken(state_with(handed, BLOCKER_LATE, offer=first, offers=1))
    assert unconfirmed(state) is None
    offer = due_offer(state, LIMITS, 2, finish=False)
    assert offer is not None
    assert (offer.id[:3], offer.notes) == ("a2-", ("b",))


def test_at_a_finish_an_unconfirmed_offer_goes_back_into_the_queue() -> None:
    first = Offer(id="a1", turn=1, finish=False, notes=("c1",))
    state = requeued(state_with(record("c1", status=NoteStatus.HANDED_OVER), BLOCKER_LATE, offer=first, offers=1))
    offer = due_offer(state, LIMITS, 2, finish=True)
    assert offer is not None
    assert (offer.id[:3], offer.notes) == ("a2-", ("b", "c1"))


@pytest.mark.parametrize(
    ("fresh", "level", "expected"),
    [
        ([], CONCERN, False),
        ([NIT_EARLY], CONCERN, False),
        ([CONCERN_EARLY], CONCERN, True),
        ([NIT_EARLY, BLOCKER_LATE], CONCERN, True),
        ([CONCERN_EARLY], BLOCKER, False),
        ([NIT_EARLY], NIT, True),
    ],
)
def test_a_finish_is_reopened_by_a_fresh_note_that_is_strong_enough(
    fresh: list[NoteRecord], level: Severity, expected: bool
) -> None:
    assert reopens(fresh, Limits(reopen_severity=level)) is expected


def test_what_was_not_sent_is_everything_queued_or_unconfirmed_oldest_first() -> None:
    notes = [
        record("1"),
        record("2", status=NoteStatus.HANDED_OVER),
        record("3", status=NoteStatus.SENT),
        record("4", host_only=True),
    ]
    assert [note.id for note in unsent(state_with(*notes))] == ["1", "2", "4"]
