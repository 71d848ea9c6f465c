"""The way to pages for commands: what draws them is an extra, and loaded when it is needed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foureyes.errors import ConfigError

if TYPE_CHECKING:
    from foureyes.replay.score_page import ScorePage
    from foureyes.replay.timeline import TimeLine

__all__ = ["score_page", "time_line"]


def time_line(*, otherwise: str = "") -> TimeLine:
    """Return a time line on standard output.

    Raises ConfigError where rich is not installed. ``otherwise``: what else the user may do then, such as "ask for
    --json"; "" where there is nothing else.
    """
    try:
        from foureyes.replay.page import console
        from foureyes.replay.timeline import TimeLine
    except ModuleNotFoundError as error:
        raise _missing(error, "a time line", otherwise) from None
    return TimeLine(console())


def score_page(*, otherwise: str = "") -> ScorePage:
    """Return a page for a score on standard output. Raises and takes the same as :func:`time_line`."""
    try:
        from foureyes.replay.page import console
        from foureyes.replay.score_page import ScorePage
    except ModuleNotFoundError as error:
        raise _missing(error, "a score on screen", otherwise) from None
    return ScorePage(console())


def _missing(error: ModuleNotFoundError, what: str, otherwise: str) -> Exception:
    if (error.name or "").partition(".")[0] != "rich":
        return error
    instead = f", or {otherwise}" if otherwise else ""
    return ConfigError(f"{what} needs rich: pip install 'foureyes[cli]'{instead}")
