"""The way to a time line for commands: what draws it is an extra, and loaded when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foureyes.errors import ConfigError

if TYPE_CHECKING:
    from foureyes.replay.timeline import TimeLine

__all__ = ["time_line"]


def time_line(*, otherwise: str = "") -> TimeLine:
    """Return a time line on standard output.

    Raises ConfigError where rich is not installed. ``otherwise``: what else the user may do then, such as "ask for
    --json"; "" where there is nothing else.
    """
    try:
        from foureyes.replay.page import console
        from foureyes.replay.timeline import TimeLine
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        instead = f", or {otherwise}" if otherwise else ""
        raise ConfigError(f"a time line needs rich: pip install 'foureyes[cli]'{instead}") from None
    return TimeLine(console())
