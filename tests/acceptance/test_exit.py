"""A process ends soon after its scheduler has closed, whatever reviewers do: seen in real time, in real processes.

The rule: from the end of the block on, at most a second for the close and half a second for the rest, the interpreter
included. Standard error has the lines of the log, and nothing of an interpreter that clears up after us.
"""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.timing

MOST_SECONDS = 1.5
HOST = """
import asyncio, json, sys, time
from contextlib import suppress

import anyio

from foureyes.core.config import ReviewerConfig
from foureyes.scheduler import ReviewScheduler
from foureyes.testing import turn_messages


async def deaf(review):
    while True:
        with suppress(BaseException):
            await anyio.sleep(3_600)


async def stubborn(review):
    # A retry of everything but one error, cancellation included, as one that was told to retry "unless ValueError".
    for attempt in range(5):
        try:
            return await anyio.sleep(3_600)
        except ValueError:
            raise
        except BaseException:
            continue


async def swallowing(review):
    with suppress(BaseException):
        await anyio.sleep(3_600)


async def nested(review):
    while True:
        with suppress(BaseException):
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(anyio.sleep, 3_600)


async def slow(review):
    ends = time.monotonic() + 2
    while (left := ends - time.monotonic()) > 0:
        with suppress(BaseException):
            await anyio.sleep(left)


def blocking(review):
    time.sleep(3_600)


async def host(function, timeout):
    config = ReviewerConfig(name="one", reviewer=function, interval_turns=1, timeout_seconds=timeout)
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        print("ready", flush=True)
        guidance = await session.boundary(turn_messages(1))
        before = time.process_time()
        await anyio.sleep(0.3)
        told = {"outcome": guidance.outcomes[0].outcome, "busy": time.process_time() - before, "left": time.time()}
        print(json.dumps(told), flush=True)


how, who, timeout = sys.argv[1:]
if how == "asyncio":
    asyncio.run(host(globals()[who], float(timeout)))
else:
    anyio.run(host, globals()[who], float(timeout), backend=how.removeprefix("anyio "))
"""

NOISE = ("Traceback", "Task was destroyed", "Exception ignored", "never awaited", "GeneratorExit", "corrupted")


@dataclass(frozen=True, kw_only=True)
class Ended:
    """How the process ended."""

    code: int
    seconds: float
    """From the end of the block, or from the interruption."""
    stderr: str
    told: dict[str, Any]


Run = Callable[[str, str, float], "subprocess.Popen[str]"]


@pytest.fixture
def spawn(tmp_path: Path) -> Run:
    """Return what starts a host with one reviewer on one event loop."""
    script = tmp_path / "host.py"
    script.write_text(HOST)

    def start(how: str, who: str, timeout: float) -> subprocess.Popen[str]:
        command = [sys.executable, "-W", "error", str(script), how, who, str(timeout)]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    return start


def ended(process: subprocess.Popen[str]) -> Ended:
    """Wait for the process, and return how it ended."""
    with process:
        out, err = process.communicate(timeout=30)
        now = time.time()
    told = json.loads(out.splitlines()[-1])
    return Ended(code=process.returncode, seconds=now - told["left"], stderr=err, told=told)


def noise(stderr: str) -> list[str]:
    """Return what an interpreter says that has to clear up after somebody."""
    return [line for line in stderr.splitlines() if any(word in line for word in NOISE)]


ABANDONED = "reviews that ignored their cancellation and were abandoned: 1"


@pytest.mark.parametrize(
    ("how", "who", "abandoned"),
    [
        ("asyncio", "blocking", False),
        ("asyncio", "swallowing", False),
        ("asyncio", "stubborn", False),
        ("asyncio", "nested", True),
        ("asyncio", "deaf", True),
        ("anyio asyncio", "deaf", True),
        ("trio", "blocking", False),
        ("trio", "swallowing", False),
        ("trio", "stubborn", False),
    ],
)
def test_the_process_ends_soon_and_idle_whatever_its_reviewer_does(
    spawn: Run, how: str, who: str, abandoned: bool
) -> None:
    end = ended(spawn(how, who, 0.05))
    assert (end.code, end.told["outcome"], noise(end.stderr)) == (0, "timeout", []), end.stderr
    assert end.seconds < MOST_SECONDS
    assert end.told["busy"] < 0.1, "of 0.3 s in which nothing happens"
    assert (ABANDONED in end.stderr) is abandoned


def test_on_trio_the_process_waits_for_one_that_is_deaf_and_says_so_and_ends_with_it(spawn: Run) -> None:
    end = ended(spawn("trio", "slow", 0.05))
    assert (end.code, noise(end.stderr)) == (0, []), end.stderr
    assert ABANDONED in end.stderr
    assert 1.0 < end.seconds < 2.5
    assert end.told["busy"] < 0.1, "of 0.3 s in which nothing happens"


def test_an_interrupted_host_ends_soon_as_well(spawn: Run) -> None:
    process = spawn("asyncio", "deaf", 30)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.2)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    with process:
        _, err = process.communicate(timeout=30)
    assert time.monotonic() - began < MOST_SECONDS
    assert "KeyboardInterrupt" in err.splitlines()[-1]
    assert [line for line in noise(err) if "Traceback" not in line] == []
