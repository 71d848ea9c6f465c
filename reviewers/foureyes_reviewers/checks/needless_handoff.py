"""The check for a hand-off to somebody else that nobody asked for and that was not spoken of."""

from __future__ import annotations

import re

from foureyes.core.facts import Note, Review, ToolCall
from foureyes.core.words import Severity
from foureyes_reviewers.checks.asked import human_words
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import Said, newest_said, place_key

__all__ = ["needless_handoff"]

_HANDS_OFF = re.compile(
    r"(?:transfer|escalate|hand_?off|hand_?over|refer).{0,12}(?:human|agent|operator|person|support)", re.I
)
_ASKED = re.compile(
    r"\b(?:agent|escalat\w+|human|manager|operator|person|representative|someone|somebody|specialist|supervisor"
    r"|transfer\w*|colleague)\b",
    re.IGNORECASE,
)
"""Words of a human that ask for somebody else, and of the agent that offer it."""


def needless_handoff(review: Review) -> tuple[Note, ...]:
    """Return a note where the agent hands the human off without having been asked, and without a word before.

    The severity is concern. The key is ``needless-handoff:<digest of the speaker and the call>``.

    Good: transfer_to_human_agent, where the human asked for a refund and the agent had not offered a transfer. Bad: the
    same after "Can I talk to a person?", or after the agent had said that it would have to transfer the human.

    Silent where messages are left out from the review.
    """
    if review.elided:
        return ()
    return tuple(note for said in newest_said(review) if (note := _judged(review, said)) is not None)


def _judged(review: Review, said: Said) -> Note | None:
    call = next((call for call in said.message.tool_calls if _HANDS_OFF.search(call.name)), None)
    if call is None or any(_ASKED.search(words) for words in human_words(review)):
        return None
    spoken = [message.text for message in said.before if message.role == "assistant"]
    return None if any(_ASKED.search(text) for text in (*spoken, said.message.text)) else _note(said, call)


def _note(said: Said, call: ToolCall) -> Note:
    return Note(
        text=(
            f"`{one_line(call.name)}` hands the request to somebody else, which nobody asked for and which was not "
            "offered. Do what can be done, or say first why it cannot."
        ),
        severity=Severity.CONCERN,
        key=place_key("needless-handoff", said, call.name),
        anchor=said.anchor,
    )
