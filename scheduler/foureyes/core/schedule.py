"""Who is consulted at a boundary, and why somebody who was due is not: all the rules, in one place.

A reviewer is *due*

- at a boundary, if it has an interval and at least that many turns have passed since its last review
  (``turn - last_review >= interval_turns``; with an interval of 3 and no review yet, turn 3 is the first);
- at a finish, if it has rounds at all. A finish is a turn: a reviewer that is due for both is consulted once,
  as a finish review, which spends a round and moves its last review. One that is only periodic waits for the
  next boundary.

A reviewer that is due is called unless one of these holds; the first that does is the reason given:

1. ``disabled`` - switched off, or its saved record is damaged. 2. ``not_permitted`` - it may not see the transcript.
3. ``stop_reason`` - the run did not stop by itself. 4. ``aborted`` - the user stopped the run. 5. ``paused`` - it
failed too often in this process. 6. ``muted`` - it flooded this request. 7. ``cap`` - this request's reviews are
spent. 8. ``cooldown`` - it failed lately; periodic only, for a finish comes but once. 9. ``busy`` - its last review
has not let go. 10. ``nothing_new`` - the agent has done nothing since; periodic only, for an answer is always new.
11. ``budget`` - what it may use is used up, or too little is left for this review; :func:`afforded` says so last,
once it is known what the review would have to read.

The one conflict is between a cap and everything transient: a reviewer whose cap is spent *and* that is cooling down
is reported as ``cap``, because the cooldown would pass by itself and the cap will not. The rule that settles it is
the order above: what ends the matter for the request comes before what only delays it.

A review that was started and not settled (the process died) is due again, under its own key and without a new charge,
whatever the interval and the caps say; once, for the second time it counts as interrupted. So it does where one of
1 to 6 holds by now, or the host goes on with another turn or another kind of boundary.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import TypeAlias

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Moment
from foureyes.core.frozen import made
from foureyes.core.state import ReviewerState, SessionState, Skipped, Started
from foureyes.core.words import SkipReason, Stop, Trigger

__all__ = ["Call", "Decision", "afforded", "decide", "due", "next_due"]

_UNKNOWN = ReviewerState(name="")
"""The progress of a reviewer that the session has not met."""


@dataclass(frozen=True, kw_only=True)
class Call:
    """One review that is to be made."""

    reviewer: str
    trigger: Trigger
    turn: int
    round: int
    """0 for the first of its kind in the request."""
    since: int
    """The turn of the reviewer's previous review, 0 for none."""
    attempt: int = 1
    """2 where a review that a crash interrupted is repeated."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What the rules say about one moment. A reviewer that is in neither list was not due."""

    calls: tuple[Call, ...] = ()
    skips: tuple[Skipped, ...] = ()
    interrupted: tuple[Call, ...] = ()
    """Reviews that a crash cut off and that cannot be repeated."""


def due(configs: Sequence[ReviewerConfig], state: SessionState, turn: int, *, finish: bool) -> list[str]:
    """Return the names of the reviewers that are due, in the order of the reviewers.

    Cheap enough for every turn; most turns end here.
    """
    reviewers = state.reviewers
    found = []
    for config in configs:
        progress = reviewers.get(config.name) or _UNKNOWN
        if progress.started is not None or _is_due(config, progress, turn, finish=finish):
            found.append(config.name)
    return found


def next_due(configs: Sequence[ReviewerConfig], state: SessionState) -> float:
    """Return the first turn whose boundary somebody is due at; infinity where nobody ever is.

    Holds as long as the reviewers' records are the same: ``due(configs, state, turn, finish=False)`` is empty for
    exactly the turns before it.
    """
    first = inf
    for config in configs:
        progress = state.reviewers.get(config.name) or _UNKNOWN
        if progress.started is not None:
            return 0
        if config.periodic:
            first = min(first, progress.last_review + config.interval_turns)
    return first


def decide(configs: Sequence[ReviewerConfig], state: SessionState, moment: Moment) -> Decision:
    """Return who is to be called at the moment, and why anybody else who is due is not."""
    calls: list[Call] = []
    skips: list[Skipped] = []
    interrupted: list[Call] = []
    finish = moment.finish
    trigger = Trigger.FINISH if finish else Trigger.PERIODIC
    for config in configs:
        progress = state.reviewers.get(config.name) or _UNKNOWN
        if progress.started is not None:
            barred = _barred(config, progress, moment, finish=finish) is not None
            cut_off = _cut_off(progress, progress.started, moment, None if barred else trigger)
            (calls if cut_off.attempt == 2 else interrupted).append(cut_off)
        elif _is_due(config, progress, moment.turn, finish=finish):
            obstacle = _obstacle(config, progress, moment, finish=finish)
            if obstacle is None:
                calls.append(_call(config, progress, moment.turn, trigger))
            else:
                reason, have, limit = obstacle
                skips.append(Skipped(reviewer=config.name, trigger=trigger, reason=reason, have=have, limit=limit))
    return Decision(calls=tuple(calls), skips=tuple(skips), interrupted=tuple(interrupted))


def afforded(decision: Decision, unaffordable: Collection[str], reason: SkipReason = SkipReason.BUDGET) -> Decision:
    """Return the decision without the calls of these reviewers, which are skipped, by default for want of a budget."""
    skips = [
        Skipped(reviewer=call.reviewer, trigger=call.trigger, reason=reason)
        for call in decision.calls
        if call.reviewer in unaffordable
    ]
    calls = tuple(call for call in decision.calls if call.reviewer not in unaffordable)
    return replace(decision, calls=calls, skips=(*decision.skips, *skips)) if skips else decision


def _is_due(config: ReviewerConfig, progress: ReviewerState, turn: int, *, finish: bool) -> bool:
    if finish:
        return config.at_finish
    return config.periodic and turn - progress.last_review >= config.interval_turns


def _cut_off(progress: ReviewerState, started: Started, moment: Moment, trigger: Trigger | None) -> Call:
    same = started.turn == moment.turn and started.trigger is trigger
    return Call(
        reviewer=progress.name,
        trigger=started.trigger,
        turn=started.turn,
        round=started.round,
        since=started.last_review,
        attempt=2 if same and started.attempt == 1 else 3,
    )


_Obstacle: TypeAlias = tuple[SkipReason, int | None, int | None]


def _obstacle(config: ReviewerConfig, progress: ReviewerState, moment: Moment, *, finish: bool) -> _Obstacle | None:
    barred = _barred(config, progress, moment, finish=finish)
    return (barred, None, None) if barred else _limited(config, progress, moment, finish=finish)


def _barred(config: ReviewerConfig, progress: ReviewerState, moment: Moment, *, finish: bool) -> SkipReason | None:
    stop = moment.stop
    if not config.enabled or progress.damaged:
        return SkipReason.DISABLED
    if config.name in moment.not_permitted:
        return SkipReason.NOT_PERMITTED
    if finish and stop is not Stop.ANSWER and stop is not Stop.ABORTED:
        return SkipReason.STOP_REASON
    if moment.aborted or stop is Stop.ABORTED:
        return SkipReason.ABORTED
    if config.name in moment.paused:
        return SkipReason.PAUSED
    return SkipReason.MUTED if progress.muted else None


def _limited(config: ReviewerConfig, progress: ReviewerState, moment: Moment, *, finish: bool) -> _Obstacle | None:
    used = progress.rounds_used if finish else progress.periodic_used
    allowed = config.max_rounds if finish else config.max_periodic_reviews
    if used >= allowed:
        return SkipReason.CAP, used, allowed
    if not finish and moment.turn < progress.cooldown_until:
        return SkipReason.COOLDOWN, moment.turn, progress.cooldown_until
    if config.name in moment.busy:
        return SkipReason.BUSY, None, None
    if not finish and config.name in moment.idle:
        return SkipReason.NOTHING_NEW, None, None
    return None


def _call(config: ReviewerConfig, progress: ReviewerState, turn: int, trigger: Trigger) -> Call:
    used = progress.rounds_used if trigger is Trigger.FINISH else progress.periodic_used
    return made(
        Call, reviewer=config.name, trigger=trigger, turn=turn, round=used, since=progress.last_review, attempt=1
    )
