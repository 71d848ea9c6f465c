"""The emission guard: what of a reviewer's notes reaches the agent, and why the rest does not."""

from __future__ import annotations

import json
from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.facts import Anchor, Note
from foureyes.core.guard import Guarded, Limits, Raised, admitted
from foureyes.core.ledger import compacted, new_request
from foureyes.core.state import NoteStatus, SessionState
from foureyes.core.words import Disposition, OutcomeKind, Severity, Trigger

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
    step,
    with_progress,
)

ADMITTED, DUPLICATE, MERGED = Disposition.ADMITTED, Disposition.DUPLICATE, Disposition.MERGED
OVER_REVIEW, OVER_BOUNDARY, OVER_REQUEST = Disposition.OVER_REVIEW, Disposition.OVER_BOUNDARY, Disposition.OVER_REQUEST
NOISE, EMPTY = Disposition.NOISE, Disposition.EMPTY
WIDE = {"max_notes": 32}


def one_by_one(notes: list[Note], state: SessionState | None = None) -> list[Disposition]:
    """Return what becomes of notes that come in a review each."""
    reviewer = config()
    state = state or fresh(reviewer)
    found = []
    for turn, said in enumerate(notes, start=1):
        state, guarded = judged(state, [reviewer], {"correctness": [said]}, turn=turn)
        found += dispositions(guarded)
    return found


def together(notes: list[Note], **settings: object) -> list[Disposition]:
    """Return what becomes of notes that come in one review of a new session."""
    reviewer = config(**settings)
    return dispositions(judged(fresh(reviewer), [reviewer], {"correctness": notes}, limits=UNBOUNDED)[1])


# --- empty and noise ---


def test_content_free_notes_of_any_severity_are_dropped_and_cost_no_budget() -> None:
    noise = ["Stop.", "Done!", "No issue; continue.", "LGTM", "*all good*", "Nothing to add."]
    notes = [*(note(text, BLOCKER) for text in noise), note("The join doubles the rows.")]
    assert together(notes, max_notes=1) == [NOISE] * 6 + [ADMITTED]


def test_a_flood_of_a_hundred_and_fifty_notes_becomes_one() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/3520."""
    batch = [note(text, NIT) for text in ("Stop.", "Stop", "No issue; continue.", "DONE")]
    batch.append(note("token refresh is never awaited"))
    found = together(batch * 30)
    assert Counter(found) == {ADMITTED: 1, NOISE: 120, DUPLICATE: 29}


def test_a_note_that_begins_like_noise_is_admitted() -> None:
    said = "Stop: the revenue query sums a filtered and an unfiltered CTE"
    assert together([note(said, BLOCKER)]) == [ADMITTED]


@pytest.mark.parametrize("text", ["", "   \n", "...", "👍👍", "<|eos|>", "\u200b"])
def test_a_note_without_words_is_empty(text: str) -> None:
    assert together([note(text, BLOCKER)]) == [EMPTY]


def test_a_remark_about_the_review_itself_is_kept_from_the_agent() -> None:
    said = note("My budget is used up.", subject="review")
    assert together([said, note("The budget is used up.")]) == [Disposition.ABOUT_REVIEWER, ADMITTED]


GENUINE = [
    "LGTM except the lock is released twice",
    "Done flag is set before the write",
    "Stop: this drops prod",
    "`rm -rf $D` unquoted",
    "Off by one.",
    "x != y",
    "Нет проверки ошибки в save()",
    "没有处理超时",
]


@pytest.mark.parametrize("severity", Severity)
@pytest.mark.parametrize("text", GENUINE)
def test_a_finding_is_admitted_where_nothing_was_said_before(text: str, severity: Severity) -> None:
    """Short ones, foreign ones and those that begin like noise: https://github.com/can1357/oh-my-pi/issues/8206."""
    assert together([note(text, severity)]) == [ADMITTED]


@pytest.mark.shared
def test_every_finding_of_the_shared_stream_is_admitted_where_nothing_was_said_before(shared: Path) -> None:
    stream = (shared / "cases" / "notes-stream.jsonl").read_text("utf-8").splitlines()
    lines = [line for line in map(json.loads, stream) if line["label"] in {"genuine", "escalation"}]
    assert len(lines) > 50
    refused = [line["id"] for line in lines if together([note(line["note"], Severity(line["severity"]))]) != [ADMITTED]]
    assert refused == []


# --- repeats ---


def test_a_repeat_is_dropped_and_each_rise_in_severity_passes_once() -> None:
    texts = ["verify the join", "verify the join!", "Verify the join", "verify the join", "**verify** the join"]
    severities = [NIT, NIT, CONCERN, NIT, BLOCKER]
    found = one_by_one([note(text, severity) for text, severity in zip(texts, severities, strict=True)])
    assert found == [ADMITTED, DUPLICATE, ADMITTED, DUPLICATE, ADMITTED]


def test_a_nit_may_become_a_blocker_and_no_more() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/pull/11881."""
    severities = [NIT, CONCERN, BLOCKER, BLOCKER, CONCERN]
    found = one_by_one([note("The token is logged.", severity) for severity in severities])
    assert found == [ADMITTED, ADMITTED, ADMITTED, DUPLICATE, DUPLICATE]


@given(st.lists(st.sampled_from(Severity), max_size=12))
def test_of_one_text_exactly_the_strict_record_highs_are_admitted(severities: list[Severity]) -> None:
    found = one_by_one([note("The token is logged.", severity) for severity in severities])
    highs = [all(one.rank < now.rank for one in severities[:at]) for at, now in enumerate(severities)]
    assert [disposition is ADMITTED for disposition in found] == highs


def test_a_concern_that_comes_back_after_every_turn_is_said_once_whatever_the_human_says() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/3154."""
    reviewer = config(interval_turns=1, max_periodic_reviews=100)
    variants = [
        "Run the verification commands now.",
        "run the  verification commands now...",
        "RUN THE VERIFICATION commands now",
    ]
    state, texts = fresh(reviewer, turn=11), []
    for turn in range(12, 21):
        state = new_request(state, "Something else, please.") if turn == 15 else state
        here = step(state, [reviewer], turn, {"correctness": [note(variants[turn % 3])]})
        texts += here.texts
        state = here.state
    assert texts == ["Run the verification commands now."]


def test_one_sentence_in_nine_spellings_is_admitted_once_as_it_was_written() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/3511."""
    spellings = [
        "Caf\u00e9 cache never expires",
        "Cafe\u0301 cache never expires",
        "**Caf\u00e9** cache never expires!",
    ]
    noise = ["ＬＧＴＭ", "L\u200bGTM", "**LGTM**", "1) LGTM!!! 👍"]
    reviewer = config(**WIDE)
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note(text) for text in spellings + noise]})
    assert dispositions(guarded) == [ADMITTED, DUPLICATE, DUPLICATE] + [NOISE] * 4
    assert [record.text for record in guarded.records] == spellings[:1]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("fails when x < 5", "fails when x > 5"),
        ("write it in C", "write it in C++"),
        ("the offset is -5", "the offset is 5"),
        ("compares with !=", "compares with =="),
        ("missing await in save_user", "missing await in save_order"),
        ("v2 lacks auth", "v3 lacks auth"),
    ],
)
def test_two_findings_that_differ_in_a_sign_a_number_or_a_name_are_both_admitted(one: str, other: str) -> None:
    assert together([note(one), note(other)]) == [ADMITTED, ADMITTED]
    assert one_by_one([note(one), note(other)]) == [ADMITTED, ADMITTED]


def test_a_note_said_before_compaction_may_be_said_again_after_it() -> None:
    reviewer = config()
    said = {"correctness": [note("The lock leaks.")]}
    first, one = judged(fresh(reviewer), [reviewer], said)
    second, two = judged(first, [reviewer], said)
    _, three = judged(compacted(second), [reviewer], said)
    assert [dispositions(guarded) for guarded in (one, two, three)] == [[ADMITTED], [DUPLICATE], [ADMITTED]]


def test_the_memory_of_what_was_said_survives_a_failure_of_the_reviewer() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/issues/11845."""
    reviewer = config(interval_turns=1, cooldown_turns=0)
    state, texts = fresh(reviewer), []
    for turn, answer in enumerate(([note("Note X")], OutcomeKind.ERROR, [note("Note X")]), start=1):
        here = step(state, [reviewer], turn, {"correctness": answer})
        state, texts = here.state, texts + here.texts
    assert texts == ["Note X"]
    assert dispositions(here.guarded) == [DUPLICATE]


def test_the_oldest_note_is_forgotten_first_once_the_memory_is_full() -> None:
    reviewer = config(history=2)
    state = fresh(reviewer)
    found = []
    for text in ("first finding", "second finding", "third finding", "second finding", "first finding"):
        state, guarded = judged(state, [reviewer], {"correctness": [note(text)]})
        found += dispositions(guarded)
    assert found == [ADMITTED, ADMITTED, ADMITTED, DUPLICATE, ADMITTED]


def test_only_the_first_of_two_like_notes_in_a_review_is_admitted_the_strongest_first() -> None:
    assert together([note("The lock leaks", NIT), note("the lock leaks!", BLOCKER)]) == [DUPLICATE, ADMITTED]


# --- keys ---


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"key": "lock"}, {"key": "lock"}, DUPLICATE),
        ({"key": "Lock.Leak"}, {"key": "lock leak"}, DUPLICATE),
        ({"key": "lock"}, {"key": "join"}, ADMITTED),
        ({"key": "lock"}, {}, ADMITTED),
        ({}, {"key": "lock"}, ADMITTED),
        ({"key": "..."}, {"key": "???"}, ADMITTED),
    ],
)
def test_two_texts_are_one_finding_where_they_declare_the_same_key(
    first: dict[str, str], second: dict[str, str], expected: Disposition
) -> None:
    notes = [note("The lock is never released.", **first), note("Nobody frees the lock.", **second)]
    assert together(notes) == [ADMITTED, expected]
    assert one_by_one(notes) == [ADMITTED, expected]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ({"key": "a"}, {"key": "b"}, ADMITTED),
        ({"key": "a"}, {}, DUPLICATE),
        ({}, {"key": "a"}, DUPLICATE),
        ({}, {"key": "  "}, DUPLICATE),
    ],
)
def test_a_declared_key_wins_over_the_text(
    first: dict[str, str], second: dict[str, str], expected: Disposition
) -> None:
    notes = [note("Missing await.", **first), note("Missing await!", **second)]
    assert together(notes) == [ADMITTED, expected]
    assert one_by_one(notes) == [ADMITTED, expected]


# --- floor and ceiling ---


def test_below_the_floor_a_note_is_recorded_and_may_come_back_stronger() -> None:
    notes = [note("The name is long.", NIT), note("The name is long.", CONCERN)]
    assert together(notes[:1], min_severity="concern") == [Disposition.RECORDED]
    assert together(notes, min_severity="concern") == [Disposition.RECORDED, ADMITTED]


def test_a_ceiling_demotes_before_anything_is_compared() -> None:
    reviewer = config(max_severity="concern")
    said = {"correctness": [note("The name is long.", BLOCKER)]}
    state, guarded = judged(fresh(reviewer), [reviewer], said)
    assert [(one.severity, one.note.severity) for one in guarded.judged] == [(CONCERN, BLOCKER)]
    assert [record.severity for record in guarded.records] == [CONCERN]
    assert dispositions(judged(state, [reviewer], said)[1]) == [DUPLICATE]


# --- bounds ---


def test_the_third_of_three_notes_waits_for_the_next_review_where_two_are_allowed() -> None:
    reviewer = config(max_notes=2)
    texts = ["one finding", "another finding", "a third finding"]
    state, first = judged(fresh(reviewer), [reviewer], {"correctness": [note(text) for text in texts]})
    _, second = judged(state, [reviewer], {"correctness": [note(texts[2]), note(texts[0])]})
    assert dispositions(first) == [ADMITTED, ADMITTED, OVER_REVIEW]
    assert dispositions(second) == [ADMITTED, DUPLICATE]


def test_the_blocker_that_comes_last_is_not_the_one_that_is_cut() -> None:
    """Seen in https://github.com/can1357/oh-my-pi/pull/11881: the rest is counted, not lost without a word."""
    notes = [note("first nit", NIT), note("second nit", NIT), note("third nit", NIT), note("data is lost", BLOCKER)]
    reviewer = config(max_notes=3)
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": notes})
    assert dispositions(guarded) == [ADMITTED, ADMITTED, OVER_REVIEW, ADMITTED]
    assert [record.text for record in guarded.records] == ["data is lost", "first nit", "second nit"]


def test_severity_buys_no_way_round_a_bound() -> None:
    notes = [note(f"finding number {number}", BLOCKER) for number in range(100)]
    assert Counter(together(notes, max_notes=3)) == {ADMITTED: 3, OVER_REVIEW: 97}


def test_beyond_the_notes_of_a_boundary_an_admitted_note_waits_in_the_queue() -> None:
    configs = [config(name, **WIDE) for name in ("a", "b")]
    notes = {name: [note(f"{name} finding {number}") for number in range(3)] for name in ("a", "b")}
    state, guarded = judged(fresh(*configs), configs, notes, limits=Limits(notes_per_boundary=4))
    assert dispositions(guarded, "a") == [ADMITTED] * 3
    assert dispositions(guarded, "b") == [ADMITTED, OVER_BOUNDARY, OVER_BOUNDARY]
    assert [one.status for one in state.notes.values()] == [NoteStatus.QUEUED] * 6
    assert not any(one.host_only for one in state.notes.values())


def test_beyond_the_notes_of_a_request_a_note_is_for_the_host_only() -> None:
    reviewer = config(**WIDE)
    limits = Limits(notes_per_request=2)
    said = {"correctness": [note(f"finding {number}") for number in range(4)]}
    state, guarded = judged(fresh(reviewer), [reviewer], said, limits=limits)
    assert dispositions(guarded) == [ADMITTED, ADMITTED, OVER_REQUEST, OVER_REQUEST]
    assert [one.host_only for one in state.notes.values()] == [False, False, True, True]
    assert state.admitted == 2

    more = {"correctness": [note("another finding")]}
    assert dispositions(judged(state, [reviewer], more, limits=limits)[1]) == [OVER_REQUEST]
    assert dispositions(judged(new_request(state, "Next."), [reviewer], more, limits=limits)[1]) == [ADMITTED]


@pytest.mark.parametrize(
    ("settings", "limits", "disposition", "text"),
    [
        ({"max_notes": 2}, LIMITS, OVER_REVIEW, "over_review: number 3, limit 2"),
        ({}, Limits(notes_per_boundary=2), OVER_BOUNDARY, "over_boundary: number 3, limit 2"),
        ({}, Limits(notes_per_request=2), OVER_REQUEST, "over_request: number 3, limit 2"),
    ],
)
def test_a_bound_says_which_number_met_which_limit(
    settings: dict[str, int], limits: Limits, disposition: Disposition, text: str
) -> None:
    reviewer = config(**settings)
    said = {"correctness": [note(f"finding {number}") for number in range(3)]}
    _, guarded = judged(fresh(reviewer), [reviewer], said, limits=limits)
    last = guarded.judged[-1]
    assert (last.disposition, last.have, last.limit, last.explain()) == (disposition, 2, 2, text)


def test_a_duplicate_names_the_note_that_it_repeats() -> None:
    reviewer = config()
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note("The lock leaks"), note("the lock leaks")]})
    assert [one.explain() for one in guarded.judged] == ["admitted", "duplicate: repeats n1"]


# --- delivery ---


def test_two_thousand_code_points_are_delivered_and_the_last_is_intact() -> None:
    reviewer = config()
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note("ê" * 2_500)]})
    assert [record.text for record in guarded.records] == ["ê" * 2_000]


def test_a_note_is_trimmed_before_it_is_cut() -> None:
    text = "  " + "a" * 499 + "\N{MATHEMATICAL BOLD CAPITAL A}" + "extra"
    reviewer = config(max_note_chars=500)
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note(text)]})
    assert [record.text for record in guarded.records] == ["a" * 499 + "\N{MATHEMATICAL BOLD CAPITAL A}"]


def test_what_lies_beyond_the_cut_still_tells_two_notes_apart() -> None:
    long = "the same beginning " * 200
    assert together([note(long + "ends in a leak"), note(long + "ends in a deadlock")]) == [ADMITTED, ADMITTED]


def test_an_admitted_note_keeps_where_it_came_from() -> None:
    reviewer = config()
    anchor = Anchor(turn=3, path="users.py:42")
    said = note("The SQL is built by hand.", BLOCKER, key="sql", anchor=anchor)
    state = fresh(reviewer, request=4, serial=11)
    (record,) = judged(state, [reviewer], {"correctness": [said]}, turn=9)[1].records
    assert (record.id, record.turn, record.request, record.trigger) == ("n12", 9, 4, Trigger.PERIODIC)
    assert (record.reviewers, record.severity, record.key, record.anchor) == (("correctness",), BLOCKER, "sql", anchor)


def test_what_cannot_be_stored_does_not_stop_a_note() -> None:
    reviewer = config()
    _, guarded = judged(fresh(reviewer), [reviewer], {"correctness": [note("lost \ud800 half \x00 byte")]})
    assert [record.text for record in guarded.records] == ["lost \ufffd half \ufffd byte"]


# --- several reviewers ---


def test_the_same_note_of_two_reviewers_is_one_with_both_names_and_the_stronger_severity() -> None:
    configs = [config("correctness"), config("scope")]
    notes = {"correctness": [note("The lock leaks.", NIT)], "scope": [note("the lock LEAKS", BLOCKER)]}
    _, guarded = judged(fresh(*configs), configs, notes)
    (record,) = guarded.records
    assert (set(record.reviewers), record.severity) == ({"correctness", "scope"}, BLOCKER)
    assert (dispositions(guarded, "scope"), dispositions(guarded)) == ([ADMITTED], [MERGED])


def test_a_merged_note_is_charged_to_everybody_who_raised_it() -> None:
    configs = [config("correctness", max_notes=1), config("scope", max_notes=1)]
    same = note("The lock leaks.", BLOCKER)
    notes = {"correctness": [same], "scope": [same, note("The scope is wrong.")]}
    _, guarded = judged(fresh(*configs), configs, notes)
    assert dispositions(guarded, "scope") == [MERGED, OVER_REVIEW]


@pytest.mark.parametrize("name", ["correctness", "scope"])
def test_a_merged_note_is_remembered_for_everybody_who_raised_it(name: str) -> None:
    configs = [config("correctness"), config("scope")]
    said = [note("The lock leaks.")]
    state, _ = judged(fresh(*configs), configs, {"correctness": said, "scope": said})
    others = {
        other: {"history": fresh(*configs).reviewers[other].history} for other in state.reviewers if other != name
    }
    for other, changes in others.items():
        state = with_progress(state, other, **changes)
    assert dispositions(judged(state, configs, {name: said})[1], name) == [DUPLICATE]


def test_what_one_reviewer_has_said_another_need_not_say_again() -> None:
    configs = [config("correctness"), config("scope")]
    state, _ = judged(fresh(*configs), configs, {"correctness": [note("The lock leaks.")]})
    again = {"scope": [note("The lock leaks!")]}
    assert dispositions(judged(state, configs, again)[1], "scope") == [DUPLICATE]
    assert dispositions(judged(state, configs[1:], again)[1], "scope") == [DUPLICATE]


def test_notes_of_a_reviewer_that_is_not_configured_are_ignored() -> None:
    reviewer = config()
    _, guarded = judged(fresh(reviewer), [reviewer], {"stranger": [note("The lock leaks.")]})
    assert (guarded.judged, guarded.records, dict(guarded.histories)) == ((), (), {})


def test_the_strongest_rank_of_each_reviewer_counts_its_repeats_and_not_its_noise() -> None:
    configs = [config(name) for name in ("repeats", "noisy", "silent", "floored")]
    configs[3] = config("floored", min_severity="blocker")
    state, _ = judged(fresh(*configs), configs, {"repeats": [note("The lock leaks.", BLOCKER)]})
    said = {
        "repeats": [note("The lock leaks.", BLOCKER), note("The name is long.", NIT)],
        "noisy": [note("LGTM", BLOCKER), note("", BLOCKER), note("I am done.", BLOCKER, subject="review")],
        "silent": [],
        "floored": [note("The scope is wrong.", CONCERN)],
    }
    _, guarded = judged(state, configs, said)
    assert guarded.raised == {"repeats": 3, "noisy": 0, "silent": 0, "floored": 2}


# --- for any notes ---

TEXTS = [
    "lock leaks",
    "Lock leaks!",
    "join doubles",
    "x < 5",
    "x > 5",
    "LGTM",
    "",
    "scope is wrong",
    "**join** doubles",
]
NOTES = st.builds(
    Note,
    text=st.sampled_from(TEXTS),
    severity=st.sampled_from(Severity),
    subject=st.sampled_from(["work", "work", "work", "review"]),
)
KEYED = st.builds(
    Note, text=st.sampled_from(TEXTS), severity=st.sampled_from(Severity), key=st.sampled_from([None, "a", "b", "c"])
)
NAMES = ("a", "b", "c", "d")
BOUNDARY = st.dictionaries(st.sampled_from(NAMES), st.lists(KEYED, max_size=6))


@given(
    bounds=st.lists(st.integers(1, 4), min_size=4, max_size=4),
    limits=st.builds(Limits, notes_per_boundary=st.integers(1, 5), notes_per_request=st.integers(1, 12)),
    boundaries=st.lists(
        st.dictionaries(
            st.sampled_from(NAMES),
            st.lists(st.builds(Note, text=st.text(), severity=st.sampled_from(Severity)) | KEYED, max_size=8),
        ),
        max_size=6,
    ),
)
def test_no_notes_whatever_exceed_the_bounds_of_a_review_a_boundary_or_a_request(
    bounds: list[int], limits: Limits, boundaries: list[dict[str, list[Note]]]
) -> None:
    configs = [config(name, max_notes=bound) for name, bound in zip(NAMES, bounds, strict=True)]
    state = fresh(*configs)
    for turn, notes in enumerate(boundaries, start=1):
        state, guarded = judged(state, configs, notes, turn=turn, limits=limits)
        assert len(guarded.judged) == sum(map(len, notes.values()))
        own = Counter(record.reviewers[0] for record in guarded.records)
        assert all(own[one.name] <= one.guard.max_notes for one in configs)
        assert sum(one.disposition is ADMITTED for one in guarded.judged) <= limits.notes_per_boundary
        kinds = Counter(one.disposition for one in guarded.judged)
        assert len(guarded.records) == kinds[ADMITTED] + kinds[OVER_BOUNDARY] + kinds[OVER_REQUEST]
    assert state.admitted == sum(not record.host_only for record in state.notes.values()) <= limits.notes_per_request


@given(notes=BOUNDARY, history=BOUNDARY, data=st.data())
def test_the_order_in_which_reviewers_answer_changes_nothing(
    notes: dict[str, list[Note]], history: dict[str, list[Note]], data: st.DataObject
) -> None:
    configs = [config(name, max_notes=2) for name in NAMES]
    state, _ = judged(fresh(*configs), configs, history)
    raised = [Raised(reviewer=name, trigger=Trigger.PERIODIC, notes=tuple(said)) for name, said in notes.items()]
    shuffled = data.draw(st.permutations(raised))
    one, other = (admitted(configs, state, order, 2, LIMITS) for order in (raised, shuffled))
    assert (one.judged, one.records, one.histories, one.raised) == (
        other.judged,
        other.records,
        other.histories,
        other.raised,
    )


def findings(guarded: Guarded) -> set[tuple[str, Severity]]:
    """Return what is admitted, whoever said it first."""
    folds = {"Lock leaks!": "lock leaks", "**join** doubles": "join doubles"}
    return {(folds.get(record.text, record.text), record.severity) for record in guarded.records}


@given(notes=st.dictionaries(st.sampled_from(NAMES), st.lists(NOTES, max_size=5)), bound=st.integers(1, 4))
def test_the_order_of_the_reviewers_does_not_change_what_is_admitted(notes: dict[str, list[Note]], bound: int) -> None:
    configs = [config(name, max_notes=bound) for name in NAMES]
    state = fresh(*configs)
    orders = permutations(configs)
    results = [findings(judged(state, order, notes, limits=UNBOUNDED)[1]) for order in orders]
    assert all(result == results[0] for result in results)


@given(notes=st.dictionaries(st.sampled_from(NAMES), st.lists(NOTES, max_size=6)))
def test_what_was_said_once_is_not_said_again(notes: dict[str, list[Note]]) -> None:
    configs = [config(name, **WIDE) for name in NAMES]
    state, _ = judged(fresh(*configs), configs, notes, limits=UNBOUNDED)
    assert judged(state, configs, notes, limits=UNBOUNDED)[1].records == ()


@given(notes=st.lists(KEYED, max_size=8))
def test_what_is_not_admitted_is_not_remembered(notes: list[Note]) -> None:
    reviewer = config(max_notes=1)
    state, guarded = judged(fresh(reviewer), [reviewer], {"correctness": notes})
    remembered = {entry.note for _, entry in progress(state).history.slots()}
    assert remembered == {record.id for record in guarded.records}
