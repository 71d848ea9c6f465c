"""The check for messages and series of calls that come again and again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from foureyes.core.facts import Message, Note, Review, ToolTrace
from foureyes.core.similarity import digest
from foureyes.core.words import Severity
from foureyes_reviewers.checks.calls import calls_since_human, normalised
from foureyes_reviewers.checks.quoting import anchored, called, one_line
from foureyes_reviewers.checks.repeated_call import may_pass
from foureyes_reviewers.checks.speech import Said, newest_said, place_key

__all__ = ["SAME_MESSAGES", "circles"]

SAME_MESSAGES = 3
"""Equal messages from which a note is written: one repeat may be a recap, two are a loop."""
_ROUNDS = 3
"""Times that a series of calls has to be run through."""
_PERIODS = (2, 3)
"""Calls in a series. A single call that repeats is the business of another check."""
_LEAST = 60
"""Characters of a message that is worth comparing: shorter ones ("Done.", "Continue") may be a form of politeness."""
_BEGINNING = 400
"""Characters that are compared. A page that is opened again begins alike, whatever changes further down."""


def circles(review: Review) -> tuple[Note, ...]:
    """Return a note where the agent says the same for the third time, or runs through the same calls for the third.

    Messages are the same where their first 400 characters are, white space and case apart; only what was said after a
    human last spoke counts. Calls are the same where tool, arguments and result are. The severity is concern; the keys
    are ``circles:<digest>`` of the message or of the series.

    Good: the same instruction to a helper, three times; read a, edit b, read a, edit b, read a, edit b, with the same
    results. Bad: "Done." three times; a page scrolled through; a series whose results differ, or say
    that something is still running.
    """
    return (*_repeated(review)[-1:], *_series(calls_since_human(review)))


def _repeated(review: Review) -> list[Note]:
    new = {len(said.before): said for said in newest_said(review)}
    human = max((place for place, message in enumerate(review.messages) if message.by_human), default=-1)
    counts: Counter[str] = Counter()
    found = []
    for place, message in enumerate(review.messages):
        here = _beginning(message) if place > human else None
        if here is None:
            continue
        counts[here] += 1
        if counts[here] >= SAME_MESSAGES and place in new:
            found.append(_message_note(new[place], here, counts[here]))
    return found


def _message_note(said: Said, here: str, times: int) -> Note:
    return Note(
        text=(
            f'The agent says the same for the {times}. time: "{one_line(said.message.text)}" '
            "Nothing has come of it so far: take another way, or say what is missing."
        ),
        severity=Severity.CONCERN,
        key=place_key("circles", said, here),
        anchor=said.anchor,
    )


def _beginning(message: Message) -> str | None:
    if message.role != "assistant" or message.tool_calls or len(message.text) < _LEAST:
        return None
    return " ".join(message.text[: 2 * _BEGINNING].split())[:_BEGINNING].casefold()


def _series(calls: Sequence[ToolTrace]) -> tuple[Note, ...]:
    for period in _PERIODS:
        newest = [_same(trace) for trace in calls[-period * _ROUNDS :]]
        round_ = newest[:period]
        again = len(newest) == period * _ROUNDS and newest == round_ * _ROUNDS and len(set(round_)) > 1
        if again and not any(may_pass(trace.result or "") for trace in calls[-period:]):
            return (_series_note(calls[-period:]),)
    return ()


def _same(trace: ToolTrace) -> tuple[str, str, str | None]:
    arguments = normalised(trace.arguments)
    return trace.name, trace.arguments if arguments is None else arguments, trace.result


def _series_note(calls: Sequence[ToolTrace]) -> Note:
    names = ", ".join(called(trace) for trace in calls)
    return Note(
        text=(
            f"The same {len(calls)} calls were run through {_ROUNDS} times with the same results: {names}. "
            "Take another way, or say what is missing."
        ),
        severity=Severity.CONCERN,
        key=f"circles:{digest('circles', repr([_same(trace) for trace in calls])):016x}",
        anchor=anchored(calls[-1]),
    )
