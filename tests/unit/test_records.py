"""Reading a snapshot back: what is sound is the same state again, and what is bad is never believed."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any, TypeAlias

import pytest

from foureyes.core.facts import Anchor, Usage
from foureyes.core.history import Entry
from foureyes.core.state import Closed, NoteStatus, Offer, SessionState, Settled, Started
from foureyes.core.words import OutcomeKind, Trigger
from foureyes.errors import StateVersionError, StoreError
from foureyes.stores.records import dumped, loaded
from foureyes.stores.restoring import SPENT

from .builders import config, fresh, record, with_progress

Harm: TypeAlias = Callable[[dict[str, Any]], object]

SECRET = "hunter2"
ONE, TWO = config("one", history=3), config("two")


def state() -> SessionState:
    """Return a state with something in every field: two reviewers, and a note on each stage of its road."""
    notes = [
        record("n1", reviewers=("one",), status=NoteStatus.SENT, key="leak", anchor=Anchor(turn=-1, path="a.py:3")),
        record("n2", reviewers=("two",), status=NoteStatus.HANDED_OVER, text=SECRET),
        record(
            "n3",
            reviewers=("one", "two"),
            host_only=True,
            similar_to="n1",
            similar_text="The lock leaks.",
            chain="n1",
            cluster="n1",
        ),
    ]
    before = fresh(
        ONE,
        TWO,
        revision=9,
        turn=7,
        request_text="Fix the leak",
        reopens=1,
        compacted_at=2,
        admitted=2,
        serial=3,
        offer=Offer(id="a1", turn=7, finish=True, notes=("n2",)),
        settled=Settled(turn=7, finish=True, advisory="a1", reopen=True, unsent=(notes[2],)),
        closed=Closed(messages=12, humans=(2**63 - 1,)),
        notes={note.id: note for note in notes},
    )
    history = before.reviewers["one"].history
    for number in range(5):
        history = history.remembered(Entry(2**63 - 1 - number, 2, "n1"))
    facts = {"last_review": 7, "periodic_used": 2, "rounds_used": 1, "outcome": OutcomeKind.NOTED, "read": 3}
    facts |= {"muted": True, "spoken": 3, "held": 2, "rejected": 31, "shrinking": "n1"}
    spent = Usage(input_tokens=10, output_tokens=5, cost_usd=0.1)
    return with_progress(before, "one", history=history, spent=spent, **facts)


def snapshot(of: SessionState | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(json.dumps(dumped(of or state())))
    return found


def harmed(harm: Harm, of: SessionState | None = None) -> dict[str, Any]:
    found = snapshot(of)
    harm(found)
    return found


def put(*path: Any) -> Harm:
    """Return what sets the value that comes last in the path."""
    *way, last, value = path

    def harm(found: Any) -> None:
        for part in way:
            found = found[part]
        found[last] = value

    return harm


def without(*path: Any) -> Harm:
    """Return what removes the last part of the path."""
    *way, last = path

    def harm(found: Any) -> None:
        for part in way:
            found = found[part]
        del found[last]

    return harm


RECORD = ("reviewers", 0, "record")
HISTORY = ("reviewers", 0, "history")


def test_a_snapshot_is_the_same_state_again() -> None:
    assert loaded(snapshot()) == state()


def test_the_order_of_notes_and_reviewers_survives() -> None:
    found = loaded(snapshot())
    assert list(found.notes) == ["n1", "n2", "n3"]
    assert list(found.reviewers) == ["one", "two"]


def test_a_snapshot_has_a_place_for_every_field() -> None:
    found = snapshot()
    names = {*found, *found["session"]} - {"session"}
    assert names == {field.name for field in fields(SessionState)}
    assert {*found["reviewers"][0]["record"], "history"} == set(state().reviewers["one"].__dict__)


def test_a_review_under_way_is_as_far_ahead_as_the_hosts_turn() -> None:
    started = Started(turn=20, trigger=Trigger.PERIODIC, last_review=7, round=0)
    under_way = with_progress(state(), "one", last_review=20, started=started)
    assert loaded(snapshot(under_way)) == under_way


def test_a_note_as_long_as_the_limit_is_sound() -> None:
    long = replace(state(), notes={"n1": record("n1", text="\N{PILE OF POO}" * 2_000)}, offer=None)
    assert loaded(snapshot(long)) == long


def test_fields_of_a_later_foureyes_of_the_same_version_are_ignored_and_missing_ones_have_their_defaults() -> None:
    found = snapshot(with_progress(state(), "one", read=0))
    found["reviewers"][0]["record"]["mood"] = "sunny"
    found["session"]["weather"] = {"rain": [1]}
    del found["reviewers"][0]["record"]["read"]
    assert loaded(found) == with_progress(state(), "one", read=0)


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (put(*RECORD, "last_review", -1), "last_review is negative"),
        (put(*RECORD, "last_review", 8), "last_review is after the session's turn"),
        (put(*RECORD, "failures", "3"), "failures: Input should be a valid integer"),
        (put(*RECORD, "failures", 3.0), "failures: Input should be a valid integer"),
        (put(*RECORD, "failures", True), "failures: Input should be a valid integer"),
        (put(*RECORD, "failures", None), "failures: Input should be a valid integer"),
        (put(*RECORD, "failures", float("nan")), "failures: Input should be a valid integer"),
        (put(*RECORD, "muted", 1), "muted: Input should be a valid boolean"),
        (put(*RECORD, "outcome", SECRET), "outcome: Input should be 'noted', "),
        (put(*RECORD, "spent", "input_tokens", -1), "spent.input_tokens is negative"),
        (put(*RECORD, "spent", "cost_usd", -0.1), "spent.cost_usd is negative"),
        (put(*RECORD, "spent", "cost_usd", float("nan")), "spent.cost_usd is no number"),
        (put(*RECORD, "spent", "cost_usd", float("inf")), "spent.cost_usd is no number"),
        (put(*RECORD, "started", {"turn": 8}), "started.trigger: Field required"),
        (put(*RECORD, "name", "two"), "it is another reviewer's"),
        (without(*RECORD, "name"), "name: Field required"),
        (put("reviewers", 0, "record", None), "Input should be an object"),
        (put("reviewers", 0, "record", [SECRET]), "Input should be an object"),
        (put("reviewers", 0, "record", {1, 2}), "it is missing"),
        (without("reviewers", 0, "record"), "Input should be an object"),
        (put(*HISTORY, "capacity", 2), "3 slots do not make a history of 2"),
        (put(*HISTORY, "capacity", 0), "3 slots do not make a history of 0"),
        (put(*HISTORY, "capacity", "3"), "the capacity of the history is no count"),
        (put(*HISTORY, "capacity", True), "the capacity of the history is no count"),
        (put(*HISTORY, "serial", 2), "3 slots do not make a history of 2"),
        (put(*HISTORY, "serial", -1), "the serial of the history is no count"),
        (put(*HISTORY, "serial", None), "the serial of the history is no count"),
        (put(*HISTORY, "slots", []), "0 slots do not make a history of 3"),
        (put(*HISTORY, "slots", None), "'NoneType' object is not iterable"),
        (put(*HISTORY, "slots", 0, 7), "Value after * must be an iterable"),
        (put(*HISTORY, "slots", 0, [1, 2]), "an entry of the history is incomplete"),
        (put(*HISTORY, "slots", 0, 0, "key"), "an entry of the history is of the wrong type"),
        (put(*HISTORY, "slots", 0, 0, 2**63), "an entry of the history is out of bounds"),
        (put(*HISTORY, "slots", 0, 0, -1), "an entry of the history is out of bounds"),
        (put(*HISTORY, "slots", 0, 1, 4), "an entry of the history is out of bounds"),
        (put(*HISTORY, "slots", 0, 1, 0), "an entry of the history is out of bounds"),
        (put(*HISTORY, "slots", 0, 1, True), "an entry of the history is of the wrong type"),
        (put(*HISTORY, "slots", 0, 2, 1), "an entry of the history is of the wrong type"),
        (lambda found: put(*HISTORY, "slots", 0, found["reviewers"][0]["history"]["slots"][1])(found), "a key stands"),
        (without("reviewers", 0, "history"), "the capacity of the history is no count"),
        (put("notes", 0, "severity", "shouting"), "a note of its cannot be read (severity: Input should be"),
        (put("notes", 0, "text", (SECRET * 300)[:2_001]), "(the text of a note is longer than 2,000 characters)"),
        (put("notes", 0, "turn", -1), "(turn is negative)"),
        (put("notes", 0, "request", "1"), "(request: Input should be a valid integer)"),
        (lambda found: found["notes"].append(found["notes"][0]), "(it is nobody's, or there twice)"),
    ],
)
def test_a_bad_record_damages_its_reviewer_and_no_other(harm: Harm, why: str) -> None:
    found = loaded(harmed(harm))
    assert why in found.reviewers["one"].damaged
    assert SECRET not in found.reviewers["one"].damaged
    assert found.reviewers["two"] == state().reviewers["two"]
    assert (found.turn, found.offer, found.request_text) == (7, state().offer, "Fix the leak")


def test_a_bad_note_of_two_reviewers_damages_both_and_is_not_kept() -> None:
    found = loaded(harmed(put("notes", 2, "status", "lost")))
    assert [name for name, progress in found.reviewers.items() if progress.damaged] == ["one", "two"]
    assert list(found.notes) == ["n1", "n2"]


def test_a_bad_note_that_was_handed_over_leaves_the_offer_without_it() -> None:
    found = loaded(harmed(put("notes", 1, "status", "lost")))
    assert found.offer == replace(state().offer or Offer(id="", turn=0, finish=False, notes=()), notes=())
    assert found.reviewers["two"].damaged
    assert not found.reviewers["one"].damaged


@pytest.mark.parametrize(
    ("record", "allowances"),
    [
        ({"name": "one", "muted": 1, "periodic_used": 5, "rounds_used": 0}, (5, 0)),
        ({"name": "one", "muted": 1, "periodic_used": 5}, (5, SPENT)),
        ({"name": "one", "periodic_used": -1, "rounds_used": "2"}, (SPENT, SPENT)),
        ({"name": "one", "periodic_used": True, "rounds_used": 2.0}, (SPENT, SPENT)),
        ("gone", (SPENT, SPENT)),
    ],
)
def test_what_cannot_be_read_of_an_allowance_is_spent(record: object, allowances: tuple[int, int]) -> None:
    found = loaded(harmed(put("reviewers", 0, "record", record))).reviewers["one"]
    assert (found.periodic_used, found.rounds_used) == allowances
    assert (found.spent.cost_usd, found.spent_in_request.cost_usd) == (None, None)


def test_an_allowance_counted_as_spent_is_above_every_cap() -> None:
    assert config(max_periodic_reviews=SPENT, max_rounds=SPENT).max_rounds == SPENT


def test_a_damaged_record_keeps_its_history_and_a_damaged_history_its_record() -> None:
    before = state().reviewers["one"]
    assert loaded(harmed(put(*RECORD, "failures", -1))).reviewers["one"].history == before.history
    found = loaded(harmed(put(*HISTORY, "serial", 2))).reviewers["one"]
    assert replace(found, damaged="", history=before.history) == before
    assert (found.history.capacity, list(found.history.slots())) == (3, [])


def test_a_reviewer_once_damaged_stays_so_with_the_first_reason() -> None:
    damaged = with_progress(state(), "one", damaged="the first reason")
    assert loaded(snapshot(damaged)) == damaged
    for harm in (put(*HISTORY, "serial", 2), put("notes", 0, "turn", -1)):
        assert loaded(harmed(harm, damaged)).reviewers["one"].damaged == "the first reason"


def sent(count: int, *reviewers: str) -> SessionState:
    notes = {f"n{n}": record(f"n{n}", reviewers=reviewers, status=NoteStatus.SENT) for n in range(1, count + 1)}
    return replace(state(), notes=notes, serial=100, offer=None)


def test_a_reviewer_may_have_32_sent_notes() -> None:
    assert loaded(snapshot(sent(32, "one"))) == sent(32, "one")


def test_a_reviewer_with_33_sent_notes_is_damaged_and_the_oldest_is_not_kept() -> None:
    found = loaded(snapshot(sent(33, "one")))
    assert found.reviewers["one"].damaged == "it has more than 32 sent notes"
    assert not found.reviewers["two"].damaged
    assert list(found.notes) == [f"n{number}" for number in range(2, 34)]


def test_a_sent_note_of_two_reviewers_is_kept_as_long_as_one_of_them_has_room() -> None:
    notes = sent(33, "one").notes | {"n1": record("n1", reviewers=("one", "two"), status=NoteStatus.SENT)}
    shared = replace(sent(0), notes=notes)
    assert loaded(snapshot(shared)) == shared


def test_queued_notes_are_not_counted_as_sent() -> None:
    notes = {f"n{number}": record(f"n{number}", reviewers=("one",)) for number in range(1, 48)}
    queued = replace(sent(0), notes=notes)
    assert loaded(snapshot(queued)) == queued


@pytest.mark.parametrize(
    ("harm", "why"),
    [
        (without("version"), "it has no version"),
        (put("version", 0), "it has no version"),
        (put("version", "1"), "it has no version"),
        (put("version", True), "it has no version"),
        (without("id"), "its id or its request is no text"),
        (put("request_text", None), "its id or its request is no text"),
        (put("revision", -1), "revision is no count"),
        (put("revision", 1.0), "revision is no count"),
        (put("turn", True), "turn is no count"),
        (without("turn"), "turn is no count"),
        (put("session", "reopens", -1), "reopens is negative"),
        (put("session", "serial", "3"), "serial: Input should be a valid integer"),
        (put("session", "closed", {"messages": -1, "human": 0}), "closed.messages is negative"),
        (put("session", "settled", "result", SECRET), "settled.result: Input should be 'clean', "),
        (put("session", "settled", "unsent", 0, "text", SECRET * 300), "longer than 2,000 characters"),
        (put("session", SECRET), "Input should be an object"),
        (without("session"), "Input should be an object"),
        (without("session", "nonce"), "nonce: Field required"),
        (put("session", {"nonce": {1}}), "it is missing"),
        (put("reviewers", {}), "a reviewer's record does not say whose it is"),
        (put("reviewers", 0, "name", None), "a reviewer's record does not say whose it is"),
        (without("reviewers"), "a reviewer's record does not say whose it is"),
        (lambda found: found["reviewers"].append(found["reviewers"][0]), "it holds one reviewer twice"),
        (without("notes"), "a note is bad and does not say whose it is"),
        (put("notes", 0, SECRET), "a note is bad and does not say whose it is"),
        (put("notes", 0, "reviewers", []), "a note is bad and does not say whose it is"),
        (put("notes", 0, "reviewers", ["nobody", 5]), "a note is bad and does not say whose it is"),
        (without("notes", 1), "it hands over a note that is missing"),
        (put("notes", 0, "id", "n4"), "a note has a number that was never given"),
        (put("notes", 0, "id", "n0"), "a note has a number that was never given"),
        (put("notes", 0, "id", "1"), "a note has a number that was never given"),
        (put("notes", 0, "id", "n" + "9" * 5_000), "a note has a number that was never given"),
    ],
)
def test_a_bad_record_of_the_session_is_an_error_with_its_cure(harm: Harm, why: str) -> None:
    with pytest.raises(StoreError, match="cannot be read") as caught:
        loaded(harmed(harm))
    assert why in str(caught.value)
    assert "restore it from a backup, or go on under another session id" in str(caught.value)
    assert SECRET not in str(caught.value)
    assert not isinstance(caught.value, StateVersionError)


@pytest.mark.parametrize("nothing", [None, [], {}, "{}", 1], ids=repr)
def test_what_is_no_snapshot_at_all_is_an_error_too(nothing: object) -> None:
    with pytest.raises(StoreError, match="session without an id in the snapshot cannot be read"):
        loaded(nothing)


@pytest.mark.parametrize("rest", [snapshot(), {}, {"id": "s", "reviewers": {"of": "a new kind"}}], ids=len)
def test_a_newer_version_is_refused_before_anything_else_is_looked_at(rest: dict[str, Any]) -> None:
    with pytest.raises(StateVersionError, match=r"version 2; this one reads up to 1\): upgrade foureyes"):
        loaded(rest | {"version": 2})
