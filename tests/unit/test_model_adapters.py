"""Any model of pydantic-ai and any chat model of LangChain can review."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from langchain_core.callbacks import BaseCallbackHandler
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.runnables import RunnableLambda
from pydantic_ai.exceptions import ModelHTTPError
from pydantic_ai.messages import ModelMessage, ModelResponse, TextPart, ThinkingPart
from pydantic_ai.models.function import AgentInfo, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.usage import RequestUsage

from foureyes.core.account import Account, account
from foureyes.core.config import ReviewerConfig
from foureyes.core.words import OutcomeKind, OutputMode, SkipReason
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, run_turns
from foureyes_reviewers.model import ModelReviewer, from_langchain, from_pydantic_ai

pytestmark = pytest.mark.anyio

QUIET = '{"notes": [], "resolved": []}'
NOTE = json.dumps({"notes": [{"severity": "concern", "text": "The lock is kept."}], "resolved": []})


async def reviewed(reviewer: ModelReviewer) -> ReviewSettled:
    """Return how a review of the first turn ended."""
    sink = RecordingSink()
    config = ReviewerConfig(name="one", reviewer=reviewer, interval_turns=1)
    async with ReviewScheduler([config], sinks=[sink], clock=FakeClock()) as scheduler:
        await run_turns(await scheduler.session("s", request="Do the work."), 1)
    [event] = sink.of(ReviewSettled)
    return event


# --- pydantic-ai ---


def function_model(act: Callable[[list[ModelMessage], AgentInfo], ModelResponse], **profile: Any) -> FunctionModel:
    """Return a model of pydantic-ai that is a function."""
    return FunctionModel(act, model_name="small", profile=profile or None)


def says(text: str, finish: Any = "stop") -> Callable[[list[ModelMessage], AgentInfo], ModelResponse]:
    """Return a function that thinks and then answers with this text."""
    usage = RequestUsage(input_tokens=100, cache_read_tokens=40, output_tokens=10)
    parts = [ThinkingPart(content=NOTE), TextPart(content=text)]
    return lambda messages, info: ModelResponse(parts=parts, usage=usage, finish_reason=finish, model_name="small")


@pytest.mark.parametrize(
    ("text", "finish", "outcome"),
    [
        (QUIET, "stop", OutcomeKind.QUIET),
        (NOTE, "stop", OutcomeKind.NOTED),
        ("Hm.", "stop", OutcomeKind.UNPARSED),
        (NOTE[:40], "length", OutcomeKind.UNPARSED),
        ("", "content_filter", OutcomeKind.REFUSED),
    ],
)
async def test_a_model_of_pydantic_ai_reviews(text: str, finish: str, outcome: OutcomeKind) -> None:
    event = await reviewed(from_pydantic_ai(function_model(says(text, finish)), prices=("small=1/0.5/2",)))
    assert (event.outcome, event.usage.input_tokens, event.usage.cached_tokens) == (outcome, 100, 40)
    assert event.usage.cost_usd == pytest.approx((60 * 1 + 40 * 0.5 + 10 * 2) / 1_000_000)


@pytest.mark.parametrize(
    ("parts", "used", "finish", "outcome"),
    [
        ([], 10, "stop", OutcomeKind.QUIET),
        ([TextPart(content="")], 10, "stop", OutcomeKind.QUIET),
        ([], 0, "stop", OutcomeKind.ERROR),
        ([], 10, "length", OutcomeKind.UNPARSED),
        ([], 10, "content_filter", OutcomeKind.REFUSED),
        ([ThinkingPart(content=NOTE)], 10, "stop", OutcomeKind.UNPARSED),
    ],
)
async def test_an_answer_of_pydantic_ai_without_a_word_is_silence_only_where_tokens_were_used(
    parts: list[Any], used: int, finish: Any, outcome: OutcomeKind
) -> None:
    usage = RequestUsage(output_tokens=used)
    answer = ModelResponse(parts=parts, usage=usage, finish_reason=finish, model_name="small")
    assert (await reviewed(from_pydantic_ai(function_model(lambda *_: answer)))).outcome is outcome


async def test_it_is_asked_for_a_schema_where_it_has_one() -> None:
    asked: list[AgentInfo] = []

    def act(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(info)
        return ModelResponse(parts=[TextPart(content=QUIET)])

    await reviewed(from_pydantic_ai(function_model(act, supports_json_schema_output=True)))
    await reviewed(from_pydantic_ai(function_model(act, supports_json_schema_output=False)))
    await reviewed(
        from_pydantic_ai(function_model(act, supports_json_schema_output=True), output_mode=OutputMode.PROMPTED)
    )
    modes = [info.model_request_parameters.output_mode for info in asked]
    assert modes == ["native", "text", "text"]
    assert all((info.model_settings or {}).get("max_tokens") == 1_024 for info in asked)


async def test_its_errors_mean_what_those_of_the_provider_mean() -> None:
    def act(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        raise ModelHTTPError(429, "small", {"error": {"code": "insufficient_quota", "message": "No."}})

    event = await reviewed(from_pydantic_ai(function_model(act)))
    assert (event.outcome, event.usage.cost_usd) == (OutcomeKind.QUOTA_EXHAUSTED, 0.0)


async def test_its_test_model_reviews_too() -> None:
    event = await reviewed(from_pydantic_ai(TestModel(custom_output_text=QUIET)))
    assert event.outcome is OutcomeKind.QUIET


# --- whose account ---

AGENT = account("openai", None, "sk-agent")
LET_IN: list[tuple[dict[str, Any], Account | None, dict[str, Any], bool]] = [
    ({}, AGENT, {}, False),
    ({}, AGENT, {"data_boundary": "same_provider"}, False),
    ({}, Account(provider="", protocol="", endpoint=""), {"data_boundary": "same_provider"}, False),
    ({}, AGENT, {"data_boundary": "any"}, True),
    ({}, None, {}, True),
    ({"account": AGENT}, AGENT, {}, True),
    ({"account": account("openai", None, "sk-other")}, AGENT, {}, False),
    ({"account": account("openai", None, "sk-other")}, AGENT, {"data_boundary": "same_provider"}, True),
]


@pytest.mark.parametrize(("told", "agent", "settings", "let_in"), LET_IN)
@pytest.mark.parametrize("make", ["pydantic_ai", "langchain"])
async def test_a_model_whose_account_nobody_told_is_not_called_where_the_agents_is_declared(
    make: str,
    told: dict[str, Any],
    agent: Account | None,
    settings: dict[str, Any],
    let_in: bool,
    caplog: pytest.LogCaptureFixture,
) -> None:
    asked: list[object] = []

    def act(messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        asked.append(messages)
        return ModelResponse(parts=[TextPart(content=QUIET)])

    chat = FakeChatModel(answer=message(QUIET), asked=[])
    made = from_langchain(chat, **told) if make == "langchain" else from_pydantic_ai(function_model(act), **told)
    config = ReviewerConfig(name="one", reviewer=made, interval_turns=1, **settings)
    async with ReviewScheduler([config], clock=FakeClock(), agent=agent) as scheduler:
        found = await run_turns(await scheduler.session("s", request="Do the work."), 2)
    assert bool(asked or chat.asked) is let_in
    skips = [skip.reason for guidance in found for skip in guidance.skips]
    assert skips == ([] if let_in else [SkipReason.NOT_PERMITTED] * 2)
    said = [record.getMessage() for record in caplog.records if "one" in record.getMessage()]
    assert len(said) == (0 if let_in and agent is not None else 1)
    assert all("data_boundary" in line for line in said)


# --- LangChain ---


class FakeChatModel(BaseChatModel):
    """A chat model that answers with a message of its own making, or raises."""

    answer: Any = None
    asked: list[Any] = []  # noqa: RUF012 - a field of a pydantic model

    @property
    def _llm_type(self) -> str:
        return "fake"

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.asked.append(messages)
        if isinstance(self.answer, Exception):
            raise self.answer
        return ChatResult(generations=[ChatGeneration(message=self.answer)])


def message(content: Any, **metadata: Any) -> AIMessage:
    """Return what a chat model answers."""
    usage = {"input_tokens": 100, "output_tokens": 10, "total_tokens": 110, "input_token_details": {"cache_read": 40}}
    return AIMessage(content=content, response_metadata=metadata, usage_metadata=usage)


@pytest.mark.parametrize(
    ("answer", "outcome"),
    [
        (message(QUIET, finish_reason="stop"), OutcomeKind.QUIET),
        (message([{"type": "text", "text": NOTE}], stop_reason="end_turn"), OutcomeKind.NOTED),
        (message([{"type": "thinking", "thinking": NOTE}, {"type": "text", "text": QUIET}]), OutcomeKind.QUIET),
        (message([], stop_reason="end_turn"), OutcomeKind.QUIET),
        (message([], stop_reason="max_tokens"), OutcomeKind.UNPARSED),
        (message([], stop_reason="refusal"), OutcomeKind.REFUSED),
        (message([{"type": "thinking", "thinking": NOTE}]), OutcomeKind.UNPARSED),
        (message("Hm."), OutcomeKind.UNPARSED),
        (message(NOTE[:40], finish_reason="length"), OutcomeKind.UNPARSED),
        (message("", finish_reason="content_filter"), OutcomeKind.REFUSED),
    ],
)
async def test_a_chat_model_of_langchain_reviews(answer: AIMessage, outcome: OutcomeKind) -> None:
    event = await reviewed(from_langchain(FakeChatModel(answer=answer), name="small", prices=("small=1/0.5/2",)))
    assert (event.outcome, event.usage.input_tokens, event.usage.cached_tokens) == (outcome, 100, 40)
    assert event.usage.cost_usd == pytest.approx((60 * 1 + 40 * 0.5 + 10 * 2) / 1_000_000)


async def test_its_errors_are_read_like_all_others() -> None:
    class APIConnectionError(Exception): ...

    event = await reviewed(from_langchain(FakeChatModel(answer=APIConnectionError("gone"))))
    assert (event.outcome, event.attempts) == (OutcomeKind.ERROR, 2)


def test_the_agents_callbacks_do_not_hear_the_reviewer() -> None:
    heard: list[str] = []
    outcomes: list[OutcomeKind] = []
    made = from_langchain(FakeChatModel(answer=message(QUIET)))

    class Listener(BaseCallbackHandler):
        def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
            heard.append("reviewer")

    async def agent(_: object) -> None:
        outcomes.append((await reviewed(made)).outcome)

    asyncio.run(RunnableLambda(agent).ainvoke(None, {"callbacks": [Listener()]}))  # LangChain's own runs need asyncio.
    assert (outcomes, heard) == ([OutcomeKind.QUIET], [])
