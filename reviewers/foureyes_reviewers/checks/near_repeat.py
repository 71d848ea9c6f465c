"""The check for a call that is made again with nothing but its spelling changed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.similarity import digest
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.calls import calls_since_human, normalised, reads, values
from foureyes_reviewers.checks.quoting import anchored, called
from foureyes_reviewers.checks.repeated_call import SAME_CALLS, may_pass

__all__ = ["near_repeat"]

_WORD = re.compile(r"\w+")


def near_repeat(review: Review) -> tuple[Note, ...]:
    """Return a note for each look that was made three times and more in other spellings, always with the same result.

    Two calls are near where the tool is the same and the words of the arguments are, whatever their case, their order
    and the punctuation between them. The severity is concern, and nit at a finish. The key is
    ``near-repeat:<tool>:<digest of the words>``.

    Good: search "Rope, length", search "rope length" and search "LENGTH: rope", each answered "No results". Bad: other
    words; other results; three times the same spelling, which has a check of its own; a call that does something in
    between.
    """
    near: dict[tuple[str, frozenset[str], str], list[ToolTrace]] = {}
    for trace in calls_since_human(review):
        if not reads(trace):
            near = {}
        elif trace.result is not None and not may_pass(trace.result) and (words := _words(trace)):
            near.setdefault((trace.name, words, trace.result.strip()), []).append(trace)
    return tuple(_note(review, calls) for calls in near.values() if _is_enough(calls))


def _words(trace: ToolTrace) -> frozenset[str]:
    return frozenset(word for value in values(trace) for word in _WORD.findall(value.casefold()))


def _is_enough(calls: Sequence[ToolTrace]) -> bool:
    spellings = [normalised(trace.arguments) for trace in calls]
    return len(calls) >= SAME_CALLS and None not in spellings and len(set(spellings)) > 1


def _note(review: Review, calls: Sequence[ToolTrace]) -> Note:
    last = calls[-1]
    return Note(
        text=(
            f"{called(last)} was called {len(calls)} times in other spellings, always with the same result. "
            "Work with that result, or look for something else."
        ),
        severity=Severity.NIT if review.trigger is Trigger.FINISH else Severity.CONCERN,
        key=f"near-repeat:{last.name}:{digest('near', ' '.join(sorted(_words(last)))):016x}",
        anchor=anchored(last),
    )
