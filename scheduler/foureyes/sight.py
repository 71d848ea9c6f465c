"""What reviewers with the same evidence bounds see at one boundary."""

from __future__ import annotations

from collections.abc import Sequence

from foureyes.core.config import ReviewerConfig
from foureyes.core.evidence import evidence, evidence_like, window
from foureyes.core.facts import Review
from foureyes.core.schedule import Call
from foureyes.core.state import SessionState
from foureyes.core.text import Redact
from foureyes.visit import Visit

__all__ = ["Sight"]


class Sight:
    """What reviewers with the same bounds see at one boundary; made by the first that asks, and kept for the others."""

    def __init__(self, state: SessionState, visit: Visit, messages: Sequence[object], permitted: str) -> None:
        """Begin with the newest ``messages`` of the visit, as many as the bounds may need, or all.

        ``permitted`` is what the agent may do, in the host's words.
        """
        self._state, self._answer, self._permitted = state, visit.answer, permitted
        self._messages, self._older = messages, visit.length - len(messages)
        self._base: Review | None = None

    def review(self, call: Call, config: ReviewerConfig, new: int, redact: Redact) -> Review:
        """Return what the reviewer is told for this call; ``new`` messages came after its last review."""
        timeout, most = config.timeout_seconds, config.guard.max_notes
        if self._base is not None:
            return evidence_like(self._base, self._state, call, timeout, new=new, max_notes=most)
        seen = window(self._state, self._messages, config.evidence, redact, self._older)
        self._base = evidence(
            self._state,
            call,
            seen,
            self._answer,
            timeout,
            redact,
            new=new,
            max_notes=most,
            permitted=self._permitted,
        )
        return self._base
