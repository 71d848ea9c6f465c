"""The emission guard, note by note: what reaches the agent, and why the rest does not."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.ledger import compacted, new_request
from foureyes.core.words import Disposition, OutcomeKind, Severity

from .builders import (
    BLOCKER,
    CONCERN,
    NIT,
    config,
    dispositions,
    fresh,
    judged,
    note,
    one_by_one,
    sent_at_once,
    step,
    together,
)

ADMITTED = Disposition.ADMITTED
DUPLICATE = Disposition.DUPLICATE
EMPTY = Disposition.EMPTY
NOISE = Disposition.NOISE
WIDE = {"max_notes": 32}


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
        state = sent_at_once(here.state)
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
    for turn, answer in enumerate(([note("Lock X leaks")], OutcomeKind.ERROR, [note("Lock X leaks")]), start=1):
        here = step(state, [reviewer], turn, {"correctness": answer})
        state, texts = here.state, texts + here.texts
    assert texts == ["Lock X leaks"]
    assert dispositions(here.guarded) == [DUPLICATE]


def test_the_oldest_note_is_forgotten_first_once_the_memory_is_full() -> None:
    reviewer = config(history=2)
    state = fresh(reviewer)
    found = []
    for text in ("first leak", "second leak", "third leak", "second leak", "first leak"):
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
        ({"key": "a"}, {"key": "b"}, DUPLICATE),
        ({"key": "a"}, {}, DUPLICATE),
        ({}, {"key": "  "}, DUPLICATE),
    ],
)
def test_the_same_text_is_the_same_finding_whatever_its_key(
    first: dict[str, str], second: dict[str, str], expected: Disposition
) -> None:
    notes = [note("Missing await.", **first), note("Missing await!", **second)]
    assert together(notes) == [ADMITTED, expected]
    assert one_by_one(notes) == [ADMITTED, expected]


def test_of_two_equal_texts_the_one_with_a_key_is_admitted_wherever_it_stands() -> None:
    notes = [note("Missing await."), note("Missing await!", key="a")]
    assert together(notes) == [DUPLICATE, ADMITTED]
    assert one_by_one(notes) == [ADMITTED, DUPLICATE]


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
