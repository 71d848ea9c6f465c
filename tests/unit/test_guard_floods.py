"""What stops a flood whatever its notes say: runs, quiet periods, and a bound on what is listed."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from foureyes.core import ledger
from foureyes.core.facts import Note, Outcome, Reply
from foureyes.core.gate import MAX_LISTED
from foureyes.core.guard import SUPPRESSED_IN_A_ROW, Guarded, Limits, Raised, admitted
from foureyes.core.state import Offer, SessionState
from foureyes.core.words import Disposition, MuteReason, OutcomeKind, Severity, Trigger

from .builders import (
    BLOCKER,
    CONCERN,
    LIMITS,
    NIT,
    UNBOUNDED,
    config,
    dispositions,
    fresh,
    judged,
    note,
    progress,
    record,
    together,
)

ADMITTED, DUPLICATE, NOISE = Disposition.ADMITTED, Disposition.DUPLICATE, Disposition.NOISE
OVER_REVIEW, OVER_REQUEST = Disposition.OVER_REVIEW, Disposition.OVER_REQUEST


def one_review(state: SessionState, notes: list[Note], **settings: object) -> tuple[SessionState, Guarded]:
    return judged(state, [config(**settings)], {"correctness": notes}, limits=UNBOUNDED)


# --- counters and cuts ---


@pytest.mark.parametrize(
    "text", ["a", "zz", "ajb", "7", "(42)", "FINAL NOTICE: ab", "0x1f", "f3", "ten", "в", "Item 7", "FINAL NOTICE 7"]
)
def test_a_count_alone_is_noise(text: str) -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/11888: 946 notes of at most three characters."""
    assert together([note(text, BLOCKER)]) == [NOISE]


@pytest.mark.parametrize("text", ["OOM", "DoS", "x != y", "42 rows lost", "leak", "泄漏", "C++", "Warnings ignored."])
def test_a_short_note_that_is_no_count_is_admitted(text: str) -> None:
    assert together([note(text)]) == [ADMITTED]


def test_ever_shorter_cuts_of_one_sentence_are_said_once() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/7130."""
    words = ["Close", "the", "file", "handle", "before", "returning"]
    cuts = [note(" ".join(words[:length]), BLOCKER) for length in range(len(words), -1, -1)]
    found = together(cuts, max_notes=32)
    assert Counter(found) == {ADMITTED: 1, DUPLICATE: len(words) - 1, Disposition.EMPTY: 1}


@pytest.mark.parametrize(
    ("whole", "beginning"),
    [
        ("Missing await in save_user", "Missing await in save"),
        ("Do not cache it before the token is checked", "Do not cache it."),
        ("The limit is 5 million rows", "The limit is 5"),
        ("The cache is stale unless it is warmed", "The cache is stale"),
    ],
)
def test_a_beginning_that_says_something_else_is_admitted(whole: str, beginning: str) -> None:
    assert together([note(whole), note(beginning)]) == [ADMITTED, ADMITTED]


def test_a_cut_that_is_stronger_than_the_whole_passes_once() -> None:
    said = [note("Close the file handle before returning"), note("Close the file", BLOCKER), note("Close the", BLOCKER)]
    state, found = fresh(config()), []
    for one in said:
        state, guarded = one_review(state, [one])
        found += dispositions(guarded)
    assert found == [ADMITTED, ADMITTED, DUPLICATE]


# --- a run of suppressed blockers ---

NOISES = [note("Stop.", BLOCKER), note("", BLOCKER), note("a", BLOCKER), note("DONE!!", BLOCKER)]


def flood(length: int) -> list[Note]:
    """Return so many blockers without content."""
    return [NOISES[place % len(NOISES)] for place in range(length)]


@pytest.mark.parametrize(("length", "muted"), [(SUPPRESSED_IN_A_ROW - 1, False), (SUPPRESSED_IN_A_ROW, True)])
def test_a_run_of_suppressed_blockers_mutes_the_reviewer_for_the_request(length: int, muted: bool) -> None:
    state, guarded = one_review(fresh(config()), flood(length))
    assert progress(state).muted is muted
    assert [mute.reason for mute in guarded.muted] == [MuteReason.BLOCKERS] * muted
    assert not progress(ledger.new_request(state, "Next.")).muted


def test_the_run_goes_on_over_reviews_and_over_requests_it_does_not() -> None:
    half = SUPPRESSED_IN_A_ROW // 2
    once, _ = one_review(fresh(config()), flood(half))
    twice, guarded = one_review(once, flood(half))
    assert (progress(twice).muted, guarded.muted[0].have) == (True, SUPPRESSED_IN_A_ROW)
    assert not progress(one_review(ledger.new_request(once, "Next."), flood(half))[0]).muted


def test_an_admitted_note_ends_the_run() -> None:
    half = SUPPRESSED_IN_A_ROW // 2
    state, _ = one_review(fresh(config()), [*flood(half), note("The lock leaks."), *flood(half)])
    assert (progress(state).muted, progress(state).rejected) == (False, half)


@pytest.mark.parametrize("severity", [NIT, CONCERN])
def test_weaker_noise_mutes_nobody(severity: Severity) -> None:
    state, _ = one_review(fresh(config()), [note("Stop.", severity)] * 200)
    assert not progress(state).muted


def test_a_ceiling_does_not_hide_a_run_of_blockers() -> None:
    state, _ = one_review(fresh(config()), flood(SUPPRESSED_IN_A_ROW), max_severity="concern")
    assert progress(state).muted


def test_findings_that_a_bound_pushed_out_are_no_run() -> None:
    texts = [f"Row {number} of the ledger is counted twice." for number in range(100)]
    state, guarded = one_review(fresh(config()), [note(text, BLOCKER) for text in texts], max_notes=3)
    assert Counter(dispositions(guarded)) == {ADMITTED: 3, OVER_REVIEW: 97}
    assert not progress(state).muted


def test_a_mute_says_which_run_met_which_limit() -> None:
    _, guarded = one_review(fresh(config()), flood(SUPPRESSED_IN_A_ROW))
    assert guarded.muted[0].explain() == "muted for the rest of this request: 32 suppressed blockers in a row, limit 32"


# --- quiet periods ---


def idle_review(state: SessionState, *texts: str, idle: bool = True) -> tuple[SessionState, list[Disposition]]:
    """Return a review with these notes, as a rule one before which the agent has done nothing."""
    reviewer = config(max_notes=2)
    raised = Raised(
        reviewer="correctness", trigger=Trigger.FINISH, notes=tuple(note(text) for text in texts), idle=idle
    )
    guarded = admitted([reviewer], state, [raised], 1, LIMITS)
    return ledger.noted(state, guarded), dispositions(guarded)


def test_reviews_between_which_the_agent_does_nothing_share_one_allowance_of_notes() -> None:
    state, first = idle_review(fresh(config()), "The lock leaks.", idle=False)
    state, second = idle_review(state, "The join doubles.", "Rounding drifts.")
    state, third = idle_review(state, "A socket stays open.")
    state, fourth = idle_review(state, "A socket stays open.", idle=False)
    assert [first, second, third, fourth] == [[ADMITTED], [ADMITTED, OVER_REVIEW], [OVER_REVIEW], [ADMITTED]]


def test_a_review_that_is_quiet_ends_the_period() -> None:
    state, _ = idle_review(fresh(config()), "The lock leaks.", "The join doubles.", idle=False)
    quiet = Outcome(reviewer="correctness", trigger=Trigger.FINISH, kind=OutcomeKind.QUIET, reply=Reply())
    state = ledger.reported(state, [quiet], [config()], turn=2, read=9)
    assert idle_review(state, "Rounding drifts.")[1] == [ADMITTED]


def test_a_new_request_ends_the_period() -> None:
    state, _ = idle_review(fresh(config()), "The lock leaks.", "The join doubles.", idle=False)
    assert idle_review(ledger.new_request(state, "Next."), "Rounding drifts.")[1] == [ADMITTED]


# --- what waits to be listed is bounded ---


def test_no_more_than_so_many_notes_wait_to_be_listed() -> None:
    state = fresh(config())
    limits = Limits(notes_per_request=1)
    for batch in range(MAX_LISTED // 32 + 2):
        texts = [f"Row {batch * 32 + place} of the ledger is counted twice." for place in range(32)]
        state, guarded = judged(
            state, [config(max_notes=32)], {"correctness": [note(text) for text in texts]}, limits=limits
        )
    assert sum(one.host_only for one in state.notes.values()) == MAX_LISTED
    assert set(dispositions(guarded)) == {OVER_REQUEST}
    assert [one.record for one in guarded.judged] == [None] * 32
    assert (guarded.records, dict(guarded.histories)) == ((), {})


def test_what_the_agent_was_not_told_for_lack_of_room_is_listed_once_and_may_be_told_in_the_next_request() -> None:
    limits, said = Limits(notes_per_request=1), [note("The lock leaks."), note("The join doubles.")]
    state, found = fresh(config()), []
    for batch in (said, [note("the JOIN doubles!")], [note("Third reminder: the join doubles.")]):
        state, guarded = judged(state, [config()], {"correctness": batch}, limits=limits)
        found += dispositions(guarded)
    assert found == [ADMITTED, OVER_REQUEST, DUPLICATE, DUPLICATE]
    state = ledger.new_request(sent_first(state), "Next.")
    assert dispositions(judged(state, [config()], {"correctness": said}, limits=limits)[1]) == [DUPLICATE, ADMITTED]


def sent_first(state: SessionState) -> SessionState:
    """Return the state in which the agent has been sent the first of the notes."""
    return ledger.taken(ledger.offered(state, Offer(id="a1", turn=1, finish=False, notes=("n1",))))


def test_what_was_withdrawn_from_the_queue_is_new_when_it_is_raised_again() -> None:
    said = {"correctness": [note("The lock leaks."), note("The join doubles.")]}
    state, _ = judged(fresh(config()), [config()], said)
    state = ledger.new_request(sent_first(state), "Next.")
    assert state.unsaid == ("n2",)
    state, guarded = judged(state, [config()], said, turn=2)
    assert dispositions(guarded) == [DUPLICATE, ADMITTED]
    assert dispositions(judged(state, [config()], said, turn=3)[1]) == [DUPLICATE, DUPLICATE]


def test_what_was_handed_over_counts_as_said_though_nobody_confirmed_it() -> None:
    said = {"correctness": [note("The lock leaks.")]}
    state, _ = judged(fresh(config()), [config()], said)
    state = ledger.offered(state, Offer(id="a1", turn=1, finish=False, notes=("n1",)))
    state = ledger.new_request(state, "Next.")
    assert dispositions(judged(state, [config()], said, turn=2)[1]) == [DUPLICATE]


def test_only_the_newest_withdrawn_notes_are_known() -> None:
    queued = {f"n{place}": record(f"n{place}") for place in range(1, ledger.MAX_UNSAID + 3)}
    state = ledger.new_request(replace(fresh(config()), notes=queued, serial=len(queued)), "Next.")
    assert state.unsaid == tuple(f"n{place}" for place in range(3, ledger.MAX_UNSAID + 3))


def test_where_the_list_is_full_a_note_for_the_agent_is_still_numbered_on() -> None:
    full = {f"n{place}": record(f"n{place}", host_only=True) for place in range(1, MAX_LISTED + 1)}
    state = replace(fresh(config()), notes=full, serial=MAX_LISTED)
    state, guarded = judged(state, [config()], {"correctness": [note("The lock leaks.")]}, turn=2)
    assert [one.id for one in guarded.records] == [f"n{MAX_LISTED + 1}"]
