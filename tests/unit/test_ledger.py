"""The ledger: what each change of the state keeps, and what it ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import fields, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core import ledger
from foureyes.core.facts import Outcome, Spend, Usage
from foureyes.core.history import Entry, History
from foureyes.core.schedule import Call
from foureyes.core.state import Closed, NoteStatus, Offer, ReviewerState, SessionState, Settled, Started
from foureyes.core.words import FAILURES, OutcomeKind, Trigger

from .builders import config, fresh, judged, note, progress, record, sent_at_once, with_progress

REVIEWER = config(interval_turns=2, cooldown_turns=3)
CLOSED = Closed(messages=7, humans=(42,))
REMEMBERED = History(capacity=4_096).remembered(Entry(7, 3, "n1"))


def busy_state(**changes: Any) -> SessionState:
    """Return a state in which every counter of the usual reviewer has moved."""
    moved = {
        "last_review": 6,
        "periodic_used": 2,
        "rounds_used": 1,
        "cooldown_until": 9,
        "muted": True,
        "failures": 2,
        "outcome": OutcomeKind.ERROR,
        "raised": 3,
        "read": 40,
        "spent": Usage(input_tokens=10, cost_usd=0.5),
        "spent_in_request": Usage(input_tokens=4, cost_usd=0.2),
        "history": REMEMBERED,
    }
    return with_progress(fresh(REVIEWER, turn=7, reopens=1, admitted=5, serial=9, **changes), "correctness", **moved)


def differences(before: object, after: object) -> set[str]:
    """Return the names of the fields in which two values of a kind differ."""
    return {one.name for one in fields(before) if getattr(before, one.name) != getattr(after, one.name)}  # type: ignore[arg-type]


def call(trigger: Trigger = Trigger.PERIODIC, *, turn: int = 8, attempt: int = 1) -> Call:
    """Return a review of the usual reviewer."""
    return Call(reviewer="correctness", trigger=trigger, turn=turn, round=0, since=6, attempt=attempt)


def outcome(kind: OutcomeKind, trigger: Trigger = Trigger.PERIODIC, **facts: Any) -> Outcome:
    """Return how a review of the usual reviewer ended."""
    return Outcome(reviewer="correctness", trigger=trigger, kind=kind, **facts)


def report(state: SessionState, kind: OutcomeKind, *, turn: int = 8, usage: Usage | None = None) -> SessionState:
    """Return the state once the usual reviewer's review of a turn has ended."""
    ended = outcome(kind, spent=() if usage is None else (Spend(model="", usage=usage),))
    return ledger.reported(state, [ended], [REVIEWER], turn=turn, read=50)


# --- a request begins ---


def test_a_new_request_refills_both_allowances_and_ends_a_mute() -> None:
    after = progress(ledger.new_request(busy_state(), "Next."))
    assert (after.periodic_used, after.rounds_used, after.muted, after.raised) == (0, 0, False, 0)
    assert after.spent_in_request == Usage(cost_usd=0.0)


def test_a_new_request_keeps_turns_cooldown_streak_spending_and_memory() -> None:
    before = busy_state()
    after = ledger.new_request(before, "Next.")
    refilled = {"periodic_used", "rounds_used", "muted", "raised", "spent_in_request"}
    assert differences(progress(before), progress(after)) == refilled
    assert (after.turn, after.serial) == (7, 9)


def test_a_new_request_is_numbered_and_starts_its_own_counts() -> None:
    after = ledger.new_request(busy_state(closed=CLOSED), "Next.")
    assert (after.request, after.request_text, after.reopens, after.admitted, after.closed) == (2, "Next.", 0, 0, None)


def test_a_new_request_keeps_what_was_sent_and_leaves_to_the_host_what_still_waits() -> None:
    notes = {one: record(one, status=status) for one, status in zip("abc", NoteStatus, strict=True)}
    offer = Offer(id="a1", turn=7, finish=False, notes=("b",))
    after = ledger.new_request(busy_state(notes=notes, offer=offer), "Next.")
    assert [(kept.id, kept.status, kept.host_only) for kept in after.notes.values()] == [
        ("a", NoteStatus.QUEUED, True),
        ("b", NoteStatus.HANDED_OVER, True),
        ("c", NoteStatus.SENT, False),
    ]
    assert after.offer == offer, "the host may have taken it"
    assert after.unsaid == ("a",), "raised again, it is new"


def test_of_what_many_requests_left_over_the_newest_is_kept() -> None:
    notes = {f"n{number}": record(f"n{number}", host_only=number % 2 == 0) for number in range(600)}
    after = ledger.new_request(ledger.new_request(busy_state(notes=notes), "Next."), "And next.")
    assert list(after.notes) == [f"n{number}" for number in range(600 - 512, 600)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [("", ""), ("  Fix it.\n", "Fix it."), ("a\x00\ud800b", "a\ufffd\ufffdb"), ("x" * 8_000, "x" * 8_000)],
)
def test_the_original_request_is_kept_trimmed_and_fit_to_be_stored(text: str, kept: str) -> None:
    assert ledger.new_request(fresh(), text).request_text == kept


def test_an_original_request_that_is_too_long_keeps_its_head_and_its_tail() -> None:
    kept = ledger.new_request(fresh(), "head" + "x" * 9_000 + "tail").request_text
    assert len(kept) <= 8_000
    assert (kept[:4], kept[-4:]) == ("head", "tail")


# --- a review is charged ---


@pytest.mark.parametrize(
    ("trigger", "used"), [(Trigger.PERIODIC, (3, 1)), (Trigger.FINISH, (2, 2)), (Trigger.MANUAL, (2, 1))]
)
def test_a_review_is_charged_to_its_own_allowance_before_it_is_made(trigger: Trigger, used: tuple[int, int]) -> None:
    before = busy_state()
    after = ledger.started(before, [call(trigger)])
    assert (progress(after).periodic_used, progress(after).rounds_used) == used
    assert progress(after).last_review == 8
    assert progress(after).started == Started(turn=8, trigger=trigger, last_review=6, round=0)
    assert after.turn == before.turn


def test_a_repeated_review_is_not_charged_again() -> None:
    once = ledger.started(busy_state(), [call()])
    twice = ledger.started(once, [call(attempt=2)])
    assert differences(progress(once), progress(twice)) == {"started"}
    assert progress(twice).started == replace(progress(once).started, attempt=2)


# --- a review ends ---


@pytest.mark.parametrize("kind", sorted(FAILURES))
def test_a_failure_starts_the_cooldown_lengthens_the_streak_and_keeps_its_charge(kind: OutcomeKind) -> None:
    before = ledger.started(busy_state(), [call()])
    after = progress(report(before, kind))
    assert differences(progress(before), after) == {"started", "failures", "cooldown_until", "outcome"} - (
        {"outcome"} if kind is OutcomeKind.ERROR else set()
    )
    assert (after.failures, after.cooldown_until) == (3, 8 + 3)


@pytest.mark.parametrize("kind", [OutcomeKind.NOTED, OutcomeKind.QUIET])
def test_a_completed_review_ends_the_cooldown_and_the_streak(kind: OutcomeKind) -> None:
    after = progress(report(ledger.started(busy_state(), [call()]), kind))
    assert (after.failures, after.cooldown_until, after.raised, after.read) == (0, 0, 0, 50)
    assert (after.started, after.outcome, after.periodic_used, after.last_review) == (None, kind, 3, 8)


@pytest.mark.parametrize("trigger", [Trigger.PERIODIC, Trigger.FINISH])
@pytest.mark.parametrize("kind", [OutcomeKind.CANCELLED, OutcomeKind.STALE])
def test_a_review_that_the_host_ended_is_refunded_as_if_it_had_not_been_called(
    kind: OutcomeKind, trigger: Trigger
) -> None:
    before = busy_state()
    assert report(ledger.started(before, [call(trigger)]), kind) == before


def test_a_refunded_review_still_costs_what_it_used() -> None:
    used = Usage(input_tokens=5, output_tokens=1, cost_usd=0.25)
    after = progress(report(ledger.started(busy_state(), [call()]), OutcomeKind.CANCELLED, usage=used))
    assert (after.spent.input_tokens, after.spent.cost_usd) == (15, 0.75)
    assert (after.spent_in_request.input_tokens, after.spent_in_request.output_tokens) == (9, 1)


def test_a_review_interrupted_by_a_crash_keeps_its_charge_and_is_no_failure() -> None:
    before = ledger.started(busy_state(), [call()])
    after = progress(report(before, OutcomeKind.INTERRUPTED))
    assert differences(progress(before), after) == {"started", "outcome"}
    assert (after.periodic_used, after.last_review, after.failures) == (3, 8, 2)


def test_without_a_cooldown_the_next_turn_is_free() -> None:
    state = ledger.started(fresh(REVIEWER), [call()])
    after = ledger.reported(state, [outcome(OutcomeKind.ERROR)], [config(cooldown_turns=0)], turn=8, read=0)
    assert progress(after).cooldown_until <= 9


def test_an_unknown_cost_is_never_counted_as_nothing() -> None:
    used = Usage(input_tokens=5)
    after = progress(report(ledger.started(busy_state(), [call()]), OutcomeKind.QUIET, usage=used))
    assert (after.spent.input_tokens, after.spent.cost_usd) == (15, None)


def test_one_reviewer_s_end_does_not_touch_another() -> None:
    state = ledger.started(fresh(REVIEWER, config("scope")), [call()])
    assert progress(report(state, OutcomeKind.ERROR), "scope") is progress(state, "scope")


def test_the_pause_of_a_process_is_noted_down() -> None:
    state = ledger.started(fresh(REVIEWER), [call()])
    after = ledger.reported(
        state, [outcome(OutcomeKind.ERROR)], [REVIEWER], turn=8, read=0, paused={"correctness", "other"}
    )
    assert progress(after).paused
    assert not progress(report(after, OutcomeKind.QUIET)).paused


# --- the end of a request, and what a host may do to the past ---


def test_a_quiet_boundary_moves_the_turn_under_the_next_revision_and_nothing_else() -> None:
    before = busy_state(revision=3)
    after = ledger.moved(before, 8)
    assert differences(before, after) == {"turn", "revision"}
    assert (after.turn, after.revision) == (8, 4)
    assert after.reviewers is before.reviewers
    assert after.notes is before.notes


def test_a_settled_boundary_moves_the_turn_and_remembers_its_answer() -> None:
    what = Settled(turn=8, progress="nothing to say")
    after = ledger.settled(busy_state(), what)
    assert (after.turn, after.settled) == (8, what)
    assert ledger.moved(after, 9).settled is None


def test_a_closed_request_changes_nothing_but_that() -> None:
    before = busy_state()
    assert differences(before, ledger.closed(before, CLOSED)) == {"closed"}


def test_an_offer_of_which_a_note_is_too_old_to_be_kept_is_over() -> None:
    notes = {"n0": record("n0", status=NoteStatus.HANDED_OVER)} | {f"n{k}": record(f"n{k}") for k in range(1, 513)}
    offer = Offer(id="a1", turn=7, finish=False, notes=("n0",))
    after = ledger.aborted(busy_state(notes=notes, offer=offer), CLOSED)
    assert "n0" not in after.notes
    assert after.offer is None


def test_a_note_that_was_taken_after_all_is_not_for_the_host_alone() -> None:
    notes = {"b": record("b", status=NoteStatus.HANDED_OVER)}
    offer = Offer(id="a1", turn=7, finish=False, notes=("b",))
    after = ledger.taken(ledger.new_request(busy_state(notes=notes, offer=offer), "Next."))
    assert [(kept.status, kept.host_only) for kept in after.notes.values()] == [(NoteStatus.SENT, False)]


def test_an_abort_leaves_the_queue_to_the_host_refunds_what_is_under_way_and_stays_quiet() -> None:
    before = busy_state(notes={one: record(one, status=status) for one, status in zip("abc", NoteStatus, strict=True)})
    after = ledger.aborted(ledger.started(before, [call()]), CLOSED)
    assert [(kept.id, kept.host_only) for kept in after.notes.values()] == [("a", True), ("b", True), ("c", False)]
    assert after.unsaid == ("a",), "raised again, it is new"
    assert progress(after) == progress(before)
    assert after.closed == CLOSED
    assert report(after, OutcomeKind.CANCELLED).reviewers == after.reviewers


def test_a_rewind_draws_last_reviews_and_cooldowns_back_and_keeps_the_charges() -> None:
    before = busy_state(settled=Settled(turn=7), closed=CLOSED)
    after = ledger.rewound(before, 4)
    assert (after.turn, after.settled, after.closed) == (4, None, None)
    assert (progress(after).last_review, progress(after).cooldown_until) == (4, 5)
    assert differences(progress(before), progress(after)) == {"last_review", "cooldown_until", "read"}


def test_a_rewind_leaves_alone_what_lies_before_it() -> None:
    before = with_progress(busy_state(), "correctness", last_review=2, cooldown_until=3)
    after = progress(ledger.rewound(before, 4))
    assert (after.last_review, after.cooldown_until) == (2, 3)


@pytest.mark.parametrize("turn", [7, 8, 100])
def test_a_rewind_to_the_present_or_the_future_changes_nothing(turn: int) -> None:
    state = busy_state(settled=Settled(turn=7), closed=CLOSED)
    assert ledger.rewound(state, turn) == state


def test_a_rewind_to_the_start_makes_the_whole_interval_pass_again() -> None:
    after = progress(ledger.rewound(busy_state(), 0))
    assert (after.last_review, after.cooldown_until) == (0, 1)


def test_a_rewind_withdraws_unsent_notes_of_the_removed_turns_only() -> None:
    notes = {
        "kept": record("kept", turn=4),
        "gone": record("gone", turn=5),
        "sent": record("sent", turn=6, status=NoteStatus.SENT),
    }
    assert list(ledger.rewound(busy_state(notes=notes), 4).notes) == ["kept", "sent"]


def test_a_rewind_ends_a_review_that_was_under_way() -> None:
    assert progress(ledger.rewound(ledger.started(busy_state(), [call()]), 4)).started is None


def test_a_compaction_forgets_what_was_said_and_nothing_else() -> None:
    before = busy_state(notes={"c": record("c", status=NoteStatus.SENT)})
    after = ledger.compacted(before)
    assert differences(before, after) == {"compacted_at", "reviewers"}
    assert after.compacted_at == before.turn
    assert differences(progress(before), progress(after)) == {"history", "read"}
    assert progress(after).history == History(capacity=4_096)


def test_a_reviewer_joins_with_a_clean_record_and_one_that_left_is_remembered() -> None:
    state = busy_state()
    after = ledger.fitted(state, [config("newcomer", history=8)])
    assert progress(after) is progress(state)
    assert progress(after, "newcomer") == ReviewerState(name="newcomer", history=History(capacity=8))


def test_a_history_is_fitted_to_the_configured_capacity() -> None:
    after = ledger.fitted(busy_state(), [config(history=16)])
    assert progress(after).history.capacity == 16
    assert progress(after).history.find(7) == Entry(7, 3, "n1")


def test_a_state_can_be_given_the_revision_under_which_it_is_saved() -> None:
    before = busy_state()
    assert differences(before, ledger.revised(before, 5)) == {"revision"}


# --- for any life ---

ENDS = st.sampled_from([*OutcomeKind])
LIFE: st.SearchStrategy[Callable[[SessionState], SessionState]] = st.one_of(
    st.builds(lambda text: lambda state: ledger.new_request(state, text), st.text(max_size=5)),
    st.builds(
        lambda kind, trigger: (
            lambda state: report(ledger.started(state, [call(trigger, turn=state.turn + 1)]), kind, turn=state.turn + 1)
        ),
        ENDS,
        st.sampled_from([Trigger.PERIODIC, Trigger.FINISH]),
    ),
    st.builds(lambda: lambda state: ledger.moved(state, state.turn + 1)),
    st.builds(lambda back: lambda state: ledger.rewound(state, max(0, state.turn - back)), st.integers(0, 3)),
    st.just(ledger.compacted),
    st.builds(lambda: lambda state: ledger.aborted(ledger.started(state, [call()]), CLOSED)),
    st.builds(lambda text: lambda state: judged(state, [REVIEWER], {"correctness": [note(text)]})[0], st.text("abc")),
    st.just(sent_at_once),
    st.just(ledger.listed),
)


@given(st.lists(LIFE, max_size=25))
def test_no_life_of_a_session_makes_a_counter_negative_or_lets_it_run_backwards(
    life: list[Callable[[SessionState], SessionState]],
) -> None:
    state = fresh(REVIEWER)
    for event in life:
        before, state = state, event(state)
        now = progress(state)
        assert min(now.periodic_used, now.rounds_used, now.last_review, now.cooldown_until, now.failures) >= 0
        assert now.last_review <= max(state.turn + 1, 8)
        assert state.serial >= before.serial
        assert state.request >= before.request
        assert sum(one.status is NoteStatus.SENT for one in state.notes.values()) <= 32
        assert state.offer is None or state.offer.taken or set(state.offer.notes) <= set(state.notes)


@given(st.lists(LIFE, min_size=1, max_size=10))
def test_no_change_alters_the_state_that_it_was_given(life: list[Callable[[SessionState], SessionState]]) -> None:
    state = fresh(REVIEWER)
    for event in life:
        copy = replace(state, notes=dict(state.notes), reviewers=dict(state.reviewers))
        after = event(state)
        assert state == copy
        state = after


def test_a_review_under_way_at_a_new_request_is_neither_refunded_twice_nor_repeated() -> None:
    state = ledger.new_request(ledger.started(busy_state(), [call()]), "Something else.")
    assert progress(state).started is not None
    assert progress(state).started.attempt == 2
    assert progress(report(state, OutcomeKind.STALE)).periodic_used == 0
