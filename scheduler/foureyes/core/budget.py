"""How much may still be used: the arithmetic of budgets.

Tokens are those read and written together. A cost that is not known is never taken for nothing: where money is
bounded, a review of unknown cost does not fit.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from foureyes.core.backend import BudgetConfig
from foureyes.core.facts import NO_USAGE, Usage
from foureyes.core.state import ReviewerState

__all__ = ["UNBOUNDED", "Room", "room", "spent"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """What is left of a budget."""

    tokens: float = inf
    """Tokens that may still be used; infinite = no bound. Never negative."""
    usd: float = inf
    """US dollars that may still be used; infinite = no bound. Below 0 where nobody knows what has been used."""

    def fits(self, estimate: Usage) -> bool:
        """Tell whether this much may still be used; equal to what is left fits.

        An estimate of nothing is no estimate: it fits as long as anything is left.
        """
        if estimate == NO_USAGE:
            return self.tokens > 0 and self.usd > 0
        return _tokens(estimate) <= self.tokens and _usd(estimate) <= self.usd

    def without(self, used: Usage) -> Room:
        """Return what is left once this much is used."""
        return Room(tokens=max(self.tokens - _tokens(used), 0), usd=_less(self.usd, _usd(used)))

    def within(self, other: Room) -> Room:
        """Return what is left where both must hold."""
        return Room(tokens=min(self.tokens, other.tokens), usd=min(self.usd, other.usd))


UNBOUNDED = Room()
"""No budget at all."""
_UNKNOWN = -1.0


def room(budget: BudgetConfig, *, session: Usage, request: Usage) -> Room:
    """Return what the budget leaves, after what was used in the session and, of that, in the request."""
    in_request = Room(tokens=_bound(budget.tokens_per_request), usd=_bound(budget.usd_per_request))
    in_session = Room(tokens=_bound(budget.tokens_per_session), usd=_bound(budget.usd_per_session))
    return in_request.without(request).within(in_session.without(session))


def spent(reviewers: Iterable[ReviewerState]) -> tuple[Usage, Usage]:
    """Return what all reviewers together used in the session, and in the request."""
    session = request = Usage(cost_usd=0.0)
    for progress in reviewers:
        session, request = session + progress.spent, request + progress.spent_in_request
    return session, request


def _bound(limit: float | None) -> float:
    return inf if limit is None else limit


def _tokens(usage: Usage) -> int:
    return usage.input_tokens + usage.output_tokens


def _usd(usage: Usage) -> float:
    if usage.cost_usd is not None:
        return usage.cost_usd
    return inf if _tokens(usage) else 0.0


def _less(usd: float, used: float) -> float:
    if usd == inf:
        return inf
    return _UNKNOWN if usd < 0 or used == inf else max(usd - used, 0.0)
