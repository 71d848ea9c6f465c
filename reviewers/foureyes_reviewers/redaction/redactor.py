"""Taking secrets out of texts."""

from __future__ import annotations

from collections.abc import Iterable

from foureyes_reviewers.redaction.environment import MIN_SECRET
from foureyes_reviewers.redaction.patterns import BUILT_IN, Pattern

__all__ = ["Redactor"]


class Redactor:
    """Takes known secrets, and what has the form of one, out of texts; in their place stands a marker."""

    def __init__(self, secrets: Iterable[str] = (), patterns: tuple[Pattern, ...] = BUILT_IN) -> None:
        self._secrets = sorted({secret for secret in secrets if len(secret) >= MIN_SECRET}, key=len, reverse=True)
        self._patterns = patterns

    def redacted(self, text: str) -> str:
        """Return the text without secrets. What is redacted already stays as it is."""
        for secret in self._secrets:
            text = text.replace(secret, "[redacted: secret]")
        for pattern in self._patterns:
            text = pattern.form.sub(f"[redacted: {pattern.kind}]", text)
        return text

    def redacted_value(self, value: object) -> object:
        """Return JSON-like data without secrets, as new data."""
        if isinstance(value, str):
            return self.redacted(value)
        if isinstance(value, dict):
            return {self.redacted(str(key)): self.redacted_value(one) for key, one in value.items()}
        return [self.redacted_value(one) for one in value] if isinstance(value, list | tuple) else value
