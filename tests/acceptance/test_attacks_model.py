"""Hostile and sloppy servers behind ``use = "model"`` and ``use = "remote"``: they stall nobody, and are understood."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Iterator
from typing import Any

import anyio
import anyio.lowlevel
import pytest
from pydantic import SecretStr

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol, OutcomeKind, Verdict
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewerPaused, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink

from .loopback import Answer, Loopback, http

pytestmark = pytest.mark.anyio

SILENCE = '{"notes": [], "resolved": []}'
USED = {"prompt_tokens": 100, "completion_tokens": 10}
MESSAGES = [{"role": "user", "content": "Rename the table."}, {"role": "assistant", "content": "It is renamed."}]
USES = ["model", "remote"]


def reviewer(server: Loopback, use: str, **settings: Any) -> ReviewerConfig:
    """Return a reviewer that asks the server."""
    more = {"model": "small", "base_url": server.url("/v1")} if use == "model" else {"base_url": server.url()}
    return ReviewerConfig(**({"name": "one", "use": use, "timeout_seconds": 20} | more | settings))


def silence(use: str, used: Any = USED) -> str:
    """Return the body of an answer that has nothing to say."""
    choice = {"message": {"role": "assistant", "content": SILENCE}, "finish_reason": "stop"}
    return json.dumps({"choices": [choice], "usage": used}) if use == "model" else SILENCE


async def settled(config: ReviewerConfig) -> tuple[ReviewSettled, RecordingSink]:
    """Return how the review of an answer ended."""
    sink = RecordingSink()
    async with ReviewScheduler([config], clock=FakeClock(), sinks=[sink]) as scheduler:
        session = await scheduler.session("s", request="Rename the table.")
        await session.finish(MESSAGES, answer="It is renamed.")
    [found] = sink.of(ReviewSettled)
    return found, sink


def dust(body: str) -> Iterator[bytes]:
    """Yield an answer in chunks of one byte."""
    yield b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
    yield from (b"1\r\n%c\r\n" % byte for byte in body.encode())
    yield b"0\r\n\r\n"


class Pulse:
    """Runs whenever anybody may, and knows for how long it was not let."""

    def __init__(self) -> None:
        self.longest = 0.0
        """Seconds of CPU of this thread, so that nobody else on the machine counts."""

    async def beat(self) -> None:
        """Go on until cancelled."""
        last = time.thread_time()
        while True:
            await anyio.lowlevel.checkpoint()
            now = time.thread_time()
            self.longest, last = max(self.longest, now - last), now


@pytest.mark.parametrize("use", USES)
async def test_others_run_while_an_answer_is_put_together_from_crumbs(use: str) -> None:
    pulse = Pulse()
    with Loopback(b"".join(dust(silence(use) + " " * 60_000))) as server:
        async with ReviewScheduler([reviewer(server, use)], clock=FakeClock()) as scheduler:
            session = await scheduler.session("s", request="Rename the table.")
            async with anyio.create_task_group() as group:
                group.start_soon(pulse.beat)
                guidance = await session.finish(MESSAGES, answer="It is renamed.")
                group.cancel_scope.cancel()
    assert guidance.verdict is Verdict.APPROVED
    assert pulse.longest < 0.05, "of the third of a second that 64 KB of chunks of one byte take"


@pytest.mark.parametrize(
    ("status", "outcome"),
    [(429, OutcomeKind.RATE_LIMITED), (402, OutcomeKind.QUOTA_EXHAUSTED), (401, OutcomeKind.ERROR)],
)
@pytest.mark.parametrize("body", [gzip.compress(b"{}"), b" " * 5_000_000], ids=["packed", "endless"])
@pytest.mark.parametrize("use", USES)
async def test_an_error_that_cannot_be_read_still_says_by_its_status_what_happened(
    use: str, body: bytes, status: int, outcome: OutcomeKind
) -> None:
    packed = {"Content_Encoding": "gzip"} if body[:1] == b"\x1f" else {}
    answer: Answer = http(status, body, Retry_After="3600", **packed)
    with Loopback(answer) as server:
        found, sink = await settled(reviewer(server, use))
    assert found.outcome is outcome
    assert sink.of(ReviewerPaused), "whose status says that it is of no use for now is paused"


@pytest.mark.parametrize(
    "used",
    [
        {},
        {"total_tokens": 110},
        {"prompt_tokens": -5, "completion_tokens": 10},
        {"prompt_tokens": 10**30, "completion_tokens": 10},
        {"prompt_tokens": "100", "completion_tokens": "10"},
        {"prompt_tokens": 0, "completion_tokens": 0},
        {"prompt_tokens": None, "completion_tokens": True},
        [],
        None,
    ],
)
async def test_a_count_of_tokens_that_nobody_can_believe_is_guessed_and_never_nothing(used: Any) -> None:
    with Loopback(http(200, silence("model", used))) as server:
        found, _ = await settled(reviewer(server, "model", prices=["small=1/2"]))
    [spend] = found.spent
    assert 1_000 < spend.usage.input_tokens < 10_000
    assert 0 < spend.usage.output_tokens < 100
    assert spend.usage.cost_usd is not None
    assert spend.usage.cost_usd > 1_000 / 1_000_000


async def test_a_count_of_tokens_written_as_a_decimal_is_believed() -> None:
    with Loopback(http(200, silence("model", {"prompt_tokens": 100.0, "completion_tokens": 1e1}))) as server:
        found, _ = await settled(reviewer(server, "model", prices=["small=1/2"]))
    [spend] = found.spent
    assert (spend.usage.input_tokens, spend.usage.output_tokens) == (100, 10)


@pytest.mark.parametrize("status", [429, 503, 529])
@pytest.mark.parametrize("use", USES)
async def test_a_wait_that_does_not_fit_into_the_deadline_is_a_pause_whatever_the_status(use: str, status: int) -> None:
    with Loopback(http(status, "{}", Retry_After="100")) as server:
        found, sink = await settled(reviewer(server, use))
    [pause] = sink.of(ReviewerPaused)
    assert (found.attempts, pause.told) == (1, True)
    assert pause.seconds is not None
    assert 100 <= pause.seconds < 120


@pytest.mark.parametrize("name", ["Authorization", "authorization", "X-Api-Key", "X-Team"])
@pytest.mark.parametrize("protocol", list(ApiProtocol))
async def test_headers_of_the_environment_take_no_declared_key_away_and_bring_no_other(
    protocol: ApiProtocol, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(f"{protocol.upper()}_CUSTOM_HEADERS", f"{name}: Bearer of-the-agent")
    with Loopback(http(200, silence("model"))) as server:
        await settled(reviewer(server, "model", protocol=protocol, api_key=SecretStr("declared-key-1")))
        [received] = server.received
    sent = "\n".join(received.headers.values())
    assert "of-the-agent" not in sent
    assert sent.count("declared-key-1") >= 1


async def test_an_error_in_place_of_an_answer_is_told_in_words() -> None:
    with Loopback(http(200, json.dumps({"error": {"code": "insufficient_quota", "message": "x"}}))) as server:
        found, _ = await settled(reviewer(server, "model"))
    assert found.outcome is OutcomeKind.QUOTA_EXHAUSTED
    assert found.error == "the provider reported an error (insufficient_quota): the account is used up"


@pytest.mark.parametrize("use", USES)
async def test_an_address_of_colons_is_told_as_it_is_written(use: str) -> None:
    with Loopback(b"") as server:
        found, _ = await settled(reviewer(server, use, base_url="http://[::1]:9/v1", max_attempts=1))
    assert found.error == "nothing listens at [::1]:9: start it, or correct 'base_url'"
