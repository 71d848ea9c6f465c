"""A long run: memory, store, tasks and threads stay as they are, and the metrics say what the log says."""

from __future__ import annotations

import gc
import logging
import os
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import anyio
import pytest
from prometheus_client import CollectorRegistry

from foureyes.core.config import GuardConfig, ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity
from foureyes.errors import QuotaExhaustedError, RateLimitedError, RefusedError
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import (
    BoundarySettled,
    Event,
    FinishSettled,
    NoteJudged,
    NoteSent,
    ReviewSettled,
    ReviewSkipped,
)
from foureyes.testing import FakeClock, turn_messages

BOUNDARIES = 20_000
SETTLED_IN = 5_000
"""Boundaries after which nothing may grow any more: the histories are full, and the code is warm."""
SESSIONS = 4
HISTORY = 64
MAX_BLOCKS = 3_000
"""Blocks of memory that may have come on after that: one for five boundaries would be as many. 334 were seen."""
MAX_BYTES = 6_000_000
"""Bytes by which the process may have grown meanwhile: 400 a boundary would be as many. 20,480 were seen."""
MAX_STORE = 6_000_000
"""Bytes of the database and its log, of which SQLite lets the latter come to 4 MB. 4.6 MB were seen."""
SEEN = 64
"""Messages of the transcript that the host keeps: a long run is compacted by its host."""


@pytest.fixture
def anyio_backend() -> str:
    """Soak on one event loop: it takes half a minute."""
    return "asyncio"


@pytest.fixture(autouse=True)
def _silent() -> Iterator[None]:
    logging.disable(logging.CRITICAL)
    yield
    logging.disable(logging.NOTSET)


class Tally:
    """A sink that counts, as the metrics do, and keeps nothing else."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, ...]] = Counter()

    def emit(self, event: Event) -> None:
        """Count the event under its labels."""
        match event:
            case ReviewSettled():
                self.counts["foureyes_reviews_total", event.reviewer, event.trigger, event.outcome] += 1
            case ReviewSkipped():
                self.counts["foureyes_review_skips_total", event.reviewer, event.trigger, event.reason] += 1
            case NoteJudged():
                self.counts["foureyes_notes_total", event.reviewer, event.severity, event.disposition] += 1
            case NoteSent():
                self.counts["foureyes_notes_sent_total", event.reviewer, event.severity] += 1
            case FinishSettled():
                self.counts["foureyes_finishes_total", event.result] += 1
            case BoundarySettled():
                self.counts["foureyes_boundaries_total", "finish" if event.finish else "turn"] += 1

    def quiet(self, finish: bool) -> None:
        """Count a boundary at which nobody was due."""
        self.counts["foureyes_boundaries_total", "finish" if finish else "turn"] += 1


LABELS = {
    "foureyes_reviews_total": ("reviewer", "trigger", "outcome"),
    "foureyes_review_skips_total": ("reviewer", "trigger", "reason"),
    "foureyes_notes_total": ("reviewer", "severity", "disposition"),
    "foureyes_notes_sent_total": ("reviewer", "severity"),
    "foureyes_finishes_total": ("result",),
    "foureyes_boundaries_total": ("kind",),
}


def scraped(registry: CollectorRegistry) -> Counter[tuple[str, ...]]:
    """Return what the counters of the tally say in the registry, those at zero left out."""
    samples = [sample for family in registry.collect() for sample in family.samples if sample.name in LABELS]
    return Counter(
        {
            (sample.name, *(sample.labels[label] for label in LABELS[sample.name])): int(sample.value)
            for sample in samples
            if sample.value
        }
    )


class Whim:
    """A reviewer that does anything a reviewer may do, but hang."""

    def __init__(self, seed: str) -> None:
        self._random = Random(seed)

    async def __call__(self, review: Review) -> Any:
        """Do the next thing."""
        await anyio.lowlevel.checkpoint()
        kind = self._random.choices(("notes", "quiet", "error", "prose"), (45, 40, 12, 3))[0]
        if kind == "error":
            raise self._random.choice((ValueError, RateLimitedError, QuotaExhaustedError, RefusedError))("down")
        return (
            "prose"
            if kind == "prose"
            else [self._note() for _ in range(kind == "notes" and self._random.randint(1, 5))]
        )

    def _note(self) -> Note:
        number = self._random.randrange(1_000_000)
        return Note(text=f"Row {number} of table {number % 97} is lost.", severity=self._random.choice(list(Severity)))


def whimsical(name: str, **settings: Any) -> ReviewerConfig:
    """Return a reviewer that is never paused for good, and whose memory is small."""
    return ReviewerConfig(
        name=name,
        reviewer=Whim(name),
        max_attempts=1,
        max_periodic_reviews=1_000,
        guard=GuardConfig(history=HISTORY),
        **settings,
    )


class Host:
    """A host that drives one session for ever, and keeps the newest part of its transcript."""

    def __init__(self, session: Session, number: int) -> None:
        self._session, self._random = session, Random(number)
        self._messages: list[Any] = [{"role": "user", "content": "Do the work."}]

    async def step(self) -> None:
        """Do one turn, or answer, and let the human ask for more once an answer is accepted."""
        turn = self._session.state.turn + 1
        if self._random.random() < 0.05:
            await self._answer(turn)
        else:
            self._messages += turn_messages(turn)
            self._messages += (await self._session.boundary(self._messages)).messages
        if len(self._messages) > SEEN:
            del self._messages[: -SEEN // 2]

    async def _answer(self, turn: int) -> None:
        self._messages.append({"role": "assistant", "content": f"Answer {turn}."})
        guidance = await self._session.finish(self._messages, answer=f"Answer {turn}.")
        self._messages += guidance.messages
        if not guidance.reopen:
            self._messages.append({"role": "user", "content": f"And then? {turn}"})


def memory() -> tuple[int, int]:
    """Return the blocks that Python has in use once all garbage is gone, and the bytes of the process in memory.

    Only Linux tells the latter; elsewhere they are 0, and the blocks alone have to do.
    """
    gc.collect()
    statm = Path("/proc/self/statm")
    pages = int(statm.read_text().split()[1]) if statm.exists() else 0
    return sys.getallocatedblocks(), pages * os.sysconf("SC_PAGE_SIZE")


def on_disk(folder: Path) -> int:
    """Return the bytes of all files in a folder."""
    return sum(file.stat().st_size for file in folder.iterdir())


async def soaked(scheduler: ReviewScheduler) -> tuple[int, int]:
    """Come to all the boundaries, and return by how many blocks and bytes memory has grown since it settled."""
    hosts = [Host(await scheduler.session(f"session-{number}"), number) for number in range(SESSIONS)]
    blocks, size = 0, 0
    for number in range(BOUNDARIES):
        await hosts[number % SESSIONS].step()
        if number == SETTLED_IN:
            blocks, size = memory()
    after = memory()
    return after[0] - blocks, after[1] - size


REVIEWERS = [
    whimsical("alpha", interval_turns=2, max_rounds=2),
    whimsical("beta", interval_turns=3, max_rounds=1, cooldown_turns=5),
    whimsical("gamma", interval_turns=10, max_rounds=0, pause_after_failures=1_000),
]


def new_threads(before: list[threading.Thread]) -> list[str]:
    """Return the names of threads that have come since, and do not end within five seconds."""
    since = [thread for thread in threading.enumerate() if thread not in before]
    for thread in since:
        thread.join(5)
    return [thread.name for thread in since if thread.is_alive()]


@pytest.mark.anyio
async def test_a_long_run_leaves_memory_store_tasks_and_metrics_in_order(tmp_path: Path) -> None:
    registry, tally, before = CollectorRegistry(), Tally(), threading.enumerate()
    tasks = len(anyio.get_running_tasks())
    store = SQLiteStore(tmp_path / "store.db")
    async with ReviewScheduler(
        REVIEWERS, store=store, registry=registry, sinks=[tally], clock=FakeClock()
    ) as scheduler:
        blocks, size = await soaked(scheduler)
        stored = on_disk(tmp_path)
        assert len(anyio.get_running_tasks()) == tasks
    counts = tally.counts
    outcomes = {key[3] for key in counts if key[0] == "foureyes_reviews_total"}
    assert blocks < MAX_BLOCKS
    assert size < MAX_BYTES
    assert stored < MAX_STORE
    assert new_threads(before) == []
    assert scraped(registry) == counts
    assert counts["foureyes_boundaries_total", "turn"] + counts["foureyes_boundaries_total", "finish"] == BOUNDARIES
    assert {"noted", "quiet", "error", "rate_limited", "quota_exhausted", "refused", "unparsed"} <= outcomes
