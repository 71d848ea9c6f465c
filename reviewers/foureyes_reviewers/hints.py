"""How long a provider asks us to wait, wherever it says so."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Mapping
from email.utils import mktime_tz, parsedate_tz
from math import isnan

__all__ = ["longer", "retry_after"]

_UNITS = {"d": 86_400.0, "h": 3_600.0, "m": 60.0, "s": 1.0, "ms": 0.001}
_AMOUNT = r"\d{1,9}(?:\.\d{1,9})?"
_UNIT = r"(?:ms|milliseconds?|d(?:ays?)?|h(?:ours?|rs?)?|m(?:in(?:ute)?s?)?|s(?:ec(?:ond)?s?)?)"
_ASKED = re.compile(
    rf"(?:(?:try|retry|available) again (?:in|after)|retry (?:in|after)|wait(?: for)?|resets? in)"
    rf"\s{{0,3}}(?:about )?(?P<span>{_AMOUNT} ?{_UNIT}(?:,? ?{_AMOUNT} ?{_UNIT}){{0,3}})\b",
    re.IGNORECASE,
)
_DELAY = re.compile(rf"(?m)^(?P<span>{_AMOUNT}s)$")
"""How Google writes the delay to wait, a value of its own."""
_PART = re.compile(rf"({_AMOUNT}) ?({_UNIT})", re.IGNORECASE)


def retry_after(headers: Mapping[str, str], text: str = "") -> float | None:
    """Return the seconds to wait: from ``retry-after-ms``, ``retry-after`` (seconds or a date), or the error's text.

    None where nothing is said; 0 where the time has passed already; infinite where it is beyond counting.
    """
    plain = {str(name).casefold(): str(value).strip() for name, value in headers.items()}
    for seconds in _in_headers(plain):
        if seconds is not None and not isnan(seconds):
            return max(seconds, 0.0)
    found = _ASKED.search(text) or _DELAY.search(text)
    return _seconds(found["span"]) if found else None


def longer(one: float | None, other: float | None) -> float | None:
    """Return the longer of two hints, in seconds; None where there is none."""
    return max((hint for hint in (one, other) if hint is not None), default=None)


def _in_headers(headers: Mapping[str, str]) -> Iterator[float | None]:
    milliseconds = _number(headers.get("retry-after-ms", ""))
    yield None if milliseconds is None else milliseconds / 1_000
    yield _number(headers.get("retry-after", ""))
    yield _until(headers.get("retry-after", ""), headers.get("date", ""))


def _number(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _until(text: str, now: str) -> float | None:
    # By the server's own clock where it tells the time: ours may be wrong by more than the wait.
    then, here = _moment(text), _moment(now)
    return None if then is None else then - (time.time() if here is None else here)


def _moment(text: str) -> float | None:
    try:
        parsed = parsedate_tz(text)
        return None if parsed is None else float(mktime_tz(parsed))
    except (ValueError, OverflowError, TypeError, IndexError):
        return None


def _seconds(span: str) -> float:
    return sum(float(amount) * _unit(unit.casefold()) for amount, unit in _PART.findall(span))


def _unit(word: str) -> float:
    return _UNITS["ms"] if word.startswith(("ms", "milli")) else _UNITS[word[0]]
