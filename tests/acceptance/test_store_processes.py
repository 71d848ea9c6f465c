"""One store in several processes: two that drive one session, and the two sides of a fork."""

from __future__ import annotations

import os
import sqlite3
import sys
import threading
from contextlib import closing
from pathlib import Path

import anyio
import pytest

from foureyes.errors import HostError
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.sqlite import SQLiteStore

from .store_life import ONE, held, is_reviewed, life_on, transcript

pytestmark = pytest.mark.anyio


OTHER = """
import sys
import anyio
from pathlib import Path
sys.path.insert(0, sys.argv[2])
import store_life as lives


async def main():
    async with lives.life_on(Path(sys.argv[1])) as life:
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
