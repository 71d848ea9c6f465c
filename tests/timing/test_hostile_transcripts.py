"""A transcript that is slow to read costs its reviewer's time, and neither the host's nor the other reviewers'.

The rule. Whatever a transcript holds, a boundary returns at most 50 ms after the largest timeout, and the host's event
loop never stands still for longer than 100 ms meanwhile. Each case may take three attempts, for the machine is shared
with others; the best counts.
"""

from __future__ import annotations

import sys
import time
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from typing import Any

import anyio
import pytest

from foureyes.core.backend import BudgetConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Review
from foureyes.core.words import OutcomeKind, OutputMode
from foureyes.scheduler import ReviewScheduler
from foureyes.testing import note
from foureyes_reviewers.command import CommandReviewer
from foureyes_reviewers.model.client import Completion, Form
from foureyes_reviewers.model.model_reviewer import ModelReviewer
from foureyes_reviewers.redaction import Redactor

pytestmark = [pytest.mark.anyio, pytest.mark.timing]

TIMEOUT = 0.050
LATE = 0.050
STILL = 0.100
ATTEMPTS = 3
SIZE = 1_000_000


def repeated(piece: str) -> str:
    """Return a text of a million characters."""
    return (piece * (SIZE // len(piece) + 1))[:SIZE]


HOSTILE = {
    "assignments": repeated("a="),
    "beginnings of keys": repeated("-----BEGIN"),
    "keys without an end": repeated("-----BEGIN PRIVATE KEY-----\nAAAAAAAAAAAAAAAAAAAA\n"),
    "base64": repeated(b64encode(b"hello world, plain text").decode()),
    "lines of base64": repeated(b64encode(b"hello world plain").decode() + "\n"),
    "quotes": repeated('\\"'),
    "percent signs": repeated("%41 "),
    "escaped JSON": repeated('{\\"password\\":\\"x\\"}'),
    "one word": repeated("a"),
    "line ends": repeated("\n"),
    "signs and letters": repeated("é😀 "),
}


def few(text: str) -> list[dict[str, Any]]:
    """Return a transcript of long messages, no two of them alike."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Do the work."}]
    for turn in range(8):
        call = {"id": f"c{turn}", "type": "function", "function": {"name": "put", "arguments": f"{turn} {text}"}}
        messages.append({"role": "assistant", "content": f"{turn} {text}", "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{turn}", "content": f"result {turn} {text}"})
    return messages


def many(text: str) -> list[dict[str, Any]]:
    """Return a transcript of ten thousand messages."""
    calls = [
        {"id": f"c{place}", "function": {"name": "put", "arguments": f"{place} {text[:9_000]}"}} for place in range(8)
    ]
    working = [{"role": "assistant", "content": "", "tool_calls": calls}] * 5_000
    return [*working, *({"role": "assistant", "content": text[: 900 + place % 50]} for place in range(5_000))]


# --- reviewers that do not answer in time ---


class Silent:
    """A model that never answers."""

    model, form = "silent", Form(mode=OutputMode.PROMPTED)

    async def complete(self, prompt: object, form: object) -> Completion:
        """Wait."""
        await anyio.sleep_forever()
        raise AssertionError("not reached")

    def adapted(self, form: object, problem: object) -> bool:
        """Never."""
        return False

    async def aclose(self) -> None:
        """Do nothing."""


class Sending:
    """A callable of the host's own that sends its evidence somewhere."""

    outgoing = True

    async def __call__(self, review: Review) -> None:
        """Wait."""
        await anyio.sleep_forever()


def model() -> ModelReviewer:
    """Return a reviewer that asks a model."""
    return ModelReviewer(Silent(), redactor=Redactor({"hunter2-hunter2"}))


def command() -> CommandReviewer:
    """Return a reviewer that asks a program."""
    return CommandReviewer((sys.executable, str(Path(__file__).parent / "sleeper.py")), (), Redactor())


FAR: dict[str, Callable[[], Any]] = {"model": model, "command": command, "callable": Sending}


async def near(review: Review) -> list[object]:
    """Find something at once."""
    return [note(f"Seen at turn {review.turn}.")]


class Loop:
    """How long the event loop stood still."""

    longest = 0.0

    async def watch(self) -> None:
        """Look at the clock every other millisecond."""
        while True:
            began = time.perf_counter()
            await anyio.sleep(0.002)
            self.longest = max(self.longest, time.perf_counter() - began - 0.002)


async def attempt(function: Any, messages: list[Any], answer: str | None, budget: BudgetConfig) -> tuple[float, float]:
    """Return how late the boundary came and how long the loop stood still."""
    always = {"interval_turns": 1, "timeout_seconds": TIMEOUT}
    configs = [
        ReviewerConfig(name="far", reviewer=function, **always),
        ReviewerConfig(name="near", reviewer=near, **always),
    ]
    async with ReviewScheduler(configs, budget=budget) as scheduler, anyio.create_task_group() as tasks:
        session, loop = await scheduler.session("s", request="Do the work."), Loop()
        tasks.start_soon(loop.watch)
        await anyio.sleep(0.02)
        began = time.perf_counter()
        guidance = await (session.boundary(messages) if answer is None else session.finish(messages, answer=answer))
        took = time.perf_counter() - began
        await anyio.sleep(0.01)
        tasks.cancel_scope.cancel()
    assert {called.reviewer: called.outcome for called in guidance.outcomes} == {
        "far": OutcomeKind.TIMEOUT,
        "near": OutcomeKind.NOTED,
    }
    return took - TIMEOUT, loop.longest


async def check(
    function: Any, messages: list[Any], answer: str | None = None, budget: BudgetConfig | None = None
) -> None:
    """Try until one attempt keeps the rule."""
    found = []
    for _ in range(ATTEMPTS):
        late, still = await attempt(function, messages, answer, budget or BudgetConfig())
        found.append(f"{late * 1_000:.0f} ms late, still for {still * 1_000:.0f} ms")
        if late <= LATE and still <= STILL:
            break
    else:
        pytest.fail("; ".join(found))
    print(*found, sep="; ")


@pytest.mark.parametrize("far", FAR)
@pytest.mark.parametrize("text", HOSTILE)
async def test_a_hostile_transcript_slows_no_boundary(far: str, text: str) -> None:
    await check(FAR[far](), few(HOSTILE[text]))


@pytest.mark.parametrize("text", HOSTILE)
async def test_ten_thousand_hostile_messages_slow_no_boundary(text: str) -> None:
    await check(model(), many(HOSTILE[text]))


@pytest.mark.parametrize("text", HOSTILE)
async def test_a_hostile_answer_slows_no_finish(text: str) -> None:
    await check(model(), few(HOSTILE[text]), answer=HOSTILE[text])


@pytest.mark.parametrize("text", ["percent signs", "escaped JSON", "lines of base64"])
async def test_to_say_what_a_hostile_review_will_use_slows_no_boundary(text: str) -> None:
    await check(model(), few(HOSTILE[text]), budget=BudgetConfig(tokens_per_session=10**9))
