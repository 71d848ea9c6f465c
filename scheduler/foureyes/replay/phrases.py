"""The closed sets in plain words, for people who read a time line."""

from __future__ import annotations

from collections.abc import Mapping

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Usage
from foureyes.core.state import Skipped
from foureyes.core.words import FinishResult, SkipReason, Trigger, Verdict
from foureyes.replay.run import Consulted
from foureyes.replay.visible import one_line

__all__ = ["cadence", "count", "outcome", "result", "skip", "spent", "unread"]

_SKIPS = {
    SkipReason.DISABLED: "switched off, or its saved record is damaged",
    SkipReason.PAUSED: "it failed too often in a row",
    SkipReason.MUTED: "silenced for the rest of the request",
    SkipReason.BUSY: "its last review has not let go yet",
    SkipReason.BUDGET: "its budget is spent",
    SkipReason.NOTHING_NEW: "the agent has done nothing since its last review",
    SkipReason.NOT_PERMITTED: "it may not see this run",
    SkipReason.STOP_REASON: "the agent did not stop with an answer",
    SkipReason.ABORTED: "the run was stopped",
    SkipReason.STORE_UNAVAILABLE: "the charge could not be saved",
}

_RESULTS = {
    FinishResult.CLEAN: "the answer stands",
    FinishResult.REOPENED: "the agent would have gone on with these notes; the recording goes on as it was",
    FinishResult.CAPPED: "the answer stands, because nothing more may be said about it",
    FinishResult.UNAVAILABLE: "the answer stands, because a review could not be made",
    FinishResult.INCOMPLETE: "the agent did not stop with an answer",
    FinishResult.ABORTED: "the run was stopped",
}


def count(number: int, noun: str) -> str:
    """Return the number with its noun, which gets an "s" unless the number is 1."""
    return f"1 {noun}" if number == 1 else f"{number:,} {noun}s"


def cadence(config: ReviewerConfig) -> str:
    """Return when the reviewer is consulted, with its allowances."""
    if not config.enabled:
        return "switched off"
    parts = []
    if config.periodic:
        turns = "turn" if config.interval_turns == 1 else f"{config.interval_turns} turns"
        parts.append(f"every {turns} (at most {config.max_periodic_reviews} a request)")
    if config.at_finish:
        parts.append(f"at the finish (at most {config.max_rounds} a request)")
    return " and ".join(parts) or "never"


def outcome(call: Consulted) -> str:
    """Return how a review ended, with its seconds; a failed one with its attempts and error."""
    text = f"{call.trigger} review: {call.outcome}, {call.seconds:.3f} s"
    if call.attempts > 1 or call.error:
        text += f", {count(call.attempts, 'attempt')}"
    return f"{text}: {one_line(call.error)}" if call.error else text


def skip(skipped: Skipped) -> str:
    """Return why a reviewer that was due was not called, with the numbers behind it."""
    return f"skipped, {skipped.reason}: {_why(skipped)}"


def unread(call: Consulted) -> str:
    """Return what of a reply was lost in reading it; "" where nothing was."""
    parts = []
    if call.malformed:
        entries = "1 entry of the reply is" if call.malformed == 1 else f"{call.malformed:,} entries of the reply are"
        parts.append(f"{entries} not readable as a note")
    if call.unknown_severities:
        parts.append(f"{count(call.unknown_severities, 'note')} of unknown severity, taken for a nit")
    return "; ".join(parts)


def spent(used: Mapping[str, Usage]) -> str:
    """Return the tokens and the money that each reviewer used; "" where none reported any."""
    return "; ".join(f"{reviewer} {_usage(usage)}" for reviewer, usage in used.items())


def result(ended: FinishResult, verdict: Verdict | None) -> str:
    """Return how a finish ended for the run and for the answer."""
    return f"{ended}, verdict {verdict}: {_RESULTS[ended]}" if verdict else f"{ended}: {_RESULTS[ended]}"


def _usage(used: Usage) -> str:
    cost = "cost unknown" if used.cost_usd is None else f"${used.cost_usd:,.4f}"
    cached = f" ({used.cached_tokens:,} cached)" if used.cached_tokens else ""
    return f"{used.input_tokens:,} tokens in{cached}, {used.output_tokens:,} out, {cost}"


def _why(skipped: Skipped) -> str:
    if skipped.reason is SkipReason.CAP:
        kind = "finish" if skipped.trigger is Trigger.FINISH else "periodic"
        return f"{skipped.have} of {skipped.limit} {kind} reviews of this request are spent"
    if skipped.reason is SkipReason.COOLDOWN:
        return f"a review failed; periodic reviews go on at turn {skipped.limit}"
    return _SKIPS[skipped.reason]
