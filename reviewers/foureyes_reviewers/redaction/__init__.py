"""Secrets out of everything that leaves, before any cutting."""

from __future__ import annotations

from foureyes_reviewers.redaction.environment import process_secrets
from foureyes_reviewers.redaction.patterns import BUILT_IN, Pattern
from foureyes_reviewers.redaction.redactor import Redactor

__all__ = ["BUILT_IN", "Pattern", "Redactor", "process_secrets"]
