"""Who is due, and when."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.ledger import new_request
from foureyes.core.schedule import decide, due, next_due
from foureyes.core.state import Started
from foureyes.core.words import OutcomeKind, SkipReason, Stop, Trigger

from .builders import BLOCKER, called_at, config, fresh, moment, note, progress, skip, step, with_progress

EVERY = {"interval_turns": 1, "max_periodic_reviews": 1_000}


# --- due ---


@pytest.mark.parametrize(
    ("interval", "turns"),
    [(1, [1, 2, 3, 4, 5, 6, 7]), (2, [2, 4, 6]), (3, [3, 6]), (7, [7]), (8, []), (0, [])],
)
def test_a_reviewer_is_due_each_time_its_interval_of_turns_has_passed(interval: int, turns: list[int]) -> None:
    reviewer = config(interval_turns=interval, max_periodic_reviews=1_000)
    assert called_at([reviewer], range(1, 8))[0] == turns


@pytest.mark.parametrize("interval", [1, 2, 10])
def test_nobody_is_due_before_the_first_turn(interval: int) -> None:
    reviewer = config(interval_turns=interval)
    assert due([reviewer], fresh(reviewer), 0, finish=False) == []


def test_a_reviewer_without_an_interval_is_due_at_the_finish_only() -> None:
    reviewer = config()
    assert [due([reviewer], fresh(reviewer), 5, finish=finish) for finish in (False, True)] == [[], ["correctness"]]


def test_a_reviewer_without_rounds_is_never_due_at_the_finish() -> None:
    reviewer = config(max_rounds=0, **EVERY)
    assert [due([reviewer], fresh(reviewer), 5, finish=finish) for finish in (False, True)] == [["correctness"], []]


@pytest.mark.parametrize(
    ("triggers", "boundary", "finish"),
    [
        (None, True, True),
        ({Trigger.PERIODIC}, True, False),
        ({Trigger.FINISH}, False, True),
        ({Trigger.PERIODIC, Trigger.FINISH}, True, True),
        (set(), False, False),
    ],
)
def test_a_trigger_that_is_left_out_is_never_due_and_never_skipped(
    triggers: set[Trigger] | None, boundary: bool, finish: bool
) -> None:
    reviewer = config(triggers=triggers, **EVERY)
    decisions = [decide([reviewer], fresh(reviewer), moment(1, stop)) for stop in (None, Stop.ANSWER)]
    assert [bool(decision.calls) for decision in decisions] == [boundary, finish]
    assert all(decision.skips == () for decision in decisions)


def test_a_reviewer_that_the_session_has_not_met_counts_from_the_start_of_the_session() -> None:
    met, unmet = config("met", interval_turns=3), config("unmet", interval_turns=3)
    state = with_progress(fresh(met, turn=4), "met", last_review=3)
    assert due([met, unmet], state, 5, finish=False) == ["unmet"]


def test_those_who_are_due_come_in_the_order_of_the_reviewers() -> None:
    configs = [config(name, **EVERY) for name in ("zeta", "alpha", "mid")]
    assert due(configs, fresh(*configs), 1, finish=False) == ["zeta", "alpha", "mid"]
    assert [call.reviewer for call in decide(configs, fresh(*configs), moment(1)).calls] == ["zeta", "alpha", "mid"]


@given(
    reviewers=st.lists(st.tuples(st.integers(0, 6), st.integers(0, 12), st.booleans()), max_size=4),
    under_way=st.booleans(),
)
def test_the_next_due_turn_is_the_first_at_which_somebody_is_due(
    reviewers: list[tuple[int, int, bool]], under_way: bool
) -> None:
    configs = [config(f"r{at}", interval_turns=interval) for at, (interval, _, _) in enumerate(reviewers)]
    state = fresh()
    for one, (_, last, met) in zip(configs, reviewers, strict=True):
        begun = Started(turn=last, trigger=Trigger.PERIODIC, last_review=0, round=0) if under_way else None
        state = with_progress(state, one.name, last_review=last, started=begun) if met else state
    turns = range(25)
    expected = [turn for turn in turns if due(configs, state, turn, finish=False)]
    assert expected == [turn for turn in turns if turn >= next_due(configs, state)]


def test_turns_are_counted_over_all_requests_and_runs_of_a_session() -> None:
    """Eight runs of three turns: a reviewer of every tenth turn is called after the 10th and the 20th.

    Seen in https://github.com/vstorm-co/agenticos/issues/806.
    """
    reviewer = config(interval_turns=10)
    state, called = fresh(reviewer), []
    for first in range(1, 25, 3):
        at, state = called_at([reviewer], range(first, first + 3), state=new_request(state, "the next one"))
        called += at
    assert called == [10, 20]


def test_a_due_review_that_was_cancelled_stays_due_and_covers_all_turns_since_the_last_one() -> None:
    """Seen in https://github.com/NousResearch/hermes-agent/issues/30817."""
    reviewer = config(interval_turns=3)
    called, state = called_at([reviewer], range(1, 4), {3: OutcomeKind.CANCELLED})
    again = step(state, [reviewer], 4)
    assert called == [3]
    assert [(call.turn, call.since, call.attempt) for call in again.decision.calls] == [(4, 0, 1)]
    assert progress(again.state).periodic_used == 1


def test_a_review_that_failed_is_not_due_again_before_its_interval_has_passed() -> None:
    reviewer = config(interval_turns=3, cooldown_turns=0)
    assert called_at([reviewer], range(1, 8), {3: OutcomeKind.TIMEOUT})[0] == [3, 6]


def test_two_cadences_count_for_themselves() -> None:
    """Two turns: a reviewer of every turn is called twice, one of every second turn once."""
    configs = [config("correctness", interval_turns=1), config("scope", interval_turns=2)]
    state, called = fresh(*configs), []
    for turn in (1, 2):
        here = step(state, configs, turn)
        called += here.called
        state = here.state
    assert called == ["correctness", "correctness", "scope"]


def test_a_failure_a_cooldown_a_restart_and_a_cap_leave_four_calls_in_fifty_turns() -> None:
    """Interval 2, at most 4, cooldown 3; the step before a model call follows the turn of the number before it."""
    reviewer = config(interval_turns=2, max_periodic_reviews=4, cooldown_turns=3)
    blocker = [note("The total mixes currencies.", BLOCKER)]

    first_run = {turn: OutcomeKind.ERROR if turn == 2 else blocker for turn in range(1, 6)}
    called, state = called_at([reviewer], range(1, 6), first_run)
    assert called == [2, 5]
    assert [record.text for record in state.notes.values()] == ["The total mixes currencies."]

    # The second run goes on where the first was saved: its step 3 follows turn 7 of the session.
    called, state = called_at([reviewer], range(6, 55), dict.fromkeys(range(6, 55), blocker), state)
    assert called == [7, 9]
    assert len(state.notes) == 1
    assert progress(state).periodic_used == 4


# --- finish ---


def test_a_finish_is_a_turn_and_one_review_serves_both_triggers() -> None:
    reviewer = config(interval_turns=2)
    here = step(fresh(reviewer), [reviewer], 2, stop=Stop.ANSWER)
    assert [(call.trigger, call.round) for call in here.decision.calls] == [(Trigger.FINISH, 0)]
    after = progress(here.state)
    assert (after.last_review, after.rounds_used, after.periodic_used) == (2, 1, 0)
    assert [step(here.state, [reviewer], turn).called for turn in (3, 4)] == [[], ["correctness"]]


def test_a_reviewer_that_is_only_periodic_waits_for_the_boundary_after_the_finish() -> None:
    reviewer = config(interval_turns=2, max_rounds=0)
    finish = step(fresh(reviewer), [reviewer], 2, stop=Stop.ANSWER)
    after = step(finish.state, [reviewer], 3)
    assert (finish.called, finish.skipped, after.called) == ([], {}, ["correctness"])


def test_the_second_round_of_a_finish_is_number_one_and_the_third_is_over_the_cap() -> None:
    reviewer = config(max_rounds=2)
    state, rounds, skips = fresh(reviewer), [], []
    for turn in (1, 2, 3):
        here = step(state, [reviewer], turn, stop=Stop.ANSWER)
        rounds += [call.round for call in here.decision.calls]
        skips += here.decision.skips
        state = here.state
    assert rounds == [0, 1]
    assert skips == [skip(SkipReason.CAP, 2, 2, trigger=Trigger.FINISH)]


@pytest.mark.parametrize("kind", [OutcomeKind.ERROR, OutcomeKind.TIMEOUT, OutcomeKind.QUIET, OutcomeKind.UNPARSED])
def test_a_round_is_spent_whatever_came_of_it(kind: OutcomeKind) -> None:
    reviewer = config(max_rounds=1)
    here = step(fresh(reviewer), [reviewer], 1, {"correctness": kind}, stop=Stop.ANSWER)
    assert step(here.state, [reviewer], 2, stop=Stop.ANSWER).skipped == {"correctness": SkipReason.CAP}


def test_a_cooldown_does_not_hold_back_a_finish() -> None:
    reviewer = config(cooldown_turns=10, **EVERY)
    state = with_progress(fresh(reviewer), "correctness", cooldown_until=11, failures=1)
    assert step(state, [reviewer], 2).skipped == {"correctness": SkipReason.COOLDOWN}
    assert step(state, [reviewer], 2, stop=Stop.ANSWER).called == ["correctness"]


def test_an_answer_is_new_even_where_nothing_else_is() -> None:
    reviewer = config(**EVERY)
    idle = frozenset({"correctness"})
    assert decide([reviewer], fresh(reviewer), moment(1, idle=idle)).skips == (skip(SkipReason.NOTHING_NEW),)
    assert len(decide([reviewer], fresh(reviewer), moment(1, Stop.ANSWER, idle=idle)).calls) == 1


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.ANSWER])
def test_a_run_that_did_not_stop_by_itself_is_not_reviewed(stop: Stop) -> None:
    reviewer = config()
    decision = decide([reviewer], fresh(reviewer), moment(1, stop))
    reason = SkipReason.ABORTED if stop is Stop.ABORTED else SkipReason.STOP_REASON
    assert (decision.calls, decision.skips) == ((), (skip(reason, trigger=Trigger.FINISH),))


# --- for any run ---


@given(
    interval=st.integers(0, 5),
    cap=st.integers(1, 5),
    rounds=st.integers(0, 3),
    cooldown=st.integers(0, 4),
    script=st.lists(
        st.tuples(
            st.sampled_from([None, None, None, Stop.ANSWER, Stop.BUDGET]),
            st.sampled_from([OutcomeKind.QUIET, OutcomeKind.ERROR, OutcomeKind.CANCELLED, OutcomeKind.STALE]),
        ),
        max_size=40,
    ),
)
def test_no_run_exceeds_its_caps_nor_calls_before_the_interval_or_inside_a_cooldown(
    interval: int, cap: int, rounds: int, cooldown: int, script: list[tuple[Stop | None, OutcomeKind]]
) -> None:
    reviewer = config(interval_turns=interval, max_periodic_reviews=cap, max_rounds=rounds, cooldown_turns=cooldown)
    state = fresh(reviewer)
    kept: list[tuple[int, Trigger, OutcomeKind]] = []
    for turn, (stop, kind) in enumerate(script, start=1):
        here = step(state, [reviewer], turn, {"correctness": kind}, stop=stop)
        refunded = kind in {OutcomeKind.CANCELLED, OutcomeKind.STALE}
        for call in here.decision.calls:
            last = max((at for at, _, _ in kept), default=0)
            errors = [at for at, _, outcome in kept if outcome is OutcomeKind.ERROR]
            cleared = kept and kept[-1][2] is OutcomeKind.QUIET
            if call.trigger is Trigger.PERIODIC:
                assert turn - last >= interval > 0
                assert cleared or not errors or turn >= errors[-1] + cooldown
            kept += [] if refunded else [(turn, call.trigger, kind)]
        state = here.state
    triggers = [trigger for _, trigger, _ in kept]
    assert triggers.count(Trigger.PERIODIC) <= cap
    assert triggers.count(Trigger.FINISH) <= rounds
    after = progress(state)
    assert (after.periodic_used, after.rounds_used) == tuple(map(triggers.count, (Trigger.PERIODIC, Trigger.FINISH)))


@pytest.mark.parametrize("barred", ["disabled", "paused", "muted", "damaged"])
def test_a_review_that_a_crash_cut_off_is_not_repeated_by_a_reviewer_that_may_not_be_called(barred: str) -> None:
    reviewer = config("cut", interval_turns=3, enabled=barred != "disabled")
    begun = Started(turn=3, trigger=Trigger.PERIODIC, last_review=0, round=0)
    facts = {"muted": barred == "muted", "damaged": "unreadable" if barred == "damaged" else ""}
    state = with_progress(fresh(reviewer, turn=2), "cut", last_review=3, started=begun, **facts)
    decision = decide([reviewer], state, moment(3, paused=frozenset({"cut"} if barred == "paused" else ())))
    assert (decision.calls, [call.reviewer for call in decision.interrupted]) == ((), ["cut"])
