"""How a finish ends: for the run, and for what may be said of the answer.

The two are different questions. The run ends even where the review failed; the answer is ``approved`` only where
every reviewer that was due completed its review of *this* answer, every note of it could be read, and nothing of at
least ``reopen_severity`` was raised.
Silence, a timeout, a pause or a spent allowance never approves anything.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Moment, Outcome
from foureyes.core.guard import Limits
from foureyes.core.state import SessionState, Skipped
from foureyes.core.words import FINISH_REASONS, FinishResult, SkipReason, Stop, Verdict

__all__ = ["Conclusion", "concluded", "may_reopen", "objecting", "unheard"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Conclusion:
    """How a finish ended."""

    result: FinishResult
    verdict: Verdict


def may_reopen(configs: Sequence[ReviewerConfig], state: SessionState) -> bool:
    """Tell whether the request's finish may be re-opened once more: at most the largest ``max_rounds`` times."""
    rounds = [config.max_rounds for config in configs if config.enabled and config.at_finish]
    return state.reopens < max(rounds, default=0)


def concluded(
    state: SessionState,
    moment: Moment,
    outcomes: Sequence[Outcome],
    skips: Sequence[Skipped],
    limits: Limits,
    *,
    reopened: bool,
) -> Conclusion:
    """Return how a finish ended, from the state after its reviews were settled.

    ``capped`` means that the run ends although concerns are open: the rounds are spent, or the agent has already
    been told each of them and has answered again.
    """
    if moment.stop is not Stop.ANSWER:
        result = FinishResult.ABORTED if moment.stop is Stop.ABORTED else FinishResult.INCOMPLETE
        return Conclusion(result=result, verdict=Verdict.UNREVIEWED)
    if reopened:
        return Conclusion(result=FinishResult.REOPENED, verdict=Verdict.CHANGES_REQUESTED)
    if objecting(state, outcomes, skips, limits):
        return Conclusion(result=FinishResult.CAPPED, verdict=Verdict.CHANGES_REQUESTED)
    if unheard(outcomes, skips):
        return Conclusion(result=FinishResult.UNAVAILABLE, verdict=Verdict.UNAVAILABLE)
    if any(skip.reason is SkipReason.CAP for skip in skips):
        return Conclusion(result=FinishResult.CAPPED, verdict=Verdict.UNREVIEWED)
    verdict = Verdict.APPROVED if outcomes else Verdict.UNREVIEWED
    return Conclusion(result=FinishResult.CLEAN, verdict=verdict)


def unheard(outcomes: Sequence[Outcome], skips: Sequence[Skipped]) -> list[tuple[str, str]]:
    """Return the reviewers that should have read the answer and were not heard, each with the reason."""
    failed = [(outcome.reviewer, _failing(outcome)) for outcome in outcomes if not _was_heard(outcome)]
    return failed + [(skip.reviewer, str(skip.reason)) for skip in skips if skip.reason not in FINISH_REASONS]


def _failing(outcome: Outcome) -> str:
    return "unreadable notes" if outcome.kind.completed else str(outcome.kind)


def _was_heard(outcome: Outcome) -> bool:
    # A note that nobody could read may have been a blocker.
    return outcome.kind.completed and not outcome.reply.malformed


def objecting(state: SessionState, outcomes: Sequence[Outcome], skips: Sequence[Skipped], limits: Limits) -> list[str]:
    """Return the reviewers with an open concern: raised in this review, or in their last if their rounds are spent."""
    spoke = [outcome.reviewer for outcome in outcomes if outcome.kind.completed]
    spoke += [skip.reviewer for skip in skips if skip.reason is SkipReason.CAP]
    return [name for name in spoke if state.reviewer(name).raised >= limits.reopen_severity.rank]
