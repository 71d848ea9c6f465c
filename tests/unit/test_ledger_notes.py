"""The ledger of notes: queued, handed over, sent, forgotten."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foureyes.core import ledger
from foureyes.core.guard import Guarded, Limits
from foureyes.core.state import NoteStatus, Offer

from .builders import config, fresh, judged, note, progress, record, sent_at_once

REVIEWER = config(interval_turns=2, cooldown_turns=3)


def test_an_admitted_note_is_queued_counted_and_remembered() -> None:
    state, guarded = judged(fresh(REVIEWER), [REVIEWER], {"correctness": [note("The lock leaks.")]}, turn=4)
    assert [(one.id, one.status, one.turn, one.request) for one in state.notes.values()] == [
        ("n1", NoteStatus.QUEUED, 4, 1)
    ]
    assert (state.serial, state.admitted) == (1, 1)
    assert progress(state).history == guarded.histories["correctness"]


def test_a_note_for_the_host_only_does_not_count_for_the_agent() -> None:
    said = {"correctness": [note("The lock leaks."), note("The join doubles.")]}
    after, _ = judged(fresh(REVIEWER), [REVIEWER], said, limits=Limits(notes_per_request=1))
    assert [one.host_only for one in after.notes.values()] == [False, True]
    assert (after.serial, after.admitted) == (2, 1)


def test_a_boundary_without_notes_changes_nothing() -> None:
    before = fresh(REVIEWER, notes={"n1": record("n1")}, serial=1, admitted=1)
    assert ledger.noted(before, Guarded()) == before


def test_notes_handed_over_at_a_finish_count_as_a_reopening() -> None:
    state = fresh(REVIEWER, notes={"n1": record("n1")})
    between = ledger.offered(state, Offer(id="a1", turn=1, finish=False, notes=("n1",)))
    at_finish = ledger.offered(state, Offer(id="a1", turn=1, finish=True, notes=("n1",)))
    assert (between.reopens, at_finish.reopens) == (0, 1)
    assert between.notes["n1"].status is at_finish.notes["n1"].status is NoteStatus.HANDED_OVER
    assert (state.offers, between.offers) == (0, 1)


def test_an_offer_that_is_made_again_changes_nothing() -> None:
    offer = Offer(id="a1", turn=1, finish=True, notes=("n1",))
    once = ledger.offered(fresh(REVIEWER, notes={"n1": record("n1")}), offer)
    assert ledger.offered(once, offer) == once


def test_notes_are_sent_once_the_host_has_taken_the_offer_and_only_once() -> None:
    state = fresh(REVIEWER, notes={"n1": record("n1"), "n2": record("n2")})
    offered = ledger.offered(state, Offer(id="a1", turn=1, finish=False, notes=("n1",)))
    after = ledger.taken(offered)
    assert [one.status for one in after.notes.values()] == [NoteStatus.SENT, NoteStatus.QUEUED]
    assert after.offer == replace(offered.offer, taken=True)
    assert ledger.taken(after) == after


@pytest.mark.parametrize("offer", [None, Offer(id="a1", turn=1, finish=False, notes=("n1",), taken=True)])
def test_taking_without_an_open_offer_changes_nothing(offer: Offer | None) -> None:
    state = fresh(REVIEWER, notes={"n1": record("n1", status=NoteStatus.HANDED_OVER)}, offer=offer)
    assert ledger.taken(state) == state


def test_the_notes_of_an_unconfirmed_offer_can_wait_in_the_queue_again() -> None:
    state = fresh(REVIEWER, notes={"n1": record("n1")})
    offered = ledger.offered(state, Offer(id="a1", turn=1, finish=False, notes=("n1",)))
    again = ledger.requeued(offered)
    assert again.notes["n1"].status is NoteStatus.QUEUED
    assert ledger.taken(again) == again
    assert ledger.requeued(ledger.taken(offered)) == ledger.taken(offered)


@pytest.mark.parametrize("count", [0, 1, 32, 33, 100])
def test_the_newest_thirty_two_sent_notes_of_a_reviewer_are_kept(count: int) -> None:
    identities = [f"n{number}" for number in range(1, count + 1)]
    after = sent_at_once(fresh(REVIEWER, notes={one: record(one) for one in identities}))
    assert list(after.notes) == identities[-32:]


def test_a_note_of_two_reviewers_is_kept_as_long_as_one_of_them_has_room() -> None:
    shared = record("n0", reviewers=("correctness", "scope"))
    own = [record(f"n{number}") for number in range(1, 41)]
    after = sent_at_once(fresh(REVIEWER, config("scope"), notes={one.id: one for one in (shared, *own)}))
    assert list(after.notes) == ["n0"] + [f"n{number}" for number in range(9, 41)]


def test_what_waits_is_never_forgotten_for_what_was_sent() -> None:
    waiting = record("n1")
    sent = [record(f"n{number}", status=NoteStatus.HANDED_OVER) for number in range(2, 50)]
    offer = Offer(id="a1", turn=1, finish=False, notes=tuple(one.id for one in sent))
    state = fresh(REVIEWER, notes={one.id: one for one in (waiting, *sent)}, offer=offer)
    assert "n1" in ledger.taken(state).notes


def test_what_the_host_was_told_of_leaves_the_queue() -> None:
    notes = {one: record(one, status=status) for one, status in zip("abc", NoteStatus, strict=True)}
    offer = Offer(id="a1", turn=7, finish=False, notes=("b",))
    after = ledger.listed(fresh(REVIEWER, notes=notes, offer=offer))
    assert (list(after.notes), after.offer) == (["c"], None)


def test_going_back_puts_the_unconfirmed_notes_of_a_kept_turn_into_the_queue() -> None:
    state, _ = judged(fresh(turn=4), [config()], {"correctness": [note("The lock leaks.")]}, turn=4)
    offered = ledger.offered(replace(state, turn=6), Offer(id="a1", turn=4, finish=False, notes=("n1",)))
    after = ledger.rewound(offered, 5)
    assert [kept.status for kept in after.notes.values()] == [NoteStatus.QUEUED]
