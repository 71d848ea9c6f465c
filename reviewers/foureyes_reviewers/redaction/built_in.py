"""The forms of secrets that are looked for unless others are given."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from foureyes_reviewers.redaction.assignments import OPTIONS, PAIRS, Assignments
from foureyes_reviewers.redaction.blocks import Blocks
from foureyes_reviewers.redaction.carried import CARRIED
from foureyes_reviewers.redaction.looks import Look
from foureyes_reviewers.redaction.makers import TOKENS
from foureyes_reviewers.redaction.spans import Span

__all__ = ["BUILT_IN", "Finder"]


class Finder(Protocol):
    """Finds secrets of one form."""

    def spans(self, look: Look) -> Iterator[Span]:
        """Yield the secrets in the text, in time proportional to its length."""


BUILT_IN: tuple[Finder, ...] = (*TOKENS, *CARRIED, PAIRS, OPTIONS, Assignments(), Blocks())
"""Keys and tokens of well-known makers first, then what is secret for its place, and then for its name."""
