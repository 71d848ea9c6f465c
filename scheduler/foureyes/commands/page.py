"""The report of ``foureyes check`` as a page for people; nothing on it depends on colour."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeAlias

from foureyes.commands.discreet import discreet
from foureyes.commands.forecast import Forecast
from foureyes.commands.report import Report
from foureyes.core.config import ReviewerConfig
from foureyes.core.schedule import Call
from foureyes.core.words import SkipReason
from foureyes.replay.page import Page, console
from foureyes.settings import Settings
from foureyes.telemetry.logs import in_one_line

__all__ = ["show"]

_Rows: TypeAlias = list[tuple[str, str]]
_Table: TypeAlias = list[tuple[str, str, str]]
"""Key, value and source."""

_ALWAYS = ("store", "metrics_address", "metrics_port")
_LEGEND = "o called, x due but not called, . not due; ten turns a group"
_UNSET = {
    "triggers": "by interval and rounds",
    "order": "by name",
    "checks": "all",
    "metrics_port": "none, no endpoint",
    **{f"budget.{unit}_per_{span}": "no bound" for unit in ("tokens", "usd") for span in ("request", "session")},
}
"""What None and an empty list mean where it is not just nothing."""
_SHOWN = 6
"""Turns that are listed in full; of more, the first three and the last."""


def show(report: Report, *, everything: bool) -> None:
    """Write the report to standard output, problems last. ``everything``: values that are defaults, too."""
    out = console()
    for number, (title, rows) in enumerate(_sections(report, everything, out.width)):
        page = Page(out, max((len(label) for label, _ in rows), default=0) + 2)
        if number:
            page.blank()
        page.heading(title)
        for label, text in rows:
            page.row(label, text, whole=label == "  store")


def _sections(report: Report, everything: bool, columns: int) -> Iterator[tuple[str, _Rows]]:
    if settings := report.settings:
        for config in settings.reviewers:
            yield f"reviewer {config.name}", _aligned(_reviewer(config, settings, everything), columns)
        yield "settings", _aligned(_table(_scalars(settings), settings, "", everything), columns)
    if report.due:
        yield f"due in a request of {report.due[0].boundaries} turns, every review quiet", _due(report.due)
    for title, sentences in (("warnings", report.warnings), ("problems", report.problems)):
        if sentences:
            yield f"{len(sentences)} {title if len(sentences) > 1 else title[:-1]}", [("  -", s) for s in sentences]
    if not report.problems:
        yield "no problems", []


def _reviewer(config: ReviewerConfig, settings: Settings, everything: bool) -> _Table:
    values = discreet(config)
    del values["name"]
    return _table(values, settings, f"reviewers.{config.name}.", everything)


def _scalars(settings: Settings) -> dict[str, Any]:
    return settings.model_dump(exclude={"reviewers"})


def _table(values: dict[str, Any], settings: Settings, prefix: str, everything: bool) -> _Table:
    found = [(key, _shown(key, value), settings.sources.get(prefix + key, "default")) for key, value in _flat(values)]
    found = [(in_one_line(key), in_one_line(value), in_one_line(source)) for key, value, source in found]
    return [row for row in found if everything or row[0] in _ALWAYS or row[2] != "default"]


def _aligned(rows: _Table, columns: int) -> _Rows:
    # A value that is too long for a line has its source below, and does not push the other sources off theirs.
    left = columns - max(len(key) for key, _, _ in rows) - len("    ")
    fitting = [len(value) for _, value, source in rows if len(value) + len("  ") + len(source) <= left]
    width = max(fitting, default=0)
    return [(f"  {key}", f"{value:{width}}  {source}") for key, value, source in rows]


def _flat(values: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in values.items():
        if isinstance(value, dict):
            yield from ((f"{key}.{inner}", below) for inner, below in _flat(value))
        else:
            yield key, value


def _shown(key: str, value: object) -> str:
    if value is None:
        return _UNSET.get(key, "none")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple | frozenset):
        return ", ".join(value if isinstance(value, tuple) else sorted(value)) or _UNSET.get(key, "none")
    return f"{value:g}" if isinstance(value, float) else str(value)


def _due(due: Iterable[Forecast]) -> _Rows:
    rows: _Rows = []
    for forecast in due:
        rows += [(f"  {forecast.config.name}", _sentence(forecast)), ("", _strip(forecast.marks))]
    return [*rows, ("", _LEGEND)]


def _sentence(forecast: Forecast) -> str:
    if not forecast.config.enabled:
        return "disabled, never called"
    return f"{_between(forecast)}; {_at_finish(forecast)}"


def _between(forecast: Forecast) -> str:
    config = forecast.config
    if not config.periodic:
        return "never between turns"
    parts = [_numbers(forecast.turns)] if forecast.turns else []
    if forecast.skips:
        turn, skip = forecast.skips[0]
        what = f"capped ({skip.have} of {skip.limit})" if skip.reason is SkipReason.CAP else str(skip.reason)
        parts.append(f"{'then ' if parts else ''}{what} from {turn} on")
    return f"every {config.interval_turns}: {', '.join(parts) or 'not due yet'}"


def _numbers(turns: Sequence[int]) -> str:
    if len(turns) <= _SHOWN:
        return " ".join(map(str, turns))
    return f"{' '.join(map(str, turns[:3]))} … {turns[-1]}"


def _at_finish(forecast: Forecast) -> str:
    if forecast.finish is None:
        return "never at the finish"
    if isinstance(forecast.finish, Call):
        rounds = forecast.config.max_rounds
        return f"at the finish, up to {rounds} round{'s' if rounds != 1 else ''}"
    return f"{forecast.finish.reason} at the finish"


def _strip(marks: str) -> str:
    return " ".join(marks[start : start + 10] for start in range(0, len(marks), 10))
