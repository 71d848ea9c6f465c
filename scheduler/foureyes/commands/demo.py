"""``foureyes demo``: an invented run goes wrong twice, and is noticed."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

import anyio

from foureyes.replay.demo import ABOUT, MORAL, demo_recording
from foureyes.replay.driver import replay
from foureyes.replay.roster import BUILT_IN
from foureyes.replay.screen import time_line

__all__ = ["add_arguments", "run"]

_NEXT = (
    "Next: declare reviewers in foureyes.toml, and see them with: foureyes check",
    "Then: let them review a run of your own: foureyes replay your-run.json",
)


def add_arguments(parser: ArgumentParser) -> None:
    """Add nothing: the demonstration has no options."""


def run(args: Namespace) -> int:
    """Show the replay of the shipped run with the built-in reviewer, whatever is configured. Returns 0."""
    show = time_line()
    show.say(ABOUT)
    show.blank()
    show.roster(BUILT_IN)
    show.run(anyio.run(replay, demo_recording(), BUILT_IN))
    show.blank()
    show.say(MORAL)
    show.blank()
    for line in _NEXT:
        show.say(line)
    return 0
