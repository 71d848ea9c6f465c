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
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from pathlib import Path
from typing import TypeAlias

import pytest

from foureyes.core.facts import Note, Review
from foureyes.errors import StateVersionError, StoreError
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.sqlite import SQLiteStore

from .store_life import ONE, finds, held, is_reviewed, is_without_store, life_on, transcript

pytestmark = pytest.mark.anyio


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
    """Return a small disk of its own; skip where this user may mount none, which in CI is a failure."""
    command = ["mount", "-t", "tmpfs", "-o", "size=512k", "tmpfs", str(folder)]
    if os.geteuid() or not shutil.which("mount") or subprocess.run(command, check=False).returncode:
        reason = "only root mounts disks, and not everywhere"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
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


async def test_an_error_of_the_store_says_where_and_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "runs.db"
    path.write_bytes(b"\xa5" * 10_000)
    with pytest.raises(StoreError, match=r"runs\.db: file is not a database\. Give the store a file of its own"):
        await held(path)
