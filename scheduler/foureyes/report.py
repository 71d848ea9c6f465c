"""What a settled boundary tells the sinks: its values turned into events, in the order in which things happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Outcome
from foureyes.core.guard import Guarded
from foureyes.core.state import ReviewerState, SessionState, Settled
from foureyes.core.words import Disposition, OutcomeKind, Severity, Trigger
from foureyes.telemetry.events import (
    BoundarySettled,
    Event,
    FellBack,
    FinishSettled,
    NoteJudged,
    QuotaExhausted,
    ReviewerMuted,
    ReviewSettled,
    ReviewSkipped,
)

__all__ = ["reported_events"]

MAX_TEXT = 2_000
"""Characters of a note in an event."""
_REFUNDED = (OutcomeKind.CANCELLED, OutcomeKind.STALE)


def reported_events(
    state: SessionState,
    turn: int,
    outcomes: Sequence[Outcome],
    configs: Mapping[str, ReviewerConfig] | None = None,
    guarded: Guarded | None = None,
    settled: Settled | None = None,
    seconds: float = 0.0,
) -> list[Event]:
    """Return the events of one boundary. One that was given up has no notes and is not settled."""
    events: list[Event] = [event for outcome in outcomes for event in _of_review(state, turn, outcome)]
    if configs is not None:
        events += [event for outcome in outcomes for event in _of_quota(state, turn, outcome, configs)]
    if guarded is not None:
        events += _of_notes(state, turn, guarded)
        events += [event for outcome in outcomes for event in _malformed(state, turn, outcome)]
    if settled is not None:
        events += _of_settlement(state, settled, seconds)
    return events


def _of_review(state: SessionState, turn: int, outcome: Outcome) -> Iterator[Event]:
    for hop in outcome.hops:
        yield FellBack(session=state.id, reviewer=outcome.reviewer, turn=turn, hop=hop)
    yield ReviewSettled(
        session=state.id,
        reviewer=outcome.reviewer,
        trigger=outcome.trigger,
        turn=turn,
        outcome=outcome.kind,
        seconds=outcome.seconds,
        attempts=outcome.attempts,
        spent=outcome.spent,
        error=outcome.error,
        malformed=outcome.reply.malformed,
        unknown_severities=outcome.reply.unknown_severities,
    )


def _of_quota(
    state: SessionState, turn: int, outcome: Outcome, configs: Mapping[str, ReviewerConfig]
) -> Iterator[Event]:
    config, progress = configs[outcome.reviewer], state.reviewer(outcome.reviewer)
    if outcome.kind not in _REFUNDED and _is_spent(config, progress, outcome.trigger):
        yield QuotaExhausted(session=state.id, reviewer=outcome.reviewer, turn=turn, trigger=outcome.trigger)


def _is_spent(config: ReviewerConfig, progress: ReviewerState, trigger: Trigger) -> bool:
    if trigger is Trigger.FINISH:
        return progress.rounds_used >= config.max_rounds
    return trigger is Trigger.PERIODIC and progress.periodic_used >= config.max_periodic_reviews


def _of_notes(state: SessionState, turn: int, guarded: Guarded) -> Iterator[Event]:
    for one in guarded.judged:
        yield NoteJudged(
            session=state.id,
            reviewer=one.reviewer,
            turn=turn,
            severity=one.severity,
            disposition=one.disposition,
            text=one.note.text[:MAX_TEXT],
            note=one.record or one.matched,
            similar=one.similar,
        )
    for mute in guarded.muted:
        yield ReviewerMuted(
            session=state.id, reviewer=mute.reviewer, turn=turn, reason=mute.reason, have=mute.have, limit=mute.limit
        )


def _malformed(state: SessionState, turn: int, outcome: Outcome) -> Iterator[Event]:
    for _ in range(outcome.reply.malformed):
        yield NoteJudged(
            session=state.id,
            reviewer=outcome.reviewer,
            turn=turn,
            severity=Severity.NIT,
            disposition=Disposition.MALFORMED,
        )


def _of_settlement(state: SessionState, settled: Settled, seconds: float) -> Iterator[Event]:
    for skip in settled.skips:
        yield ReviewSkipped(
            session=state.id,
            reviewer=skip.reviewer,
            trigger=skip.trigger,
            turn=settled.turn,
            reason=skip.reason,
            have=skip.have,
            limit=skip.limit,
        )
    if settled.result is not None and settled.verdict is not None:
        yield FinishSettled(
            session=state.id,
            turn=settled.turn,
            result=settled.result,
            verdict=settled.verdict,
            unsent=len(settled.unsent),
        )
    yield BoundarySettled(
        session=state.id,
        turn=settled.turn,
        finish=settled.finish,
        seconds=seconds,
        advisory=settled.advisory,
    )
