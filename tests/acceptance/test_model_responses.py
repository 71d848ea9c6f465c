"""Responses with status 200 that hold no reply, through both APIs: none of them is silence."""

from __future__ import annotations

import gzip
import json
import time
from typing import Any

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol, OutcomeKind, OutputMode, Verdict
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, run_turns

from .model_server import Act, ModelServer, raw

pytestmark = pytest.mark.anyio

QUIET, NOTED, ERROR = OutcomeKind.QUIET, OutcomeKind.NOTED, OutcomeKind.ERROR
UNPARSED, REFUSED, OVERFLOW = OutcomeKind.UNPARSED, OutcomeKind.REFUSED, OutcomeKind.OVERFLOW
SILENCE = '{"notes": [], "resolved": []}'
NOTE = '{"notes": [{"severity": "concern", "text": "The lock is kept."}], "resolved": []}'
CALL = {"id": "c", "type": "function", "function": {"name": "bash", "arguments": "{}"}}


def text(said: str = SILENCE) -> dict[str, Any]:
    """Return a block of text."""
    return {"type": "text", "text": said}


def use(name: str = "bash", **given: Any) -> dict[str, Any]:
    """Return a call to a tool."""
    return {"type": "tool_use", "id": "t", "name": name, "input": given}


def said(content: Any, **more: Any) -> list[Any]:
    """Return the choices with a message of this content."""
    return [{"index": 0, "message": {"role": "assistant", "content": content} | more, "finish_reason": "stop"}]


def stopped(reason: str) -> list[Any]:
    """Return the choices with a message of no parts, and why it ended."""
    return [said([])[0] | {"finish_reason": reason}]


def chat(choices: Any, **more: Any) -> Act:
    """Answer as chat completions do, with tokens used."""
    usage = {"prompt_tokens": 100, "completion_tokens": 10}
    return raw(json.dumps({"object": "chat.completion", "choices": choices, "usage": usage} | more).encode())


def messages(content: Any, **more: Any) -> Act:
    """Answer as the messages API does, with tokens used."""
    usage = {"input_tokens": 100, "output_tokens": 10}
    body = {"type": "message", "content": content, "stop_reason": "end_turn", "usage": usage}
    return raw(json.dumps(body | more).encode())


async def guidance(
    server: ModelServer, protocol: ApiProtocol, act: Act, sink: RecordingSink | None = None, **settings: Any
) -> Guidance:
    """Return what is said of a final answer when the model answers with this."""
    server.plays(act)
    config = ReviewerConfig(name="one", use="model", model="small", base_url=server.url, protocol=protocol, **settings)
    async with ReviewScheduler([config], clock=FakeClock(), sinks=[sink] if sink else []) as scheduler:
        session = await scheduler.session("s", request="Do it.")
        [found] = await run_turns(session, 0, answers=["All is done."])
    return found


LONG = json.dumps({"choices": said(NOTE), "seed": 0}).replace('"seed": 0', f'"seed": {"9" * 5_000}').encode()
CHATS: dict[str, tuple[Act, OutcomeKind]] = {
    "no choice": (chat([]), UNPARSED),
    "choices that are a text": (chat("x"), UNPARSED),
    "choices that are null": (chat(None), UNPARSED),
    "a choice without anything": (chat([{}]), UNPARSED),
    "a choice that is a text": (chat(["x"]), UNPARSED),
    "a message that is null": (chat([{"message": None}]), UNPARSED),
    "a message that is a text": (chat([{"message": SILENCE}]), UNPARSED),
    "a message without content": (chat([{"message": {"role": "assistant"}}]), UNPARSED),
    "a completion of the older API": (chat([{"text": "legacy"}]), UNPARSED),
    "content that is null": (chat(said(None)), UNPARSED),
    "content that is a number": (chat(said(7)), UNPARSED),
    "content of no parts": (chat(said([])), QUIET),
    "content of no parts and nothing used": (chat(said([]), usage={"completion_tokens": 0}), ERROR),
    "content of no parts and no usage": (chat(said([]), usage=None), ERROR),
    "content of no parts that was cut off": (chat(stopped("length")), UNPARSED),
    "content of no parts that a filter stopped": (chat(stopped("content_filter")), REFUSED),
    "content of no parts for a reason that nobody knows": (chat(stopped("other")), ERROR),
    "content of an image": (chat(said([{"type": "image_url"}])), UNPARSED),
    "content of a part without text": (chat(said([{"type": "text"}])), UNPARSED),
    "no message and nothing used": (chat([], usage={"prompt_tokens": 9, "completion_tokens": 0}), ERROR),
    "no message and no usage": (chat([{}], usage=None), ERROR),
    "an error in place of choices": (chat([], error={"code": 400, "message": "No."}), ERROR),
    "an error in the choice": (chat([{"error": {"code": 400, "message": "No."}}]), ERROR),
    "a refusal": (chat(said(None, refusal="no")), REFUSED),
    "a part that refuses": (chat(said([{"type": "refusal", "refusal": "no"}])), REFUSED),
    "a part that refuses beside silence": (chat(said([text(), {"type": "refusal", "refusal": "no"}])), REFUSED),
    "a call": (chat(said(None, tool_calls=[CALL])), UNPARSED),
    "a call beside an empty text": (chat(said("", tool_calls=[CALL])), UNPARSED),
    "a call beside silence": (chat(said(SILENCE, tool_calls=[CALL])), UNPARSED),
    "a call of the older kind": (chat(said("", function_call={"name": "bash"})), UNPARSED),
    "no calls": (chat(said(SILENCE, tool_calls=[], function_call=None, refusal=None)), QUIET),
    "a call beside a note": (chat(said(NOTE, tool_calls=[CALL])), NOTED),
    "an empty text": (chat(said("")), QUIET),
    "an empty part": (chat(said([text("")])), QUIET),
    "an empty part beside a broken one": (chat(said([text(""), {"type": "text"}])), UNPARSED),
    "a part beside a broken one": (chat(said([{"type": "text", "text": None}, text(NOTE)])), NOTED),
    "parts that are texts": (chat(said([NOTE])), NOTED),
    "an error that is null": (chat(said(SILENCE), error=None), QUIET),
    "a number too long to be any": (raw(LONG), NOTED),
}
MESSAGES: dict[str, tuple[Act, OutcomeKind]] = {
    "no block": (messages([]), QUIET),
    "no block and no usage": (messages([], usage=None), ERROR),
    "no block after a stop sequence": (messages([], stop_reason="stop_sequence"), QUIET),
    "no block that was cut off": (messages([], stop_reason="max_tokens"), UNPARSED),
    "no block in a full window": (messages([], stop_reason="model_context_window_exceeded"), OVERFLOW),
    "no block before a tool": (messages([], stop_reason="tool_use"), UNPARSED),
    "no block for a reason that nobody knows": (messages([], stop_reason="pause_turn"), ERROR),
    "content that is null": (messages(None), UNPARSED),
    "content that is an object": (messages({}, type="error"), UNPARSED),
    "an error beside content": (messages([], type="error", error={"type": "invalid_request_error"}), ERROR),
    "thinking alone": (messages([{"type": "thinking", "thinking": "hm"}]), UNPARSED),
    "a block without text": (messages([{"type": "text"}]), UNPARSED),
    "a note beside a block without text": (messages([{"type": "text"}, text(NOTE)]), NOTED),
    "no block and nothing used": (messages([], usage={"input_tokens": 9, "output_tokens": 0}), ERROR),
    "a refusal": (messages([], stop_reason="refusal"), REFUSED),
    "a call": (messages([use()]), UNPARSED),
    "a call beside an empty text": (messages([text(""), use()]), UNPARSED),
    "a call beside silence": (messages([text(), use()]), UNPARSED),
    "a call beside a note": (messages([text(NOTE), use()], stop_reason="tool_use"), NOTED),
    "a reply beside another call": (messages([use("review", notes=[]), use()]), UNPARSED),
    "a reply": (messages([use("review", notes=[])], stop_reason="tool_use"), QUIET),
    "a reply with a lead-in": (messages([text("Here is my review:"), use("review", notes=[])]), QUIET),
    "a reply that is none": (messages([use("review")]), UNPARSED),
    "two replies that differ": (messages([use("review", notes=[]), use("review", **json.loads(NOTE))]), UNPARSED),
    "silence that words contradict": (messages([text("It drops the table."), use("review", notes=[])]), UNPARSED),
    "an empty text": (messages([text("")]), QUIET),
}


@pytest.mark.parametrize(("act", "outcome"), CHATS.values(), ids=CHATS.keys())
async def test_a_chat_completion_is_silence_only_where_it_says_so(
    act: Act, outcome: OutcomeKind, server: ModelServer
) -> None:
    found = await guidance(server, ApiProtocol.OPENAI, act)
    assert [called.outcome for called in found.outcomes] == [outcome]
    assert (found.verdict is Verdict.APPROVED) is (outcome is QUIET)


@pytest.mark.parametrize(("act", "outcome"), MESSAGES.values(), ids=MESSAGES.keys())
async def test_a_message_is_silence_only_where_it_says_so(act: Act, outcome: OutcomeKind, server: ModelServer) -> None:
    found = await guidance(server, ApiProtocol.ANTHROPIC, act)
    assert [called.outcome for called in found.outcomes] == [outcome]
    assert (found.verdict is Verdict.APPROVED) is (outcome is QUIET)


@pytest.mark.parametrize("protocol", list(ApiProtocol))
async def test_what_a_response_without_a_message_used_is_in_the_bill(
    protocol: ApiProtocol, server: ModelServer
) -> None:
    act = chat([]) if protocol is ApiProtocol.OPENAI else messages(None)
    sink = RecordingSink()
    await guidance(server, protocol, act, sink)
    [event] = sink.of(ReviewSettled)
    assert (event.usage.input_tokens, event.usage.output_tokens) == (100, 10)


@pytest.mark.parametrize("mode", [OutputMode.JSON_SCHEMA, OutputMode.JSON_OBJECT, OutputMode.PROMPTED])
@pytest.mark.parametrize("protocol", list(ApiProtocol))
@pytest.mark.parametrize(
    ("reason", "used", "outcome"),
    [("stop", 3, QUIET), ("stop", 0, ERROR), ("length", 3, UNPARSED), ("content_filter", 3, REFUSED)],
)
async def test_an_empty_answer_is_silence_in_every_mode_where_tokens_were_used_and_the_model_stopped_by_itself(
    mode: OutputMode, protocol: ApiProtocol, reason: str, used: int, outcome: OutcomeKind, server: ModelServer
) -> None:
    words = {"stop": "end_turn", "length": "max_tokens", "content_filter": "refusal"}
    act = chat(stopped(reason), usage={"prompt_tokens": 9, "completion_tokens": used})
    if protocol is ApiProtocol.ANTHROPIC:
        act = messages([], stop_reason=words[reason], usage={"input_tokens": 9, "output_tokens": used})
    found = await guidance(server, protocol, act, output_mode=mode)
    assert [called.outcome for called in found.outcomes] == [outcome]


# --- packed bodies ---


@pytest.mark.parametrize("protocol", list(ApiProtocol))
async def test_a_packed_body_is_not_asked_for_and_never_unpacked(protocol: ApiProtocol, server: ModelServer) -> None:
    bomb = gzip.compress(b" " * 50_000_000, compresslevel=1)
    began = time.process_time()
    found = await guidance(server, protocol, raw(bomb, content_encoding="gzip"))
    assert time.process_time() - began < 0.6  # Unpacking and keeping it takes longer than a whole review.
    assert [called.outcome for called in found.outcomes] == [UNPARSED]
    assert [request.headers["accept-encoding"] for request in server.requests] == ["identity"]


@pytest.mark.parametrize("encoding", ["gzip", "GZIP", "identity, br", "deflate", "zstd", "unheard-of"])
async def test_a_packed_answer_is_refused_whatever_it_is_packed_with(encoding: str, server: ModelServer) -> None:
    found = await guidance(server, ApiProtocol.OPENAI, raw(b"{}", content_encoding=encoding))
    assert found.outcomes[0].error is not None
    assert "packed" in found.outcomes[0].error


@pytest.mark.parametrize("protocol", list(ApiProtocol))
async def test_a_packed_error_is_known_by_its_status(protocol: ApiProtocol, server: ModelServer) -> None:
    act = raw(gzip.compress(b"{}"), 429, content_encoding="gzip", retry_after="600")
    [called] = (await guidance(server, protocol, act)).outcomes
    assert called.outcome is OutcomeKind.RATE_LIMITED


async def test_an_answer_that_says_it_is_not_packed_is_read(server: ModelServer) -> None:
    body = json.dumps({"choices": said(SILENCE)}).encode()
    found = await guidance(server, ApiProtocol.OPENAI, raw(body, content_encoding="identity"))
    assert found.verdict is Verdict.APPROVED
