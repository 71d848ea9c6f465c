"""What the model is asked."""

from __future__ import annotations

from dataclasses import dataclass

from foureyes.core.facts import Review
from foureyes_reviewers.redaction import Redactor

__all__ = ["Prompt", "prompt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """One question to a model: what never changes first, so that providers can cache it."""

    system: str
    """The rules and the operator's instructions: byte for byte the same for every review of this reviewer."""
    messages: tuple[str, ...]
    """User-role texts in order. The first is the same for every review of one request; all others change. A client
    may send them as messages, as blocks of one message, or joined by a blank line."""


def prompt(review: Review, instructions: str, policy: str, redactor: Redactor, reference: str) -> Prompt:
    """Return the question for this review, without secrets."""
    seen = "\n".join(f"{message.role}: {redactor.redacted(message.text)}" for message in review.messages)
    return Prompt(
        system=redactor.redacted(instructions),
        messages=(redactor.redacted(f"{policy}\n{review.request}"), f"[{reference}]\n{seen}\n[/{reference}]"),
    )
