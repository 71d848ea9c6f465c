"""The reviewers of a replay for which none are configured."""

from __future__ import annotations

from foureyes.core.config import ReviewerConfig

__all__ = ["BUILT_IN"]

BUILT_IN: tuple[ReviewerConfig, ...] = (ReviewerConfig(name="checks", use="checks", interval_turns=3),)
"""One reviewer that needs no model, key or network. Every 3 turns: often enough to see a loop while it turns."""
