"""The check for a tool call that is made again and again with the same outcome."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.calls import calls_since_human, fingerprint, normalised, reads, shows_content
from foureyes_reviewers.checks.quoting import anchored, called
from foureyes_reviewers.checks.tool_errors import failed

__all__ = ["PATIENT_CALLS", "SAME_CALLS", "may_pass", "repeated_call"]

SAME_CALLS = 3
"""Identical calls from which a note is written. Two are silent: to try once more is how a fluke is told from a fact,
and careful agents look twice. With the third, two repeats have shown that the outcome stays as it is."""

PATIENT_CALLS = 6
"""Identical calls from which a failure that may pass (HTTP 503, 429, a time-out) is worth a note: twice as many. To
try again is then the right thing to do, but after five repeats without a change it is no longer a short disturbance,
and every further try costs a turn."""

_Call: TypeAlias = tuple[str, str | None]
"""The tool and its normalised arguments."""

_MAY_PASS = re.compile(
    r"(?<!\d )pending|in[ _-]progress|queued|waiting|processing|running(?! \d+ tests?)|starting|not ready|rate.?limit"
    r"|too many requests|\b(?:429|502|503|504)\b|temporar|timed? ?-?out|try again (?:later|in|shortly|after)"
    r"|retry[ -]after|overloaded|connection (?:reset|refused)|unavailable|busy",
    re.IGNORECASE,
)
"""An outcome that says that it will be another one later: asking again is then a way to wait. Not "2 pending" and
"running 3 tests", which test runners print."""
_UNDER_WAY = re.compile(
    r"(?<!\d )pending|in[ _-]progress|queued|still (?:building|processing|running|starting|waiting)"
    r"|not (?:yet )?(?:complete|done|finished|ready)\b",
    re.IGNORECASE,
)
"""A failure that says that the work goes on: the only way to its result is to ask again, as often as it takes."""


def repeated_call(review: Review) -> tuple[Note, ...]:
    """Return a note for each call that was made three times and more with the same outcome, in order of last call.

    The same call is the same tool with the same arguments, whatever the order of JSON keys; the same outcome is the
    same shown result. The severity is concern; at a finish it is nit, because the loop is over by then and a wasted
    call is no reason to re-open an answer. The key is ``repeated-call:<tool>:<digest of the arguments>``.

    A failure that may pass by itself (HTTP 503 or 429, a time-out, a refused connection) is silent up to the fifth
    call and noted from the sixth on: short disturbances are over by then, and this one is none.

    Good: search "x", search "x", search "x", each answered "No results"; run_tests three times, each answered "=== 3
    failed in 0.10s ==="; fetch six times, each answered "503 Service Unavailable". Bad: reading a file, editing it,
    and reading it twice more; fetch three times with a 503.

    Silent

    - where anything in between could have changed the outcome, which is any call but one that certainly only looks,
      and anything that a human said;
    - where the results differ, or one is not there yet;
    - where a result that is no failure says that it may pass (pending, running), or a failure says that the work is
      still under way;
    - for a call that succeeds and is not known to only look: pressing "next" three times may be what is wanted;
    - where arguments are so long that the review shows only a part of them.
    """
    same: dict[_Call, list[ToolTrace]] = {}
    for trace in calls_since_human(review):
        call = (trace.name, normalised(trace.arguments))
        earlier = same.pop(call, [])
        if not reads(trace):
            same = {}
        same[call] = [*earlier, trace] if earlier and _outcome(earlier[-1]) == _outcome(trace) else [trace]
    return tuple(_note(review, calls) for calls in same.values() if _is_enough(calls))


def may_pass(outcome: str) -> bool:
    """Tell whether an outcome says that it will be another one later: pending, running, rate-limited, unavailable."""
    return _MAY_PASS.search(outcome) is not None


def _outcome(trace: ToolTrace) -> str | None:
    return None if trace.result is None else trace.result.strip()


def _is_enough(calls: Sequence[ToolTrace]) -> bool:
    last = calls[-1]
    if len(calls) < SAME_CALLS or normalised(last.arguments) is None or last.result is None:
        return False
    quote = failed(last)
    if quote is None:
        return reads(last) and (shows_content(last) or not may_pass(last.result))
    return _UNDER_WAY.search(quote) is None and (not may_pass(last.result) or len(calls) >= PATIENT_CALLS)


def _note(review: Review, calls: Sequence[ToolTrace]) -> Note:
    last = calls[-1]
    return Note(
        text=f"{called(last)} was called {len(calls)} times {_seen(last)}",
        severity=Severity.NIT if review.trigger is Trigger.FINISH else Severity.CONCERN,
        key=f"repeated-call:{last.name}:{fingerprint(last)}",
        anchor=anchored(last),
    )


def _seen(trace: ToolTrace) -> str:
    quote = failed(trace)
    if quote:
        return (
            f'and failed each time with "{quote}", while nothing was done that could change this. '
            "Change the arguments, remove the cause, or take another way."
        )
    return (
        "and gave the same result each time, while nothing was done that could change it. "
        "Work with that result, or do what changes it before the next call."
    )
