"""Reviewers that ask a server on loopback, and what came of their reviews."""

from __future__ import annotations

import json
from typing import Any

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import OutcomeKind, SkipReason
from foureyes.guidance import Guidance

from .model_server import Act, ModelServer, answer

__all__ = ["TASK", "config", "kinds", "notes", "skipped"]

TASK = {"role": "user", "content": "Do the work."}


def config(server: ModelServer, name: str = "one", **settings: Any) -> ReviewerConfig:
    """Return a reviewer that asks the server's small model after every turn and does not rest after an error."""
    usual: dict[str, Any] = {"model": "small", "base_url": server.url, "interval_turns": 1, "max_rounds": 0}
    usual |= {"cooldown_turns": 0, "max_periodic_reviews": 99, "pause_after_failures": 99}
    return ReviewerConfig(name=name, use="model", **(usual | settings))


def kinds(*guidances: Guidance) -> list[OutcomeKind]:
    """Return how the reviews ended, in order."""
    return [called.outcome for guidance in guidances for called in guidance.outcomes]


def skipped(*guidances: Guidance) -> list[SkipReason]:
    """Return why nobody was called, in order."""
    return [skip.reason for guidance in guidances for skip in guidance.skips]


def notes(*entries: tuple[object, str]) -> Act:
    """Answer with these notes: severity and text of each."""
    return answer(json.dumps({"notes": [{"severity": severity, "text": text} for severity, text in entries]}))
