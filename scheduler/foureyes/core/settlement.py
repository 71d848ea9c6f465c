"""What a boundary ends with: what is handed over, what is said about a finish, and whether the request is over.

A function of the state once the guard has decided, of the moment and of what was decided and held at it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foureyes.core import ledger
from foureyes.core.config import ReviewerConfig
from foureyes.core.delivery import due_offer, reopens, unsent
from foureyes.core.facts import Moment, Outcome
from foureyes.core.frozen import made
from foureyes.core.guard import Guarded, Limits
from foureyes.core.render import in_one_line, let_go, not_reviewed, progress
from foureyes.core.requests import closed_at
from foureyes.core.schedule import Decision
from foureyes.core.state import Called, NoteRecord, Offer, SessionState, Settled
from foureyes.core.verdict import Conclusion, concluded, may_reopen, objecting, unheard
from foureyes.core.words import FinishResult, Stop, Trigger

__all__ = ["Case", "called", "settlement"]


@dataclass(frozen=True, kw_only=True)
class Case:
    """Everything that a settlement rests on beside the state."""

    configs: Sequence[ReviewerConfig]
    limits: Limits
    moment: Moment
    decision: Decision
    outcomes: Sequence[Outcome]
    guarded: Guarded
    transcript: Sequence[object] = ()
    """At a finish: the messages as they were when the host called."""
    answer: int = 0
    """A digest of the answer, 0 at a boundary."""


def settlement(state: SessionState, case: Case) -> tuple[SessionState, Settled]:
    """Return the state in which the turn is settled, and what was decided, so that asking again says the same."""
    state, offer = _offered(state, case)
    end = _concluded(state, case, offer)
    state, settled = _closed(state, case, offer, end)
    return ledger.settled(state, settled), settled


def called(outcome: Outcome) -> Called:
    """Return what is kept of a review that has ended."""
    return made(Called, reviewer=outcome.reviewer, trigger=outcome.trigger, outcome=outcome.kind, error="")


def _offered(state: SessionState, case: Case) -> tuple[SessionState, Offer | None]:
    moment, limits = case.moment, case.limits
    if (state.closed is not None and state.closed.rests) or not state.notes:
        return state, None
    if moment.finish:
        answered = moment.stop is Stop.ANSWER
        if not (answered and reopens(case.guarded.records, limits) and may_reopen(case.configs, state)):
            return state, None
        state = ledger.requeued(state)
    offer = due_offer(state, limits, moment.turn, finish=moment.finish)
    return (state, None) if offer is None else (ledger.offered(state, offer), offer)


def _concluded(state: SessionState, case: Case, offer: Offer | None) -> Conclusion | None:
    if not case.moment.finish:
        return None
    held = [outcome for outcome in case.outcomes if outcome.trigger is Trigger.FINISH]
    return concluded(state, case.moment, held, case.decision.skips, case.limits, reopened=offer is not None)


def _closed(
    state: SessionState, case: Case, offer: Offer | None, end: Conclusion | None
) -> tuple[SessionState, Settled]:
    moment = case.moment
    ends = end is not None and offer is None and moment.stop is not Stop.PAUSED_FOR_HUMAN
    notes = tuple(state.notes[key] for key in offer.notes) if offer else ()
    settled = made(
        Settled,
        turn=moment.turn,
        finish=moment.finish,
        advisory=offer.id if offer else None,
        reopen=moment.finish and offer is not None,
        result=end.result if end else None,
        verdict=end.verdict if end else None,
        progress=in_one_line(_progress(state, case, notes, end), case.guarded.judged, case.guarded.muted),
        calls=tuple(called(outcome) for outcome in case.outcomes),
        skips=case.decision.skips,
        unsent=unsent(state) if ends else (),
        answer=case.answer,
    )
    if ends:
        aborted, answered = moment.stop is Stop.ABORTED, moment.stop is Stop.ANSWER
        end_mark = closed_at(state, case.transcript, aborted=aborted, answered=answered)
        state = ledger.closed(ledger.listed(state), end_mark)
    return state, settled


def _progress(state: SessionState, case: Case, notes: Sequence[NoteRecord], end: Conclusion | None) -> str:
    if end is not None and end.result is FinishResult.CAPPED:
        return let_go(objecting(state, case.outcomes, case.decision.skips, case.limits))
    if end is not None and end.result is FinishResult.UNAVAILABLE:
        held = [outcome for outcome in case.outcomes if outcome.trigger is Trigger.FINISH]
        return not_reviewed(unheard(held, case.decision.skips))
    return progress(notes, finish=case.moment.finish)
