"""Every exception that foureyes raises, and those that a reviewer may raise to say what is wrong.

Two families. A :class:`FoureyesError` reaches the caller: the settings are wrong, or the host broke the contract.
A :class:`ReviewerError` is raised *by a reviewer* and never reaches the agent's run: it becomes the outcome of
that review.
"""

from __future__ import annotations

from math import inf, isfinite
from typing import ClassVar

from foureyes.core.refusal import ConfigError, FoureyesError
from foureyes.core.words import OutcomeKind

__all__ = [
    "BudgetError",
    "ConfigError",
    "ContextOverflowError",
    "FoureyesError",
    "HostError",
    "MisconfiguredError",
    "QuotaExhaustedError",
    "RateLimitedError",
    "RefusedError",
    "ReviewerError",
    "RevisionConflictError",
    "StateVersionError",
    "StoreError",
    "TransientReviewerError",
    "UnparsedReplyError",
    "UnusableReviewerError",
]


class HostError(FoureyesError):
    """The host broke the contract; the session's state is as it was before the call."""


class StoreError(FoureyesError):
    """A store could not read or write. The agent's run goes on without it."""


class RevisionConflictError(StoreError, HostError):
    """Somebody else moved the session on since it was loaded: two processes drive one session."""


class StateVersionError(StoreError):
    """The saved state was written by a newer foureyes and is refused, untouched."""


def _seconds(hint: object) -> float | None:
    # HTTP gives the hint as text, and as a date too, which is nothing to wait for.
    try:
        seconds = float(hint) if isinstance(hint, str | int | float) else None
    except ValueError:
        return None
    if seconds is None:
        return None
    return max(seconds, 0.0) if isfinite(seconds) else inf


class ReviewerError(Exception):
    """Raised by a reviewer: the review failed for good. Its outcome is ``error``."""

    outcome: ClassVar[OutcomeKind] = OutcomeKind.ERROR


class TransientReviewerError(ReviewerError):
    """Raised by a reviewer: worth another attempt inside the deadline."""

    def __init__(self, message: str = "", *, retry_after: float | str | None = None) -> None:
        self.retry_after = _seconds(retry_after)
        """Seconds that the provider asked us to wait, never negative; None where it did not say so in seconds.

        What is no finite number of seconds is infinite: longer than any deadline."""
        super().__init__(message)


class RateLimitedError(TransientReviewerError):
    """Raised by a reviewer: the provider asked to slow down."""

    outcome = OutcomeKind.RATE_LIMITED


class BudgetError(ReviewerError):
    """Raised to a reviewer that is about to go beyond its budget. The outcome of its review is ``error``."""


class UnusableReviewerError(ReviewerError):
    """Raised by a reviewer: it will fail like this until somebody sees to it, so it is paused at once."""

    def __init__(self, message: str = "", *, retry_after: float | str | None = None) -> None:
        self.retry_after = _seconds(retry_after)
        """Seconds after which the provider says that it may work again; None where it does not say."""
        super().__init__(message)


class MisconfiguredError(UnusableReviewerError):
    """Raised by a reviewer: the key, the model or the address is wrong. Its outcome is ``error``."""


class QuotaExhaustedError(UnusableReviewerError):
    """Raised by a reviewer: the account is used up, and trying again will not help."""

    outcome = OutcomeKind.QUOTA_EXHAUSTED


class RefusedError(ReviewerError):
    """Raised by a reviewer: the provider declined this content, and would decline it again."""

    outcome = OutcomeKind.REFUSED


class ContextOverflowError(ReviewerError):
    """Raised by a reviewer: the evidence does not fit into what it can read."""

    outcome = OutcomeKind.OVERFLOW


class UnparsedReplyError(ReviewerError):
    """Raised by a reviewer: what came back is no reply. Its outcome is ``unparsed``, never silence."""

    outcome = OutcomeKind.UNPARSED
