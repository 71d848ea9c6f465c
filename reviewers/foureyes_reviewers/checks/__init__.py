"""Reviewers that need no model: small rules that read the run and would rather be silent than wrong.

``use = "checks"`` in a reviewer's settings means :data:`reviewer`, which runs every rule of :data:`CHECKS`,
or those that the setting ``checks`` names.
"""

from __future__ import annotations

from foureyes_reviewers.checks.check import Check
from foureyes_reviewers.checks.registry import CHECKS, ChecksReviewer, reviewer

__all__ = ["CHECKS", "Check", "ChecksReviewer", "reviewer"]
