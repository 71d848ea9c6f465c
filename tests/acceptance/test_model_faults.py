"""Whatever a provider does, a review by a model ends as one outcome, in time, at a known cost, and hurts nobody.

The provider is a real server on loopback; the waits between attempts are a fake clock's, the deadlines are real.
"""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field
from typing import Any

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol, FinishResult, OutcomeKind
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.telemetry.events import FellBack, ReviewerPaused, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, turn_messages

from .model_server import Act, ModelServer, answer, drip, fault, flood, half, note, raw, reset, stall

pytestmark = pytest.mark.anyio

KEY = "sk-planted-0123456789abcdef"
PRICES = ("small=1/2", "large=10/20")
ANSWER = 100 * 1e-6 + 10 * 2e-6
"""What one answer of the small model costs, by its price and the tokens that the server reports."""
LARGE_ANSWER = 10 * ANSWER
NOTHING = 0.0
UNKNOWN_USE = None
"""An attempt that may have been billed: what was expected of it counts, and that is more than nothing."""
TASK = {"role": "user", "content": "Write a settings parser and test it."}
LOG = "\n".join(f"line {number}: ok" for number in range(300))
FINAL = "The parser is done, and all 12 tests pass."


def config(server: ModelServer, protocol: ApiProtocol = ApiProtocol.OPENAI, **settings: Any) -> ReviewerConfig:
    """Return a reviewer that asks the server's small model."""
    usual: dict[str, Any] = {"model": "small", "base_url": server.url, "api_key": KEY, "prices": PRICES}
    return ReviewerConfig(name="correctness", use="model", protocol=protocol, **(usual | settings))


def transcript(turns: int = 1) -> list[dict[str, Any]]:
    """Return a run that has come this far."""
    return [TASK, *(message for turn in range(1, turns + 1) for message in turn_messages(turn))]


async def finished(session: Session) -> Guidance:
    """Return what is said of the final answer, having seen that the run itself is as it was."""
    messages = [*transcript(), {"role": "user", "content": LOG}, {"role": "assistant", "content": FINAL}]
    before = copy.deepcopy(messages)
    guidance = await session.finish(messages, answer=FINAL)
    assert messages == before
    return guidance


async def reviewed(*configs: ReviewerConfig) -> tuple[Guidance, RecordingSink, FakeClock]:
    """Return what was said of a final answer, and what there is to know of how it came."""
    sink, clock = RecordingSink(), FakeClock()
    async with ReviewScheduler(configs, sinks=[sink], clock=clock) as scheduler:
        session = await scheduler.session("s", request="Write a settings parser and test it.")
        return await finished(session), sink, clock


def is_cost(event: ReviewSettled, dollars: float | None) -> bool:
    """Tell whether a review has cost so much; None is more than nothing."""
    spent = event.usage.cost_usd
    return spent is not None and (spent > 0 if dollars is None else spent == pytest.approx(dollars))


@dataclass(frozen=True, kw_only=True)
class Row:
    """One fault and what comes of it."""

    name: str
    acts: tuple[Act, ...]
    outcome: OutcomeKind
    attempts: int = 1
    requests: int | None = None
    """How often the provider is asked; None: once an attempt."""
    cost: float | None = NOTHING
    paused: bool = False
    """Whether the reviewer is of no use from now on."""
    slept: tuple[float, ...] | None = field(default=None)
    """The waits between the attempts, where they are not drawn by lot."""


QUIET, NOTED, ERROR = OutcomeKind.QUIET, OutcomeKind.NOTED, OutcomeKind.ERROR
LIMITED, QUOTA, REFUSED = OutcomeKind.RATE_LIMITED, OutcomeKind.QUOTA_EXHAUSTED, OutcomeKind.REFUSED
UNPARSED, OVERFLOW, TIMEOUT = OutcomeKind.UNPARSED, OutcomeKind.OVERFLOW, OutcomeKind.TIMEOUT
TOO_LONG = fault(400, "context_length_exceeded", "This model's maximum context length is 4000 tokens.")
CUT = '{"notes": [{"severity": "concern", "te'

ROWS = [
    # answers
    Row(name="silence", acts=(answer(),), outcome=QUIET, cost=ANSWER),
    Row(name="a note", acts=(note(),), outcome=NOTED, cost=ANSWER),
    Row(name="an empty text with tokens used", acts=(answer(""),), outcome=QUIET, cost=ANSWER),
    Row(name="an empty text and nothing used", acts=(answer("", used=(0, 0)),), outcome=ERROR, attempts=2),
    Row(name="no usage reported", acts=(answer(used=None),), outcome=QUIET, cost=UNKNOWN_USE),
    Row(name="prose", acts=(answer("I worry about the loop."),), outcome=UNPARSED, cost=ANSWER),
    Row(name="JSON that says nothing", acts=(answer("{}"),), outcome=UNPARSED, cost=ANSWER),
    Row(name="cut off", acts=(answer(CUT, finish="length"),), outcome=UNPARSED, cost=ANSWER),
    Row(name="a refusal", acts=(answer("", refusal="I cannot."),), outcome=REFUSED, cost=ANSWER),
    Row(name="a filter", acts=(answer("", finish="content_filter"),), outcome=REFUSED, cost=ANSWER),
    Row(name="a web page", acts=(raw(b"<html>Welcome!</html>"),), outcome=UNPARSED, cost=UNKNOWN_USE),
    Row(name="other JSON", acts=(raw(b'{"ok": true}'),), outcome=UNPARSED, cost=UNKNOWN_USE),
    Row(name="no JSON at all", acts=(raw(b"\xff\xfe\x00{"),), outcome=UNPARSED, cost=UNKNOWN_USE),
    Row(name="no end", acts=(flood,), outcome=UNPARSED, cost=UNKNOWN_USE),
    Row(name="another address", acts=(raw(b"", 307, location="/v2"),), outcome=ERROR, paused=True),
    # limits
    Row(name="429, then fine", acts=(fault(429, "rate_limit_error"), answer()), outcome=QUIET, attempts=2, cost=ANSWER),
    Row(
        name="429 with a short hint",
        acts=(fault(429, "rate_limit_error", retry_after="2"), answer()),
        outcome=QUIET,
        attempts=2,
        cost=ANSWER,
        slept=(2.0,),
    ),
    Row(
        name="429 with a hint in milliseconds",
        acts=(fault(429, "rate_limit_error", retry_after_ms="1500"), answer()),
        outcome=QUIET,
        attempts=2,
        cost=ANSWER,
        slept=(1.5,),
    ),
    Row(
        name="429 with a hint in words",
        acts=(fault(429, "rate_limit_error", "Please try again in 1m3.5s."),),
        outcome=LIMITED,
        paused=True,
        slept=(),
    ),
    Row(
        name="429 with a long hint",
        acts=(fault(429, "rate_limit_error", retry_after="600"),),
        outcome=LIMITED,
        paused=True,
        slept=(),
    ),
    Row(name="429 again and again", acts=(fault(429, "rate_limit_error"),), outcome=LIMITED, attempts=2),
    Row(
        name="429 for concurrency",
        acts=(fault(429, "", "Too many concurrent requests"), answer()),
        outcome=QUIET,
        attempts=2,
        cost=ANSWER,
    ),
    Row(name="no quota", acts=(fault(429, "insufficient_quota"),), outcome=QUOTA, paused=True),
    Row(name="no money", acts=(fault(402, "", "You are out of credits."),), outcome=QUOTA, paused=True),
    Row(
        name="no money, told as 400",
        acts=(fault(400, "invalid_request_error", "Your credit balance is too low"),),
        outcome=QUOTA,
        paused=True,
    ),
    # what somebody has to see to
    Row(name="a wrong key", acts=(fault(401, "authentication_error"),), outcome=ERROR, paused=True),
    Row(name="a key that may not", acts=(fault(403, "permission_error"),), outcome=ERROR, paused=True),
    Row(name="a model that is not there", acts=(fault(404, "not_found_error"),), outcome=ERROR, paused=True),
    Row(name="an address that is not there", acts=(raw(b"Not Found", 404),), outcome=ERROR, paused=True),
    # what passes
    Row(name="500, then fine", acts=(fault(500, "api_error"), answer()), outcome=QUIET, attempts=2, cost=ANSWER),
    Row(name="500 again and again", acts=(fault(500, "api_error"),), outcome=ERROR, attempts=2),
    Row(name="overloaded", acts=(fault(529, "overloaded_error"), answer()), outcome=QUIET, attempts=2, cost=ANSWER),
    Row(name="a gateway that gave up", acts=(raw(b"<html>", 504),), outcome=ERROR, attempts=2, cost=UNKNOWN_USE),
    Row(name="a reset, then fine", acts=(reset, answer()), outcome=QUIET, attempts=2, cost=UNKNOWN_USE),
    Row(name="half a response", acts=(half,), outcome=ERROR, attempts=2, cost=UNKNOWN_USE),
    # what would fail again
    Row(name="content that is not wanted", acts=(fault(400, "content_filter"),), outcome=REFUSED),
    Row(name="a request that is not wanted", acts=(fault(400, "invalid_request_error"),), outcome=ERROR),
    Row(name="too long, and too long again", acts=(TOO_LONG,), outcome=OVERFLOW, requests=2),
    Row(name="too long, then fine", acts=(TOO_LONG, answer()), outcome=QUIET, requests=2, cost=ANSWER),
]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.name)
async def test_a_fault_has_its_outcome_attempts_and_cost(row: Row, server: ModelServer, protocol: ApiProtocol) -> None:
    server.plays(*row.acts)
    guidance, sink, clock = await reviewed(config(server, protocol))
    [event] = sink.of(ReviewSettled)
    assert (event.outcome, event.attempts) == (row.outcome, row.attempts)
    assert server.asked("small") == (row.requests or row.attempts)
    assert is_cost(event, row.cost)
    assert row.slept is None or tuple(clock.slept) == row.slept
    assert guidance.reopen is (row.outcome is NOTED)
    assert bool(sink.of(ReviewerPaused)) is row.paused


async def test_nobody_there_costs_nothing(server: ModelServer, protocol: ApiProtocol) -> None:
    settings = config(server, protocol)
    server.close()
    _, sink, _ = await reviewed(settings)
    [event] = sink.of(ReviewSettled)
    assert (event.outcome, event.attempts) == (ERROR, 2)
    assert is_cost(event, NOTHING)


PACKED = raw(b"this is not gzip", content_encoding="gzip")
HUGE = raw(b"{}", x_huge="x" * 300_000)


@pytest.mark.parametrize("act", [reset, half, PACKED, HUGE], ids=["a reset", "half", "bad gzip", "a huge header"])
async def test_a_further_attempt_names_the_same_cause_as_the_first(
    act: Act, server: ModelServer, protocol: ApiProtocol
) -> None:
    told = []
    for attempts in (1, 2, 3):
        server.plays(act)
        _, sink, _ = await reviewed(config(server, protocol, max_attempts=attempts))
        told += [event.error for event in sink.of(ReviewSettled)]
    assert len(set(told)) == 1
    assert "ReviewerError" not in told[0]


@pytest.mark.parametrize("row", [row for row in ROWS if row.outcome not in (QUIET, NOTED)], ids=lambda row: row.name)
async def test_every_failure_is_followed_by_the_fallback_once(
    row: Row, server: ModelServer, protocol: ApiProtocol
) -> None:
    server.plays(*row.acts)
    guidance, sink, _ = await reviewed(config(server, protocol, fallback_models=("large",)))
    [event], [hop] = sink.of(ReviewSettled), sink.of(FellBack)
    assert (event.outcome, event.attempts, server.asked("large")) == (QUIET, row.attempts + 1, 1)
    assert (hop.hop.source, hop.hop.target, hop.hop.reason) == ("model:small", "model:large", row.outcome)
    assert is_cost(event, None if row.cost is None else row.cost + LARGE_ANSWER)
    assert guidance.result is FinishResult.CLEAN
    assert not sink.of(ReviewerPaused)


async def test_each_model_is_tried_and_the_last_failure_counts(server: ModelServer) -> None:
    server.plays(fault(500))
    server.plays(fault(401), model="large")
    _, sink, _ = await reviewed(config(server, fallback_models=("large",)))
    [event] = sink.of(ReviewSettled)
    assert (event.outcome, event.attempts) == (ERROR, 3)
    assert (server.asked("small"), server.asked("large")) == (2, 1)


@pytest.mark.timing
@pytest.mark.parametrize("act", [stall, drip])
async def test_no_run_is_slowed_beyond_the_deadline_by_more_than_50_ms(
    act: Act, server: ModelServer, protocol: ApiProtocol
) -> None:
    server.plays(answer(), act)
    settings = config(server, protocol, timeout_seconds=0.4, interval_turns=1, max_rounds=0)
    sink = RecordingSink()
    async with ReviewScheduler([settings], sinks=[sink]) as scheduler:
        session = await scheduler.session("s", request="Write a settings parser.")
        await session.boundary(transcript(1))  # The first connection, with all that goes with it, is not what is timed.
        began = time.perf_counter()
        await session.boundary(transcript(2))
        seconds = time.perf_counter() - began
    event = sink.of(ReviewSettled)[1]
    assert (event.outcome, event.attempts) == (TIMEOUT, 1)
    assert is_cost(event, UNKNOWN_USE)
    assert 0.4 <= seconds <= 0.45
