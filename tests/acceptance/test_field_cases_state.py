"""Failures of saved state that users of other systems have met, with the values that they had, and their threads."""

from __future__ import annotations

import json
import logging
import multiprocessing
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from foureyes.core.changes import Changes
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.state import SessionState
from foureyes.core.words import FinishResult, Severity, SkipReason
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.records import loaded
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import CheckpointFailed
from foureyes.testing import RecordingSink, ScriptedReviewer, note, run_turns, turn_messages

pytestmark = pytest.mark.anyio

TASK = {"role": "user", "content": "Do the work."}
ALWAYS = {"interval_turns": 1, "max_periodic_reviews": 1_000_000, "max_rounds": 0}


def every_turn(function: Callable[..., Any], **settings: Any) -> ReviewerConfig:
    """Return a reviewer of every turn."""
    return ReviewerConfig(name="one", reviewer=function, **(ALWAYS | settings))


def transcript(turns: int) -> list[dict[str, Any]]:
    """Return a transcript of some turns."""
    return [TASK, *(message for turn in range(1, turns + 1) for message in turn_messages(turn))]


async def finds(review: Review) -> list[Note]:
    """Find something else at every turn."""
    return [note(f"The query of table {review.turn} has no bound.")]


def rows(path: Path, statement: str) -> list[tuple[Any, ...]]:
    """Ask the file itself."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(statement).fetchall()


def size(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.iterdir())


# --- compaction ---


@pytest.mark.parametrize("told", [True, False], ids=["told", "untold"])
async def test_after_a_compaction_the_next_review_covers_what_is_new_and_is_not_skipped(
    told: bool, tmp_path: Path
) -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/9553: nothing was reviewed any more, or all of it again."""
    asked = ScriptedReviewer()
    path = tmp_path / "runs.db"
    config = ReviewerConfig(name="one", reviewer=asked, interval_turns=10, max_periodic_reviews=100, max_rounds=0)
    async with ReviewScheduler([config], store=SQLiteStore(path)) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        messages = [TASK]
        for turn in range(1, 91):
            messages += turn_messages(turn)
            await session.boundary(messages)
        before = rows(path, "SELECT (SELECT count(*) FROM notes) + (SELECT count(*) FROM reviewers)")
        messages = [TASK, {"role": "assistant", "content": "Summary of 80 turns."}, *messages[-20:]]
        if told:
            await session.compacted()
        for turn in range(91, 101):
            messages += turn_messages(turn)
            guidance = await session.boundary(messages)
            assert guidance.skips == ()
    assert [(review.since, review.turn) for review in asked.reviews[-2:]] == [(80, 90), (90, 100)]
    assert len(asked.reviews) == 10
    assert f"result {100}" in asked.reviews[-1].messages[-1].text
    assert rows(path, "SELECT (SELECT count(*) FROM notes) + (SELECT count(*) FROM reviewers)") == before


# --- SQLite ---

WRITER = """
import sys
import anyio
from foureyes.core.config import ReviewerConfig
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import CheckpointFailed
from foureyes.testing import RecordingSink, note, turn_messages


async def finds(review):
    return [note(f"The query of table {review.turn} has no bound.")]


async def main(path, name):
    sink = RecordingSink()
    config = ReviewerConfig(name="one", reviewer=finds, interval_turns=1, max_periodic_reviews=1_000)
    async with ReviewScheduler([config], store=SQLiteStore(path), sinks=[sink]) as scheduler:
        for number in range(200):
            session = await scheduler.session(f"{name} {number}")
            guidance = await session.boundary(turn_messages(1))
            assert [called.outcome for called in guidance.outcomes] == ["noted"], guidance
    assert sink.of(CheckpointFailed) == []


anyio.run(main, *sys.argv[1:])
"""


def test_two_processes_write_two_hundred_reviews_each_into_one_file(tmp_path: Path) -> None:
    """As in https://github.com/langchain-ai/langgraph/issues/8136: database is locked."""
    path = tmp_path / "runs.db"
    command = [sys.executable, "-c", WRITER, str(path)]
    writers = [subprocess.Popen([*command, name], stderr=subprocess.PIPE, text=True) for name in ("one", "two")]
    assert [writer.communicate(timeout=60)[1] for writer in writers] == ["", ""]
    assert rows(path, "SELECT (SELECT count(*) FROM sessions), (SELECT count(*) FROM notes)") == [(400, 400)]


async def test_a_lock_that_somebody_holds_costs_a_warning_and_not_the_run(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """As in https://github.com/langchain-ai/langgraph/issues/1583: the run died."""
    path = tmp_path / "runs.db"
    async with ReviewScheduler([every_turn(finds)], store=SQLiteStore(path)) as scheduler:
        session = await scheduler.session("s")
        await session.boundary(transcript(1))
        with closing(sqlite3.connect(path, isolation_level=None)) as other, caplog.at_level(logging.WARNING):
            other.execute("BEGIN IMMEDIATE")
            guidance = await session.boundary(transcript(2))
            other.execute("ROLLBACK")
        assert [skipped.reason for skipped in guidance.skips] == [SkipReason.STORE_UNAVAILABLE]
        await session.boundary(transcript(3))
    assert any("database is locked" in message for message in caplog.messages)
    assert rows(path, "SELECT turn FROM sessions") == [(3,)]


class Waiting(SQLiteStore):
    """A store that lets others run before and after it has written, and has the host cancelled at one of these."""

    def __init__(self, path: Path, chosen: int) -> None:
        super().__init__(path)
        self.scope, self.passed, self._chosen = anyio.CancelScope(), 0, chosen

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save between two points."""
        await self._point()
        await super().save(state, changes)
        await self._point()

    async def _point(self) -> None:
        self.passed += 1
        if self.passed == self._chosen:
            self.scope.cancel()
        await anyio.lowlevel.checkpoint()


@pytest.mark.parametrize("chosen", range(1, 21))
async def test_a_cancelled_save_leaves_no_transaction_open(chosen: int, tmp_path: Path) -> None:
    """As in https://github.com/openai/openai-agents-python/issues/4203: all later writes said that it was locked."""
    path = tmp_path / "runs.db"
    store = Waiting(path, chosen)
    async with ReviewScheduler([every_turn(finds)], store=store) as scheduler:
        session = await scheduler.session("s")
        with store.scope:
            for turn in range(1, 6):
                await session.boundary(transcript(turn), turn=turn)
        assert store.scope.cancel_called
        with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        began = time.monotonic()
        turn = session.state.turn + 1
        assert (await session.boundary(transcript(turn), turn=turn)).skips == ()
        assert time.monotonic() - began < 1
    assert await SQLiteStore(path).load("s") == session.state


def _write(number: int) -> int:
    async def run() -> int:
        async with ReviewScheduler([every_turn(finds)], store=INHERITED[0]) as scheduler:
            return len((await (await scheduler.session(f"child {number}")).boundary(transcript(1))).outcomes)

    return anyio.run(run)


INHERITED: list[SQLiteStore] = []
"""The store that the children of a pool inherit, open."""


@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
def test_children_of_a_fork_write_beside_their_parent(tmp_path: Path) -> None:
    """As in https://github.com/charmbracelet/crush/issues/3461: a corrupted file."""
    path = tmp_path / "runs.db"
    INHERITED[:] = [SQLiteStore(path)]
    assert _write(0) == 1
    anyio.run(INHERITED[0].open)
    with multiprocessing.get_context("fork").Pool(2) as pool:
        waiting = pool.map_async(_write, range(1, 9))
        assert _write(9) == 1
        assert waiting.get(timeout=60) == [1] * 8
    assert len(anyio.run(INHERITED[0].sessions)) == 10
    anyio.run(INHERITED[0].close)
    assert rows(path, "PRAGMA integrity_check") == [("ok",)]


# --- policy and progress ---


async def test_a_gate_that_is_switched_off_gates_no_more_after_a_restart(tmp_path: Path) -> None:
    """As in https://github.com/anthropics/claude-code/issues/86434: it went on blocking, from a saved copy."""
    asked = ScriptedReviewer(*[[note("The data is gone.", Severity.BLOCKER)]] * 3)
    path = tmp_path / "runs.db"
    gate = ReviewerConfig(name="gate", reviewer=asked, interval_turns=0, max_rounds=5)
    for config, reopened in ((gate, True), (gate.model_copy(update={"max_rounds": 0}), False)):
        async with ReviewScheduler([config], store=SQLiteStore(path)) as scheduler:
            session = await scheduler.session("s", request="Do the work.")
            guidance = await session.finish([*transcript(1), {"role": "assistant", "content": "done"}], answer="done")
            assert guidance.reopen is reopened
    assert guidance.result is not FinishResult.REOPENED
    assert len(asked.reviews) == 1
    off = gate.model_copy(update={"enabled": False})
    async with ReviewScheduler([off], store=SQLiteStore(path)) as scheduler:
        session = await scheduler.session("s", request="Something else.")
        assert not (await session.finish(transcript(1), answer="done again")).reopen


async def test_a_session_of_ten_thousand_boundaries_is_small_and_quickly_resumed(tmp_path: Path) -> None:
    """As in https://github.com/can1357/oh-my-pi/pull/9557: gigabytes, and a resume that hung."""
    path = tmp_path / "runs.db"
    said: list[int] = []

    async def long_winded(review: Review) -> list[Note]:
        said.append(review.turn)
        return [note(f"The query of table {review.turn} has no bound. {'x' * 1_000}")]

    config = every_turn(long_winded, interval_turns=10, max_periodic_reviews=8)
    async with ReviewScheduler([config], store=SQLiteStore(path)) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        messages: list[dict[str, Any]] = [TASK]
        for turn in range(1, 10_001):
            messages.append({"role": "assistant", "content": f"{turn} {'y' * 1_000}"})
            guidance = await session.boundary(messages)
            messages += guidance.messages
            if turn % 100 == 0:
                await session.new_request(f"Now number {turn}.")
    assert len(said) > 700
    assert size(tmp_path) < 20_000_000
    began = time.perf_counter()
    async with ReviewScheduler([config], store=SQLiteStore(path)) as scheduler:
        state = (await scheduler.session("s")).state
    assert time.perf_counter() - began < 2
    assert (state.turn, len(state.notes) <= 32 + 48) == (10_000, True)
    assert rows(path, "SELECT count(*) <= 4096, count(*) > 700 FROM histories") == [(1, 1)]


KILLED = """
import json, os, signal, sys
from pathlib import Path

import anyio

from foureyes.core.config import ReviewerConfig
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.sqlite import SQLiteStore
from foureyes.testing import note, turn_messages

folder, point = Path(sys.argv[1]), sys.argv[2]


def at(here):
    if here == point:
        os.kill(os.getpid(), signal.SIGKILL)


class Store(SQLiteStore):
    saves = 0

    async def save(self, state, changes):
        self.saves += 1
        if self.saves == 1:
            at("before start")
        if self.saves == 2:
            at("after result")
        await super().save(state, changes)


async def finds(review):
    with (folder / "calls").open("a") as calls:
        calls.write(f"{review.key}\\n")
    at("after start")
    return [note("The lock is never released.")]


async def main():
    config = ReviewerConfig(name="one", reviewer=finds, interval_turns=1, max_rounds=0)
    kept = folder / "transcript.json"
    messages = json.loads(kept.read_text()) if kept.exists() else turn_messages(1)
    async with ReviewScheduler([config], store=Store(folder / "runs.db")) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        guidance = await session.boundary(messages, turn=1)
        # A host that drops doubles: an advisory that it has kept already is not kept again.
        new = [one for one in guidance.messages if one not in messages]
        kept.write_text(json.dumps(messages + new))
        guidance.taken()
        at("after delivery")


anyio.run(main)
"""


@pytest.mark.parametrize("point", ["before start", "after start", "after result", "after delivery"])
def test_a_killed_boundary_is_reviewed_and_its_note_delivered_exactly_once(point: str, tmp_path: Path) -> None:
    """As in https://github.com/langchain-ai/langgraph/issues/6792: two reviews of one boundary, or none."""
    command = [sys.executable, "-c", KILLED, str(tmp_path)]
    assert subprocess.run([*command, point], check=False).returncode == -signal.SIGKILL
    subprocess.run([*command, "never"], check=True)
    calls = (tmp_path / "calls").read_text().splitlines()
    assert len(set(calls)) == 1
    assert calls[0].startswith("s:1:one:periodic:")
    assert 1 <= len(calls) <= 2
    assert (tmp_path / "transcript.json").read_text().count("The lock is never released.") == 1
    [saved] = rows(tmp_path / "runs.db", "SELECT body FROM reviewers")
    assert json.loads(saved[0])["periodic_used"] == 1


async def test_a_state_is_plain_json_at_every_moment(tmp_path: Path) -> None:
    """As in https://github.com/langchain-ai/langgraph/issues/382: a lock in it could not be saved."""
    sink = RecordingSink()
    configs = [every_turn(finds), ReviewerConfig(name="two", reviewer=lambda review: None, interval_turns=3)]
    async with ReviewScheduler(configs, store=SQLiteStore(tmp_path / "runs.db"), sinks=[sink]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        for _ in range(20):
            await run_turns(session, 1)
            plain = session.snapshot()
            assert json.loads(json.dumps(plain, allow_nan=False)) == plain
            assert loaded(plain) == session.state
    assert sink.of(CheckpointFailed) == []
