"""The progress of one reviewer through its reviews: the part of the ledger that looks at nobody else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from foureyes.core.facts import NO_USAGE, Outcome, Usage
from foureyes.core.frozen import altered, made
from foureyes.core.schedule import Call
from foureyes.core.state import ReviewerState, Started
from foureyes.core.words import FAILURES, OutcomeKind, Trigger

__all__ = ["begun", "drawn_back", "ended", "refilled", "refund"]


def refilled(progress: ReviewerState) -> ReviewerState:
    """Return the progress at the start of a request: both allowances are full again, and a mute is over."""
    # A review that a crash cut off in the request before is not repeated in this one: it counts as interrupted.
    started = progress.started
    return altered(
        progress,
        periodic_used=0,
        rounds_used=0,
        muted=False,
        spoken=0,
        held=0,
        rejected=0,
        raised=0,
        started=started if started is None else replace(started, attempt=2),
        spent_in_request=Usage(cost_usd=0.0),
    )


def begun(progress: ReviewerState, call: Call) -> ReviewerState:
    """Return the progress once this review is charged and under way; a repeated one is not charged again."""
    if call.attempt > 1 and progress.started is not None:
        return altered(progress, started=replace(progress.started, attempt=call.attempt))
    finish = call.trigger is Trigger.FINISH
    return altered(
        progress,
        started=made(
            Started,
            turn=call.turn,
            trigger=call.trigger,
            attempt=1,
            last_review=progress.last_review,
            round=call.round,
        ),
        last_review=call.turn,
        rounds_used=progress.rounds_used + finish,
        periodic_used=progress.periodic_used + (call.trigger is Trigger.PERIODIC),
    )


def ended(progress: ReviewerState, outcome: Outcome, turn: int, cooldown: int, read: int) -> dict[str, Any]:
    """Return the fields that change once the review has ended."""
    kind, usage = outcome.kind, outcome.usage if outcome.spent else NO_USAGE
    fields: dict[str, Any]
    if kind is OutcomeKind.QUIET or kind is OutcomeKind.NOTED:
        fields = {"started": None, "outcome": kind, "failures": 0, "cooldown_until": 0, "raised": 0, "read": read}
        if kind is OutcomeKind.QUIET:
            fields["spoken"] = 0
    elif kind is OutcomeKind.CANCELLED or kind is OutcomeKind.STALE:
        fields = refund(progress)
    elif kind in FAILURES:
        failures = progress.failures + 1
        fields = {"started": None, "outcome": kind, "failures": failures, "cooldown_until": turn + cooldown}
    else:  # Interrupted, perhaps at a turn that this process never reached.
        fields = {"started": None, "outcome": kind, "last_review": min(progress.last_review, turn)}
    return fields if usage is NO_USAGE else fields | _spending(progress, usage)


def _spending(progress: ReviewerState, usage: Usage) -> dict[str, Any]:
    if usage == NO_USAGE:
        return {}
    return {"spent": progress.spent + usage, "spent_in_request": progress.spent_in_request + usage}


def refund(progress: ReviewerState) -> dict[str, Any]:
    """Return the fields as they were before the review that is under way was charged; none where there is none."""
    started = progress.started
    if started is None:
        return {}
    return {
        "started": None,
        "last_review": started.last_review,
        "rounds_used": max(0, progress.rounds_used - (started.trigger is Trigger.FINISH)),
        "periodic_used": max(0, progress.periodic_used - (started.trigger is Trigger.PERIODIC)),
    }


def drawn_back(progress: ReviewerState, turn: int) -> ReviewerState:
    """Return the progress after the transcript was cut back to a turn. Charges stay."""
    return altered(
        progress,
        last_review=min(progress.last_review, turn),
        cooldown_until=min(progress.cooldown_until, turn + 1),
        started=None,
        read=0,
        read_mark=0,
    )
