"""How runs of which somebody knows the end are scored: groups, flags, sums, intervals and the curve."""

from __future__ import annotations

import io
import json
import pickle
import re
from collections.abc import Sequence
from dataclasses import replace
from math import nan, sqrt
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from foureyes.core.facts import Message, Note, Reply, Review, ToolCall
from foureyes.core.words import OutcomeKind, Severity, SkipReason
from foureyes.replay.checklist import Listed, check_of, checklist
from foureyes.replay.page import console
from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording
from foureyes.replay.score import Score
from foureyes.replay.score_document import document
from foureyes.replay.score_markdown import table
from foureyes.replay.score_page import ScorePage
from foureyes.replay.scoring import Group, RunScore, groups, scored
from foureyes.replay.wilson import Rate
from foureyes.testing import ScriptedReviewer

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER
LABELLED, FAILED, GOOD = Group.LABELLED, Group.FAILED, Group.GOOD


def recording(line: str = "HsssA", **facts: object) -> Recording:
    """Return a run: H a human, s a step with its result, A an answer."""
    messages: list[Message] = []
    for place, letter in enumerate(line):
        messages += {
            "H": [Message(role="user", text=f"Ask {place}.")],
            "s": [
                Message(role="assistant", tool_calls=(ToolCall(id=f"c{place}", name=f"step{place}"),)),
                Message(role="tool", call_id=f"c{place}", text=f"result {place}"),
            ],
            "A": [Message(role="assistant", text=f"Answer {place}.")],
        }[letter]
    return Recording(name="run.json", messages=tuple(messages), source="run.json", **facts)  # type: ignore[arg-type]


def note(check: str = "a-check", severity: Severity = CONCERN, text: str = "The tests were not run.") -> Note:
    return Note(text=text, severity=severity, key=f"{check}:tool:digest")


def saying(turn: int, *notes: Note) -> ScriptedReviewer:
    """Return a reviewer that says this at one turn and nothing at any other."""
    return ScriptedReviewer(*[Reply()] * (turn - 1), list(notes))


# --- who belongs where ---


@pytest.mark.parametrize(
    ("reward", "decisive", "belongs"),
    [
        (1.0, None, {GOOD}),
        (1.0, 2, {GOOD}),
        (0.0, None, {FAILED}),
        (0.99, None, {FAILED}),
        (0.0, 2, {FAILED, LABELLED}),
        (None, 2, {FAILED, LABELLED}),
        (nan, 2, {FAILED, LABELLED}),
        (None, None, set()),
        (nan, None, set()),
    ],
)
def test_a_run_is_good_with_a_reward_of_1_and_failed_below_it_or_with_a_label(
    reward: float | None, decisive: int | None, belongs: set[Group]
) -> None:
    assert groups(recording(reward=reward, decisive=decisive)) == belongs


# --- what counts ---


@pytest.mark.parametrize(
    ("turn", "decisive", "flagged", "early"),
    [
        (1, None, True, False),
        (4, None, True, False),
        (1, 2, False, True),
        (2, 2, True, False),
        (3, 2, True, False),
        (4, 4, True, False),
        (3, 4, False, True),
    ],
)
def test_a_flag_counts_from_the_decisive_turn_to_the_finish(
    turn: int, decisive: int | None, flagged: bool, early: bool
) -> None:
    found = scored(recording("HsssA", reward=0.0, decisive=decisive), saying(turn, note()))
    assert (set(found.flagged), found.early) == ({"a-check"} if flagged else set(), early)


def test_a_label_on_a_good_run_excuses_no_false_alarm() -> None:
    found = scored(recording("HsssA", reward=1.0, decisive=4), saying(1, note()))
    assert (set(found.flagged), found.early) == ({"a-check"}, False)


@pytest.mark.parametrize(("severity", "flags"), [(NIT, False), (CONCERN, True), (BLOCKER, True)])
def test_a_flag_is_a_concern_or_a_blocker(severity: Severity, flags: bool) -> None:
    found = scored(recording(reward=0.0), saying(2, note(severity=severity)))
    assert bool(found.flagged) is flags
    assert found.notes == {("a-check", severity): 1}


def test_every_check_that_flags_a_run_is_known_by_the_beginning_of_its_notes_keys() -> None:
    found = scored(recording(reward=0.0), saying(1, note("one"), note("two", NIT), note("three", BLOCKER)))
    assert found.flagged == {"one", "three"}
    assert check_of(Note(text="x")) == "unnamed"


def test_a_note_without_text_and_what_is_no_note_are_not_counted() -> None:
    found = scored(recording(reward=0.0), ScriptedReviewer([note(text=" ** "), 7, note("other")]))
    assert found.flagged == {"other"}
    assert found.notes == {("other", CONCERN): 1}


def test_the_reviewer_is_asked_after_every_turn_and_at_every_finish_however_long_the_run_is() -> None:
    reviewer = ScriptedReviewer()
    found = scored(recording("H" + "s" * 40 + "A" * 5, reward=0.0), reviewer)
    assert reviewer.turns == list(range(1, 46))
    assert (found.turns, found.calls, found.skips) == (45, {OutcomeKind.QUIET: 45}, {})


def test_repeats_and_floods_hide_nothing_and_silence_nobody() -> None:
    flood = [note(text=f"The tests of module {place} were not run at all.", severity=BLOCKER) for place in range(60)]
    reviewer = ScriptedReviewer(*[flood] * 12)
    found = scored(recording("H" + "s" * 12, reward=0.0), reviewer)
    assert found.notes == {("a-check", BLOCKER): 12 * 60}
    assert (found.calls, found.skips) == ({OutcomeKind.NOTED: 12}, {})


def test_what_is_said_changes_nothing_of_what_is_asked_afterwards() -> None:
    quiet, loud = ScriptedReviewer(), ScriptedReviewer(*[[note()] for _ in range(9)])
    for reviewer in (quiet, loud):
        scored(recording("HsAHAsHA", reward=0.0), reviewer)
    assert loud.reviews == quiet.reviews
    assert [review.request for review in loud.reviews] == ["Ask 0.", "Ask 0.", "Ask 3.", "Ask 3.", "Ask 6."]


def test_a_failed_review_is_told_and_the_next_one_is_made_all_the_same() -> None:
    reviewer = ScriptedReviewer(*[ValueError("no such thing")] * 7, [note()])
    found = scored(recording("H" + "s" * 7 + "A", reward=0.0), reviewer)
    assert found.calls == {OutcomeKind.ERROR: 7, OutcomeKind.NOTED: 1}
    assert "no such thing" in found.error
    assert found.flagged == {"a-check"}


def test_a_reply_that_nobody_can_read_is_a_failed_review() -> None:
    assert scored(recording("HA", reward=0.0), ScriptedReviewer(7)).calls == {OutcomeKind.UNPARSED: 1}


def test_a_turn_at_which_the_agent_did_nothing_is_a_skip() -> None:
    quiet = recording("HssA", reward=0.0)
    silent = replace(quiet, messages=(*quiet.messages[:3], Message(role="assistant"), *quiet.messages[3:]))
    found = scored(silent, ScriptedReviewer())
    assert found.skips == {SkipReason.NOTHING_NEW: 1}
    assert found.calls.get(OutcomeKind.QUIET) == found.turns - 1


def test_two_scores_of_one_run_are_equal_and_travel_between_processes() -> None:
    run = recording(reward=0.0)
    first, second = (scored(run, saying(2, note())) for _ in range(2))
    assert first == second == pickle.loads(pickle.dumps(first))


# --- labels ---


def heard(run: Recording) -> list[Review]:
    reviewer = ScriptedReviewer()
    scored(run, reviewer)
    return reviewer.reviews


def test_reward_and_label_never_reach_a_reviewer() -> None:
    bare = recording("HssAHA")
    judged = replace(bare, reward=0.125, decisive=2, id="judged", format="any")
    assert heard(judged) == heard(bare)
    assert len(heard(bare)) == 4


WHO_AND_WHEN = {
    "question": "Add the figures.",
    "history": [
        {"role": "assistant", "name": "Boss", "content": "Add the figures."},
        {"role": "assistant", "name": "Adder", "content": "It is 7."},
        {"role": "assistant", "name": "Boss", "content": "So the answer is 7."},
    ],
    "mistake_agent": "SECRET-agent",
    "mistake_step": "1",
    "mistake_reason": "SECRET-reason",
    "ground_truth": "SECRET-truth",
    "is_correct": False,
}
TAU = {
    "task_id": 4,
    "reward": 0.0,
    "info": {"task": "SECRET-info"},
    "traj": [{"role": "user", "content": "Book it."}, {"role": "assistant", "content": "It is booked."}],
}
TAU_LABELS = [
    {
        "trajectory_id": 4,
        "failures": [
            {"failure_id": "f", "step_number": 1, "step_reason": "SECRET-why", "failure_category": "SECRET-c"}
        ],
        "root_cause": {"failure_id": "f", "reason_for_root_cause": "SECRET-cause"},
    }
]


def test_nothing_that_files_say_about_a_run_reaches_a_reviewer(tmp_path: Path) -> None:
    (tmp_path / "labels.json").write_text(json.dumps(TAU_LABELS), encoding="utf-8")
    (tmp_path / "runs.json").write_text(json.dumps([TAU]), encoding="utf-8")
    (tmp_path / "who.json").write_text(json.dumps(WHO_AND_WHEN), encoding="utf-8")
    runs = [item for item in recordings([str(tmp_path)]) if isinstance(item, Recording)]
    assert [groups(run) for run in runs] == [{FAILED, LABELLED}] * 2
    reviews = [review for run in runs for review in heard(run)]
    assert len(reviews) >= 3
    assert "SECRET" not in repr(reviews)


# --- rates ---


@pytest.mark.parametrize(
    ("hits", "of", "low", "high"),
    [
        # Newcombe (1998), method 3
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_intervals_are_those_of_the_literature(hits: int, of: int, low: float, high: float) -> None:
    assert Rate(hits=hits, of=of).interval == pytest.approx((low, high), abs=5e-5)


@given(st.integers(1, 100_000).flatmap(lambda of: st.tuples(st.integers(0, of), st.just(of))))
def test_an_interval_ends_where_the_rate_would_be_just_1_96_standard_errors_away(pair: tuple[int, int]) -> None:
    rate = Rate(hits=pair[0], of=pair[1])
    assert rate.share is not None
    assert rate.interval is not None
    low, high = rate.interval
    assert 0 <= low <= rate.share <= high <= 1
    for end in {low, high} - {0.0, 1.0}:
        assert abs(rate.share - end) == pytest.approx(1.959964 * sqrt(end * (1 - end) / rate.of), rel=1e-5)


def test_of_nothing_there_is_no_rate_and_more_than_all_is_none() -> None:
    assert (Rate(hits=0, of=0).share, Rate(hits=0, of=0).interval) == (None, None)
    for hits, of in ((2, 1), (-1, 1)):
        with pytest.raises(ValueError, match="no rate"):
            Rate(hits=hits, of=of)


# --- sums ---


def one(group: Group | None, *flagged: str, **facts: object) -> RunScore:
    """Return the score of a run with one turn and one note for each flag."""
    belongs = {LABELLED: {FAILED, LABELLED}, None: set()}.get(group, {group})
    values: dict[str, object] = {
        "format": "chat",
        "groups": frozenset(belongs),
        "flagged": frozenset(flagged),
        "early": False,
        "turns": 1,
        "calls": {OutcomeKind.NOTED if flagged else OutcomeKind.QUIET: 1},
        "skips": {},
        "notes": {(check, CONCERN): 1 for check in flagged},
    }
    return RunScore(**{**values, **facts})  # type: ignore[arg-type]


def summed(*runs: RunScore, checks: Sequence[str] = ("a", "b", "c")) -> Score:
    score = Score(checks=tuple(checks))
    for run in runs:
        score.add(run)
    return score


MIXED = summed(
    one(LABELLED, "a"),
    one(LABELLED, "a", "b"),
    one(LABELLED),
    one(FAILED, "b"),
    one(GOOD, "b"),
    one(GOOD),
    one(None, "c"),
)


def test_a_labelled_run_is_counted_among_the_failed_ones() -> None:
    assert [MIXED.flagged(group) for group in (LABELLED, FAILED, GOOD)] == [
        Rate(hits=2, of=3),
        Rate(hits=3, of=4),
        Rate(hits=1, of=2),
    ]
    assert (MIXED.runs, MIXED.unjudged) == (7, 1)


def test_each_check_has_its_own_counts_of_the_same_runs() -> None:
    counts = {check: [MIXED.flagged(group, (check,)).hits for group in Group] for check in MIXED.checks}
    assert counts == {"a": [2, 2, 0], "b": [1, 2, 1], "c": [0, 0, 0]}
    assert [MIXED.notes_of(check) for check in MIXED.checks] == [2, 3, 1]


def test_the_curve_adds_checks_by_precision_and_leaves_out_who_flags_no_judged_run() -> None:
    curve = MIXED.curve()
    assert [(rung.check, rung.precision) for rung in curve] == [("a", Rate(hits=2, of=2)), ("b", Rate(hits=2, of=3))]
    assert [rung.flagged[LABELLED].hits for rung in curve] == [2, 2]
    assert [rung.flagged[FAILED].hits for rung in curve] == [2, 3]
    assert [rung.flagged[GOOD].hits for rung in curve] == [0, 1]


def test_of_equally_precise_checks_the_one_with_more_hits_comes_first_and_then_the_name_decides() -> None:
    score = summed(one(FAILED, "c", "a"), one(FAILED, "b"), one(FAILED, "b"))
    assert [rung.check for rung in score.curve()] == ["b", "a", "c"]


def test_the_curve_ends_where_all_checks_are_together() -> None:
    assert MIXED.curve()[-1].flagged == {group: MIXED.flagged(group) for group in Group}


def test_each_format_has_its_own_counts() -> None:
    score = summed(one(FAILED, "a"), one(GOOD, "a", format="log"), one(GOOD, format="log"))
    assert score.formats == ("chat", "log")
    counts = {name: [score.flagged(group, format_=name) for group in (FAILED, GOOD)] for name in score.formats}
    assert counts == {
        "chat": [Rate(hits=1, of=1), Rate(hits=0, of=0)],
        "log": [Rate(hits=0, of=0), Rate(hits=1, of=2)],
    }
    assert as_document(score)["per_format"]["log"]["flagged_good"] == 1  # type: ignore[index]
    assert re.search(r"^chat +- +1 of 1 +-$", page(score), re.MULTILINE)
    assert "by format" not in page(summed(one(FAILED, "a")))


def test_a_check_that_nobody_listed_comes_after_the_others() -> None:
    assert summed(one(FAILED, "z", "y"), one(FAILED, "x")).checks == ("a", "b", "c", "y", "z", "x")


def test_what_a_score_keeps_does_not_grow_with_the_number_of_runs() -> None:
    few, many = (summed(*[one(LABELLED, "a"), one(GOOD), one(FAILED, "b")] * number) for number in (1, 1_000))
    assert len(pickle.dumps(many)) < len(pickle.dumps(few)) + 64


# --- forms ---


def as_document(score: Score) -> dict[str, object]:
    return document(score, (Listed(name="a", description="One."),), unread=2, left_out=3, seconds=1.23456)


def test_the_document_has_every_count_with_its_rate_and_interval() -> None:
    found = as_document(MIXED)
    counts = ("runs", "failed_runs", "labelled_runs", "good_runs", "unjudged_runs")
    assert [found[name] for name in counts] == [7, 4, 3, 2, 1]
    assert [found[name] for name in ("flagged_labelled", "flagged_failed", "flagged_good")] == [2, 3, 1]
    assert [found[name] for name in ("calls", "skips", "notes", "turns")] == [7, 0, 6, 7]
    assert [found[name] for name in ("unread", "left_out", "seconds")] == [2, 3, 1.235]
    assert found["rates"]["flagged_good"] == {"rate": 0.5, "low": 0.0945, "high": 0.9055}  # type: ignore[index]
    assert {name: [of[group] for group in Group] for name, of in found["per_check"].items()} == {  # type: ignore[attr-defined]
        "a": [2, 2, 0],
        "b": [1, 2, 1],
        "c": [0, 0, 0],
    }
    assert found["roster"]["checks"] == [{"name": "a", "description": "One."}]  # type: ignore[index]
    assert json.loads(json.dumps(found)) == found


def test_where_there_are_no_runs_rates_are_null_and_counts_are_0() -> None:
    found = as_document(summed())
    assert found["runs"] == found["calls"] == found["flagged_good"] == 0
    assert found["rates"] == {"flagged_labelled": None, "flagged_failed": None, "flagged_good": None}
    assert found["curve"] == []


def test_the_markdown_table_has_a_row_for_each_check_and_one_for_all() -> None:
    head, rule, *rows = table(MIXED)
    assert (
        head == "| check | flagged of 3 labelled failed runs | flagged of 4 all failed runs | flagged of 2 good runs |"
    )
    assert [line.split("|")[1].strip() for line in rows] == ["`a`", "`b`", "`c`", "all together"]
    assert rows[1] == "| `b` | 1: 33.3 % [6.1-79.2] | 2: 50.0 % [15.0-85.0] | 1: 50.0 % [9.5-90.5] |"
    assert {line.count("|") for line in (head, rule, *rows)} == {5}


@pytest.mark.parametrize(
    ("score", "heads"),
    [
        (summed(one(FAILED, "a")), ["flagged of 1 all failed runs"]),
        (summed(one(GOOD, "a")), ["flagged of 1 good runs"]),
        (summed(one(FAILED, "a"), one(GOOD)), ["flagged of 1 all failed runs", "flagged of 1 good runs"]),
        (summed(one(None, "a")), []),
    ],
)
def test_the_markdown_table_has_no_column_for_a_group_without_a_run(score: Score, heads: list[str]) -> None:
    head, rule, *rows = table(score)
    assert [cell.strip() for cell in head.split("|")[1:-1]] == ["check", *heads]
    assert {line.count("|") for line in (head, rule, *rows)} == {2 + len(heads)}


ONE_SIDED = [summed(one(LABELLED, "a"), one(FAILED)), summed(one(GOOD, "a"), one(GOOD))]
"""Runs that all failed, and runs that are all good."""


@pytest.mark.parametrize("score", ONE_SIDED)
def test_there_is_no_precision_where_all_runs_ended_alike(score: Score) -> None:
    assert score.precision("a") == Rate(hits=0, of=0)
    assert [(rung.check, rung.precision.share) for rung in score.curve()] == [("a", None)]
    found = as_document(score)
    assert found["per_check"]["a"]["precision"] is None  # type: ignore[index]
    assert found["curve"][0]["precision"] is None  # type: ignore[index]


def test_where_no_run_is_good_the_page_says_nothing_of_precision_and_false_alarms() -> None:
    shown = page(ONE_SIDED[0])
    assert "100.0 % [" in shown  # the hit rate of the labelled run
    assert re.search(r"^a +1  100\.0 % \[20\.7-100\.0\] +-  -$", shown, re.MULTILINE)
    assert re.search(r"^a +- +100\.0 %  █+ +-$", shown, re.MULTILINE)


def test_where_no_run_failed_the_page_says_nothing_of_precision_and_hits() -> None:
    shown = page(ONE_SIDED[1])
    assert re.search(r"^a +-  - +1  50\.0 % \[", shown, re.MULTILINE)
    assert re.search(r"^a +- +- +50\.0 %  ░+$", shown, re.MULTILINE)


def page(score: Score, *, width: int = 80, encoding: str = "utf-8", **facts: int) -> str:
    """Return what is written to a file in this encoding."""
    raw = io.BytesIO()
    file = io.TextIOWrapper(raw, encoding=encoding)
    out: Console = console(file)
    out.width = width
    shown = ScorePage(out)
    shown.roster([Listed(name="a", description="")])
    shown.score(score, unread=facts.get("unread", 0), left_out=0, seconds=1.0)
    file.flush()
    return raw.getvalue().decode(encoding)


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("score", [MIXED, summed(one(GOOD)), summed(one(FAILED, "a")), summed(one(None))])
def test_the_page_fits_the_terminal_and_needs_no_colour(score: Score, width: int) -> None:
    lines = page(score, width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert all(line.isprintable() and line == line.rstrip() for line in lines)


def test_the_picture_says_who_was_hit_missed_alarmed_for_nothing_and_left_in_peace() -> None:
    fields = [line.split("│")[1:-1] for line in page(MIXED).splitlines() if line.startswith("│")]
    cells = [[" ".join(field.split()) for field in row] for row in fields]
    assert [row for row in cells if row[1].startswith(("hit", "false alarm"))] == [
        ["labelled", "hit 2", "missed 1"],
        ["all failed", "hit 3", "missed 1"],
        ["good", "false alarm 1", "quiet 1"],
    ]
    assert ["", "66.7 % [20.8-93.9]", "33.3 % [6.1-79.2]"] in cells


def test_a_narrow_terminal_cuts_no_number() -> None:
    shown = page(MIXED, width=46)
    for part in ("66.7 %", "[20.8-93.9]", "33.3 %", "[6.1-79.2]", "false alarm", "missed", "quiet"):
        assert part in shown
    assert "…" not in shown


def test_a_terminal_without_the_characters_gets_a_picture_all_the_same() -> None:
    shown = page(MIXED, encoding="ascii")
    assert shown.isascii()
    assert "false alarm" in shown
    assert "###" in shown


def test_the_page_tells_of_failed_reviews_and_of_what_does_not_count() -> None:
    failed = one(LABELLED, calls={OutcomeKind.ERROR: 1}, error="ValueError: \x1b[2Jgone", early=True)
    shown = page(summed(failed, one(None)))
    assert "1 review failed: ValueError: \\x1b[2Jgone" in shown
    assert "1 labelled run flagged before it" in shown
    assert "1 run of which nobody knows how it ended" in shown


def test_the_roster_lists_every_check_that_the_built_in_reviewer_has() -> None:
    names = [check.name for check in checklist()]
    assert {"repeated-call", "unhandled-error"} <= set(names)
    assert len(names) == len(set(names))
    assert all(check.description for check in checklist())
