"""Secrets out of everything that leaves, before any cutting."""

from __future__ import annotations

from foureyes_reviewers.redaction.built_in import BUILT_IN
from foureyes_reviewers.redaction.environment import process_secrets
from foureyes_reviewers.redaction.patterns import Pattern
from foureyes_reviewers.redaction.redactor import LONGEST_SECRET, Redactor

__all__ = ["BUILT_IN", "LONGEST_SECRET", "Pattern", "Redactor", "process_secrets"]
