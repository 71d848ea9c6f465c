"""What ``foureyes check`` found out."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from foureyes.commands.discreet import discreet
from foureyes.commands.forecast import Forecast, forecasts
from foureyes.commands.reach import unbounded, unbuildable, unreachable, unwritable
from foureyes.commands.unlogged import unlogged
from foureyes.core.schedule import Call
from foureyes.core.state import Skipped
from foureyes.errors import ConfigError
from foureyes.settings import Settings
from foureyes.settings.gathering import Gathered
from foureyes.telemetry.logs import in_one_line

__all__ = ["Report", "examined"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """The settings, or why there are none."""

    settings: Settings | None = None
    """None where they cannot be read."""
    problems: tuple[str, ...] = ()
    """Each with its place and the cure."""
    warnings: tuple[str, ...] = ()
    due: tuple[Forecast, ...] = ()
    """One for each reviewer, where a look ahead was asked for."""

    def document(self) -> dict[str, Any]:
        """Return the report as JSON takes it; the keys are those that :mod:`foureyes.commands.check` lists."""
        settings = self.settings.model_dump(mode="json", exclude={"reviewers"}) if self.settings else {}
        return {
            "reviewers": self._reviewers(),
            "settings": settings,
            "sources": dict(self.settings.sources) if self.settings else {},
            "warnings": list(self.warnings),
            "problems": list(self.problems),
            "due": {forecast.config.name: _due(forecast) for forecast in self.due},
        }

    def _reviewers(self) -> list[dict[str, Any]]:
        configs = self.settings.reviewers if self.settings else ()
        # A set has no order of its own, and a document should not differ from one run to the next.
        return [
            discreet(config, mode="json") | {"triggers": None if config.triggers is None else sorted(config.triggers)}
            for config in configs
        ]


def examined(turns: int) -> Report:
    """Return what there is to say about the settings, and about the next ``turns`` boundaries (0: nothing)."""
    try:
        with unlogged():
            settings = Settings()
    except ConfigError as error:
        problems = (*error.problems, *_unreachable(Gathered(Settings, {})()))
        return Report(problems=problems, warnings=tuple(getattr(error, "__notes__", ())))
    return Report(
        settings=settings,
        problems=tuple(map(in_one_line, (*unbuildable(settings), *unwritable(_found(settings))))),
        warnings=(*settings.warnings, *unbounded(settings)),
        due=tuple(forecasts(settings.reviewers, turns)) if turns else (),
    )


def _unreachable(found: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(map(in_one_line, (*unreachable(found), *unwritable(found))))


def _found(settings: Settings) -> dict[str, Any]:
    return {"store": settings.store, "sources": settings.sources}


def _due(forecast: Forecast) -> dict[str, Any]:
    config = forecast.config
    return {
        "every": config.interval_turns if config.periodic else 0,
        "turns": list(forecast.turns),
        "skipped": list(_skipped(forecast)),
        "finish": {
            "rounds": config.max_rounds if isinstance(forecast.finish, Call) else 0,
            "skipped": forecast.finish.reason if isinstance(forecast.finish, Skipped) else None,
        },
    }


def _skipped(forecast: Forecast) -> Iterator[dict[str, Any]]:
    for reason, group in groupby(forecast.skips, key=lambda skip: skip[1].reason):
        turns = list(group)
        first, skip = turns[0]
        yield {"reason": reason, "from": first, "turns": len(turns), "have": skip.have, "limit": skip.limit}
