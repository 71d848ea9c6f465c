"""The child of the kill harness: a host that drives one session by a script, and dies at a chosen passage.

It imports everything once and then forks for every run that it is asked for, before any event loop exists, so that a
run costs some tens of milliseconds. A *passage* is one arrival at a named point: of the host's own loop, of the store
(every SQL statement too), of a reviewer, of a sink. They are counted from outside: what foureyes is given is wrapped,
and new connections of the standard library's SQLite module are traced. At the chosen one the process kills itself with
SIGKILL.

The host does what a careful host does. It numbers its turns, keeps its transcript in a file that it replaces in one
step, and after a crash goes on from there: a step that it had not kept is done again. It drops an advisory whose id it
has already shown. Where it keeps the session itself, it writes the snapshot first and the transcript afterwards.

A reviewer answers by what the key of the review names and nothing else, as a deterministic one does: asked again,
because the process died after it had answered and before that was saved, it says the same.
"""

from __future__ import annotations

import gc
import json
import logging
import os
import signal
import sqlite3
import sys
import traceback
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from hashlib import blake2b
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import anyio
import anyio.lowlevel

from foureyes.core.changes import Changes
from foureyes.core.config import GuardConfig, ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.guard import Limits
from foureyes.core.state import SessionState
from foureyes.core.words import Severity, Stop
from foureyes.errors import ContextOverflowError, RateLimitedError, RefusedError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.base import Store
from foureyes.stores.memory import MemoryStore
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import CheckpointFailed, Event, NoteJudged, NoteSent, SinkFailed
from foureyes.testing import FakeClock, turn_messages

Json = dict[str, Any]

TEXTS = (
    "The lock is still held when the function returns.",
    "the LOCK is still held, when the function returns!",
    "Third reminder: the lock is still held when the function returns.",
    "The backup of table orders has no end date.",
    "The backup of table invoices has no end date.",
    "Row 3 is counted twice in the sum.",
    "The retry has no upper bound.",
    "Rename the helper, its name says the opposite.",
    "LGTM",
    "",
    "The answer does not say what was left undone.",
)


class Log:
    """What happened, one line a fact, written at once: a kill loses nothing of it."""

    def __init__(self, path: Path) -> None:
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)

    def write(self, **facts: object) -> None:
        """Write one fact."""
        os.write(self._file, json.dumps(facts).encode() + b"\n")


class Passages:
    """Counts the passages of each step, and kills the process at the chosen one."""

    def __init__(self, kill: list[int] | None) -> None:
        self.step = 0
        self.names: dict[int, list[str]] = {}
        self._kill = kill

    def passed(self, name: str) -> None:
        """Count one passage, and die if it is the one."""
        names = self.names.setdefault(self.step, [])
        names.append(name)
        if self._kill == [self.step, len(names)]:
            os.kill(os.getpid(), signal.SIGKILL)


class WatchedStore:
    """A store that tells where it is."""

    def __init__(self, inner: Store, passages: Passages) -> None:
        self._inner, self._passages = inner, passages
        self.open, self.load, self.close, self.sessions = inner.open, inner.load, inner.close, inner.sessions

    async def save(self, state: SessionState, changes: Changes) -> None:
        """Save, and tell of it before and afterwards."""
        started = any(progress.started for progress in state.reviewers.values())
        what = "quiet" if changes.quiet else "started" if started else "settled"
        self._passages.passed(f"store: {what} is not saved yet")
        await self._inner.save(state, changes)
        self._passages.passed(f"store: {what} is saved")


class Reviewer:
    """Answers by what the key of the review names."""

    def __init__(self, seed: int, passages: Passages, log: Log) -> None:
        self._seed, self._passages, self._log = seed, passages, log

    async def __call__(self, review: Review) -> Any:
        """Take a few rounds of the event loop, then answer."""
        named = review.key.rpartition(":")[0]
        seen = blake2b(repr((review.key, replace(review, attempt=1))).encode(), digest_size=8).hexdigest()
        self._log.write(asked=named, reviewer=review.reviewer, seen=seen, attempt=review.attempt)
        self._passages.passed("reviewer: asked")
        random = Random(f"{self._seed}:{named}")
        for _ in range(random.randrange(3)):
            await anyio.lowlevel.checkpoint()
        answer = _answer(random)
        self._passages.passed("reviewer: about to answer")
        if isinstance(answer, Exception):
            raise answer
        return answer


def _answer(random: Random) -> Any:
    kind = random.choices(("notes", "quiet", "error", "prose"), (60, 20, 15, 5))[0]
    if kind == "error":
        return random.choice((ValueError("x"), RateLimitedError("x"), RefusedError("x"), ContextOverflowError("x")))
    if kind == "prose":
        return "I would look at the lock again."
    return [_note(random) for _ in range(random.randint(1, 4))] if kind == "notes" else []


def _note(random: Random) -> Note:
    key = random.choice((None, None, "lock", "sum"))
    return Note(text=random.choice(TEXTS), severity=random.choice(list(Severity)), key=key)


class Sink:
    """Writes down what the sinks are told of notes."""

    def __init__(self, host: Host, passages: Passages, log: Log) -> None:
        self._host, self._passages, self._log = host, passages, log

    def emit(self, event: Event) -> None:
        """Write the event down, and tell that it was given."""
        if isinstance(event, CheckpointFailed | SinkFailed):
            raise SystemExit(f"{event.action}: {event.error}")
        step = self._host.kept["step"]
        if isinstance(event, NoteJudged):
            facts = [event.turn, event.reviewer, event.severity, event.disposition, event.text, event.note]
            self._log.write(step=step, judged=facts)
        if isinstance(event, NoteSent):
            self._log.write(step=step, sent=[event.reviewer, event.note])
        self._passages.passed(f"sink: {event.action}")

    def quiet(self, finish: bool) -> None:
        """Do nothing."""


class Host:
    """Drives the session, and keeps its own transcript."""

    def __init__(self, folder: Path, passages: Passages, log: Log, *, snapshots: bool) -> None:
        self._folder, self._passages, self._log, self._snapshots = folder, passages, log, snapshots
        task = {"role": "user", "content": "Do the work."}
        new = {"step": 0, "turn": 0, "messages": [task], "shown": [], "records": [], "lengths": {}}
        self.kept: Json = _read(folder / "host.json") or new

    async def live(self, scheduler: ReviewScheduler, steps: list[Json]) -> Session:
        """Do the steps that are left."""
        self._passages.step = self.kept["step"]
        self._scheduler = scheduler
        self._session = session = await scheduler.session("s", snapshot=_read(self._folder / "snapshot.json"))
        for step in steps[self.kept["step"] :]:
            self._passages.passed("host: about to call")
            record = await self._done(step)
            self._passages.passed("host: has the guidance")
            self._keep(record)
        return session

    async def _done(self, step: Json) -> Json | None:
        return await getattr(self, f"_{step['kind']}")(step)  # type: ignore[no-any-return]

    async def _turn(self, step: Json) -> Json:
        turn = self.kept["turn"] + 1
        self.kept["messages"] += turn_messages(turn) if step["works"] else []
        return self._heard(step, await self._session.boundary(self.kept["messages"], turn=turn))

    async def _finish(self, step: Json) -> Json:
        turn, answer = self.kept["turn"] + 1, f"Answer of turn {self.kept['turn'] + 1}."
        self.kept["messages"].append({"role": "assistant", "content": answer})
        stop = Stop(step["stop"])
        return self._heard(step, await self._session.finish(self.kept["messages"], answer=answer, stop=stop, turn=turn))

    async def _request(self, step: Json) -> None:
        self.kept["messages"].append({"role": "user", "content": step["text"]})
        if step["calls"]:
            await self._scheduler.session("s", request=step["text"])

    async def _abort(self, step: Json) -> None:
        await self._session.abort()

    async def _compact(self, step: Json) -> None:
        # What the agent was told since its last turn stays: the host knows that it has not been heard yet.
        last = self.kept["lengths"].get(str(self.kept["turn"] - 1), 0)
        summary = {"role": "assistant", "content": "What was done so far, in short."}
        self.kept["messages"] = [self.kept["messages"][0], summary, *self.kept["messages"][max(1, last) :]]
        self.kept["lengths"] = {str(self.kept["turn"]): len(self.kept["messages"])}
        await self._session.compacted()

    async def _rewind(self, step: Json) -> None:
        target = self.kept["turn"] - step["back"]
        if str(target) in self.kept["lengths"]:
            self.kept["messages"] = self.kept["messages"][: self.kept["lengths"][str(target)]]
            self.kept["turn"] = target
            await self._session.rewound(target)

    def _heard(self, step: Json, guidance: Guidance) -> Json:
        self.kept["turn"] = guidance.turn
        if guidance.advisory is not None:
            self._log.write(offered=guidance.advisory.id, notes=[note.id for note in guidance.advisory.notes])
            if step["takes"] != "lost" and guidance.advisory.id not in self.kept["shown"]:
                self.kept["messages"] += guidance.messages
                self.kept["shown"].append(guidance.advisory.id)
            if step["takes"] == "taken":
                guidance.taken()
        self.kept["lengths"][str(guidance.turn)] = len(self.kept["messages"])
        return _recorded(guidance)

    def _keep(self, record: Json | None) -> None:
        self.kept["records"].append([record, _counters(self._session.state)])
        self.kept["step"] += 1
        if self._snapshots:
            _replace(self._folder / "snapshot.json", self._session.snapshot())
            self._passages.passed("host: has kept the snapshot and not the transcript")
        _replace(self._folder / "host.json", self.kept)
        self._passages.passed("host: has kept all")
        self._passages.step = self.kept["step"]


def _recorded(guidance: Guidance) -> Json:
    return {
        "turn": guidance.turn,
        "advisory": guidance.advisory.id if guidance.advisory else None,
        "notes": [note.id for note in guidance.advisory.notes] if guidance.advisory else [],
        "finish": [guidance.reopen, guidance.result, guidance.verdict, [note.id for note in guidance.unsent]],
        "progress": guidance.progress,
        "outcomes": [[one.reviewer, one.trigger, one.outcome] for one in guidance.outcomes],
        "skips": [[skip.reviewer, skip.trigger, skip.reason, skip.have, skip.limit] for skip in guidance.skips],
    }


def _counters(state: SessionState) -> Json:
    used = {
        name: [one.periodic_used, one.rounds_used, one.last_review, one.cooldown_until, one.failures]
        for name, one in state.reviewers.items()
    }
    return {"request": state.request, "reopens": state.reopens, "admitted": state.admitted, "used": used}


def _read(path: Path) -> Json | None:
    return json.loads(path.read_bytes()) if path.exists() else None


def _replace(path: Path, value: object) -> None:
    new = path.with_suffix(".new")
    new.write_text(json.dumps(value))
    new.replace(path)


def _configs(job: Json, reviewer: Reviewer) -> list[ReviewerConfig]:
    return [
        ReviewerConfig(reviewer=reviewer, max_attempts=1, guard=GuardConfig(max_notes=notes), **settings)
        for settings, notes in job["script"]["reviewers"]
    ]


async def _run(job: Json) -> None:
    folder, snapshots = Path(job["folder"]), job["keeps"] == "snapshot"
    passages, log = Passages(job["kill"]), Log(Path(job["folder"]) / "log.jsonl")
    host = Host(folder, passages, log, snapshots=snapshots)
    store = WatchedStore(MemoryStore() if snapshots else _traced(folder / "store.db", passages), passages)
    configs = _configs(job, Reviewer(job["script"]["seed"], passages, log))
    limits, sink = Limits(**job["script"]["limits"]), Sink(host, passages, log)
    scheduler = ReviewScheduler(
        configs, limits=limits, store=store, sinks=[sink], clock=FakeClock(), nonce=lambda: "5e5510"
    )
    async with scheduler:
        session = await host.live(scheduler, job["script"]["steps"])
    log.write(state=session.snapshot(), passages=passages.names)


def _traced(path: Path, passages: Passages) -> Store:
    connect = sqlite3.connect

    def watched(*arguments: Any, **options: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **options)
        connection.set_trace_callback(lambda sql: passages.passed(f"sql: {' '.join(sql.split())[:40]}"))
        return connection

    sqlite3.connect = watched  # type: ignore[assignment]
    return SQLiteStore(path)


def _forked(work: Callable[[], None]) -> int:
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        except BaseException:
            traceback.print_exc()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _warm_up() -> None:
    # What the first of everything costs is paid here, and not again by every process.
    seldom = {"name": "one", "interval_turns": 1}
    steps = [{"kind": "turn", "takes": "taken", "works": True}] * 3
    script = {"seed": 0, "reviewers": [[seldom, 1]], "limits": {}, "steps": steps}
    for backend in ("asyncio", "trio"):
        with TemporaryDirectory() as folder:
            job = {"script": script, "folder": folder, "keeps": "snapshot", "kill": None}
            anyio.run(_run, job, backend=backend)
    gc.collect()
    gc.freeze()


def main() -> None:
    """Run each job that comes in as a line, in a process of its own, and say how that ended."""
    logging.getLogger("foureyes").addHandler(logging.NullHandler())
    _warm_up()
    for line in sys.stdin:
        job = json.loads(line)
        print(_forked(partial(anyio.run, _run, job, backend=job["script"]["backend"])), flush=True)


if __name__ == "__main__":
    main()
