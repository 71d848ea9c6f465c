"""Many replayed runs on one page: what needs a look is in full, and the quiet rest is short."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest

from foureyes.core.words import FinishResult, OutcomeKind, Trigger, Verdict
from foureyes.replay.folding import Fold, is_quiet
from foureyes.replay.run import ReplayedRun
from foureyes.replay.timeline import TimeLine

from .test_replay_timeline import CAP, NOTE, NOTED, QUIET, a_run, plain, step

CLEAN = step(2, finish=True, calls=(QUIET,), result=FinishResult.CLEAN, verdict=Verdict.APPROVED)
LOUD = step(1, calls=(NOTED,), notes=(NOTE,))


def quiet(name: str) -> ReplayedRun:
    """Return a run of two turns with one review that says nothing."""
    return replace(a_run(step(1), CLEAN), name=name)


def loud(name: str) -> ReplayedRun:
    """Return a run with a note."""
    return replace(a_run(LOUD), name=name)


def folded(*runs: ReplayedRun, everything: bool = False) -> tuple[list[str], int]:
    """Return the lines that head a run, or are one, and how many runs were not written in full."""
    out = io.StringIO()
    fold = Fold(TimeLine(plain(out, 120)), everything=everything)
    for run in runs:
        fold.add(run)
    fold.end()
    return [line for line in out.getvalue().splitlines() if "run" in line and ".json" in line], fold.folded


def test_quiet_runs_in_a_row_share_a_line() -> None:
    lines, count = folded(*(quiet(f"run{number}.json") for number in range(200)))
    assert lines == ["quiet      run0.json to run199.json: 200 runs, 400 turns, 200 reviews without a note"]
    assert count == 200


def test_a_run_with_a_note_is_in_full_and_in_its_place() -> None:
    lines, count = folded(quiet("run0.json"), quiet("run1.json"), loud("run2.json"), quiet("run3.json"))
    assert lines == [
        "quiet      run0.json to run1.json: 2 runs, 4 turns, 2 reviews without a note",
        "run2.json: 1 turn, 9 messages",
        "quiet      run3.json, 2 turns, 1 review without a note",
    ]
    assert count == 3


def test_a_run_that_is_the_only_one_is_in_full() -> None:
    assert folded(quiet("run0.json")) == (["run0.json: 2 turns, 9 messages"], 0)


def test_all_runs_are_in_full_where_that_is_asked_for() -> None:
    lines, count = folded(quiet("run0.json"), quiet("run1.json"), everything=True)
    assert lines == ["run0.json: 2 turns, 9 messages", "run1.json: 2 turns, 9 messages"]
    assert count == 0


@pytest.mark.parametrize(
    "run",
    [
        a_run(LOUD),
        a_run(step(1, calls=(replace(QUIET, malformed=1),))),
        a_run(step(1, skips=(CAP,))),
        a_run(step(1, calls=(replace(QUIET, outcome=OutcomeKind.TIMEOUT),))),
        a_run(replace(CLEAN, result=FinishResult.UNAVAILABLE)),
        a_run(replace(CLEAN, calls=(replace(QUIET, trigger=Trigger.FINISH, outcome=OutcomeKind.UNPARSED),))),
    ],
    ids=["a note", "an unreadable note", "a skip", "a failure", "an answer in doubt", "an unreadable answer"],
)
def test_a_run_with_anything_to_look_at_is_not_quiet(run: ReplayedRun) -> None:
    assert not is_quiet(run.totals)


def test_a_run_at_which_nobody_was_due_is_quiet() -> None:
    assert is_quiet(a_run(step(1)).totals)
