"""The way to a time line for commands: what draws it is an extra, and loaded when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foureyes.errors import ConfigError

if TYPE_CHECKING:
    from foureyes.replay.timeline import TimeLine

__all__ = ["time_line"]


def time_line() -> TimeLine:
    """Return a time line on standard output. Raises ConfigError where rich is not installed."""
    try:
        from foureyes.replay.page import console
        from foureyes.replay.timeline import TimeLine
    except ModuleNotFoundError as error:
        raise ConfigError(f"a time line needs {error.name}: install foureyes[cli], or ask for --json") from None
    return TimeLine(console())
