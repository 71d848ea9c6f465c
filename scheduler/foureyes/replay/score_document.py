"""A score as plain JSON values, for programs."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import TypeVar

from foureyes.replay.checklist import USE, Listed
from foureyes.replay.score import Rung, Score
from foureyes.replay.scoring import Group
from foureyes.replay.wilson import LEVEL, Rate

__all__ = ["document"]

_Word = TypeVar("_Word", bound=StrEnum)


def document(
    score: Score, listed: tuple[Listed, ...], *, unread: int, left_out: int, seconds: float
) -> dict[str, object]:
    """Return the score as one object, made of dicts, lists and scalars.

    Rates are from 0 to 1 with their Wilson interval, and null for a group without a run, as a precision
    is where no run is good or none failed. Everything but ``seconds``
    is the same from one time to the next.
    """
    return {
        "roster": _roster(listed),
        "runs": score.runs,
        "unjudged_runs": score.unjudged,
        **_flagged({group: score.flagged(group) for group in Group}),
        "flagged_early": score.early,
        "level": LEVEL,
        "turns": score.turns,
        **_sums(score),
        "per_check": {check: _check(score, check) for check in score.checks},
        "per_format": {name: _format(score, name) for name in score.formats},
        "curve": [_rung(rung) for rung in score.curve()],
        "unread": unread,
        "left_out": left_out,
        "seconds": round(seconds, 3),
    }


def _roster(listed: tuple[Listed, ...]) -> dict[str, object]:
    return {
        "reviewer": USE,
        "interval_turns": 1,
        "finish": True,
        "caps": None,
        "checks": [{"name": check.name, "description": check.description} for check in listed],
    }


def _sums(score: Score) -> dict[str, object]:
    return {
        "calls": score.calls.total(),
        "calls_by_outcome": _sorted(score.calls),
        "skips": score.skips.total(),
        "skips_by_reason": _sorted(score.skips),
        "notes": score.notes.total(),
        "notes_by_severity": {str(level): number for level, number in score.severities.items()},
    }


def _sorted(counts: Mapping[_Word, int]) -> dict[str, int]:
    return {str(name): counts[name] for name in sorted(counts)}


def _check(score: Score, check: str) -> dict[str, object]:
    flagged = {group: score.flagged(group, (check,)) for group in Group}
    return {
        **{str(group): rate.hits for group, rate in flagged.items()},
        "rates": {str(group): _rate(rate) for group, rate in flagged.items()},
        "precision": _rate(score.precision(check)),
        "notes": score.notes_of(check),
    }


def _format(score: Score, name: str) -> dict[str, object]:
    return _flagged({group: score.flagged(group, format_=name) for group in Group})


def _rung(rung: Rung) -> dict[str, object]:
    return {
        "check": rung.check,
        "precision": _rate(rung.precision),
        **_flagged(rung.flagged),
    }


def _flagged(rates: Mapping[Group, Rate]) -> dict[str, object]:
    return {
        **{f"{group}_runs": rate.of for group, rate in rates.items()},
        **{f"flagged_{group}": rate.hits for group, rate in rates.items()},
        "rates": {f"flagged_{group}": _rate(rate) for group, rate in rates.items()},
    }


def _rate(rate: Rate) -> dict[str, object] | None:
    if rate.share is None or rate.interval is None:
        return None
    low, high = rate.interval
    return {"rate": round(rate.share, 4), "low": round(low, 4), "high": round(high, 4)}
