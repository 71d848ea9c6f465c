"""``foureyes check``: the settings as they are understood, where each value came from, and what is wrong.

With ``--json`` standard output is one object, and rich is not needed::

    {
      "reviewers": [{"name": "correctness", "use": "checks", "interval_turns": 3, ...}],
      "settings":  {"store": "sqlite:...", "metrics_address": "127.0.0.1", "metrics_port": null, ...},
      "sources":   {"store": "default", "reviewers.correctness.use": "foureyes.toml", ...},
      "warnings":  ["env FOUREYES_STROE is not known and is ignored; did you mean FOUREYES_STORE?"],
      "problems":  ["..."],
      "due":       {"correctness": {"every": 3, "turns": [3, 6, 9],
                                    "skipped": [{"reason": "cap", "from": 12, "turns": 5, "have": 3, "limit": 3}],
                                    "finish": {"rounds": 2, "skipped": null}}}
    }

Reviewers are in the order of consultation, with every key, defaults too. Where the settings cannot be read at all,
"problems" says why and "reviewers", "settings" and "sources" are empty. "due" is empty without ``--turns``; "every"
and "rounds" are 0 for never.
"""

from __future__ import annotations

import argparse
import json
import sys

from foureyes.commands.report import Report, examined
from foureyes.errors import ConfigError

__all__ = ["add_arguments", "run"]

MAX_TURNS = 10_000
"""Boundaries that can be played through; more would only scroll by."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add how far to look ahead, whether to show defaults, and the choice of JSON."""
    parser.add_argument(
        "--turns", type=_turns, default=0, metavar="N", help="also show who is due in a request of N turns"
    )
    parser.add_argument("--all", action="store_true", help="show values that are defaults, too")
    parser.add_argument("--json", action="store_true", help="write one JSON object; needs no rich")


def _turns(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MAX_TURNS:
        raise argparse.ArgumentTypeError(f"must be a whole number from 1 to {MAX_TURNS}")
    return int(text)


def run(args: argparse.Namespace) -> int:
    """Show the settings. Returns 1 if there is any problem, else 0; warnings are no problem."""
    report = examined(args.turns)
    if args.json:
        sys.stdout.write(json.dumps(report.document(), indent=2) + "\n")
    else:
        _page(report, everything=args.all)
    return 1 if report.problems else 0


def _page(report: Report, *, everything: bool) -> None:
    try:
        from foureyes.commands.page import show
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        raise ConfigError("check needs rich for a page: pip install 'foureyes[cli]', or ask for --json") from None
    show(report, everything=everything)
