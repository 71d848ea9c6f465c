"""Rates with the interval that they are known to: 3 of 4 and 300 of 400 are not the same news."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from statistics import NormalDist

__all__ = ["LEVEL", "Rate"]

LEVEL = 0.95
"""How sure the interval is: 19 of 20 such intervals hold the true rate."""
_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rate:
    """How many of how many. Raises ValueError unless 0 <= hits <= of."""

    hits: int
    of: int

    def __post_init__(self) -> None:
        if not 0 <= self.hits <= self.of:
            raise ValueError(f"{self.hits} of {self.of} is no rate")

    @property
    def share(self) -> float | None:
        """Return the rate, 0 to 1; None of nothing."""
        return self.hits / self.of if self.of else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Return the Wilson score interval at 95 %, inside 0 to 1; None of nothing.

        It holds for few runs and for rates near 0 and 1 too, where the usual plus-or-minus does not. Its lower end is
        0 for no hit, and its upper end 1 where all are hits.
        """
        if not self.of:
            return None
        share, spread = self.hits / self.of, _Z**2 / self.of
        middle = share + spread / 2
        reach = _Z * sqrt(share * (1 - share) / self.of + spread / (4 * self.of))
        low = (middle - reach) / (1 + spread) if self.hits else 0.0
        high = (middle + reach) / (1 + spread) if self.hits < self.of else 1.0
        return low, high
