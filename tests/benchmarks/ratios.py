"""Ratios of two costs, measured side by side: the only figure that means the same on two machines."""

from __future__ import annotations

from collections.abc import Callable
from statistics import median
from time import perf_counter

__all__ = ["ratio"]


def ratio(
    subject: Callable[[], object], reference: Callable[[], object], *, rounds: int = 15, inner: int = 100
) -> float:
    """Return how many times as long the subject takes as the reference: the median over the rounds.

    A round calls each of both ``inner`` times in a row, and every other round begins with the reference, so that a
    machine that changes its speed meanwhile does it to both. One unmeasured call of each comes first.
    """
    subject()
    reference()
    found = []
    for number in range(rounds):
        order = (subject, reference) if number % 2 == 0 else (reference, subject)
        seconds = {call: _seconds(call, inner) for call in order}
        found.append(seconds[subject] / seconds[reference])
    return median(found)


def _seconds(call: Callable[[], object], inner: int) -> float:
    began = perf_counter()
    for _ in range(inner):
        call()
    return perf_counter() - began
