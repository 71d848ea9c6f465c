"""Costs that were not counted, limits that did not bind and windows that overflowed, as users have reported them.

Each docstring cites where it was reported.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import anyio
import pytest
from prometheus_client import CollectorRegistry

from foureyes.charging import charge
from foureyes.cli import main
from foureyes.core.backend import BudgetConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Review, Usage
from foureyes.core.words import ApiProtocol, OutcomeKind, OutputMode, SkipReason
from foureyes.errors import ConfigError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.settings import Settings
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, ScriptedReviewer, run_turns, turn_messages

from .model_reviewers import TASK, config, kinds, skipped
from .model_server import Exchange, ModelServer, answer, fault

pytestmark = pytest.mark.anyio

QUIET, UNPARSED, TIMEOUT = OutcomeKind.QUIET, OutcomeKind.UNPARSED, OutcomeKind.TIMEOUT
OVERFLOW = OutcomeKind.OVERFLOW


# --- what is in the bill ---


def using(read: int, written: int, returned: object = None) -> Any:
    """Return an entry of a script that uses so many tokens and returns something; an empty list unless given."""

    def act(review: Review) -> object:
        charge(Usage(input_tokens=read, output_tokens=written), model="unpriced")
        return [] if returned is None else returned

    return act


async def hangs(review: Review) -> None:
    """Use some tokens, and never come to an end."""
    charge(Usage(input_tokens=50), model="unpriced")
    await anyio.sleep_forever()


async def test_the_bill_holds_every_review_and_outlives_compaction_and_a_restart(tmp_path: Path) -> None:
    """https://github.com/ccusage/ccusage/issues/1115"""
    script = ScriptedReviewer(using(100, 20), using(100, 20), using(90, 15, "I do not like it."), hangs)
    settings: dict[str, Any] = {"interval_turns": 1, "max_rounds": 0, "cooldown_turns": 0, "timeout_seconds": 0.2}
    one = ReviewerConfig(name="one", reviewer=script, **settings)
    registry, messages = CollectorRegistry(), [TASK]
    async with ReviewScheduler([one], store=SQLiteStore(tmp_path / "states.db"), registry=registry) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        guidances = await run_turns(session, 4, messages=messages)
        await session.compacted()
        await session.new_request("Do more.")
        totals = [session.state.reviewer("one").spent]
    async with ReviewScheduler([one], store=SQLiteStore(tmp_path / "states.db")) as scheduler:
        totals.append((await scheduler.session("s")).state.reviewer("one").spent)
    assert kinds(*guidances) == [QUIET, QUIET, UNPARSED, TIMEOUT]
    assert totals == [Usage(input_tokens=340, output_tokens=55, cost_usd=None)] * 2
    for kind, count in (("input", 340), ("output", 55)):
        labels = {"reviewer": "one", "model": "other", "kind": kind}
        assert registry.get_sample_value("foureyes_tokens_total", labels) == count
    assert not registry.get_sample_value("foureyes_cost_usd_total", {"reviewer": "one", "model": "other"})


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_a_cost_that_nobody_knows_is_not_shown_as_none(
    backend: str,
    server: ModelServer,
    declared: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """https://github.com/getagentseal/codeburn/issues/659"""

    async def go() -> None:
        async with ReviewScheduler([config(server)], store=SQLiteStore(declared / "states.db")) as scheduler:
            await run_turns(await scheduler.session("s", request="Do the work."), 2)

    anyio.run(go, backend=backend)
    main(["status", "s"])
    assert "200 tokens in, 20 out, cost unknown" in " ".join(capsys.readouterr().out.split())
    main(["status", "s", "--json"])
    [member] = json.loads(capsys.readouterr().out)["sessions"][0]["reviewers"]
    spent = {"input_tokens": 200, "cached_tokens": 0, "output_tokens": 20, "cost_usd": None}
    assert member["spent"] == spent


# --- limits that the host shares ---


class Requests:
    """The requests of a host, of which its agent keeps back what it needs."""

    def __init__(self, limit: int, used: int, kept: int) -> None:
        self.limit, self.used, self.kept, self.reserved = limit, used, kept, 0

    def reserve(self, reviewer: str, estimate: Usage) -> bool:
        """Grant a request while the agent's own are safe."""
        granted = self.used + self.reserved + self.kept < self.limit
        self.reserved += granted
        return granted

    def settle(self, reviewer: str, estimate: Usage, used: Usage) -> None:
        """Count one that was granted."""
        self.reserved, self.used = self.reserved - 1, self.used + 1


async def test_of_three_models_due_at_once_only_as_many_are_asked_as_the_host_can_spare(server: ModelServer) -> None:
    """https://github.com/pydantic/pydantic-ai-harness/issues/528"""
    host = Requests(limit=5, used=3, kept=1)
    configs = [config(server, name) for name in ("a", "b", "c")]
    async with ReviewScheduler(configs, shared_usage=host) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        messages: list[Any] = [TASK]
        [first] = await run_turns(session, 1, messages=messages)
        host.used += host.kept  # The agent's last request goes through.
        host.kept = 0
        [second] = await run_turns(session, 1, messages=messages)
    assert (kinds(first), skipped(first)) == ([QUIET], [SkipReason.BUDGET] * 2)
    assert (kinds(second), skipped(second)) == ([], [SkipReason.BUDGET] * 3)
    assert (len(server.requests), host.used, host.reserved) == (1, 5, 0)


@pytest.mark.parametrize("room", [0, 1, 2, 3])
async def test_reviewers_at_the_same_time_never_use_more_than_what_is_left(room: int, server: ModelServer) -> None:
    """https://github.com/pydantic/pydantic-ai-harness/issues/697: each checked for itself, and all went through."""
    sink = RecordingSink()
    async with ReviewScheduler([config(server, "a")], sinks=[sink], clock=FakeClock()) as scheduler:
        server.plays(answer(used=None), answer(used=(1, 1)))
        await run_turns(await scheduler.session("s", request="Do the work."), 1)
    estimate = sink.of(ReviewSettled)[0].usage.input_tokens + 1_024
    budget = BudgetConfig(tokens_per_session=max(1, room * (estimate + 64)))
    server.requests.clear()
    configs = [config(server, name) for name in ("a", "b", "c")]
    async with ReviewScheduler(configs, budget=budget) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s", request="Do the work."), 1)
    assert len(server.requests) == room
    assert skipped(guidance) == [SkipReason.BUDGET] * (3 - room)


# --- windows ---


def window(characters: int) -> Any:
    """Return a provider that takes so many characters and says nothing of how many it was sent."""

    def act(exchange: Exchange) -> None:
        sent = [exchange.request.body.get("system", ""), *(one["content"] for one in exchange.request.body["messages"])]
        size = sum(len(part) if isinstance(part, str) else sum(len(one["text"]) for one in part) for part in sent)
        (answer() if size <= characters else fault(400, "context_length_exceeded", "prompt is too long"))(exchange)

    return act


LONG = [TASK, *({"role": "assistant", "content": f"{turn} {'工作' * 3_000}"} for turn in range(10))]


async def reviewed(server: ModelServer, turns: int, **settings: Any) -> tuple[list[Guidance], list[ReviewSettled]]:
    """Return what comes of so many reviews of a run of 60,000 characters."""
    sink, messages, guidances = RecordingSink(), list(LONG), []
    async with ReviewScheduler([config(server, **settings)], sinks=[sink], clock=FakeClock()) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        for turn in range(1, turns + 1):
            guidances.append(await session.boundary(messages))
            messages += turn_messages(turn)
    return guidances, sink.of(ReviewSettled)


@pytest.mark.parametrize(("characters", "last"), [(10_000, QUIET), (1_000, OVERFLOW)])
async def test_a_window_far_too_small_costs_two_requests_a_review_until_what_is_asked_fits(
    characters: int, last: OutcomeKind, server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/5282: 184 overflows in one session."""
    server.plays(window(characters))
    guidances, settled = await reviewed(server, 4, protocol=protocol)
    found = kinds(*guidances)
    assert (found[0], found[-1]) == (OVERFLOW, last)
    assert [event.attempts for event in settled] == [1] * 4
    sizes = [len(request.text) for request in server.requests]
    assert len(sizes) <= 4 + found.count(OVERFLOW) + 1
    assert max(sizes[1:]) < sizes[0]
    assert "result 3" in server.requests[-1].text


async def test_a_window_that_takes_half_shows_the_newest_half_and_remembers(
    server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/8908: after a reset the whole was sent again, and overflowed again."""
    server.plays(window(26_000))
    guidances, _ = await reviewed(server, 4, protocol=protocol)
    assert kinds(*guidances) == [QUIET] * 4
    assert len(server.requests) == 5
    assert "9 工作" in server.requests[1].text
    assert "0 工作" not in server.requests[1].text
    assert [f"result {turn}" in server.requests[1 + turn].text for turn in (1, 2, 3)] == [True] * 3


# --- what is asked for ---


async def test_one_question_is_asked_without_tools_thinking_or_a_stream_and_with_a_bound_and_a_form(
    server: ModelServer, protocol: ApiProtocol
) -> None:
    """A reviewer's question is one request of a known price."""
    async with ReviewScheduler([config(server, protocol=protocol)]) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 1)
    [request] = server.requests
    body = request.body
    assert {"tools", "tool_choice", "thinking", "reasoning_effort", "reasoning"} & set(body) == set()
    assert (body.get("stream", False), body.get("n", 1)) == (False, 1)
    assert body.get("max_tokens", body.get("max_completion_tokens")) == 1_024
    wanted = (
        body["response_format"]["json_schema"] if protocol is ApiProtocol.OPENAI else body["output_config"]["format"]
    )
    assert wanted.get("strict", True) is True
    assert wanted["schema"]["additionalProperties"] is False
    assert set(wanted["schema"]["required"]) == {"notes", "resolved"}


@pytest.mark.parametrize("mode", [each for each in OutputMode if each is not OutputMode.AUTO])
async def test_the_bound_of_a_reply_is_the_declared_one_in_every_form(
    mode: OutputMode, server: ModelServer, protocol: ApiProtocol
) -> None:
    """A reviewer's question is one request of a known price."""
    async with ReviewScheduler(
        [config(server, protocol=protocol, output_mode=mode, max_output_tokens=77)]
    ) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 1)
    [request] = server.requests
    assert request.body.get("max_tokens", request.body.get("max_completion_tokens")) == 77


@pytest.mark.parametrize(
    "named", [{}, {"model": ""}, {"model": "  "}, {"model": "m", "fallback_models": ("n", " ")}], ids=repr
)
def test_a_model_reviewer_names_its_models_and_borrows_nobodys(named: dict[str, Any]) -> None:
    """A reviewer without a model of its own would run on whatever the process happens to have a key for."""
    with pytest.raises(ConfigError, match="model"):
        ReviewerConfig(name="one", use="model", base_url="http://localhost/v1", **named)


def test_instructions_are_bounded_and_the_bound_itself_still_fits() -> None:
    """More than that is a document, and belongs into a policy file."""
    assert ReviewerConfig(name="one", use="model", model="m", instructions="i" * 8_000).instructions == "i" * 8_000
    with pytest.raises(ConfigError) as caught:
        ReviewerConfig(name="one", use="model", model="m", instructions="i" * 8_001)
    assert "iii" not in str(caught.value)


def test_without_a_declaration_nobody_reviews(
    tmp_path: Path, server: ModelServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A key in the environment, or a file for reviewers in the project, switches nothing on."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("OPENAI_API_KEY", "sk-planted-0123456789abcdef")
    monkeypatch.setenv("OPENAI_BASE_URL", server.url)
    (tmp_path / "WATCHDOG.md").write_text("Review everything.")
    assert Settings().reviewers == ()
