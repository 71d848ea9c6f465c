"""Reviewers that ask a model that the host has already: ``ReviewerConfig(reviewer=from_langchain(model))``."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from foureyes.core.account import UNKNOWN, Account
from foureyes.core.words import OutputMode
from foureyes.errors import ConfigError
from foureyes_reviewers.model.client import Client
from foureyes_reviewers.model.langchain_client import LangChainClient
from foureyes_reviewers.model.model_reviewer import ModelReviewer
from foureyes_reviewers.model.prices import price_of
from foureyes_reviewers.model.pydantic_ai_client import PydanticAIClient
from foureyes_reviewers.redaction import Redactor, process_secrets

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel
    from pydantic_ai.models import Model

__all__ = ["from_langchain", "from_pydantic_ai"]


def from_pydantic_ai(
    model: Model[Any] | str,
    *,
    instructions: str = "",
    policy: str = "",
    prices: Sequence[str] = (),
    output_mode: OutputMode = OutputMode.AUTO,
    max_output_tokens: int = 1_024,
    account: Account = UNKNOWN,
) -> ModelReviewer:
    """Return a reviewer that asks a model of pydantic-ai, or the one that a ``provider:model`` names.

    The parameters are those of :class:`~foureyes.core.backend.BackendConfig`, ``policy`` the text of a policy file;
    ``prices`` name the model as pydantic-ai does. ``auto`` is a schema where the model's profile has one, else words.
    ``account`` is the one that the model asks under, made with :func:`~foureyes.core.account.account`. Where it is not
    told and the agent's is declared, the reviewer is not called but with ``data_boundary = "any"``. Build the model
    without retries of its own: the reviewer's deadline covers them, and its attempts do not count them.

    Raises ConfigError where pydantic-ai is not installed.
    """
    client = _made("pydantic-ai", lambda: PydanticAIClient(model, output_mode, max_output_tokens))
    return _reviewer(client, instructions, policy, prices, max_output_tokens, account)


def from_langchain(
    chat_model: BaseChatModel,
    *,
    name: str = "",
    instructions: str = "",
    policy: str = "",
    prices: Sequence[str] = (),
    max_output_tokens: int = 1_024,
    account: Account = UNKNOWN,
) -> ModelReviewer:
    """Return a reviewer that asks a chat model of LangChain, in words alone.

    ``name`` is the model's in metrics and ``prices``; "" takes the model's own. ``max_output_tokens`` is what the model
    was made with: it is only used to tell beforehand what a review may cost. The rest is as in from_pydantic_ai.

    Raises ConfigError where langchain-core is not installed.
    """
    known = name or str(getattr(chat_model, "model_name", "") or getattr(chat_model, "model", ""))
    client = _made("langchain", lambda: LangChainClient(chat_model, known))
    return _reviewer(client, instructions, policy, prices, max_output_tokens, account)


def _made(extra: str, make: Callable[[], Client]) -> Client:
    try:
        return make()
    except ModuleNotFoundError as error:
        raise ConfigError(f"{error.name!r} is not installed: pip install 'foureyes[{extra}]'") from None


def _reviewer(
    client: Client, instructions: str, policy: str, prices: Sequence[str], limit: int, where: Account
) -> ModelReviewer:
    return ModelReviewer(
        client,
        redactor=Redactor(process_secrets(os.environ)),
        instructions=instructions,
        policy=policy,
        price=price_of(client.model, prices),
        max_output_tokens=limit,
        account=where,
    )
