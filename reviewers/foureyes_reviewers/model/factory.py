"""Making the reviewer that ``use = "model"`` names from its settings."""

from __future__ import annotations

import os
from pathlib import Path

from foureyes.core.account import account, secrets_in
from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol
from foureyes.errors import ConfigError
from foureyes_reviewers.model.anthropic_client import AnthropicClient
from foureyes_reviewers.model.client import Client
from foureyes_reviewers.model.connections import trusted
from foureyes_reviewers.model.credentials import Endpoint, endpoint
from foureyes_reviewers.model.model_reviewer import ModelReviewer
from foureyes_reviewers.model.openai_client import OpenAIClient
from foureyes_reviewers.model.policy import read_policy
from foureyes_reviewers.model.prices import price_of
from foureyes_reviewers.redaction import Redactor, process_secrets

__all__ = ["ModelFactory"]


class ModelFactory:
    """Makes model reviewers. The provider's library is imported here, and never inside the deadline of a review."""

    def from_config(self, config: ReviewerConfig) -> ModelReviewer:
        """Return the reviewer that asks ``config.model``; its fallback models are reviewers of their own.

        Raises ConfigError where the model or the key is missing, where there is no such policy file or it cannot be
        read, and where the provider's library is not installed.
        """
        if not config.model:
            raise ConfigError("use = 'model' needs 'model'")
        where = endpoint(config, os.environ)
        redactor = Redactor({*process_secrets(os.environ), *filter(None, [where.key]), *secrets_in(where.address)})
        return ModelReviewer(
            _client(where, config.model, config),
            redactor=redactor,
            instructions=config.instructions,
            policy=read_policy(Path.cwd(), config.policy_file, redactor.redacted) if config.policy_file else "",
            price=price_of(config.model, config.prices),
            max_output_tokens=config.max_output_tokens,
            account=account(where.protocol, where.address, where.key),
            confidential=where.confidential(),
        )


def _client(where: Endpoint, model: str, config: ReviewerConfig) -> Client:
    kind = AnthropicClient if where.protocol is ApiProtocol.ANTHROPIC else OpenAIClient
    try:
        if where.address.startswith("https:"):
            trusted()
        return kind(where, model, config.output_mode, config.max_output_tokens, config.reasoning)
    except ModuleNotFoundError as error:
        extra = where.protocol.value
        raise ConfigError(f"{error.name!r} is not installed: pip install 'foureyes[{extra}]'") from None
