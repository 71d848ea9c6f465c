"""A replay as JSON, for programs."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace

import pytest

from foureyes.core.facts import Note, Usage
from foureyes.core.guard import Judged
from foureyes.core.state import NoteRecord, Skipped
from foureyes.core.words import Disposition, FinishResult, Likeness, OutcomeKind, Severity, SkipReason, Trigger, Verdict
from foureyes.replay.document import document, written
from foureyes.replay.run import Consulted, ReplayedRun, Step, Totals, totals

RECORD = NoteRecord(
    id="n1",
    reviewers=("checks", "model"),
    severity=Severity.BLOCKER,
    text="It failed.",
    turn=2,
    request=1,
    trigger=Trigger.FINISH,
)
QUIET = Step(turn=1, finish=False, did="ls()")
FULL = Step(
    turn=2,
    finish=True,
    did='answered "Done."',
    request="Fix it.",
    calls=(
        Consulted(
            reviewer="checks",
            trigger=Trigger.FINISH,
            outcome=OutcomeKind.NOTED,
            seconds=0.25,
            attempts=2,
            error="late",
        ),
    ),
    skips=(Skipped(reviewer="model", trigger=Trigger.FINISH, reason=SkipReason.CAP, have=2, limit=2),),
    notes=(
        Judged(
            reviewer="checks",
            position=0,
            note=Note(text="It failed.", key="tests"),
            severity=Severity.BLOCKER,
            disposition=Disposition.HELD_SIMILAR,
            have=1,
            limit=1,
            matched="n1",
            likeness=Likeness.WORDS,
            overlap=2 / 3,
            excerpt="Tests fail.",
        ),
    ),
    advisory="Read this.",
    sent=(RECORD,),
    result=FinishResult.REOPENED,
    verdict=Verdict.CHANGES_REQUESTED,
    unsent=(RECORD,),
)
RUN = ReplayedRun(name="runs.json, run 1", source="some/runs.json", messages=9, steps=(QUIET, FULL))


def as_json(*runs: ReplayedRun) -> dict[str, object]:
    """Return what a program reads."""
    found: dict[str, object] = json.loads(json.dumps(document(runs)))
    return found


def test_a_quiet_step_has_every_key() -> None:
    [run] = as_json(RUN)["runs"]
    assert run["steps"][0] == {
        "turn": 1,
        "kind": "boundary",
        "did": "ls()",
        "request": None,
        "calls": [],
        "skips": [],
        "notes": [],
        "advisory": None,
        "sent": [],
        "result": None,
        "verdict": None,
        "unsent": [],
    }


def test_a_step_tells_everything_that_happened_at_it() -> None:
    [run] = as_json(RUN)["runs"]
    assert run["steps"][1] == {
        "turn": 2,
        "kind": "finish",
        "did": 'answered "Done."',
        "request": "Fix it.",
        "calls": [
            {
                "reviewer": "checks",
                "trigger": "finish",
                "outcome": "noted",
                "seconds": 0.25,
                "attempts": 2,
                "error": "late",
                "malformed": 0,
                "unknown_severities": 0,
                "usage": None,
            }
        ],
        "skips": [{"reviewer": "model", "trigger": "finish", "reason": "cap", "have": 2, "limit": 2}],
        "notes": [
            {
                "reviewer": "checks",
                "severity": "blocker",
                "disposition": "held_similar",
                "explanation": (
                    'held_similar: resembles n1, 67% of the shorter in common: "Tests fail."; number 2, limit 1'
                ),
                "text": "It failed.",
                "key": "tests",
                "id": "n1",
                "matched": "n1",
                "likeness": "words",
                "overlap": 0.667,
                "answer": None,
            }
        ],
        "advisory": "Read this.",
        "sent": ["n1"],
        "result": "reopened",
        "verdict": "changes_requested",
        "unsent": [{"id": "n1", "reviewers": ["checks", "model"], "severity": "blocker", "text": "It failed."}],
    }


def test_a_run_is_named_with_its_source_and_length() -> None:
    [run] = as_json(RUN)["runs"]
    assert (run["name"], run["source"], run["messages"]) == ("runs.json, run 1", "some/runs.json", 9)


def test_the_totals_are_sums_over_all_runs() -> None:
    found = as_json(RUN, RUN)
    assert found["totals"] == {
        "runs": 2,
        "turns": 4,
        "requests": 2,
        "calls": {"noted": 2},
        "skips": {"cap": 2},
        "notes": {"held_similar": 2},
        "sent": 2,
        "addressed": 2,
        "finishes": {"reopened": 2},
        "spent": {},
    }
    assert [run["totals"]["turns"] for run in found["runs"]] == [2, 2]


def spending(*used: tuple[str, Usage]) -> ReplayedRun:
    """Return a run with one call for each reviewer and what it used."""
    [call] = FULL.calls
    return replace(RUN, steps=(replace(FULL, calls=tuple(replace(call, reviewer=n, usage=u) for n, u in used)),))


def test_tokens_and_money_are_told_by_call_and_by_reviewer() -> None:
    used = Usage(input_tokens=10, cached_tokens=4, output_tokens=2, cost_usd=0.25)
    run = spending(("one", used), ("two", Usage(input_tokens=1)), ("one", used))
    found = as_json(run, run)
    one = {"input_tokens": 40, "cached_tokens": 16, "output_tokens": 8, "cost_usd": 1.0}
    two = {"input_tokens": 2, "cached_tokens": 0, "output_tokens": 0, "cost_usd": None}
    assert found["totals"]["spent"] == {"one": one, "two": two}
    calls = found["runs"][0]["steps"][0]["calls"]
    assert [call["usage"]["input_tokens"] for call in calls] == [10, 1, 10]
    assert calls[1]["usage"]["cost_usd"] is None


def test_a_cost_of_which_a_part_is_unknown_is_unknown() -> None:
    run = spending(("one", Usage(input_tokens=1, cost_usd=0.5)), ("one", Usage(input_tokens=1)))
    assert as_json(run)["totals"]["spent"]["one"]["cost_usd"] is None


def test_a_reviewer_that_reported_no_use_has_spent_nothing_that_is_known() -> None:
    run = spending(("one", Usage()), ("two", Usage(cost_usd=0.0)))
    assert as_json(run)["totals"]["spent"] == {}


def test_entries_that_could_not_be_read_are_told_with_their_call_and_counted_as_malformed_notes() -> None:
    [call] = FULL.calls
    run = replace(RUN, steps=(replace(FULL, calls=(replace(call, malformed=3, unknown_severities=1),)),))
    found = as_json(run)
    [told] = found["runs"][0]["steps"][0]["calls"]
    assert (told["malformed"], told["unknown_severities"]) == (3, 1)
    assert found["totals"]["notes"] == {"held_similar": 1, "malformed": 3}


def test_without_runs_the_totals_are_zero() -> None:
    found = as_json()
    assert found["runs"] == []
    assert found["totals"]["turns"] == 0


@pytest.mark.parametrize("count", [0, 1, 3])
def test_what_is_written_part_by_part_is_the_same_document(count: int) -> None:
    runs = [RUN] * count
    text = "".join(written(iter(runs), lambda: totals(runs)))
    assert text == json.dumps(document(runs), indent=2) + "\n"


def test_a_run_is_written_before_the_next_is_there() -> None:
    def runs() -> Iterator[ReplayedRun]:
        yield RUN
        raise InterruptedError

    parts = written(runs(), Totals)
    assert RUN.name in next(parts) + next(parts)
    with pytest.raises(InterruptedError):
        next(parts)


def test_sums_can_be_added_up_run_by_run() -> None:
    spent = spending(("one", Usage(input_tokens=3, cost_usd=0.5)))
    assert totals([RUN]) + totals([spent]) + Totals() == totals([RUN, spent])
    assert totals([spent]) + totals([spent]) == totals([spent, spent])
