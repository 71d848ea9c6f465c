"""The check for an answer right after the agent said that what it needs is not there yet."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Message, Note, Review
from foureyes.core.words import Severity
from foureyes_reviewers.checks.answers import Answer
from foureyes_reviewers.checks.grounds import is_empty, may_be_a_source
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import newest_said, own_words, place_key, sentences

__all__ = ["answered_anyway"]

_FIND = "check|confirm|count|determine|find|gather|identify|locate|look|obtain|retrieve|search|verify"
_GAP = re.compile(
    r"\b(?:is|are|was|were|has been|have been) not (?:explicitly|directly|clearly|specifically|yet|readily|fully) "
    r"(?:available|confirmed|displayed|found|given|identified|listed|mentioned|provided|shown|stated|verified|visible)\b"
    rf"|\b(?:could not|couldn't|did not|didn't|unable to|not able to|failed to|have not yet|haven't yet) (?:{_FIND})\b"
    rf"|\bstill needs? to (?:be )?(?:{_FIND})|\b(?!we\b|you\b|i\b)\w+ needs to (?:{_FIND})\b"
    rf"|\bthe next step (?:is to|involves|would be to) (?:{_FIND})",
    re.IGNORECASE,
)
_LEAST = 60
"""Characters of a message that says anything: "Request satisfied." does not."""


def answered_anyway(review: Review) -> tuple[Note, ...]:
    """Return a note where the answer follows, with nothing in between, on words that what it needs was not found.

    The severity is concern. The key is ``answered-anyway:<digest of the speaker and those words>``.

    Good: "The last change is not explicitly stated on the page.", and then the answer "FINAL ANSWER: but". Bad: an
    answer that says the same itself; a tool's result, a page, or a human's words in between.
    """
    said = next((said for said in newest_said(review) if said.final), None)
    gap = _gap(said.before) if said is not None and said.words else None
    if said is None or gap is None:
        return ()
    answer = Answer.read(said.words)
    if answer.owns_up or answer.asks:
        return ()
    return (
        Note(
            text=(
                f'Just before the answer the agent said "{one_line(gap)}", and nothing has been found since. '
                "Find it, or say in the answer that it is missing."
            ),
            severity=Severity.CONCERN,
            key=place_key("answered-anyway", said, gap),
            anchor=said.anchor,
        ),
    )


def _gap(before: Sequence[Message]) -> str | None:
    for message in reversed(before):
        if message.by_human or (message.role in ("tool", "function") and not is_empty(message.text)):
            return None
        if message.role != "assistant" or len(message.text.strip()) < _LEAST:
            continue
        if message.tool_calls or may_be_a_source(message):
            return None
        return next((one for one in sentences(own_words(message.text)) if _GAP.search(one)), None)
    return None
