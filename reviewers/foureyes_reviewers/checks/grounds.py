"""What the agent's statements may rest on: results of tools, and texts that were put in front of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Message, Review, ToolCall, ToolTrace
from foureyes_reviewers.checks.tool_errors import failed

__all__ = ["calls_in", "has_grounds", "is_empty", "place_of_last_result", "requested", "trace_of"]

_EMPTY = re.compile(
    r"(?:exit ?code: 0[^\n]{0,40}\s*)?(?:(?:code )?output:?\s*)?"
    r"(?:\[\]|\{\}|none|null|nil|nan|n/a|empty|0 results?"
    r"|\(?no (?:output|results?|matches|data|rows|items|records)(?: found| returned)?\)?)?[.\s]*",
    re.IGNORECASE,
)
_IDLE = re.compile(
    r"(?:there (?:is|was|are) |found |got )?no (?:code|command|script|input|instruction|task|query)s?\b.{0,60}"
    r"\b(?:to (?:execute|run|process)|for me|executed|provided|given|found)\b",
    re.IGNORECASE,
)
_MAX_EMPTY = 200
_ADDRESS = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_LONG = 2_500
"""Characters from which on a message of another speaker may be a page, a document or a search result."""


def trace_of(message: Message, before: Sequence[Message]) -> ToolTrace:
    """Return a tool's message as a trace, with the call that it answers where that is among the messages before it."""
    asked = (call for said in reversed(before) for call in said.tool_calls)
    call = next((call for call in asked if call.id == message.call_id), ToolCall(name=message.name))
    return ToolTrace(
        name=call.name,
        arguments=call.arguments,
        result=message.text,
        error=message.error,
        call_id=message.call_id,
    )


def is_empty(text: str) -> bool:
    """Tell whether a result says nothing: no text, an empty list, "no results", or that there was nothing to run."""
    stripped = text.strip()
    if len(stripped) > _MAX_EMPTY:
        return _IDLE.match(stripped) is not None
    return _EMPTY.fullmatch(stripped) is not None or _IDLE.match(stripped) is not None


def place_of_last_result(before: Sequence[Message]) -> int | None:
    """Return the place of the newest tool result that says something and is no failure; None where there is none."""
    for place in range(len(before) - 1, -1, -1):
        said = before[place]
        if said.role not in ("tool", "function") or is_empty(said.text):
            continue
        if failed(trace_of(said, before[:place])) is None:
            return place
    return None


def has_grounds(review: Review, before: Sequence[Message]) -> bool:
    """Tell whether anything before a message may have told the agent what it did not know by itself.

    That is a tool result that is no failure, a message of another speaker that may be a page or a document (long, or
    with an address in it), and everything that the review does not show. Not sure means True.
    """
    if review.elided or place_of_last_result(before) is not None:
        return True
    return any(_may_be_a_source(said) for said in before)


def calls_in(messages: Sequence[Message]) -> bool:
    """Tell whether a tool was called, or answered with something, in these messages."""
    return any(
        message.tool_calls or (message.role in ("tool", "function") and not is_empty(message.text))
        for message in messages
    )


def requested(review: Review, pattern: re.Pattern[str]) -> bool:
    """Tell whether the request, or anything else that a human or the system said, has such words in it."""
    said = (message.text for message in review.messages if message.by_human or message.role in ("system", "developer"))
    return pattern.search(review.request) is not None or any(pattern.search(text) for text in said)


def _may_be_a_source(said: Message) -> bool:
    # A failed call may have printed what it found before it failed.
    if said.by_human or said.role in ("system", "developer") or is_empty(said.text):
        return False
    return len(said.text) >= _LONG or _ADDRESS.search(said.text) is not None
