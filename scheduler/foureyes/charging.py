"""What a review has used, told while it runs: an attempt that fails or is cut off has been paid for all the same.

A reviewer calls :func:`expect` before it asks a provider, with what the attempt may cost, and :func:`charge` once it
knows. What was expected and never charged counts in full. A reviewer that reports its usage with its reply needs
neither.
"""

from __future__ import annotations

from contextvars import ContextVar
from dataclasses import dataclass

from foureyes.budget import Reservation
from foureyes.core.facts import Spend, Usage, total
from foureyes.core.text import clean
from foureyes.errors import BudgetError
from foureyes.replies import read_usage

__all__ = ["Meter", "charge", "expect", "metered"]


@dataclass(slots=True, kw_only=True)
class Meter:
    """What one review has used so far."""

    spent: tuple[Spend, ...] = ()
    expected: Spend | None = None
    """What the attempt under way may cost; None where none is known of."""
    reservation: Reservation | None = None
    """What the budget has set aside for the review; None where there is no budget."""

    @property
    def total(self) -> tuple[Spend, ...]:
        """Return what was used, the attempt under way included."""
        return self.spent if self.expected is None else (*self.spent, self.expected)


_MAX_MODEL = 200

_METER: ContextVar[Meter | None] = ContextVar("foureyes_meter", default=None)


def metered(meter: Meter) -> None:
    """Make this the meter of the task that calls, and of the threads that its reviewer runs in."""
    _METER.set(meter)


def expect(usage: Usage, *, model: str = "") -> None:
    """Say what the attempt that begins now may use. Outside of a review this does nothing.

    Raises BudgetError, which is not to be caught, where the reviewer's budget has no room for another attempt.
    """
    meter, guess = _METER.get(), read_usage(usage)
    if meter is None:
        return
    if meter.reservation is not None and not meter.reservation.covers(total(meter.spent) + guess):
        raise BudgetError("another attempt would go beyond the budget")
    meter.expected = Spend(model=_short(model), usage=guess)


def charge(usage: Usage, *, model: str = "") -> None:
    """Say what an attempt has used, in place of what was expected of it. Outside of a review this does nothing.

    ``model`` is its name as declared, "" where there is none. What is no plain number counts as 0 tokens, and as an
    unknown cost.
    """
    meter = _METER.get()
    if meter is not None:
        meter.spent = (*meter.spent, Spend(model=_short(model), usage=read_usage(usage)))
        meter.expected = None


def _short(model: object) -> str:
    return clean(model[:_MAX_MODEL]) if isinstance(model, str) else ""
