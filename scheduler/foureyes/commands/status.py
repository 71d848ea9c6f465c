"""``foureyes status``: the sessions in the configured store, and what comes next for each of their reviewers.

Reads and never writes: the store is not created, and a process that uses it is not held up. The reviewers are those
of the settings; what a program declares in code is not seen from here. With ``--json`` standard output is one object,
and rich is not needed::

    {
      "store":    "sqlite:/home/me/.local/state/foureyes/foureyes.db",
      "remark":   "",                       # why there are no sessions
      "sessions": [{
        "id": "chat-1", "problem": "",      # why it cannot be read; then the rest is null or empty
        "state": "open",                    # open, closed, aborted or unreadable
        "turn": 12, "request": 2, "request_text": "Fix the parser", "waiting": 1,
        "reviewers": [{
          "name": "correctness", "declared": true, "enabled": true,
          "damaged": "",                    # why its record cannot be read; then it is skipped as disabled
          "periodic": {"turn": 15, "after_cooldown": false, "skip": null, "left": 3, "limit": 8},
          "finish":   {"turn": 13, "after_cooldown": false, "skip": "cap", "left": 0, "limit": 2},
          "last_review": 12, "outcome": "noted", "failures": 0, "cooldown_until": 0,
          "muted": false, "paused": false,  # paused: as last seen; a pause belongs to a process
          "under_way": null,                # or {"turn": 12, "trigger": "periodic", "attempt": 1}
          "spent": {"input_tokens": 0, "cached_tokens": 0, "output_tokens": 0, "cost_usd": 0.0},
          "spent_in_request": {…}           # of it in the request that is named above
        }]
      }],
      "warnings": []
    }

"periodic" and "finish" say after which turn the reviewer is due next, if the agent goes on or if it answers; "skip" is
the reason for which it would not be called there. They are null where it never is: no interval, no rounds, or not
declared. "cost_usd" is null where it is not known. A cooldown of 0 is none.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from functools import partial
from typing import Any

import anyio

from foureyes.commands.outlook import Allowance, Prospect
from foureyes.commands.survey import Member, Seen, Survey, surveyed
from foureyes.commands.unlogged import unlogged
from foureyes.core.state import ReviewerState
from foureyes.errors import ConfigError
from foureyes.settings import Settings

__all__ = ["add_arguments", "document", "run"]


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the session to look at, and the choice of JSON."""
    parser.add_argument("session", nargs="?", metavar="SESSION", help="the id of one session; without it, all of them")
    parser.add_argument("--json", action="store_true", help="write one JSON object; needs no rich")


def run(args: argparse.Namespace) -> int:
    """Show the sessions. Returns 1 if anything in the store cannot be read, else 0; no sessions are no problem."""
    with unlogged():
        settings = Settings()
    survey = anyio.run(partial(surveyed, settings, args.session))
    if args.json:
        sys.stdout.write(json.dumps(document(survey), indent=2) + "\n")
    else:
        _page(survey, in_full=args.session is not None)
    return 0 if survey.is_well else 1


def _page(survey: Survey, *, in_full: bool) -> None:
    try:
        from foureyes.commands.overview import show
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != "rich":
            raise
        raise ConfigError("status needs rich for a page: pip install 'foureyes[cli]', or ask for --json") from None
    show(survey, in_full=in_full)


def document(survey: Survey) -> dict[str, Any]:
    """Return the survey as JSON takes it, with the keys that this module lists."""
    return {
        "store": survey.settings.store,
        "remark": survey.remark,
        "sessions": [_session(seen) for seen in survey.sessions],
        "warnings": list(survey.settings.warnings),
    }


def _session(seen: Seen) -> dict[str, Any]:
    state = seen.state
    return {
        "id": seen.id,
        "problem": seen.problem,
        "state": seen.standing,
        "turn": state.turn if state else None,
        "request": state.request if state else None,
        "request_text": state.request_text if state else None,
        "waiting": seen.waiting if state else None,
        "reviewers": [_member(member) for member in seen.members],
    }


def _member(member: Member) -> dict[str, Any]:
    outlook, config = member.outlook, member.outlook.config if member.outlook else None
    return {
        "name": member.name,
        "declared": config is not None,
        "enabled": config.enabled if config else None,
        "damaged": member.progress.damaged,
        "periodic": _next(outlook.periodic, outlook.reviews) if outlook else None,
        "finish": _next(outlook.finish, outlook.rounds) if outlook else None,
        **dict(_progress(member.progress)),
    }


def _next(prospect: Prospect | None, allowance: Allowance) -> dict[str, Any] | None:
    if prospect is None:
        return None
    return {
        "turn": prospect.turn,
        "after_cooldown": prospect.after_cooldown,
        "skip": prospect.skip,
        **asdict(allowance),
    }


def _progress(progress: ReviewerState) -> Iterator[tuple[str, Any]]:
    for key in ("last_review", "outcome", "failures", "cooldown_until", "muted", "paused"):
        yield key, getattr(progress, key)
    started = progress.started
    yield (
        "under_way",
        started and {"turn": started.turn, "trigger": started.trigger, "attempt": started.attempt},
    )
    yield "spent", asdict(progress.spent)
    yield "spent_in_request", asdict(progress.spent_in_request)
