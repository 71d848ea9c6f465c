"""What a store is asked to write: the difference of two states, and no more."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from foureyes.core import ledger
from foureyes.core.changes import Changes
from foureyes.core.history import Entry, History
from foureyes.core.schedule import Call
from foureyes.core.state import Closed, NoteStatus, Offer, SessionState, Settled
from foureyes.core.words import Trigger

from .builders import config, fresh, record

ONE, TWO = config("one"), config("two")


def saved(**facts: Any) -> SessionState:
    """Return a state that a store holds: two reviewers, one sent and one queued note, three settled turns."""
    notes = {"n1": record("n1", status=NoteStatus.SENT), "n2": record("n2", turn=3)}
    return fresh(ONE, TWO, **{"revision": 5, "turn": 3, "serial": 2, "notes": notes} | facts)


def after(state: SessionState) -> SessionState:
    return replace(state, revision=state.revision + 1)


def test_a_turn_that_moved_is_quiet() -> None:
    before = saved()
    found = Changes(before, after(ledger.moved(before, 4)))
    assert found.quiet
    assert (found.expected, found.reviewers, found.histories, found.notes, found.gone) == (5, (), (), (), ())


@pytest.mark.parametrize(
    "changed",
    [
        {"settled": Settled(turn=4)},
        {"closed": Closed(messages=1)},
        {"offer": Offer(id="a1", turn=4, finish=False, notes=())},
        {"request": 2},
        {"reopens": 1},
        {"nonce": "another"},
        {"notes": {}},
        {"reviewers": {}},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_turn_with_anything_else_is_not_quiet(changed: dict[str, Any]) -> None:
    before = saved()
    assert not Changes(before, after(replace(before, turn=4, **changed))).quiet


def test_leaving_a_settled_boundary_behind_is_not_quiet() -> None:
    before = saved(settled=Settled(turn=3))
    assert not Changes(before, after(ledger.moved(before, 4))).quiet


def test_a_session_that_no_store_knows_is_written_whole() -> None:
    state = replace(saved(), revision=1)
    found = Changes(None, state)
    assert (found.expected, found.quiet) == (0, False)
    assert found.reviewers == tuple(state.reviewers.values())
    assert found.notes == tuple(state.notes.values())


def test_a_new_session_is_not_quiet_even_if_it_is_empty() -> None:
    assert not Changes(None, SessionState(id="s", nonce="", revision=1)).quiet


def test_only_the_reviewer_that_was_called_is_written() -> None:
    before = saved()
    state = ledger.started(before, [Call(reviewer="two", trigger=Trigger.PERIODIC, turn=4, round=0, since=0)])
    found = Changes(before, after(state))
    assert found.reviewers == (state.reviewers["two"],)
    assert (found.histories, found.notes, found.gone) == ((), (), ())


def test_a_note_with_another_status_is_written_and_its_siblings_are_not() -> None:
    before = saved()
    state = ledger.offered(before, Offer(id="a1", turn=3, finish=False, notes=("n2",)))
    assert [note.id for note in Changes(before, after(state)).notes] == ["n2"]


def test_a_note_that_left_the_state_is_gone() -> None:
    before = saved()
    found = Changes(before, after(ledger.listed(before)))
    assert (found.gone, found.notes) == (("n2",), ())


def remembering(*entries: Entry, capacity: int = 4_096) -> SessionState:
    """Return the saved state in which the first reviewer remembers the entries."""
    history = History(capacity=capacity)
    for entry in entries:
        history = history.remembered(entry)
    state = saved()
    return replace(state, reviewers={**state.reviewers, "one": replace(state.reviewers["one"], history=history)})


def with_history(state: SessionState, history: History) -> SessionState:
    return after(replace(state, reviewers={**state.reviewers, "one": replace(state.reviewers["one"], history=history)}))


def test_a_new_key_is_one_slot_however_many_there_are() -> None:
    before = remembering(*(Entry(key, 1, "n1") for key in range(500)))
    history = before.reviewers["one"].history.remembered(Entry(500, 2, "n3"))
    (remembered,) = Changes(before, with_history(before, history)).histories
    assert (remembered.reviewer, remembered.cleared, remembered.slots) == ("one", False, ((500, Entry(500, 2, "n3")),))


def test_a_cleared_history_says_so() -> None:
    before = remembering(Entry(1, 1, "n1"))
    (remembered, *_) = Changes(before, after(ledger.compacted(before))).histories
    assert (remembered.reviewer, remembered.cleared, remembered.slots) == ("one", True, ())


def test_a_resized_history_is_laid_out_anew() -> None:
    before = remembering(Entry(1, 1, "n1"), Entry(2, 1, "n1"))
    history = before.reviewers["one"].history.resized(1)
    (remembered,) = Changes(before, with_history(before, history)).histories
    assert (remembered.cleared, remembered.slots) == (True, ((0, Entry(2, 1, "n1")),))


def test_a_new_reviewer_comes_with_its_whole_history() -> None:
    state = replace(remembering(Entry(1, 1, "n1")), revision=1)
    (remembered,) = Changes(None, state).histories
    assert (remembered.reviewer, remembered.slots) == ("one", ((0, Entry(1, 1, "n1")),))


def test_a_reviewer_without_history_has_none_to_write() -> None:
    assert Changes(None, replace(saved(), revision=1)).histories == ()
