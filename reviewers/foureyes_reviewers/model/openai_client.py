"""Asking a model through the chat-completions API, with the ``openai`` library."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from foureyes.core.facts import Usage
from foureyes.core.words import OutputMode, Reasoning
from foureyes_reviewers.model.answers import JSON, answered, count, ending_of, fail_if_error, text_of
from foureyes_reviewers.model.client import Completion, Form
from foureyes_reviewers.model.connections import PerLoop, http_client, posted
from foureyes_reviewers.model.contract import REPLY_NAME, REPLY_SCHEMA
from foureyes_reviewers.model.credentials import Endpoint
from foureyes_reviewers.model.modes import Modes
from foureyes_reviewers.model.problem import Problem
from foureyes_reviewers.model.prompt import Prompt

if TYPE_CHECKING:
    from openai import AsyncOpenAI

__all__ = ["OpenAIClient", "messages_of"]

NEW, OLD = "max_completion_tokens", "max_tokens"
"""The names of the limit: OpenAI's own newer models know the first alone, many servers the second alone."""
_SCHEMA = {"type": "json_schema", "json_schema": {"name": REPLY_NAME, "strict": True, "schema": REPLY_SCHEMA}}
_FORMATS: dict[OutputMode, Any] = {
    OutputMode.JSON_SCHEMA: {"response_format": _SCHEMA},
    OutputMode.JSON_OBJECT: {"response_format": {"type": "json_object"}},
    OutputMode.PROMPTED: {},
}
_UNKNOWN_LIMIT = re.compile(r"max_(?:completion_)?tokens")


class OpenAIClient:
    """Asks one model of an endpoint that speaks chat completions."""

    def __init__(self, endpoint: Endpoint, model: str, mode: OutputMode, limit: int, reasoning: Reasoning) -> None:
        from openai import Omit  # now, and not inside the deadline of a review

        self.model = model
        self._headers = {name: Omit() if value is None else value for name, value in endpoint.headers().items()}
        self._endpoint, self._limit, self._reasoning = endpoint, limit, reasoning
        self._kept = endpoint.confidential()
        self._modes = Modes(mode, tuple(_FORMATS), (NEW, OLD) if endpoint.own else (OLD, NEW))
        self._sdk: PerLoop[AsyncOpenAI] = PerLoop(self._connected)

    @property
    def form(self) -> Form:
        """Return the form that the next question is put in."""
        return self._modes.form

    async def complete(self, prompt: Prompt, form: Form) -> Completion:
        """Return the model's answer. Raises the library's errors, ProviderError, and UnparsedReplyError."""
        options = {"headers": self._headers}
        raw = await posted(
            self._sdk.here().post, "/chat/completions", self._kept, body=self._body(prompt, form), options=options
        )
        return _completion(answered(raw, "chat completion", "choices"))

    def adapted(self, form: Form, problem: Problem) -> bool:
        """Tell whether the endpoint may accept the question in another form."""
        return self._modes.adapted(form, problem, _UNKNOWN_LIMIT)

    async def aclose(self) -> None:
        """Close the connections of the running event loop."""
        await self._sdk.aclose()

    def _body(self, prompt: Prompt, form: Form) -> dict[str, Any]:
        thought = {} if self._reasoning is Reasoning.OFF else {"reasoning_effort": self._reasoning.value}
        return {
            "model": self.model,
            "messages": messages_of(prompt, apart=self._endpoint.own),
            form.dialect: self._limit,
            **_FORMATS[form.mode],
            **thought,
        }

    def _connected(self) -> AsyncOpenAI:
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            api_key=self._endpoint.key or "none",  # Without a key the header is left out.
            base_url=self._endpoint.address,
            max_retries=0,
            timeout=None,
            http_client=http_client(self._endpoint.address),
        )


def messages_of(prompt: Prompt, *, apart: bool) -> list[dict[str, str]]:
    """Return the messages of a request: the rules, then the user's, each by itself where they are to stand ``apart``.

    OpenAI's newer models cache up to the end of a message, and never the last one, so there they stand apart. Other
    servers cache up to any token, and the chat template of one may refuse two user messages in a row.
    """
    texts = prompt.messages if apart else ("\n\n".join(prompt.messages),)
    return [{"role": "system", "content": prompt.system}, *({"role": "user", "content": text} for text in texts)]


def _completion(data: JSON) -> Completion:
    choices = data["choices"]
    choice = _mapping(choices[0] if isinstance(choices, list) and choices else None)
    fail_if_error(choice)
    message = _mapping(choice.get("message"))
    content, calls = message.get("content"), message.get("tool_calls") or message.get("function_call")
    return Completion(
        text=text_of(content),
        usage=_usage(data.get("usage")),
        finish_reason=ending_of(content, choice.get("finish_reason"), refusal=message.get("refusal"), calls=calls),
    )


def _mapping(value: object) -> JSON:
    return value if isinstance(value, dict) else {}


def _usage(usage: object) -> Usage | None:
    if not isinstance(usage, dict):
        return None
    return Usage(
        input_tokens=count(usage, "prompt_tokens"),
        cached_tokens=count(usage, "prompt_tokens_details", "cached_tokens"),
        output_tokens=count(usage, "completion_tokens"),
    )
