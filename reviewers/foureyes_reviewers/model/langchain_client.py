"""Asking a chat model of LangChain, whoever its provider is."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import anyio.to_thread

from foureyes.core.facts import Usage
from foureyes.core.words import OutputMode
from foureyes_reviewers.model.answers import count, ending_of, text_of
from foureyes_reviewers.model.client import Completion, Form
from foureyes_reviewers.model.problem import Problem
from foureyes_reviewers.model.prompt import Prompt

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from langchain_core.messages import BaseMessage
    from langchain_core.runnables import RunnableConfig

__all__ = ["LangChainClient"]

_FORM = Form(mode=OutputMode.PROMPTED)
"""How a schema is asked for differs from integration to integration; words work with all of them."""


class LangChainClient:
    """Asks one chat model of LangChain. Its connections are LangChain's."""

    def __init__(self, chat_model: BaseChatModel, name: str) -> None:
        import langchain_core.messages  # noqa: F401 - now, and not inside the deadline of a review

        self.model = name
        self.form = _FORM
        self._chat_model = chat_model

    async def complete(self, prompt: Prompt, form: Form) -> Completion:
        """Return the model's answer. Raises what the model raises.

        LangChain knows asyncio alone: on trio the model is asked in a thread, which is left behind at the deadline.
        """
        from langchain_core.messages import HumanMessage, SystemMessage

        asked: list[BaseMessage] = [SystemMessage(prompt.system), HumanMessage("\n\n".join(prompt.messages))]
        # The callbacks of the agent's own run would take the reviewer's words for the agent's.
        config: RunnableConfig = {"callbacks": [], "tags": [], "metadata": {}, "run_name": "foureyes"}
        if _on_asyncio():
            return _completion(await self._chat_model.ainvoke(asked, config))
        return _completion(
            await anyio.to_thread.run_sync(lambda: self._chat_model.invoke(asked, config), abandon_on_cancel=True)
        )

    def adapted(self, form: Form, problem: Problem) -> bool:
        """Return False: there is one form."""
        return False

    async def aclose(self) -> None:
        """Do nothing: the model belongs to whoever made it."""


def _on_asyncio() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _completion(said: BaseMessage) -> Completion:
    usage: Any = getattr(said, "usage_metadata", None)
    ending: Mapping[str, Any] = getattr(said, "response_metadata", None) or {}
    reason = ending.get("finish_reason") or ending.get("stop_reason") or ending.get("done_reason")
    extra, calls = said.additional_kwargs, [getattr(said, name, None) for name in ("tool_calls", "invalid_tool_calls")]
    return Completion(
        text=text_of(said.content),
        usage=_usage(usage) if isinstance(usage, Mapping) else None,
        finish_reason=ending_of(said.content, reason, refusal=extra.get("refusal"), calls=any(calls)),
        written=count(usage, "input_token_details", "cache_creation"),
    )


def _usage(usage: Mapping[str, Any]) -> Usage:
    return Usage(
        input_tokens=count(usage, "input_tokens"),
        cached_tokens=count(usage, "input_token_details", "cache_read"),
        output_tokens=count(usage, "output_tokens"),
    )
