"""When a reviewer is called next in a session, by the rules that decide it, if nothing else happens meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isinf

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Moment
from foureyes.core.schedule import decide, next_due
from foureyes.core.state import ReviewerState, SessionState
from foureyes.core.words import SkipReason, Stop

__all__ = ["Allowance", "Outlook", "Prospect", "outlook"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Prospect:
    """The next consultation for one trigger."""

    turn: int
    """The turn after which the reviewer is due, and called unless ``skip`` says why not."""
    skip: SkipReason | None = None
    """Why it would not be called there; None: it would."""
    after_cooldown: bool = False
    """Whether it is due before, and kept back by its cooldown until this turn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowance:
    """What is left of a bound of this request."""

    left: int
    limit: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Outlook:
    """What the live configuration and the saved progress together mean for one reviewer."""

    config: ReviewerConfig
    periodic: Prospect | None
    """None: never between turns."""
    finish: Prospect | None
    """At the next turn, if that is where the agent answers; None: never at a finish."""
    reviews: Allowance
    """Periodic reviews of this request."""
    rounds: Allowance
    """Finish reviews of this request."""


def outlook(config: ReviewerConfig, state: SessionState) -> Outlook:
    """Return the outlook of one reviewer in a session. A pause is taken to last as it was last seen."""
    progress = state.reviewer(config.name)
    # What is under way was charged already; here it counts as over.
    state = replace(state, reviewers={config.name: replace(progress, started=None)})
    return Outlook(
        config=config,
        periodic=_with_pause(_periodic(config, state), progress),
        finish=_with_pause(_prospect(config, state, state.turn + 1, Stop.ANSWER), progress),
        reviews=_left(progress.periodic_used, config.max_periodic_reviews),
        rounds=_left(progress.rounds_used, config.max_rounds),
    )


def _left(used: int, limit: int) -> Allowance:
    return Allowance(left=max(0, limit - used), limit=limit)


def _periodic(config: ReviewerConfig, state: SessionState) -> Prospect | None:
    first = next_due([config], state)
    if isinf(first):
        return None
    found = _prospect(config, state, max(int(first), state.turn + 1))
    if found is None or found.skip is not SkipReason.COOLDOWN:
        return found
    later = _prospect(config, state, state.reviewer(config.name).cooldown_until)
    return later and replace(later, after_cooldown=True)


def _prospect(config: ReviewerConfig, state: SessionState, turn: int, stop: Stop | None = None) -> Prospect | None:
    aborted = state.closed is not None and state.closed.aborted
    decision = decide([config], state, Moment(turn=turn, stop=stop, aborted=aborted))
    if not decision.calls and not decision.skips:
        return None
    return Prospect(turn=turn, skip=decision.skips[0].reason if decision.skips else None)


def _with_pause(prospect: Prospect | None, progress: ReviewerState) -> Prospect | None:
    # Last, so that the turn is the one at which the reviewer is called should the pause have ended.
    if prospect is None or prospect.skip is not None or not progress.paused:
        return prospect
    return replace(prospect, skip=SkipReason.PAUSED)
