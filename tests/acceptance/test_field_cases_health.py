"""Reviewers that were silent, ill or held up by their provider, as users of other systems have reported them.

A real server stands for the provider. Each docstring cites where it was reported.
"""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path
from typing import Any

import anyio
import pytest
from prometheus_client import CollectorRegistry

from foureyes.cli import main
from foureyes.core.words import ApiProtocol, Disposition, OutcomeKind, SkipReason, Verdict
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import ReviewerPaused, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, run_turns, turn_messages

from .model_reviewers import TASK, config, kinds, notes, skipped
from .model_server import Act, Exchange, ModelServer, answer, fault

pytestmark = pytest.mark.anyio

QUIET, UNPARSED, ERROR = OutcomeKind.QUIET, OutcomeKind.UNPARSED, OutcomeKind.ERROR
LIMITED, QUOTA = OutcomeKind.RATE_LIMITED, OutcomeKind.QUOTA_EXHAUSTED
PAUSED = SkipReason.PAUSED


# --- silent or unhealthy reviewers ---

PROSE = "I do not like how the loop tries again without a pause."


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_ten_answers_in_prose_show_as_ten_failures_wherever_one_looks(
    backend: str,
    server: ModelServer,
    declared: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/12126"""
    server.plays(answer(PROSE))
    registry = CollectorRegistry()

    async def go() -> None:
        store = SQLiteStore(declared / "states.db")
        async with ReviewScheduler([config(server)], store=store, registry=registry) as scheduler:
            await run_turns(await scheduler.session("s", request="Do the work."), 10)

    anyio.run(go, backend=backend)
    for outcome, count in ((UNPARSED, 10), (QUIET, 0), (OutcomeKind.NOTED, 0), (ERROR, 0)):
        labels = {"reviewer": "one", "trigger": "periodic", "outcome": str(outcome)}
        assert registry.get_sample_value("foureyes_reviews_total", labels) == count
    assert registry.get_sample_value("foureyes_last_success_timestamp_seconds", {"reviewer": "one"}) is None
    main(["status", "s", "--json"])
    [member] = json.loads(capsys.readouterr().out)["sessions"][0]["reviewers"]
    assert (member["outcome"], member["failures"]) == ("unparsed", 10)
    main(["status", "s"])
    assert "last: turn 10, unparsed; 10 failures in a row" in " ".join(capsys.readouterr().out.split())


async def test_prose_three_times_in_a_row_is_told_to_the_operator_once_with_its_cause(
    server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/9985"""
    server.plays(answer(PROSE))
    sink = RecordingSink()
    async with ReviewScheduler([config(server, pause_after_failures=3)], sinks=[sink]) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 6)
    assert kinds(*guidances) == [UNPARSED] * 3
    [paused] = sink.of(ReviewerPaused)
    assert (paused.failures, paused.outcome) == (3, UNPARSED)
    assert len([1 for record in caplog.records if "one is paused" in record.getMessage()]) == 1
    assert PROSE not in caplog.text


NOTHING: dict[str, list[dict[str, Any]]] = {
    "no message": [],
    "only the agent's own instructions": [{"role": "system", "content": "You are careful."}],
    "only the human": [TASK],
}


@pytest.mark.parametrize("messages", NOTHING.values(), ids=NOTHING.keys())
async def test_a_record_without_anything_of_the_agent_is_never_found_good(
    messages: list[dict[str, Any]], server: ModelServer
) -> None:
    """https://github.com/DefuzeX-AI/KUMA-DefuzeX/issues/38"""
    async with ReviewScheduler([config(server, max_rounds=2)]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        midway = await session.boundary(messages)
    assert (skipped(midway), midway.outcomes) == ([SkipReason.NOTHING_NEW], ())
    assert server.requests == []


@pytest.mark.parametrize("messages", [*NOTHING.values()][:2], ids=[*NOTHING.keys()][:2])
async def test_an_empty_answer_over_an_empty_record_is_not_approved_and_nobody_is_asked(
    messages: list[dict[str, Any]], server: ModelServer
) -> None:
    """https://github.com/inference-sim/inference-sim/issues/667"""
    sink = RecordingSink()
    async with ReviewScheduler([config(server, max_rounds=2)], sinks=[sink]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        guidance = await session.finish(messages, answer="")
    assert server.requests == []
    assert guidance.verdict is Verdict.UNAVAILABLE
    assert not {QUIET, OutcomeKind.NOTED} & set(kinds(guidance))
    assert [event.error for event in sink.of(ReviewSettled) if "nothing to review" not in event.error] == []


async def test_the_prompt_says_which_turns_and_how_much_of_them_was_shown(server: ModelServer) -> None:
    """https://github.com/LTplus-AG/ifc-lite/issues/3623"""
    server.plays(answer())
    narrow = config(server, evidence={"max_messages": 2, "max_tools": 1}, interval_turns=2)
    async with ReviewScheduler([narrow]) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 4)
    for request, (turn, missing) in zip(server.requests, [(2, 3), (4, 7)], strict=True):
        assert f"has completed turn {turn} " in request.text
        assert re.search(rf"\b{missing}\b[^.\]]* not shown", request.text)


SILENCES = ["<|eos|>", "(silence)", "[no advice]", "Acknowledged.", "Waiting for revision.", "(no output)"]
SILENCES += ["I will pause and wait.", "silence", "</s>"]


@pytest.mark.parametrize("text", SILENCES)
@pytest.mark.parametrize("severity", ["nit", "concern", "blocker"])
async def test_talk_about_silence_is_noise_at_any_severity(text: str, severity: str, server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/3511"""
    server.plays(notes((severity, text)))
    async with ReviewScheduler([config(server)]) as scheduler:
        [guidance] = await run_turns(await scheduler.session("s", request="Do the work."), 1)
    assert kinds(guidance) == [OutcomeKind.NOTED]
    [judged] = guidance.judged
    assert judged.disposition in (Disposition.NOISE, Disposition.EMPTY)
    assert guidance.messages == []


# --- what a provider refuses for now, and what for good ---

FOR_GOOD = {
    "quota": (fault(429, "insufficient_quota"), QUOTA),
    "credits": (fault(402, "", "out of credits"), QUOTA),
    "key": (fault(401, "authentication_error"), ERROR),
}
FOR_NOW = {
    "limit": (fault(429, "rate_limit"), LIMITED),
    "resources": (fault(429, "RESOURCE_EXHAUSTED"), LIMITED),
    "load": (fault(529, "overloaded_error"), ERROR),
}


@pytest.mark.parametrize(("act", "kind"), FOR_GOOD.values(), ids=FOR_GOOD.keys())
async def test_what_waiting_does_not_cure_is_asked_once_and_told_once(
    act: Act, kind: OutcomeKind, server: ModelServer, protocol: ApiProtocol, caplog: pytest.LogCaptureFixture
) -> None:
    """https://github.com/link-assistant/hive-mind/issues/1936"""
    server.plays(act)
    sink = RecordingSink()
    settings = config(server, protocol=protocol, max_attempts=5)
    async with ReviewScheduler([settings], sinks=[sink], clock=FakeClock()) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 9)
    assert (kinds(*guidances), skipped(*guidances)) == ([kind], [PAUSED] * 8)
    assert len(server.requests) == 1
    assert [event.outcome for event in sink.of(ReviewerPaused)] == [kind]
    assert len([1 for record in caplog.records if "one is paused" in record.getMessage()]) == 1


@pytest.mark.parametrize(("act", "kind"), FOR_NOW.values(), ids=FOR_NOW.keys())
async def test_what_waiting_cures_is_tried_again_and_ends_nobodys_service(
    act: Act, kind: OutcomeKind, server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/adolfousier/opencrabs/issues/952"""
    server.plays(act, act, act, answer())
    sink = RecordingSink()
    settings = config(server, protocol=protocol, pause_after_failures=3)
    async with ReviewScheduler([settings], sinks=[sink], clock=FakeClock()) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 3)
    assert (kinds(*guidances), skipped(*guidances)) == ([kind, QUIET, QUIET], [])
    assert [event.attempts for event in sink.of(ReviewSettled)] == [2, 2, 1]
    assert sink.of(ReviewerPaused) == []


async def reviewed_after(session: Session, clock: FakeClock, messages: list[Any], seconds: float) -> Guidance:
    """Return what comes of a turn that ends so much later."""
    clock.advance(seconds)
    [guidance] = await run_turns(session, 1, messages=messages)
    return guidance


@pytest.mark.parametrize("hint", [42, 3_000])
async def test_a_reviewer_is_back_when_its_hint_is_over_and_not_before_and_not_long_after(
    hint: int, server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/1253: a hint of 42 s became a pause of 30 minutes."""
    server.plays(fault(429, "rate_limit_error", retry_after=str(hint)), answer())
    clock, sink = FakeClock(), RecordingSink()
    settings = config(server, protocol=protocol, timeout_seconds=2)
    async with ReviewScheduler([settings], clock=clock, sinks=[sink]) as scheduler:
        session = await scheduler.session("s", request="Do the work.")
        messages: list[Any] = [TASK]
        limited = await reviewed_after(session, clock, messages, 0)
        assert (clock.slept, kinds(limited)) == ([], [LIMITED])
        [paused] = sink.of(ReviewerPaused)
        assert paused.seconds is not None
        assert hint <= paused.seconds <= hint + 8
        early = [await reviewed_after(session, clock, messages, hint / 4) for _ in range(3)]
        early.append(await reviewed_after(session, clock, messages, hint / 4 - 1))
        back = await reviewed_after(session, clock, messages, 1 + 8)
    assert skipped(*early) == [PAUSED] * 4
    assert (kinds(back), len(server.requests)) == ([QUIET], 2)


class TwoAtATime:
    """A provider that answers two at the same time and turns everybody else away."""

    def __init__(self) -> None:
        self.lock, self.inside, self.turned_away = threading.Lock(), 0, 0

    def __call__(self, exchange: Exchange) -> None:
        """Answer after a moment, or refuse at once."""
        with self.lock:
            taken = self.inside < 2
            self.inside += taken
            self.turned_away += not taken
        if not taken:
            fault(429, "", "Too many concurrent requests for this account")(exchange)
            return
        exchange.closing.wait(0.3)
        with self.lock:
            self.inside -= 1
        answer()(exchange)


async def test_sessions_that_share_an_account_for_two_at_a_time_pause_nobody(server: ModelServer) -> None:
    """https://github.com/can1357/oh-my-pi/issues/5207"""
    provider, sink = TwoAtATime(), RecordingSink()
    for name in "abc":
        server.plays(provider, model=name)
    configs = [config(server, name, model=name, pause_after_failures=2) for name in "abc"]
    guidances: list[Guidance] = []

    async def work(name: str) -> None:
        async with ReviewScheduler(configs, sinks=[sink]) as scheduler:
            guidances.extend(await run_turns(await scheduler.session(name, request="Do the work."), 1))

    async with anyio.create_task_group() as group:
        for name in ("first", "second"):
            group.start_soon(work, name)
    assert provider.turned_away > 0
    assert len(kinds(*guidances)) == 6
    assert set(kinds(*guidances)) <= {QUIET, LIMITED}
    assert kinds(*guidances).count(QUIET) >= 2
    assert sink.of(ReviewerPaused) == []


async def test_what_a_filter_refuses_is_sent_once_and_the_next_turn_is_reviewed(
    server: ModelServer, protocol: ApiProtocol
) -> None:
    """https://github.com/can1357/oh-my-pi/issues/4210"""

    def filters(exchange: Exchange) -> None:
        bad = "marzipan" in exchange.request.text
        (answer("", finish="content_filter") if bad else answer())(exchange)

    def turn(number: int) -> list[dict[str, Any]]:
        call, result = turn_messages(number)
        return [call, result | {"content": "marzipan" if number == 2 else f"result {number}"}]

    server.plays(filters)
    registry = CollectorRegistry()
    narrow = config(server, protocol=protocol, max_attempts=5, evidence={"max_messages": 2, "max_tools": 1})
    async with ReviewScheduler([narrow], registry=registry, clock=FakeClock()) as scheduler:
        guidances = await run_turns(await scheduler.session("s", request="Do the work."), 4, each=turn)
    assert kinds(*guidances) == [QUIET, OutcomeKind.REFUSED, QUIET, QUIET]
    assert ["marzipan" in request.text for request in server.requests] == [False, True, False, False]
    labels = {"reviewer": "one", "trigger": "periodic", "outcome": "refused"}
    assert registry.get_sample_value("foureyes_reviews_total", labels) == 1
