"""Who is consulted at a boundary, and why somebody who was due is not: all the rules, in one place.

A reviewer is *due*

- at a boundary, if it has an interval and at least that many turns have passed since its last review
  (``turn - last_review >= interval_turns``; with an interval of 3 and no review yet, turn 3 is the first);
- at a finish, if it has rounds at all. A finish is a turn: a reviewer that is due for both is consulted once,
  as a finish review, which spends a round and moves its last review. One that is only periodic waits for the
  next boundary.

A reviewer that is due is called unless one of these holds; the first that does is the reason given:

1. ``disabled`` - switched off, or its saved record is damaged. 2. ``stop_reason`` - the run did not stop by itself.
3. ``aborted`` - the user stopped the run. 4. ``paused`` - it failed too often in this process. 5. ``muted`` - it
flooded this request. 6. ``cap`` - this request's reviews are spent. 7. ``cooldown`` - it failed lately; periodic
only, for a finish comes but once. 8. ``busy`` - its last review has not let go. 9. ``nothing_new`` - the agent has
done nothing since; periodic only, for an answer is always new.

The one conflict is between a cap and everything transient: a reviewer whose cap is spent *and* that is cooling down
is reported as ``cap``, because the cooldown would pass by itself and the cap will not. The rule that settles it is
the order above: what ends the matter for the request comes before what only delays it.

A review that was started and not settled (the process died) is due again, under its own key and without a new charge,
whatever the interval and the caps say; once, for the second time it counts as interrupted.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Moment
from foureyes.core.state import ReviewerState, SessionState, Skipped
from foureyes.core.words import SkipReason, Stop, Trigger

__all__ = ["Call", "Decision", "decide", "due"]


@dataclass(frozen=True, slots=True, kw_only=True)
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

    def key(self, session: str) -> str:
        """Return the name of the review, the same however often it has to be asked for."""
        return f"{session}:{self.turn}:{self.reviewer}:{self.trigger}"


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
    if finish:
        return [c.name for c in configs if c.at_finish or state.reviewer(c.name).started]
    found = []
    for config in configs:
        progress = state.reviewers.get(config.name)
        last = progress.last_review if progress else 0
        if (config.periodic and turn - last >= config.interval_turns) or (progress and progress.started):
            found.append(config.name)
    return found


def decide(configs: Sequence[ReviewerConfig], state: SessionState, moment: Moment) -> Decision:
    """Return who is to be called at the moment, and why anybody else who is due is not."""
    names = set(due(configs, state, moment.turn, finish=moment.finish))
    calls: list[Call] = []
    skips: list[Skipped] = []
    interrupted: list[Call] = []
    for config in (c for c in configs if c.name in names):
        progress = state.reviewer(config.name)
        cut_off = _cut_off(progress, moment)
        if cut_off is not None:
            (calls if cut_off.attempt == 2 else interrupted).append(cut_off)
        elif reason := _obstacle(config, progress, moment):
            skips.append(reason)
        elif _trigger_due(config, progress, moment):
            calls.append(_call(config, progress, moment))
    return Decision(calls=tuple(calls), skips=tuple(skips), interrupted=tuple(interrupted))


def _trigger_due(config: ReviewerConfig, progress: ReviewerState, moment: Moment) -> bool:
    if moment.finish:
        return config.at_finish
    return config.periodic and moment.turn - progress.last_review >= config.interval_turns


def _cut_off(progress: ReviewerState, moment: Moment) -> Call | None:
    started = progress.started
    if started is None:
        return None
    trigger = Trigger.FINISH if moment.finish else Trigger.PERIODIC
    same = started.turn == moment.turn and started.trigger == trigger and moment.stop in (None, Stop.ANSWER)
    return Call(
        reviewer=progress.name,
        trigger=started.trigger,
        turn=started.turn,
        round=started.round,
        since=started.last_review,
        attempt=2 if same and started.attempt == 1 else 3,
    )


def _obstacle(config: ReviewerConfig, progress: ReviewerState, moment: Moment) -> Skipped | None:
    trigger = Trigger.FINISH if moment.finish else Trigger.PERIODIC
    for reason, have, limit in _obstacles(config, progress, moment):
        return Skipped(reviewer=config.name, trigger=trigger, reason=reason, have=have, limit=limit)
    return None


def _obstacles(
    config: ReviewerConfig, progress: ReviewerState, moment: Moment
) -> Iterator[tuple[SkipReason, int | None, int | None]]:
    if not config.enabled or progress.damaged:
        yield SkipReason.DISABLED, None, None
    if moment.aborted or moment.stop is Stop.ABORTED:
        yield SkipReason.ABORTED, None, None
    elif moment.stop not in (None, Stop.ANSWER):
        yield SkipReason.STOP_REASON, None, None
    if config.name in moment.paused:
        yield SkipReason.PAUSED, None, None
    if progress.muted:
        yield SkipReason.MUTED, None, None
    used, allowed = _allowance(config, progress, moment)
    if used >= allowed:
        yield SkipReason.CAP, used, allowed
    if not moment.finish and moment.turn < progress.cooldown_until:
        yield SkipReason.COOLDOWN, moment.turn, progress.cooldown_until
    if config.name in moment.busy:
        yield SkipReason.BUSY, None, None
    if not moment.finish and config.name in moment.idle:
        yield SkipReason.NOTHING_NEW, None, None


def _allowance(config: ReviewerConfig, progress: ReviewerState, moment: Moment) -> tuple[int, int]:
    if moment.finish:
        return progress.rounds_used, config.max_rounds
    return progress.periodic_used, config.max_periodic_reviews


def _call(config: ReviewerConfig, progress: ReviewerState, moment: Moment) -> Call:
    return Call(
        reviewer=config.name,
        trigger=Trigger.FINISH if moment.finish else Trigger.PERIODIC,
        turn=moment.turn,
        round=_allowance(config, progress, moment)[0],
        since=progress.last_review,
    )
