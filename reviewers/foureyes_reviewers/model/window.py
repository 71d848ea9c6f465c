"""Making a review fit into a smaller window: its newest part, never all of it again.

Replaying everything after an overflow overflows again: https://github.com/can1357/oh-my-pi/issues/8908
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from foureyes.core.facts import Message, Review
from foureyes.core.text import cut_middle
from foureyes.errors import ContextOverflowError

__all__ = ["TooLongError", "fitting_share", "shrunk", "span"]

MIN_ROOM = 400
"""Characters below which nothing worth a review would be left."""
_SAFETY = 0.9
"""The share of the room that is used: tokens are not spread evenly."""
_LIMIT = re.compile(r"(?:n_ctx: |maximum context length is |maximum (?:of|is) |> ?)(\d{3,9})", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:n_prompt_tokens: |you requested |resulted in |too long: |messages? (?:has|have) |at least )(\d{3,9})",
    re.IGNORECASE,
)
_Redact: TypeAlias = Callable[[str], str]


class TooLongError(ContextOverflowError):
    """Raised where a question does not fit, with how much of it would have."""

    def __init__(self, message: str, *, fitting: float | None = None) -> None:
        self.fitting = fitting
        """The share of the question's tokens that fits, from 0 to 1; None where the provider does not say."""
        super().__init__(message)


def fitting_share(text: str) -> float | None:
    """Return the share of a question that fits, read from the provider's error; None where it names no two numbers."""
    limit, asked = _LIMIT.search(text), _ASKED.search(text)
    if limit is None or asked is None or int(asked[1]) <= int(limit[1]):
        return None
    return _SAFETY * int(limit[1]) / int(asked[1])


def span(review: Review) -> int:
    """Return the characters of a review that may be left out: messages with their calls, and the answer."""
    return sum(map(_length, review.messages)) + len(review.answer or "")


def shrunk(review: Review, room: int, redact: _Redact) -> Review | None:
    """Return the review with the newest part of its span that has room; None where nothing worth reading has.

    What is dropped is counted as elided. Where the newest message, or the answer, is longer than its room it is cut in
    the middle, once secrets are out of it. Of the tool calls the newer half stays.
    """
    if room < MIN_ROOM:
        return None
    answer = _cut(review.answer, room // 2, redact) if review.answer is not None else None
    messages = _newest(review.messages, room - len(answer or ""), redact)
    return replace(
        review,
        messages=messages,
        elided=review.elided + len(review.messages) - len(messages),
        tools=review.tools[len(review.tools) // 2 :],
        answer=answer,
    )


def _newest(messages: tuple[Message, ...], room: int, redact: _Redact) -> tuple[Message, ...]:
    kept: list[Message] = []
    for message in reversed(messages):
        left = room - sum(map(_length, kept))
        if _length(message) <= left:
            kept.append(message)
        elif kept:
            break
        else:
            kept.append(_shortened(message, left, redact))
    return tuple(reversed(kept))


def _shortened(message: Message, room: int, redact: _Redact) -> Message:
    each = room // (1 + len(message.tool_calls))
    calls = tuple(replace(call, arguments=_cut(call.arguments, each, redact)) for call in message.tool_calls)
    return replace(message, text=_cut(message.text, each, redact), tool_calls=calls)


def _cut(text: str, room: int, redact: _Redact) -> str:
    return text if len(text) <= room else cut_middle(redact(text), room)


def _length(message: Message) -> int:
    return len(message.text) + sum(len(call.arguments) for call in message.tool_calls)
