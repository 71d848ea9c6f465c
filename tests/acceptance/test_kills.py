"""A process that is really killed, at every step of a boundary and of a finish, and what the next one makes of it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from .kill_harness import KEEPERS, Harness, Life, differences, random_script

REOPENED = 34
"""A seed with which the reviewers of the fixed script re-open the first two finishes and approve the third."""
CAPPED = 17
"""One with which the second finish is accepted although concerns are open, and the third re-opened."""


def fixed(seed: int) -> dict[str, Any]:
    """Return a short script with everything in it that hands over, loses, re-opens, ends and begins."""
    turn = {"kind": "turn", "takes": "transcript", "works": True}
    finish = {"kind": "finish", "takes": "transcript", "stop": "answer"}
    request = {"kind": "request", "text": "And then?", "calls": True}
    return {
        "seed": seed,
        "backend": "asyncio",
        "reviewers": [reviewer("alpha", interval_turns=1, max_rounds=2), reviewer("beta", interval_turns=2)],
        "limits": {"notes_per_boundary": 2},
        "steps": [turn, turn | {"takes": "lost"}, turn, finish, finish, request, turn, finish],
    }


def reviewer(name: str, **settings: Any) -> list[Any]:
    """Return a reviewer of a script that says at most two notes at a time."""
    return [{"name": name, "max_rounds": 1, "max_periodic_reviews": 3, "pause_after_failures": 1_000} | settings, 2]


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Harness]:
    """Return a harness with two processes."""
    with Harness(tmp_path_factory.mktemp("kills")) as harness:
        yield harness


def at(life: Life, step: int, name: str, number: int = 1) -> list[int]:
    """Return the place of the n-th passage of a name in a step."""
    places = [place for place, passed in enumerate(life.passages[step], start=1) if passed == name]
    return [step, places[number - 1]]


def told(life: Life) -> list[dict[str, Any]]:
    """Return what the host was told at each boundary and finish."""
    return [record for record, _ in life.kept["records"] if record]


def test_a_kill_in_any_of_many_random_lives_changes_nothing(harness: Harness) -> None:
    assert harness.over(range(320)) == []


@pytest.mark.parametrize("keeps", KEEPERS)
@pytest.mark.parametrize("seed", [REOPENED, CAPPED])
def test_a_kill_at_any_passage_of_a_life_changes_nothing(harness: Harness, seed: int, keeps: str) -> None:
    assert harness.killed_everywhere(fixed(seed), keeps) == []


@pytest.mark.parametrize("keeps", KEEPERS)
def test_kills_in_several_steps_of_one_life_change_nothing(harness: Harness, keeps: str) -> None:
    lives = [harness.killed_often(random_script(seed), keeps, 4) for seed in range(1_000, 1_025)]
    assert [difference for found in lives for difference in found] == []


def test_the_fixed_lives_pass_through_all_that_can_be_cut_off(harness: Harness) -> None:
    lives = {(seed, keeps): harness.live(fixed(seed), keeps) for seed in (REOPENED, CAPPED) for keeps in KEEPERS}
    results = [record["finish"][1] for life in lives.values() for record in told(life) if record["finish"][1]]
    passed = {name for life in lives.values() for names in life.passages.values() for name in names}
    assert {"reopened", "capped", "clean"} <= set(results)
    assert {
        "host: about to call",
        "store: started is not saved yet",
        "sql: BEGIN IMMEDIATE",
        "sql: COMMIT",
        "store: started is saved",
        "reviewer: asked",
        "reviewer: about to answer",
        "store: settled is not saved yet",
        "store: settled is saved",
        "sink: review_settled",
        "sink: note_judged",
        "sink: note_sent",
        "host: has the guidance",
        "host: has kept the snapshot and not the transcript",
        "host: has kept all",
    } <= passed


@pytest.mark.parametrize(
    ("name", "attempts"),
    [
        ("store: started is not saved yet", [1]),
        ("store: started is saved", [2]),
        ("reviewer: asked", [1, 2]),
        ("store: settled is not saved yet", [1, 2]),
        ("store: settled is saved", [1]),
        ("host: has the guidance", [1]),
    ],
)
def test_the_due_review_is_made_once_after_a_kill_and_its_advisory_is_shown_once(
    harness: Harness, name: str, attempts: list[int]
) -> None:
    """As in https://github.com/langchain-ai/langgraph/issues/6792: two reviews of one boundary, or none."""
    script = fixed(CAPPED)
    unbroken = harness.live(script, "sqlite")
    broken = harness.live(script, "sqlite", [at(unbroken, 0, name)])
    assert told(unbroken)[0]["advisory"].startswith("a1-")
    assert unbroken.attempts["s:1:alpha:periodic"] == [1]
    assert broken.attempts["s:1:alpha:periodic"] == attempts
    assert shown(broken) == shown(unbroken)
    assert broken.kept["records"][0][1]["used"]["alpha"][0] == 1


def shown(life: Life) -> Counter[str]:
    """Return how often each advisory stands in the agent's transcript, by its first line."""
    texts = [message["content"] for message in life.kept["messages"] if message["role"] == "user"]
    return Counter(text.split("]")[0] for text in texts if text.startswith("[fe-"))


@pytest.mark.parametrize("keeps", KEEPERS)
def test_an_advisory_that_is_offered_twice_has_one_id_and_is_shown_once(harness: Harness, keeps: str) -> None:
    unbroken = harness.live(fixed(REOPENED), keeps)
    step = next(step for step, (record, _) in enumerate(unbroken.kept["records"]) if record and record["finish"][0])
    broken = harness.live(fixed(REOPENED), keeps, [at(unbroken, step, "host: has the guidance")])
    identity = unbroken.kept["records"][step][0]["advisory"]
    assert (unbroken.offers[identity], broken.offers[identity]) == (1, 2)
    assert {len(notes) for notes in broken.offered.values()} == {1}
    assert set(shown(broken).values()) == {1}
    assert shown(broken) == shown(unbroken)


def test_a_life_with_a_kill_is_no_longer_than_it_has_to_be(harness: Harness) -> None:
    unbroken = harness.live(fixed(CAPPED), "sqlite")
    broken = harness.live(fixed(CAPPED), "sqlite", [at(unbroken, 1, "reviewer: about to answer")])
    assert (unbroken.asked - broken.asked, sum((broken.asked - unbroken.asked).values()) <= 2) == (Counter(), True)


@pytest.mark.parametrize(
    "change",
    [
        lambda life: {"kept": life.kept | {"messages": []}},
        lambda life: {"kept": life.kept | {"records": life.kept["records"][:-1]}},
        lambda life: {"state": life.state | {"turn": 0}},
        lambda life: {"asked": life.asked + Counter({"s:1:alpha:periodic": 2})},
        lambda life: {"asked": Counter()},
        lambda life: {"seen": {}},
        lambda life: {"offered": life.offered | {"a1": {"[]"}}},
        lambda life: {"judged": {**life.judged, 0: life.judged[0][1:]}},
        lambda life: {"judged": {**life.judged, 1: []}},
        lambda life: {"sent": frozenset()},
    ],
)
def test_the_harness_tells_lives_apart(harness: Harness, change: Any) -> None:
    life = harness.live(fixed(CAPPED), "sqlite")
    assert differences(life, life, {0}) == []
    assert differences(life, replace(life, **change(life)), {0}) != []


def test_a_kill_that_does_not_happen_is_an_error_of_the_harness(harness: Harness) -> None:
    with pytest.raises(RuntimeError, match="ended with 0"):
        harness.live(fixed(CAPPED), "sqlite", [[0, 10_000]])


def test_a_script_is_the_same_for_the_same_seed() -> None:
    assert json.dumps(random_script(7)) == json.dumps(random_script(7))
    assert random_script(7) != random_script(8)


def test_the_harness_can_be_run_by_hand() -> None:
    script = Path(__file__).with_name("kill_harness.py")
    run = subprocess.run([sys.executable, str(script), "--scripts", "2"], capture_output=True, text=True, check=True)
    assert (run.stdout, run.stderr) == ("2 scripts: nothing differs\n", "")
