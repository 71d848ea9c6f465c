"""What can happen to the file of a store, under a real scheduler.

The rules, for every fault: the agent's run goes on; whoever was due is skipped as ``store_unavailable`` or its notes
are handed over from memory; each loss is an event and counted; nothing is raised into the host; and once the fault
has ended the next boundary saves everything. What is raised is that two processes drive one session, and that a
newer version wrote the file.
"""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, TypeAlias

import anyio
import pytest
from prometheus_client import CollectorRegistry

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.state import SessionState
from foureyes.core.words import SkipReason, Stop
from foureyes.errors import HostError, StateVersionError, StoreError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import CheckpointFailed
from foureyes.testing import RecordingSink, note, turn_messages

pytestmark = pytest.mark.anyio

TASK = {"role": "user", "content": "Do the work."}


async def finds(review: Review) -> list[Note]:
    """Find something else at every turn, at a length that fills disks."""
    return [note(f"The query of table {review.turn} has no bound. " + "It is long. " * 100)]


ONE = ReviewerConfig(name="one", reviewer=finds, interval_turns=1, max_periodic_reviews=1_000, max_rounds=1_000)


def transcript(turns: int) -> list[dict[str, Any]]:
    """Return a transcript of some turns."""
    return [TASK, *(message for turn in range(1, turns + 1) for message in turn_messages(turn))]


class Life:
    """One session on a store that gets into trouble."""

    def __init__(self, scheduler: ReviewScheduler, session: Session, sink: RecordingSink, metrics: CollectorRegistry):
        self.scheduler, self.session, self._sink, self._metrics = scheduler, session, sink, metrics

    async def turn(self) -> Guidance:
        """Make one turn."""
        return await self.session.boundary(transcript(self.session.state.turn + 1))

    async def finish(self, stop: Stop = Stop.ANSWER) -> Guidance:
        """Answer."""
        return await self.session.finish(transcript(self.session.state.turn + 1), answer="done", stop=stop)

    @property
    def losses(self) -> int:
        """Return how many losses there were; events and metric must agree."""
        losses = self._sink.of(CheckpointFailed)
        assert self._metrics.get_sample_value("foureyes_checkpoint_failures_total") == len(losses)
        assert all(len(loss.error) > 10 for loss in losses)
        return len(losses)


@asynccontextmanager
async def life_on(path: Path) -> AsyncIterator[Life]:
    """Return a session of an open scheduler with its store in the file."""
    sink, metrics = RecordingSink(), CollectorRegistry()
    async with ReviewScheduler([ONE], store=SQLiteStore(path), sinks=[sink], registry=metrics) as scheduler:
        yield Life(scheduler, await scheduler.session("s", request="Do the work."), sink, metrics)


async def held(path: Path) -> SessionState | None:
    """Return what another process would read."""
    store = SQLiteStore(path)
    try:
        return await store.load("s")
    finally:
        await store.close()


def is_reviewed(guidance: Guidance) -> bool:
    """Tell whether the reviewer was called, and its note handed over."""
    return [called.outcome for called in guidance.outcomes] == ["noted"] and guidance.advisory is not None


def is_without_store(guidance: Guidance) -> bool:
    """Tell whether nobody was called because of the store."""
    return [skipped.reason for skipped in guidance.skips] == [SkipReason.STORE_UNAVAILABLE]


# --- a store that was fine and is not any more ---

Fault: TypeAlias = Callable[[Path], AbstractContextManager[None]]


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Let another connection write for as long as the fault lasts, far longer than the busy wait."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


@contextmanager
def too_large(path: Path) -> Iterator[None]:
    """Let no file of this process grow beyond one page."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4_096, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def full(path: Path) -> Iterator[None]:
    """Fill the disk to its last byte."""
    ballast = path.parent / "ballast"
    with ballast.open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(b"x" * 4_096)
    yield
    ballast.unlink()


@contextmanager
def on_tmpfs(folder: Path) -> Iterator[Path]:
    """Return a small disk of its own; skip where this user may mount none."""
    if os.geteuid() or not shutil.which("mount"):
        pytest.skip("only root mounts disks")
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)], check=False)
    if done.returncode:
        pytest.skip("mounting is not permitted here")
    try:
        yield folder
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


FAULTS: dict[str, Fault] = {"locked": locked, "too large": too_large}


async def goes_through(path: Path, fault: Fault) -> None:
    """Live before, during and after a fault, and see that the rules hold."""
    async with life_on(path) as life:
        assert is_reviewed(await life.turn())
        before = await held(path)
        with fault(path):
            for _ in range(3):
                assert is_without_store(await life.turn())
            finish = await life.finish()
            assert (finish.reopen, finish.result, finish.verdict) == (False, "unavailable", "unavailable")
        assert (losses := life.losses) >= 4
        assert await held(path) == before
        await life.session.new_request("And now?")
        assert is_reviewed(await life.turn())
        assert await held(path) == life.session.state
        assert life.session.state.turn == 6
        assert life.losses == losses


@pytest.mark.parametrize("name", FAULTS)
async def test_a_store_that_cannot_write_for_a_while_costs_reviews_and_nothing_else(name: str, tmp_path: Path) -> None:
    await goes_through(tmp_path / "runs.db", FAULTS[name])


async def test_a_full_disk_costs_reviews_and_nothing_else(tmp_path: Path) -> None:
    with on_tmpfs(tmp_path) as disk:
        await goes_through(disk / "runs.db", full)


async def test_notes_of_reviews_under_way_are_handed_over_from_memory(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"

    async def meanwhile(review: Review) -> list[Note]:
        if review.turn == 1:
            other.execute("BEGIN IMMEDIATE")
        return await finds(review)

    config = ONE.model_copy(update={"reviewer": meanwhile})
    async with ReviewScheduler([config], store=SQLiteStore(path)) as scheduler:
        session = await scheduler.session("s")
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            assert is_reviewed(await session.boundary(transcript(1)))
            saved = await held(path)
            assert saved is not None
            assert (saved.turn, saved.notes) == (0, {})
            other.execute("ROLLBACK")
            await session.boundary(transcript(2))
    assert await held(path) == session.state
    assert [note.turn for note in session.state.notes.values()] == [1, 2]


# --- a file that goes away ---


def delete(path: Path) -> None:
    """Delete the file with its companions."""
    for file in (path, *path.parent.glob(f"{path.name}-*")):
        file.unlink()


def delete_folder(path: Path) -> None:
    """Delete the folder."""
    shutil.rmtree(path.parent)


def restore_older(path: Path) -> None:
    """Put an older copy in its place."""
    delete(path)
    shutil.copyfile(path.parent.parent / "older.db", path)


@pytest.mark.parametrize("harm", [delete, delete_folder, restore_older])
async def test_a_file_that_goes_away_is_noticed_at_once_and_everything_is_saved_anew(
    harm: Callable[[Path], None], tmp_path: Path
) -> None:
    path = tmp_path / "states" / "runs.db"
    async with life_on(path):
        pass
    shutil.copyfile(path, tmp_path / "older.db")
    async with life_on(path) as life:
        for _ in range(3):
            assert is_reviewed(await life.turn())
        harm(path)
        assert is_without_store(await life.turn())
        assert life.losses == 1
        assert await held(path) == life.session.state, "the end of the same boundary saves it"
        assert is_reviewed(await life.turn())
        assert life.losses == 1
        assert await held(path) == life.session.state
        assert life.session.state.reviewer("one").periodic_used == 4


# --- a file that cannot be used from the start ---


@contextmanager
def as_nobody() -> Iterator[Path]:
    """Return a folder of somebody without special rights, and be that somebody."""
    user = os.geteuid()
    with tempfile.TemporaryDirectory(dir="/tmp") as name:
        folder = Path(name)
        if not user:
            os.chown(folder, 65_534, 65_534)
        os.seteuid(user or 65_534)
        try:
            yield folder
        finally:
            for each in (folder, *folder.iterdir()):
                each.chmod(0o700)
            os.seteuid(user)


@pytest.mark.parametrize(("of_file", "of_folder"), [(0o400, 0o700), (0o600, 0o500), (0o400, 0o500), (0o000, 0o700)])
async def test_a_store_without_the_right_to_write_costs_reviews_and_is_used_once_it_has_it(
    of_file: int, of_folder: int
) -> None:
    with as_nobody() as folder:
        path = folder / "runs.db"
        async with life_on(path) as life:
            await life.turn()
        path.chmod(of_file)
        folder.chmod(of_folder)
        async with life_on(path) as life:
            for _ in range(2):
                assert is_without_store(await life.turn())
            assert life.losses >= 2
            folder.chmod(0o700)
            for file in folder.iterdir():
                file.chmod(0o600)
            assert is_reviewed(await life.turn())
            assert await held(path) == life.session.state
            assert life.session.state.reviewer("one").periodic_used == 2


@pytest.mark.parametrize("offset", [0, 100, 4_096, 8_192])
async def test_bytes_that_are_not_ours_cost_reviews_until_the_file_is_replaced(offset: int, tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    async with life_on(path) as life:
        for _ in range(5):
            await life.turn()
    backup = path.read_bytes()
    path.write_bytes(backup[:offset] + b"\xa5" * (len(backup) - offset))
    harmed = path.read_bytes()
    async with life_on(path) as life:
        assert is_without_store(await life.turn())
        assert life.losses >= 1
        assert path.read_bytes() == harmed, "what may still be rescued is left alone"
        delete(path)
        path.write_bytes(backup)
        while not is_reviewed(await life.turn()):
            assert life.session.state.turn < 4
        assert await held(path) == life.session.state
        assert life.session.state.reviewer("one").periodic_used == 6


# --- what is raised ---


async def test_a_file_of_a_newer_version_is_refused_before_anything_runs(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    async with life_on(path) as life:
        await life.turn()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 99")
    before = path.read_bytes()
    with pytest.raises(StateVersionError, match="upgrade foureyes"):
        async with life_on(path):
            pytest.fail("the host must be told before it runs")
    assert path.read_bytes() == before


async def test_a_session_of_a_newer_version_is_refused_and_the_others_go_on(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    async with life_on(path) as life:
        await life.turn()
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE sessions SET version = 99")
    async with ReviewScheduler([ONE], store=SQLiteStore(path)) as scheduler:
        with pytest.raises(StateVersionError, match="session 's'"):
            await scheduler.session("s")
        assert is_reviewed(await (await scheduler.session("t")).boundary(transcript(1)))


OTHER = """
import sys
import anyio
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import test_store_faults as faults


async def main():
    async with faults.life_on(Path(sys.argv[1])) as life:
        await life.turn()


anyio.run(main)
"""


async def test_two_processes_on_one_session_are_found_out_by_the_second_and_nothing_is_mixed(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    async with life_on(path) as life:
        await life.turn()
        await anyio.run_process([sys.executable, "-c", OTHER, str(path), str(Path(__file__).parent)], stderr=None)
        theirs, ours = await held(path), life.session.state
        assert theirs is not None
        assert theirs.turn == 2
        for call in (life.turn, life.finish):
            with pytest.raises(HostError, match="Let one process at a time drive a session"):
                await call()
            assert (life.session.state.turn, await held(path)) == (ours.turn, theirs)
        assert life.losses == 0
    async with life_on(path) as life:
        assert is_reviewed(await life.turn())
        assert life.session.state.turn == 3


# --- fork ---


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@pytest.mark.filterwarnings("ignore:.*use of fork:DeprecationWarning")
async def test_a_fork_in_the_middle_of_a_run_disturbs_neither_side(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    store = SQLiteStore(path)

    async def child() -> None:
        async with ReviewScheduler([ONE], store=store) as scheduler:
            session = await scheduler.session("child")
            for turn in (1, 2, 3):
                assert is_reviewed(await session.boundary(transcript(turn)))

    async with ReviewScheduler([ONE], store=store) as scheduler:
        session = await scheduler.session("s")
        await session.boundary(transcript(1))
        process = os.fork()
        if process == 0:
            code = 1
            try:
                # In a thread: this one has a loop that is the parent's.
                thread = threading.Thread(target=lambda: done.append(anyio.run(child)))
                done: list[None] = []
                thread.start()
                thread.join(20)
                code = 0 if done else 1
            finally:
                os._exit(code)
        for turn in range(2, 12):
            assert is_reviewed(await session.boundary(transcript(turn)))
        assert await anyio.to_thread.run_sync(os.waitpid, process, 0) == (process, 0)
        await session.boundary(transcript(12))
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT id, turn FROM sessions ORDER BY id").fetchall() == [("child", 3), ("s", 12)]
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
    assert await held(path) == session.state


async def test_an_error_of_the_store_says_where_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.write_bytes(b"\xa5" * 10_000)
    with pytest.raises(StoreError, match=r"runs\.db: file is not a database\. Give the store a file of its own"):
        await held(path)
