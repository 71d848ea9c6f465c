"""What a boundary costs, as ratios within one run. ``pytest -m benchmark -s`` prints them."""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from statistics import median
from time import perf_counter

import anyio
import pytest
from prometheus_client import CollectorRegistry

from foureyes import MemoryStore, ReviewerConfig, ReviewScheduler, Session, SQLiteStore
from foureyes.testing import turn_messages

pytestmark = pytest.mark.benchmark

ROUNDS = 15
Step = Callable[[], Awaitable[object]]


async def _silent(review: object) -> list[object]:
    return []


def _reviewers(interval: int) -> list[ReviewerConfig]:
    return [
        ReviewerConfig(name=f"r{number}", reviewer=_silent, interval_turns=interval, max_periodic_reviews=10**8)
        for number in range(4)
    ]


async def _alternated(subject: Step, reference: Step, inner: int) -> float:
    found = []
    for number in range(ROUNDS):
        steps = (subject, reference) if number % 2 == 0 else (reference, subject)
        seconds = {step: await _seconds(step, inner) for step in steps}
        found.append(seconds[subject] / seconds[reference])
    return median(found)


async def _seconds(step: Step, inner: int) -> float:
    began = perf_counter()
    for _ in range(inner):
        await step()
    return perf_counter() - began


def _quiet(session: Session) -> Step:
    messages = [{"role": "user", "content": "Do the work."}]
    return lambda: session.boundary(messages)


def _busy(session: Session) -> Step:
    # Two short transcripts in turn, so that there is always something new: a growing one would measure the evidence.
    long = turn_messages(1)
    short = long[:1]

    async def boundary() -> None:
        guidance = await session.boundary(long if session.state.turn % 2 else short)
        assert len(guidance.outcomes) == 4

    return boundary


def _said(what: str, ratio: float, limit: float) -> None:
    print(f"\n{what}: {ratio:.2f} x (at most {limit} x)")
    assert ratio <= limit


def test_a_quiet_boundary_costs_at_most_two_passes_of_the_loop() -> None:
    async def measure() -> float:
        async with ReviewScheduler(_reviewers(10**6), store=MemoryStore()) as scheduler:
            session = await scheduler.session("quiet", request="Do the work.")
            return await _alternated(_quiet(session), lambda: asyncio.sleep(0), 500)

    _said("quiet boundary, 4 reviewers, in memory / asyncio.sleep(0)", asyncio.run(measure()), 2.0)


def test_a_quiet_boundary_on_sqlite_costs_at_most_five_upserts(tmp_path: Path) -> None:
    async def measure() -> float:
        with closing(_database(tmp_path / "bare.db")) as bare:
            async with ReviewScheduler(_reviewers(10**6), store=SQLiteStore(tmp_path / "ours.db")) as scheduler:
                session = await scheduler.session("quiet", request="Do the work.")
                return await _alternated(_quiet(session), _upserts(bare), 100)

    _said("quiet boundary, 4 reviewers, SQLite / a bare upsert in WAL mode", asyncio.run(measure()), 5.0)


def _database(path: Path) -> sqlite3.Connection:
    bare = sqlite3.connect(path, isolation_level=None)
    bare.execute("PRAGMA journal_mode=WAL")
    bare.execute("PRAGMA synchronous=NORMAL")
    bare.execute("CREATE TABLE sessions (id TEXT PRIMARY KEY, turn INTEGER)")
    return bare


def _upserts(bare: sqlite3.Connection) -> Step:
    turn = iter(range(10**9))

    async def upsert() -> None:
        bare.execute(
            "INSERT INTO sessions VALUES ('quiet', ?) ON CONFLICT (id) DO UPDATE SET turn = excluded.turn",
            (next(turn),),
        )

    return upsert


@pytest.mark.parametrize("metrics", [False, True], ids=["plain", "with metrics"])
def test_four_due_reviewers_cost_little_more_than_their_task_group(metrics: bool) -> None:
    async def measure() -> float:
        registry = CollectorRegistry() if metrics else None
        async with ReviewScheduler(_reviewers(1), store=MemoryStore(), registry=registry) as scheduler:
            session = await scheduler.session("busy", request="Do the work.")
            return await _alternated(_busy(session), _task_group, 50)

    what = "4 due reviewers that do nothing" + (", with metrics" if metrics else "")
    limit = 2.5 if metrics else 1.6
    _said(f"{what} / an anyio task group of 4 move_on_after", asyncio.run(measure()), limit)


async def _task_group() -> None:
    async def bounded() -> None:
        with anyio.move_on_after(30):
            await _silent(None)

    async with anyio.create_task_group() as group:
        for _ in range(4):
            group.start_soon(bounded)


def test_importing_foureyes_costs_little_more_than_its_dependencies() -> None:
    ours = "from foureyes import ReviewScheduler"
    theirs = "import anyio, pydantic_settings, tenacity, prometheus_client"
    found = []
    for number in range(ROUNDS):
        order = (ours, theirs) if number % 2 == 0 else (theirs, ours)
        seconds = {code: _imported(code) for code in order}
        found.append(seconds[ours] / seconds[theirs])
    _said("from foureyes import ReviewScheduler / its four core dependencies", median(found), 1.3)


def _imported(code: str) -> float:
    began = perf_counter()
    subprocess.run([sys.executable, "-c", code], check=True)
    return perf_counter() - began
