"""The check for one and the same error that comes back however the call is varied."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.similarity import digest, folded
from foureyes.core.words import Severity
from foureyes_reviewers.checks.calls import calls_since_human, normalised
from foureyes_reviewers.checks.quoting import anchored, called
from foureyes_reviewers.checks.repeated_call import may_pass
from foureyes_reviewers.checks.tool_errors import failed

__all__ = ["SAME_ERRORS", "repeated_error"]

SAME_ERRORS = 3
"""Failures in a row with the same words, from which a note is written: two changes of the call have not helped."""
_NEAR = 2
"""The same for calls that differ in nothing but case, spaces and punctuation: such a change is none."""
_SPECIFIC = re.compile(r"[\d'\"`/_\\]|[a-z][A-Z]|\w[.:]\w|: \w")
"""A name, a number, a path, or what comes after a colon: "it failed" may be about something else every time."""
_PLAIN = re.compile(r"[\W_]+")


def repeated_error(review: Review) -> tuple[Note, ...]:
    """Return a note where the newest calls of a tool failed in the same words, one after another.

    The severity is concern from the third failure on; nit at the second where the call was hardly changed (case,
    spaces, punctuation), and nit at a finish. The key is ``repeated-error:<tool>:<digest of the error>``.

    Good: three different scripts in a row that all end in "ModuleNotFoundError: No module named 'x'". Bad: "No such
    file" about two files; "failed" without a word about what; errors that pass by themselves (time-outs, rate limits);
    a success in between.
    """
    calls = calls_since_human(review)
    last = calls[-1] if calls else None
    quote = failed(last) if last is not None else None
    if last is None or quote is None or may_pass(quote) or not _SPECIFIC.search(quote):
        return ()
    same = _in_a_row([trace for trace in calls if trace.name == last.name], quote)
    if len(same) >= SAME_ERRORS and len({_exact(trace) for trace in same[-SAME_ERRORS:]}) > 1:
        return (_note(review, same, quote),)
    if len(same) >= _NEAR and _near(same[-1]) == _near(same[-2]) and _exact(same[-1]) != _exact(same[-2]):
        return (_note(review, same[-2:], quote),)
    return ()


def _in_a_row(calls: Sequence[ToolTrace], quote: str) -> Sequence[ToolTrace]:
    found: list[ToolTrace] = []
    for trace in reversed(calls):
        other = failed(trace)
        if other is None or folded(other) != folded(quote):
            break
        found.insert(0, trace)
    return found


def _exact(trace: ToolTrace) -> str:
    return normalised(trace.arguments) or trace.arguments


def _near(trace: ToolTrace) -> str:
    return _PLAIN.sub("", trace.arguments.casefold())


def _note(review: Review, same: Sequence[ToolTrace], quote: str) -> Note:
    # Identical calls have a check of their own, and a run that is over is not re-opened for a wasted call.
    weak = len(same) < SAME_ERRORS or review.trigger.value == "finish"
    last = same[-1]
    return Note(
        text=(
            f'{len(same)} calls of `{last.name}` in a row failed with "{quote}", the last being {called(last)}. '
            "Find the cause before the next try, or take another way."
        ),
        severity=Severity.NIT if weak else Severity.CONCERN,
        key=f"repeated-error:{last.name}:{digest('error', folded(quote)):016x}",
        anchor=anchored(last),
    )
