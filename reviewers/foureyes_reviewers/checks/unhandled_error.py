"""The check for a failed tool call that the answer passes over."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.answers import Answer
from foureyes_reviewers.checks.calls import calls_since_human, fingerprint, normalised, reads, words
from foureyes_reviewers.checks.quoting import anchored, called, one_line
from foureyes_reviewers.checks.tool_errors import failed

__all__ = ["unhandled_error"]

_ALREADY = re.compile(r"\balready\b", re.IGNORECASE)
"""In the failure's own words: what was wanted is so."""
_STOPS = "aborted|cancell?ed|declined|denied|interrupted|rejected|stopped"
_STOPPED = re.compile(
    rf"\b(?:user|human|operator) (?:has |have )?(?:{_STOPS}|(?:does not|doesn't|did not|didn't) want)\b"
    rf"|\b(?:{_STOPS}) by (?:the |a )?(?:user|human|operator)\b",
    re.IGNORECASE,
)
"""Anywhere in the result: the human caused the failure, and knows of it."""


def unhandled_error(review: Review) -> tuple[Note, ...]:
    """Return a note for each tool whose last call failed without the answer saying so, in the order of the calls.

    The severity is concern, or blocker where the answer claims that just this call succeeded. The key is
    ``unhandled-error:<tool>:<digest of the arguments>``.

    What a failure is, :func:`.tool_errors.failed` says: a flag, a report, an exit status, or a form of words that
    runners and shells have for it.

    Good: the last call of create_ticket gives "Error: queue not found", and the answer is "The ticket is created."; or
    run_tests gives "=== 3 failed in 0.10s ===", and the answer is "All tests pass." Bad: the same calls, and the answer
    is "I could not create the ticket"; or a second call that succeeds; or a log with that line that was read.

    Silent

    - at every other moment than a finish with an answer;
    - where the answer says in any way that something went wrong, or asks the reader for something (unless it claims
      the success of the call too, and admits nothing);
    - where the same tool succeeded later, or any tool did with a word of the arguments in common, or the same call
      had succeeded before;
    - for a call that only looks, where anything succeeded later or the tool succeeded at all: a miss on the way to
      what was found is not worth a word;
    - where a human spoke after the failure, declined the call, or what was wanted is "already" so.
    """
    if review.trigger is not Trigger.FINISH or review.answer is None or not review.answer.strip():
        return ()
    calls = [_Seen(trace=trace, quote=failed(trace)) for trace in calls_since_human(review)]
    last = {call.trace.name: place for place, call in enumerate(calls)}
    failures = [calls[place] for place in sorted(last.values()) if _is_open(calls, place)]
    answer = Answer.read(review.answer) if failures else None
    if answer is None or answer.owns_up:
        return ()
    return tuple(note for call in failures if (note := _note(call, calls, answer)) is not None)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    trace: ToolTrace
    quote: str | None

    @property
    def may_have_worked(self) -> bool:
        # A call whose result is not there yet is given the benefit of the doubt.
        return self.quote is None


def _is_open(calls: Sequence[_Seen], place: int) -> bool:
    call = calls[place]
    if call.quote is None or _ALREADY.search(call.quote) or _STOPPED.search(call.trace.result or ""):
        return False
    before = [other.trace for other in calls[:place] if other.may_have_worked and other.trace.name == call.trace.name]
    after = [other.trace for other in calls[place + 1 :] if other.may_have_worked]
    if reads(call.trace):
        return not before and not after
    done, wanted = normalised(call.trace.arguments), words(call.trace) if after else frozenset()
    return not any(wanted & words(other) for other in after) and all(normalised(t.arguments) != done for t in before)


def _claim(call: _Seen, calls: Sequence[_Seen], answer: Answer) -> str | None:
    # Where the tool did succeed with something else, "it was updated" may well be about that.
    other = any(seen.may_have_worked for seen in calls if seen.trace.name == call.trace.name)
    return answer.claims_pass(call.trace) or (None if other else answer.claims_done(call.trace))


def _note(call: _Seen, calls: Sequence[_Seen], answer: Answer) -> Note | None:
    claim = _claim(call, calls, answer)
    if claim is None and answer.asks:
        return None
    said = "does not mention it" if claim is None else f'says "{one_line(claim)}"'
    return Note(
        text=(
            f'The last call of {called(call.trace)} failed with "{call.quote}", and the answer {said}. '
            "Make the call succeed, or say in the answer that it failed and what that means."
        ),
        severity=Severity.CONCERN if claim is None else Severity.BLOCKER,
        key=f"unhandled-error:{call.trace.name}:{fingerprint(call.trace)}",
        anchor=anchored(call.trace),
    )
