"""Rates and rosters in plain words."""

from __future__ import annotations

from foureyes.replay.wilson import Rate

__all__ = ["CADENCE", "interval", "percent", "rated"]

CADENCE = "after every turn and at every finish, no caps"
"""The cadence of the fixed roster."""


def percent(share: float | None) -> str:
    """Return ``4.6 %``, or a dash where there is nothing of which it would be a share."""
    return "-" if share is None else f"{100 * share:.1f} %"


def interval(rate: Rate) -> str:
    """Return ``2.0-10.3``, the ends of the interval in percent; "" where there is none."""
    if rate.interval is None:
        return ""
    low, high = rate.interval
    return f"{100 * low:.1f}-{100 * high:.1f}"


def rated(rate: Rate) -> str:
    """Return ``4.6 % [2.0-10.3]``, or a dash of nothing."""
    return f"{percent(rate.share)} [{interval(rate)}]" if rate.of else "-"
