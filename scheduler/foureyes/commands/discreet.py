"""A reviewer's settings as they may be shown: a secret may stand in a command's arguments, or anywhere by mistake."""

from __future__ import annotations

from typing import Any

from foureyes.core.config import ReviewerConfig
from foureyes.core.text import Redact
from foureyes.loading import redactor

__all__ = ["discreet"]


def discreet(config: ReviewerConfig, *, mode: str = "python") -> dict[str, Any]:
    """Return the settings by name, without the callable and without secrets; ``mode`` is pydantic's."""
    redact = redactor([config])
    return {key: _plain(value, redact) for key, value in config.model_dump(mode=mode, exclude={"reviewer"}).items()}


def _plain(value: Any, redact: Redact) -> Any:
    if type(value) is str:
        return redact(value)
    if type(value) in (list, tuple):
        return type(value)(_plain(one, redact) for one in value)
    return value
