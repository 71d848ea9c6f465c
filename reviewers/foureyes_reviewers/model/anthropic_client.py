"""Asking a model through the messages API, with the ``anthropic`` library.

The modes of this API: ``json_schema`` is its structured output; ``json_object``, which it does not have, is a tool
that the model has to call with its reply, which older models know too; ``prompted`` is words alone.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from foureyes.core.facts import Usage
from foureyes.core.words import OutputMode, Reasoning
from foureyes.errors import ConfigError
from foureyes_reviewers.model.answers import JSON, answered, count, ending_of, text_of
from foureyes_reviewers.model.client import Completion, Form
from foureyes_reviewers.model.connections import PerLoop, http_client, posted
from foureyes_reviewers.model.contract import REPLY_NAME, REPLY_SCHEMA
from foureyes_reviewers.model.credentials import Endpoint
from foureyes_reviewers.model.modes import Modes
from foureyes_reviewers.model.problem import Problem
from foureyes_reviewers.model.prompt import Prompt

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic

__all__ = ["AnthropicClient"]

MIN_THINKING = 1_024
"""Tokens below which the API takes no budget for thinking."""
_MODES = (OutputMode.JSON_SCHEMA, OutputMode.JSON_OBJECT, OutputMode.PROMPTED)
_ADAPTIVE, _BUDGET = "adaptive", "enabled"
_SHARES = {Reasoning.MINIMAL: 0.0, Reasoning.LOW: 0.25, Reasoning.MEDIUM: 0.5, Reasoning.HIGH: 0.75}
"""Of the output tokens, how many may be thought."""
_EFFORTS = {Reasoning.MINIMAL: "low"}
_UNKNOWN_THINKING = re.compile(r"thinking|adaptive|effort", re.IGNORECASE)
_CACHED = {"cache_control": {"type": "ephemeral"}}
_TOOL = {"name": REPLY_NAME, "description": "Give your reply.", "input_schema": REPLY_SCHEMA}


class AnthropicClient:
    """Asks one model of an endpoint that speaks messages."""

    def __init__(self, endpoint: Endpoint, model: str, mode: OutputMode, limit: int, reasoning: Reasoning) -> None:
        import anthropic  # noqa: F401 - now, and not inside the deadline of a review

        if reasoning is not Reasoning.OFF and limit < 2 * MIN_THINKING:
            raise ConfigError(f"'max_output_tokens' must be at least {2 * MIN_THINKING} with 'reasoning': it counts")
        self.model = model
        self._endpoint, self._limit, self._reasoning = endpoint, limit, reasoning
        self._kept = endpoint.confidential()
        self._modes = Modes(mode, _MODES, (_ADAPTIVE, _BUDGET))
        self._sdk: PerLoop[AsyncAnthropic] = PerLoop(self._connected)

    @property
    def form(self) -> Form:
        """Return the form that the next question is put in."""
        return self._modes.form

    async def complete(self, prompt: Prompt, form: Form) -> Completion:
        """Return the model's answer. Raises the library's errors, ProviderError, and UnparsedReplyError."""
        raw = await posted(self._sdk.here().post, "/v1/messages", self._kept, body=self._body(prompt, form))
        return _completion(answered(raw, "message", "content"))

    def adapted(self, form: Form, problem: Problem) -> bool:
        """Tell whether the endpoint may accept the question in another form."""
        thinks = self._reasoning is not Reasoning.OFF
        return self._modes.adapted(form, problem, _UNKNOWN_THINKING if thinks else None)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._sdk.aclose()

    def _body(self, prompt: Prompt, form: Form) -> dict[str, Any]:
        return {
            "model": self.model,
            "max_tokens": self._limit,
            "system": [{"type": "text", "text": prompt.system, **_CACHED}],
            "messages": [{"role": "user", "content": _blocks(prompt)}],
            **self._shaped(form),
        }

    def _shaped(self, form: Form) -> dict[str, Any]:
        shape, config = self._thinking(form)
        if form.mode is OutputMode.JSON_SCHEMA:
            config["format"] = {"type": "json_schema", "schema": REPLY_SCHEMA}
        elif form.mode is OutputMode.JSON_OBJECT:
            # A model that thinks may not be made to call a tool.
            forced = {"type": "tool", "name": REPLY_NAME} if self._reasoning is Reasoning.OFF else {"type": "auto"}
            shape |= {"tools": [_TOOL], "tool_choice": forced}
        return shape | ({"output_config": config} if config else {})

    def _thinking(self, form: Form) -> tuple[dict[str, Any], dict[str, Any]]:
        if self._reasoning is Reasoning.OFF:
            return {}, {}
        if form.dialect == _ADAPTIVE:
            effort = _EFFORTS.get(self._reasoning, self._reasoning.value)
            return {"thinking": {"type": _ADAPTIVE}}, {"effort": effort}
        budget = max(MIN_THINKING, int(self._limit * _SHARES[self._reasoning]))
        return {"thinking": {"type": _BUDGET, "budget_tokens": budget}}, {}

    def _connected(self) -> AsyncAnthropic:
        from anthropic import AsyncAnthropic, Omit

        told = self._endpoint.headers()
        headers: dict[str, Any] = {name: Omit() if value is None else value for name, value in told.items()}
        return AsyncAnthropic(
            api_key=self._endpoint.key or "none",  # Without a key the header is left out.
            base_url=self._endpoint.address,
            max_retries=0,
            timeout=None,
            default_headers=headers,
            http_client=http_client(self._endpoint.address),
            open_telemetry=False,  # Its spans may hold the transcript.
        )


def _blocks(prompt: Prompt) -> list[dict[str, Any]]:
    # A provider caches up to a mark, and from there finds what it has cached up to the 20 blocks before. To write costs
    # a quarter more than to read, so the run is only marked where somebody will read it again.
    marked = {0, prompt.lasting - 1} if prompt.again else {0}
    # Not every server puts anything between two blocks.
    blocks = [{"type": "text", "text": f"{text}\n\n"} for text in prompt.messages]
    return [block | _CACHED if place in marked else block for place, block in enumerate(blocks)]


def _completion(data: JSON) -> Completion:
    content, reason, usage = data["content"], data.get("stop_reason"), data.get("usage")
    blocks = content if isinstance(content, list) else []
    replies = [json.dumps(block.get("input")) for block in blocks if _is_reply(block)]
    if replies:
        # The tool is the way to answer, and what is said beside it is a part of the answer.
        content = [*(block for block in blocks if not _is_reply(block)), *map("\n".__add__, replies)]
        reason = "end_turn" if reason == "tool_use" else reason
    return Completion(
        text=text_of(content),
        usage=_usage(usage) if isinstance(usage, dict) else None,
        finish_reason=ending_of(content, reason),
        written=count(usage, "cache_creation_input_tokens"),
    )


def _is_reply(block: object) -> bool:
    return isinstance(block, dict) and block.get("type") == "tool_use" and block.get("name") == REPLY_NAME


def _usage(usage: dict[str, Any]) -> Usage:
    cached, written = count(usage, "cache_read_input_tokens"), count(usage, "cache_creation_input_tokens")
    return Usage(
        input_tokens=count(usage, "input_tokens") + cached + written,
        cached_tokens=cached,
        output_tokens=count(usage, "output_tokens"),
    )
