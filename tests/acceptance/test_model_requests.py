"""What goes over the wire when a model reviews, and to whom: seen by a real server on loopback."""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

import anyio
import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol, OutcomeKind, OutputMode, Reasoning
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink, run_turns

from .model_server import CHAT, MESSAGES, QUIET, ModelServer, Request, answer, fault, raw, running

pytestmark = pytest.mark.anyio

OPENAI, ANTHROPIC = ApiProtocol.OPENAI, ApiProtocol.ANTHROPIC
KEY, AMBIENT = "sk-planted-0123456789abcdef", "sk-planted-of-the-environment-1"
NO_FORMAT = fault(400, "", "response_format: 'json_schema' is not supported, nor is output_config")
NO_TOOLS = fault(400, "", "response_format: 'json_object' is not supported, nor are tools")


async def requests_of(server: ModelServer, *, turns: int = 1, **settings: Any) -> list[Request]:
    """Return what the server was asked in so many turns, each of which is reviewed."""
    usual: dict[str, Any] = {"model": "small", "base_url": server.url, "api_key": KEY, "interval_turns": 1}
    config = ReviewerConfig(name="one", use="model", **(usual | settings))
    async with ReviewScheduler([config]) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), turns)
    return server.requests


# --- the request ---


async def test_the_rules_are_the_system_text_and_the_record_is_the_users(server: ModelServer) -> None:
    [chat] = await requests_of(server)
    [system, user] = chat.body["messages"]
    assert (chat.path, system["role"], user["role"]) == (CHAT, "system", "user")
    assert "result 1" in user["content"]
    assert "result 1" not in system["content"]
    assert "tools" not in chat.body


def blocks(request: Request) -> list[dict[str, Any]]:
    """Return the blocks of the only message of a request."""
    [message] = request.body["messages"]
    return list(message["content"])


def marked(request: Request) -> list[int]:
    """Return the places of the blocks up to which the provider is asked to cache."""
    return [place for place, block in enumerate(blocks(request)) if "cache_control" in block]


async def test_the_messages_api_gets_the_same_in_blocks_with_the_end_of_what_lasts_marked(server: ModelServer) -> None:
    one, two, *_ = await requests_of(server, turns=3, protocol=ANTHROPIC)
    assert (one.path, one.body["max_tokens"]) == (MESSAGES, 1_024)
    assert one.body["system"] == two.body["system"]
    [opening, newest] = marked(one)
    assert opening == 0
    assert "result 1" in blocks(one)[newest]["text"]
    kept = [block["text"] for block in blocks(one)[: newest + 1]]
    assert [block["text"] for block in blocks(two)[: newest + 1]] == kept


async def test_the_next_mark_is_near_enough_for_the_messages_api_to_find_the_one_before(server: ModelServer) -> None:
    found = await requests_of(server, turns=12, protocol=ANTHROPIC, interval_turns=3, max_periodic_reviews=9)
    for one, two in pairwise(found):
        assert marked(two)[-1] - marked(one)[-1] < 20
        assert len(marked(two)) + len(two.body["system"]) <= 4


async def test_a_first_review_at_the_finish_has_no_run_cached_that_nobody_may_read_again(server: ModelServer) -> None:
    config = ReviewerConfig(name="one", use="model", model="small", base_url=server.url, protocol=ANTHROPIC)
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s")
        await session.finish(
            [{"role": "user", "content": "Go."}, {"role": "assistant", "content": "I went."}], answer="I went."
        )
    [request] = server.requests
    assert marked(request) == [0]


async def test_two_questions_in_a_row_begin_alike_up_to_what_is_new(server: ModelServer) -> None:
    one, two, *_ = (request.body["messages"] for request in await requests_of(server, turns=3))
    assert one[0] == two[0]
    old, found, _ = one[1]["content"].partition("result 1")
    assert found
    assert two[1]["content"].startswith(old + found)


async def test_blocks_that_no_reviewing_model_takes_arrive_as_text(server: ModelServer, protocol: ApiProtocol) -> None:
    # https://github.com/anthropics/claude-code/issues/76189, https://github.com/openai/codex/pull/11346
    image = {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{'A' * 40_000}"}}
    call = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
    messages = [
        {"role": "user", "content": [image]},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": [{"type": "text", "text": "a cat"}, image]},
        {"role": "assistant", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "A cat."}]},
    ]
    config = {"model": "small", "base_url": server.url, "protocol": protocol, "interval_turns": 1}
    async with ReviewScheduler([ReviewerConfig(name="one", use="model", **config)]) as scheduler:
        guidance = await (await scheduler.session("s")).boundary(messages)
    assert guidance.outcomes[0].outcome is OutcomeKind.QUIET
    [request] = server.requests
    assert "[image" in request.text
    assert "AAAAAAAA" not in request.text
    assert "image_url" not in request.text
    texts = request.body["messages"][0]["content"] if protocol is ANTHROPIC else []
    assert all(block["text"].strip() for block in texts)


async def test_a_second_round_shows_what_was_raised_and_what_was_answered(
    server: ModelServer, protocol: ApiProtocol
) -> None:
    raised = {"severity": "concern", "text": "The total is wrong.", "key": "invoice/total"}
    server.plays(answer(json.dumps({"notes": [raised], "resolved": []})), answer())
    config = ReviewerConfig(name="one", use="model", model="small", base_url=server.url, protocol=protocol)
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Sum it up."}]
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s", request="Sum it up.")
        for said in ("It is 12.", "You are right: it is 13."):
            messages.append({"role": "assistant", "content": said})
            messages += (await session.finish(messages, answer=said)).messages
    first, second = (request.text for request in server.requests)
    told = ("This is round 2", f"{raised['severity']}, key {raised['key']}", "The total is wrong.", "it is 13.")
    assert [words in second for words in told] == [True] * 4
    assert [words in first for words in told] == [False] * 4


@pytest.mark.parametrize("reasoning", list(Reasoning))
async def test_reasoning_is_asked_for_only_where_it_is_declared(
    reasoning: Reasoning, server: ModelServer, protocol: ApiProtocol
) -> None:
    [request] = await requests_of(server, protocol=protocol, reasoning=reasoning, max_output_tokens=4_096)
    asked = {name: request.body[name] for name in ("reasoning_effort", "thinking") if name in request.body}
    if reasoning is Reasoning.OFF:
        assert asked == {}
    elif protocol is OPENAI:
        assert asked == {"reasoning_effort": reasoning.value}
    else:
        assert asked == {"thinking": {"type": "adaptive"}}
        assert request.body["output_config"]["effort"] == ("low" if reasoning is Reasoning.MINIMAL else reasoning.value)


async def test_a_model_that_does_not_know_adaptive_thinking_gets_a_budget(server: ModelServer) -> None:
    server.plays(fault(400, "invalid_request_error", "thinking.type: adaptive is not supported"), answer())
    settings = {"reasoning": Reasoning.MEDIUM, "max_output_tokens": 4_096, "output_mode": OutputMode.PROMPTED}
    _, second = await requests_of(server, protocol=ANTHROPIC, **settings)
    assert second.body["thinking"] == {"type": "enabled", "budget_tokens": 2_048}
    assert "output_config" not in second.body


# --- modes ---


def mode_of(request: Request) -> OutputMode:
    """Return the mode in which a question was put."""
    wanted = request.body.get("response_format", request.body.get("output_config", {}).get("format", {}))
    if wanted.get("type") == "json_schema":
        return OutputMode.JSON_SCHEMA
    return OutputMode.JSON_OBJECT if wanted or "tools" in request.body else OutputMode.PROMPTED


@pytest.mark.parametrize("mode", [each for each in OutputMode if each is not OutputMode.AUTO])
async def test_a_chosen_mode_is_used_as_it_is(mode: OutputMode, server: ModelServer, protocol: ApiProtocol) -> None:
    server.plays(NO_FORMAT)
    [request] = await requests_of(server, protocol=protocol, output_mode=mode)
    assert mode_of(request) is mode


async def test_auto_finds_out_once_what_the_endpoint_takes(server: ModelServer, protocol: ApiProtocol) -> None:
    server.plays(NO_FORMAT, NO_TOOLS, answer())
    asked = await requests_of(server, turns=3, protocol=protocol)
    schema, object_, prompted = OutputMode.JSON_SCHEMA, OutputMode.JSON_OBJECT, OutputMode.PROMPTED
    assert [mode_of(request) for request in asked] == [schema, object_, prompted, prompted, prompted]


async def test_an_endpoint_that_knows_one_name_of_the_limit_gets_that_one(server: ModelServer) -> None:
    server.plays(fault(400, "unsupported_parameter", "Use 'max_completion_tokens' instead of 'max_tokens'"), answer())
    asked = await requests_of(server, turns=2, max_output_tokens=300)
    limits = [{name: request.body.get(name) for name in ("max_tokens", "max_completion_tokens")} for request in asked]
    old, new = ({"max_tokens": 300, "max_completion_tokens": None}, {"max_tokens": None, "max_completion_tokens": 300})
    assert limits == [old, new, new]


async def test_a_reply_that_is_given_as_the_input_of_the_tool_is_read(server: ModelServer) -> None:
    block = {"type": "tool_use", "id": "t", "name": "review", "input": json.loads(QUIET)}
    usage = {"input_tokens": 5, "cache_read_input_tokens": 90, "cache_creation_input_tokens": 5, "output_tokens": 3}
    body = {"type": "message", "content": [block], "stop_reason": "tool_use", "usage": usage}
    server.plays(raw(json.dumps(body).encode()))
    sink = RecordingSink()
    settings: dict[str, Any] = {"base_url": server.url, "protocol": ANTHROPIC, "output_mode": OutputMode.JSON_OBJECT}
    config = ReviewerConfig(name="one", use="model", model="small", interval_turns=1, **settings)
    async with ReviewScheduler([config], sinks=[sink]) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 1)
    [event] = sink.of(ReviewSettled)
    assert event.outcome is OutcomeKind.QUIET
    assert (event.usage.input_tokens, event.usage.cached_tokens, event.usage.output_tokens) == (100, 90, 3)


# --- keys ---


def with_ambient(monkeypatch: pytest.MonkeyPatch, protocol: ApiProtocol, **others: str) -> None:
    """Put a key of the provider's into the environment, and what else belongs to that account."""
    name = protocol.upper()
    monkeypatch.setenv(f"{name}_API_KEY", AMBIENT)
    monkeypatch.setenv(f"{name}_CUSTOM_HEADERS", f"X-Gateway-Token: {AMBIENT}\nX-Team: team-blue")
    monkeypatch.setenv("ANTHROPIC_AUTH_TOKEN", AMBIENT)
    monkeypatch.setenv("OPENAI_ADMIN_KEY", AMBIENT)
    monkeypatch.setenv("OPENAI_ORG_ID", "org-planted")
    monkeypatch.setenv("OPENAI_PROJECT_ID", "proj-planted")
    for variable, value in others.items():
        monkeypatch.setenv(variable, value)


@pytest.mark.parametrize("key", [None, "  ", KEY])
async def test_nothing_of_the_environments_account_goes_to_a_declared_address(
    key: str | None, server: ModelServer, protocol: ApiProtocol, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_ambient(monkeypatch, protocol)
    [request] = await requests_of(server, protocol=protocol, api_key=key)
    assert request.key == (KEY if key == KEY else "")
    sent = json.dumps(dict(request.headers)) + request.text
    assert [word for word in (AMBIENT, "planted-of", "org-planted", "proj-planted", "team-blue") if word in sent] == []


async def test_the_environments_own_address_gets_the_environments_account(
    server: ModelServer, protocol: ApiProtocol, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = server.url if protocol is OPENAI else server.url.removesuffix("/v1")
    with_ambient(monkeypatch, protocol, **{f"{protocol.upper()}_BASE_URL": address})
    [request] = await requests_of(server, protocol=protocol, api_key=None, base_url=None)
    assert (request.key, request.headers["x-team"]) == (AMBIENT, "team-blue")


@pytest.mark.parametrize("status", [301, 302, 307, 308])
async def test_no_redirect_takes_the_transcript_elsewhere(
    status: int, server: ModelServer, protocol: ApiProtocol
) -> None:
    with running() as elsewhere:
        server.plays(raw(b"", status, location=f"{elsewhere.url}/chat/completions"))
        await requests_of(server, protocol=protocol)
        assert elsewhere.requests == []


async def test_no_library_retries_by_itself(server: ModelServer, protocol: ApiProtocol) -> None:
    server.plays(fault(500, "api_error", x_should_retry="true"))
    assert len(await requests_of(server, protocol=protocol, max_attempts=1)) == 1


# --- event loops ---


@pytest.mark.parametrize("backends", [("asyncio", "asyncio"), ("trio", "trio"), ("asyncio", "trio")])
@pytest.mark.parametrize("protocol_", [OPENAI, ANTHROPIC])
def test_one_scheduler_reviews_on_one_event_loop_after_another(
    backends: tuple[str, str], protocol_: ApiProtocol, server: ModelServer
) -> None:
    # https://github.com/encode/httpx/issues/2473: the second run fails with a closed loop.
    config = ReviewerConfig(
        name="one", use="model", model="small", base_url=server.url, protocol=protocol_, interval_turns=1
    )
    sink = RecordingSink()
    scheduler = ReviewScheduler([config], sinks=[sink])

    async def go(name: str) -> None:
        async with scheduler:
            await run_turns(await scheduler.session(name, request="Do the work."), 1)

    for number, backend in enumerate(backends):
        anyio.run(go, str(number), backend=backend)
    assert [event.outcome for event in sink.of(ReviewSettled)] == [OutcomeKind.QUIET] * 2


@pytest.mark.parametrize("backend", ["asyncio", "trio"])
def test_nothing_heavy_is_imported_inside_a_deadline(backend: str, protocol: ApiProtocol) -> None:
    script = Path(__file__).with_name("model_imports.py")
    done = subprocess.run(
        [sys.executable, str(script), backend, protocol], capture_output=True, text=True, timeout=60, check=True
    )
    packages = {name.split(".")[0] for name in json.loads(done.stdout)}
    assert packages - set(sys.stdlib_module_names) == set()
