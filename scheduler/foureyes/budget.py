"""Money and tokens set aside before a review is made, so that reviews at the same time cannot overshoot together.

Each review is set aside for at its estimate, in the order of the reviewers: first those that stay in this process,
then those that leave it, whose evidence takes time to make ready. A further attempt, or a fallback, may take more while
something is left; else it is not made. What was really used is known from the state afterwards.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from contextlib import suppress
from typing import Protocol

from foureyes.core.backend import BudgetConfig
from foureyes.core.budget import Room, room, spent
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import NO_USAGE, Usage
from foureyes.core.state import SessionState

__all__ = ["Purse", "Reservation", "SharedUsage", "bounded"]


class SharedUsage(Protocol):
    """The host's own account of what its agent may use, to which reviews are charged as well."""

    def reserve(self, reviewer: str, estimate: Usage) -> bool:
        """Set this much aside for one review, and return whether there was enough. Must not block."""

    def settle(self, reviewer: str, estimate: Usage, used: Usage) -> None:
        """Take back what was set aside, and charge what was used in its place.

        Once for each that was granted; what a review has used is charged with its first, and nothing with those that
        its further attempts made.
        """


class Reservation:
    """What is set aside for one review."""

    def __init__(self, purse: Purse, reviewer: str, estimate: Usage) -> None:
        self._purse, self.reviewer, self.estimates = purse, reviewer, [estimate]
        self._held = estimate

    def covers(self, usage: Usage) -> bool:
        """Tell whether the review may use this much in all, and set aside what is missing for that."""
        missing = _beyond(usage, self._held)
        if missing is None:
            return True
        if not self._purse.take(self.reviewer, missing):
            return False
        self._held = usage
        self.estimates.append(missing)
        return True

    def settle(self, used: Usage) -> None:
        """Say what the review has used in the end."""
        self._purse.settle(self, used)


class Purse:
    """What may be used at one boundary."""

    def __init__(
        self, configs: Iterable[ReviewerConfig], state: SessionState, budget: BudgetConfig, shared: SharedUsage | None
    ) -> None:
        session, request = spent(state.reviewers.values())
        self._all = room(budget, session=session, request=request)
        self._rooms = {config.name: _own(config, state) for config in configs}
        self._shared, self._lock = shared, threading.Lock()

    def reserve(self, reviewer: str, estimate: Usage) -> Reservation | None:
        """Set aside what a review may use; None where that is more than is left."""
        with self._lock:
            if not self._fits(reviewer, estimate) or not self._lent(reviewer, estimate):
                return None
            self._take(reviewer, estimate)
        return Reservation(self, reviewer, estimate)

    def take(self, reviewer: str, more: Usage) -> bool:
        """Set aside more for a review that is under way, and return whether so much was left."""
        with self._lock:
            if not self._fits(reviewer, more) or not self._lent(reviewer, more):
                return False
            self._take(reviewer, more)
        return True

    def settle(self, reservation: Reservation, used: Usage) -> None:
        """Tell the host's account what a review has used."""
        if (shared := self._shared) is None:
            return
        for place, estimate in enumerate(reservation.estimates):
            with suppress(Exception):  # Foreign code, and its review is over.
                shared.settle(reservation.reviewer, estimate, NO_USAGE if place else used)

    def _fits(self, reviewer: str, usage: Usage) -> bool:
        return self._all.fits(usage) and self._rooms[reviewer].fits(usage)

    def _take(self, reviewer: str, usage: Usage) -> None:
        self._all, self._rooms[reviewer] = self._all.without(usage), self._rooms[reviewer].without(usage)

    def _lent(self, reviewer: str, estimate: Usage) -> bool:
        if self._shared is None:
            return True
        try:
            return bool(self._shared.reserve(reviewer, estimate))
        except Exception:  # noqa: BLE001 - foreign code; who cannot say yes has not said it
            return False


def bounded(configs: Iterable[ReviewerConfig], budget: BudgetConfig) -> bool:
    """Tell whether any budget is declared."""
    return any(table != BudgetConfig() for table in (budget, *(config.budget for config in configs)))


def _own(config: ReviewerConfig, state: SessionState) -> Room:
    progress = state.reviewer(config.name)
    return room(config.budget, session=progress.spent, request=progress.spent_in_request)


def _beyond(usage: Usage, held: Usage) -> Usage | None:
    read, written = usage.input_tokens - held.input_tokens, usage.output_tokens - held.output_tokens
    known = 0.0 if held == NO_USAGE else held.cost_usd
    cost = None if usage.cost_usd is None or known is None else max(usage.cost_usd - known, 0.0)
    if usage.cost_usd is None and known is not None and usage != NO_USAGE:
        read = max(read, 1)  # What costs nobody knows what is more than what was held, whatever its length.
    if read <= 0 and written <= 0 and not cost:
        return None
    return Usage(input_tokens=max(read, 0), output_tokens=max(written, 0), cost_usd=cost)
