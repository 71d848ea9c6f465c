"""Failures that users of reviewing models have reported, with a real server in place of the provider.

Each docstring cites where it was reported.
"""

from __future__ import annotations

import json
from typing import Any

import pytest
from prometheus_client import CollectorRegistry

from foureyes.core.backend import BudgetConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.words import Disposition, OutcomeKind, Severity, SkipReason, Verdict
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewerPaused, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, run_turns, turn_messages

from .model_server import USED, Act, Exchange, ModelServer, answer, fault, running, stall

pytestmark = pytest.mark.anyio

QUIET, UNPARSED, ERROR = OutcomeKind.QUIET, OutcomeKind.UNPARSED, OutcomeKind.ERROR
TASK = {"role": "user", "content": "Do the work."}


def config(server: ModelServer, name: str = "one", **settings: Any) -> ReviewerConfig:
    """Return a reviewer that asks the server's small model after every turn and does not rest after an error."""
    usual: dict[str, Any] = {"model": "small", "base_url": server.url, "interval_turns": 1, "max_rounds": 0}
    usual |= {"cooldown_turns": 0, "max_periodic_reviews": 99, "pause_after_failures": 99}
    return ReviewerConfig(name=name, use="model", **(usual | settings))


def kinds(guidances: list[Guidance]) -> list[OutcomeKind]:
    """Return how the reviews ended, in order."""
    return [called.outcome for guidance in guidances for called in guidance.outcomes]


def skipped(guidance: Guidance) -> list[SkipReason]:
    """Return why nobody was called."""
    return [skip.reason for skip in guidance.skips]


def notes(*entries: tuple[str, str]) -> Act:
    """Answer with these notes: severity and text of each."""
    return answer(json.dumps({"notes": [{"severity": severity, "text": text} for severity, text in entries]}))


# --- rate limits and provider errors ---


async def test_a_short_rate_limit_rests_the_reviewer_until_then_and_loses_nothing(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/11947"""
    limited = fault(429, "rate_limit_error", retry_after="20")
    server.plays(answer(), answer(), limited, answer())
    clock, sink = FakeClock(), RecordingSink()
    settings = config(server, max_attempts=1, pause_after_failures=3)
    messages: list[Any] = [TASK]
    async with ReviewScheduler([settings], clock=clock, sinks=[sink]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        guidances = await run_turns(session, 3, messages=messages)
        clock.advance(5)
        guidances += await run_turns(session, 1, messages=messages)
        clock.advance(20)
        guidances += await run_turns(session, 1, messages=messages)
    assert kinds(guidances) == [QUIET, QUIET, OutcomeKind.RATE_LIMITED, QUIET]
    assert skipped(guidances[3]) == [SkipReason.PAUSED]
    assert "result 4" in server.requests[-1].text


async def test_a_long_hint_does_not_hold_the_agent(server: ModelServer) -> None:
    """https://github.com/MattJColes/lgtmaybe/issues/378"""
    server.plays(fault(429, "rate_limit_error", retry_after="3600"))
    clock = FakeClock()
    async with ReviewScheduler([config(server)], clock=clock) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 2)
    assert clock.slept == []
    assert kinds(guidances) == [OutcomeKind.RATE_LIMITED]
    assert skipped(guidances[1]) == [SkipReason.PAUSED]


async def test_an_empty_account_is_asked_once_and_told_once(server: ModelServer) -> None:
    """https://github.com/Gitlawb/openclaude/issues/249"""
    server.plays(fault(429, "insufficient_quota"))
    sink = RecordingSink()
    async with ReviewScheduler([config(server)], sinks=[sink], clock=FakeClock()) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 9)
    assert len(server.requests) == 1
    assert len(sink.of(ReviewerPaused)) == 1


async def test_refused_content_is_not_sent_again_and_the_next_turn_is_reviewed(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/4210"""

    def filters(exchange: Exchange) -> None:
        act = answer("", finish="content_filter") if "result 2" in exchange.request.text else answer()
        act(exchange)

    server.plays(filters)
    narrow = config(server, evidence={"max_messages": 2, "max_tools": 1})
    async with ReviewScheduler([narrow], clock=FakeClock()) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 3)
    assert kinds(guidances) == [QUIET, OutcomeKind.REFUSED, QUIET]
    assert len(server.requests) == 3


async def test_a_provider_that_takes_two_at_a_time_ends_nobodys_service(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/5207"""
    busy = fault(429, "", "Too many concurrent requests")
    for name in ("a", "b", "c"):
        server.plays(busy, answer(), model=name)
    configs = [config(server, name, model=name) for name in ("a", "b", "c")]
    async with ReviewScheduler(configs, clock=FakeClock()) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 2)
    assert kinds(guidances) == [QUIET] * 6


# --- silent or unhealthy reviewers ---


async def test_prose_is_counted_as_unparsed_and_shows(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/12126: 174 reviews in prose, and the status line stayed green."""
    server.plays(answer("I am worried that the retry loop never backs off."))
    registry, sink = CollectorRegistry(), RecordingSink()
    async with ReviewScheduler([config(server)], registry=registry, sinks=[sink]) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 10)
    assert kinds(guidances) == [UNPARSED] * 10
    labels = {"reviewer": "one", "trigger": "periodic", "outcome": "unparsed"}
    assert registry.get_sample_value("foureyes_reviews_total", labels) == 10


@pytest.mark.parametrize(
    ("act", "kind"),
    [
        (answer("", used=(90, 12)), QUIET),
        (answer("", used=(0, 0)), ERROR),
        (answer("", used=None), ERROR),
        (answer('{"notes": []}'), QUIET),
        (answer("{}"), UNPARSED),
    ],
)
async def test_silence_is_told_from_failure_by_what_was_used(act: Act, kind: OutcomeKind, server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/5521, https://github.com/can1357/oh-my-pi/issues/5212"""
    server.plays(act)
    async with ReviewScheduler([config(server)], clock=FakeClock()) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 1)
    assert kinds(guidances) == [kind]


async def test_what_a_reviewer_without_tools_says_to_have_run_blocks_nothing(server: ModelServer) -> None:
    """https://github.com/NousResearch/hermes-agent/issues/83379"""
    called = 'I executed pytest: 3 failed. <tool_call>{"name": "bash"}</tool_call>'
    server.plays(notes(("blocker", called)))
    async with ReviewScheduler([config(server)]) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s", request="Do the work."), 1)
    [judged] = guidance.judged
    assert judged.severity is Severity.CONCERN
    assert guidance.advisory is not None
    assert "no tools" in guidance.advisory.text
    assert "tool_call" not in guidance.advisory.text


async def test_talk_about_silence_reaches_nobody(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/9985"""
    said = ["<|eos|>", "(silence)", "[no advice]", "Acknowledged.", "Waiting for revision."]
    server.plays(notes(*(("concern", text) for text in said)))
    async with ReviewScheduler([config(server)]) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s", request="Do the work."), 1)
    assert guidance.advisory is None
    assert {judged.disposition for judged in guidance.judged} <= {Disposition.NOISE, Disposition.EMPTY}


@pytest.mark.parametrize("act", [answer("Approved. No issues found."), answer("{}"), fault(500), fault(401)])
async def test_no_failure_is_an_approval(act: Act, server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/5680"""
    server.plays(act)
    settings = config(server, max_rounds=2, interval_turns=0)
    async with ReviewScheduler([settings], clock=FakeClock()) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s", request="Do it."), 0, answers=["All is done."])
    assert guidance.verdict is Verdict.UNAVAILABLE


# --- cost, usage, context ---


async def test_every_review_is_in_the_bill_however_it_ended(server: ModelServer) -> None:
    """https://github.com/ccusage/ccusage/issues/1115: 0.0124 USD in the report, 0.2823 on the bill."""
    prose = answer("Hm.", used=(90, 15))
    server.plays(answer(used=(100, 20)), answer(used=(100, 20)), prose, stall)
    async with ReviewScheduler([config(server, timeout_seconds=0.5)]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        messages: list[Any] = [TASK]
        await run_turns(session, 3, messages=messages)
        known = session.state.reviewer("one").spent
        assert (known.input_tokens, known.output_tokens, known.cost_usd) == (290, 55, None)
        guidances = await run_turns(session, 1, messages=messages)
        await session.compacted()
        after = session.state.reviewer("one").spent
    assert kinds(guidances) == [OutcomeKind.TIMEOUT]
    assert after.input_tokens > known.input_tokens
    assert after.output_tokens == known.output_tokens + 1_024
    assert after.cost_usd is None


async def test_a_budget_lets_the_reviewers_through_that_it_suffices_for(server: ModelServer) -> None:
    """https://github.com/pydantic/pydantic-ai-harness/issues/528"""
    prices = ("small=1/1",)
    configs = [config(server, name, prices=prices) for name in ("a", "b", "c")]
    [estimate] = await estimates(configs[0])
    budget = BudgetConfig(usd_per_session=1.5 * estimate)
    async with ReviewScheduler(configs, budget=budget) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s", request="Do the work."), 1)
    assert (kinds([guidance]), skipped(guidance)) == ([QUIET], [SkipReason.BUDGET] * 2)
    assert len(server.requests) == 1


async def estimates(settings: ReviewerConfig) -> list[float]:
    """Return what one review of the first turn is expected to cost, in dollars, as the events tell it."""
    sink = RecordingSink()
    with running() as other:
        other.plays(stall)
        alone = settings.model_copy(update={"base_url": other.url, "timeout_seconds": 0.3})
        async with ReviewScheduler([alone], sinks=[sink]) as scheduler:
            await run_turns(await scheduler.session("s", request="Do the work."), 1)
    return [event.usage.cost_usd or 0.0 for event in sink.of(ReviewSettled)]


async def test_a_transcript_that_overflows_is_reviewed_in_its_newest_part(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/5282: 184 overflows in one session, each with the whole transcript."""

    def small_window(exchange: Exchange) -> None:
        size = sum(len(message["content"]) for message in exchange.request.body["messages"])
        message = f"This model's maximum context length is 18000 tokens. However, you requested {size} tokens."
        act = answer() if size <= 18_000 else fault(400, "context_length_exceeded", message)
        act(exchange)

    server.plays(small_window)
    long = [TASK, *({"role": "assistant", "content": f"{turn} {'工作' * 3_000}"} for turn in range(10))]
    async with ReviewScheduler([config(server)]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        first = await session.boundary(long)
        second = await session.boundary([*long, *turn_messages(2)])
    assert kinds([first, second]) == [QUIET, QUIET]
    assert len(server.requests) == 3
    assert "9 工作" in server.requests[1].text
    assert "result 2" in server.requests[2].text


async def test_a_reviewers_use_is_told_apart_by_model(server: ModelServer) -> None:
    """https://github.com/agentforce314/clawcodex/issues/794"""
    server.plays(answer("Hm."))
    registry = CollectorRegistry()
    settings = config(server, fallback_models=("large",), prices=("large=10/20",))
    async with ReviewScheduler([settings], registry=registry) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 1)
    for model in ("small", "large"):
        labels = {"reviewer": "one", "model": model, "kind": "input"}
        assert registry.get_sample_value("foureyes_tokens_total", labels) == USED[0]
    dollars = {
        model: registry.get_sample_value("foureyes_cost_usd_total", {"reviewer": "one", "model": model})
        for model in ("small", "large")
    }
    assert dollars["large"] == pytest.approx((USED[0] * 10 + USED[1] * 20) / 1_000_000)
    assert not dollars["small"]


async def test_a_model_that_nobody_has_is_loud_once_and_the_others_go_on(
    server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/8812"""
    server.plays(fault(404, "model_not_found"), model="acme/none-1")
    sink = RecordingSink()
    sound = ReviewerConfig(name="perf", use="checks", interval_turns=1, max_periodic_reviews=99, max_rounds=0)
    async with ReviewScheduler([config(server, "sec", model="acme/none-1"), sound], sinks=[sink]) as scheduler:
        guidances = await run_turns(await scheduler.session("s"), 4)
    assert [[called.reviewer for called in guidance.outcomes] for guidance in guidances[1:]] == [["perf"]] * 3
    assert [skipped(guidance) for guidance in guidances[1:]] == [[SkipReason.PAUSED]] * 3
    assert [event.reviewer for event in sink.of(ReviewerPaused)] == ["sec"]
    said = [record.getMessage() for record in caplog.records if "sec is paused" in record.getMessage()]
    assert len(said) == 1
    assert len(server.requests) == 1
