"""The emission guard over several reviewers, and what holds for any notes at all."""

from __future__ import annotations

from collections import Counter
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core.facts import Note
from foureyes.core.guard import Guarded, Limits, Raised, admitted
from foureyes.core.words import Disposition, Severity, Trigger

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
    one_by_one,
    progress,
    with_progress,
)

ADMITTED = Disposition.ADMITTED
DUPLICATE = Disposition.DUPLICATE
HELD = Disposition.HELD_SIMILAR
MERGED = Disposition.MERGED
OVER_BOUNDARY = Disposition.OVER_BOUNDARY
OVER_REQUEST = Disposition.OVER_REQUEST
OVER_REVIEW = Disposition.OVER_REVIEW
WIDE = {"max_notes": 32}


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


@pytest.mark.parametrize("names", [("correctness", "scope"), ("scope", "correctness")])
def test_a_reviewer_at_its_bound_is_named_for_what_another_tells_whoever_comes_first(names: tuple[str, str]) -> None:
    configs = [config(name, max_notes=1) for name in names]
    same = note("The lock leaks.", NIT)
    notes = {"correctness": [same], "scope": [same, note("The clock is not in UTC.")]}
    _, guarded = judged(fresh(*configs), configs, notes)
    assert [(record.text, set(record.reviewers)) for record in guarded.records] == [
        ("The clock is not in UTC.", {"scope"}),
        ("The lock leaks.", {"correctness", "scope"}),
    ]


def test_what_a_reviewer_at_its_bound_finds_worse_than_another_does_not_make_it_worse() -> None:
    configs = [config("correctness", max_notes=1), config("scope", max_notes=1)]
    notes = {
        "correctness": [note("The lock leaks.", NIT)],
        "scope": [note("All rows are deleted.", BLOCKER), note("The lock leaks.")],
    }
    _, guarded = judged(fresh(*configs), configs, notes)
    assert dispositions(guarded, "scope") == [ADMITTED, OVER_REVIEW]
    assert [(record.severity, record.reviewers) for record in guarded.records] == [
        (BLOCKER, ("scope",)),
        (NIT, ("correctness",)),
    ]


@pytest.mark.parametrize("names", [("correctness", "scope"), ("scope", "correctness")])
def test_a_note_of_two_is_told_as_fully_as_one_of_them_may_tell_it(names: tuple[str, str]) -> None:
    room = {"correctness": 200, "scope": 300}
    configs = [config(name, max_note_chars=room[name]) for name in names]
    text = "The lock leaks. " * 18
    _, guarded = judged(fresh(*configs), configs, {name: [note(text)] for name in names})
    assert [record.text for record in guarded.records] == [text.strip()]


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
        led = Counter(one.reviewer for one in guarded.judged if one.record and one.disposition not in (MERGED, HELD))
        assert all(led[one.name] <= one.guard.max_notes for one in configs)
        assert sum(one.disposition is ADMITTED for one in guarded.judged) <= limits.notes_per_boundary
        kinds = Counter(one.disposition for one in guarded.judged)
        assert len(guarded.records) == sum(kinds[one] for one in (ADMITTED, OVER_BOUNDARY, OVER_REQUEST, HELD))
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


def findings(guarded: Guarded) -> set[tuple[str, Severity, frozenset[str]]]:
    """Return what is admitted, and who is named for it."""
    folds = {"Lock leaks!": "lock leaks", "**join** doubles": "join doubles"}
    return {
        (folds.get(record.text, record.text), record.severity, frozenset(record.reviewers))
        for record in guarded.records
    }


@given(notes=st.dictionaries(st.sampled_from(NAMES), st.lists(NOTES, max_size=5)), bound=st.integers(1, 4))
def test_the_order_of_the_reviewers_does_not_change_what_is_admitted_for_whom(
    notes: dict[str, list[Note]], bound: int
) -> None:
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


def test_a_text_under_three_keys_is_one_note_whatever_the_order_of_the_reviewers() -> None:
    keys = {"a": "k1", "b": None, "c": "k2"}
    for order in permutations(keys):
        configs = [config(name, order=place) for place, name in enumerate(order)]
        notes = {name: [note("The token leaks.", key=key)] for name, key in keys.items()}
        _, guarded = judged(fresh(*configs), configs, notes)
        assert len(guarded.records) == 1


def test_a_weaker_note_under_the_same_key_does_not_lower_what_was_heard_of_it() -> None:
    notes = [note("T leaks.", BLOCKER, key="k1"), note("T is lost.", NIT, key="k2"), note("T leaks.", BLOCKER)]
    notes += [note("T drips.", CONCERN, key="k1"), note("T leaks!", BLOCKER, key="k2")]
    assert one_by_one(notes) == [ADMITTED, ADMITTED, DUPLICATE, DUPLICATE, DUPLICATE]
