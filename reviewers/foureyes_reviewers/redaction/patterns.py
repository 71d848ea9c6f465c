"""Forms by which a secret is known without knowing the secret."""

from __future__ import annotations

import re
from dataclasses import dataclass

__all__ = ["BUILT_IN", "Pattern"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Pattern:
    """One form of secrets."""

    kind: str
    """What the marker calls it: ``[redacted: <kind>]``."""
    form: re.Pattern[str]
    """What is replaced: its group ``secret`` where it has one, else the whole match."""


BUILT_IN: tuple[Pattern, ...] = (
    Pattern(kind="aws key", form=re.compile(r"(?<![A-Za-z0-9])(?:AKIA|ASIA)[A-Z0-9]{16}(?![A-Za-z0-9])")),
    Pattern(kind="api key", form=re.compile(r"(?<![A-Za-z0-9])sk-(?=[A-Za-z_-]{0,60}\d)[A-Za-z0-9_-]{16,}")),
)
"""The patterns that are used unless others are given."""
