"""What the agent's statements may rest on: results of tools, and texts that were put in front of it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from foureyes.core.facts import Message, Review, ToolCall, ToolTrace
from foureyes.core.words import Trigger
from foureyes_reviewers.checks.calls import values
from foureyes_reviewers.checks.speech import Said, newest_said, said_since_human
from foureyes_reviewers.checks.tool_errors import failed

__all__ = [
    "calls_in",
    "cites",
    "grounds_from",
    "is_empty",
    "may_be_a_source",
    "only_computes",
    "open_said",
    "place_of_last_result",
    "requested",
    "trace_of",
]

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
_COMPUTES = re.compile(r"\bprint\s?\(")
_REACHES_OUT = re.compile(
    r"\bimport (?!math\b|statistics\b|datetime\b|fractions\b|decimal\b|itertools\b|collections\b|random\b|re\b)"
    r"|\bfrom (?!math\b|statistics\b|datetime\b|fractions\b|decimal\b|itertools\b|collections\b|random\b)\w+"
    r"|\b(?:open|read|load|input|request|fetch|download|search|scrape|query|exec|eval|curl|wget|cat|select)"
    r"|\b(?:pip|sh|bash|git|python3?) |https?://|\bos\.|\bsys\.",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"https?://|\bwww\.", re.IGNORECASE)
_SHOWS = re.compile(r"\b(?:screenshot|snippet|viewport)\b", re.IGNORECASE)
_LONG = 3_000
"""Characters from which on a message of another speaker may be a page, a document or a search result."""
_QUITE_LONG = 1_500
"""The same where there is an address in it."""


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
        if said.role in ("tool", "function") and _is_result(said, before[:place]):
            return place
    return None


def _is_result(said: Message, before: Sequence[Message]) -> bool:
    if is_empty(said.text):
        return False
    trace = trace_of(said, before)
    return failed(trace) is None and not only_computes(trace)


def only_computes(trace: ToolTrace) -> bool:
    """Tell whether the call is a program without any input: it gives back what the agent itself wrote into it."""
    program = "\n".join(values(trace))
    return _COMPUTES.search(program) is not None and _REACHES_OUT.search(program) is None


def open_said(review: Review) -> tuple[Said, ...]:
    """Return what the agent said and nothing has mended since: the newest, and at a finish also what still stands.

    At a finish that is all since a human last spoke, apart from what a tool gave a result after.
    """
    if review.trigger is not Trigger.FINISH:
        return newest_said(review)
    result = place_of_last_result(review.messages)
    standing = said_since_human(review)
    return tuple(said for said in standing if result is None or len(said.before) > result or said.last)


def grounds_from(review: Review) -> int | None:
    """Return the place of the first message that may have told the agent what it did not know by itself, or None.

    That is a tool result that says something and is no failure, and a message of another speaker that may be a page or
    a document (long, or with an address or a screenshot in it). 0 where messages are left out from the review.
    """
    if review.elided:
        return 0
    shown = review.messages
    return next((place for place, said in enumerate(shown) if _is_ground(said, shown[:place])), None)


def _is_ground(said: Message, before: Sequence[Message]) -> bool:
    return may_be_a_source(said) or (said.role in ("tool", "function") and _is_result(said, before))


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


def cites(said: Message) -> bool:
    """Tell whether a message gives two addresses or more, as an answer out of a search of the host's own does."""
    return len(_ADDRESS.findall(said.text)) > 1


def may_be_a_source(said: Message) -> bool:
    """Tell whether a message may hold what somebody else wrote: it is long, or has an address or a screenshot in it."""
    # A failed call may have printed what it found before it failed.
    if said.by_human or said.role in ("system", "developer") or is_empty(said.text):
        return False
    if len(said.text) >= _LONG or _SHOWS.search(said.text):
        return True
    return (len(said.text) >= _QUITE_LONG or said.role != "assistant") and _ADDRESS.search(said.text) is not None
