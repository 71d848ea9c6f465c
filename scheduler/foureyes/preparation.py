"""The evidence of a reviewer that lets it leave: made ready beside the event loop, inside the reviewer's deadline.

Taking secrets out of a hostile text may take as long as a model takes to answer. So it is a part of the review.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import anyio

from foureyes.budget import Reservation
from foureyes.calling import Caller
from foureyes.core.facts import Review, Usage
from foureyes.core.frozen import altered
from foureyes.core.text import Redact
from foureyes.threads import beside

__all__ = ["Budgeting", "Preparation", "TimeUpError"]


class TimeUpError(Exception):
    """Raised to the work once its deadline has passed, or nobody waits for it any more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Budgeting:
    """How a boundary gives out its budget, once it is known what a review shows."""

    estimate: Callable[[str, Review], Usage]
    """Returns what the reviewer of this name may use for the review; called beside the event loop."""
    reserve: Callable[[str, Usage], Reservation | None]
    """Sets that much aside, None where there is not so much; called on the event loop."""


class Preparation:
    """One review that is made ready beside the event loop, after the one ``before`` it has been, or has not.

    That one has the same sight, so what it has made is used again; or it comes first where a budget is given out.
    """

    def __init__(
        self,
        caller: Caller,
        make: Callable[[Redact], Review],
        before: Preparation | None = None,
        budgeting: Budgeting | None = None,
    ) -> None:
        self.reservation: Reservation | None = None
        """What the budget has set aside; None where it has no room, or where there is none."""
        self._caller, self._make = caller, make
        self._before, self._budgeting = before, budgeting
        self._ends = 0.0
        self._is_over, self._over = False, anyio.Event()

    async def review(self) -> Review | None:
        """Return the review; None where the budget has no room for it. Its deadline runs from now.

        Raises TimeUpError where the deadline passes before the review is ready.
        """
        self._ends = self._caller.clock.monotonic() + self._caller.config.timeout_seconds
        try:
            if self._before is not None:
                await self._before.ended()
            review, estimate = await beside(self._made)
            return review if estimate is None or self._affords(estimate) else None
        finally:
            self.end()

    def end(self) -> None:
        """Let work that is still under way stop, and the next one begin."""
        self._is_over, self._before = True, None
        self._over.set()

    async def ended(self) -> None:
        """Return once this one is ready, or has been given up."""
        await self._over.wait()

    def _made(self) -> tuple[Review, Usage | None]:
        if (refresh := getattr(self._caller.redact, "refresh", None)) is not None:
            refresh()
        # A copy, so that what this reviewer does to its own is not shown to the next.
        review = altered(self._make(self._redacted))
        estimate = self._budgeting.estimate(self._name, review) if self._budgeting else None
        self._check()
        return review, estimate

    def _redacted(self, text: str) -> str:
        self._check()
        return self._caller.redact(text)

    def _check(self) -> None:
        if self._is_over or self._caller.clock.monotonic() >= self._ends:
            raise TimeUpError

    def _affords(self, estimate: Usage) -> bool:
        if self._budgeting is not None and not self._is_over:
            self.reservation = self._budgeting.reserve(self._name, estimate)
        return self.reservation is not None

    @property
    def _name(self) -> str:
        return self._caller.config.name
