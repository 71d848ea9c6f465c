"""Which messages of a review are shown: from a start that seldom moves, and fewer where they do not fit.

Replaying everything after an overflow overflows again: https://github.com/can1357/oh-my-pi/issues/8908
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TypeAlias

from foureyes.core.facts import Message, Review
from foureyes.core.text import cut_middle
from foureyes.errors import ContextOverflowError

__all__ = ["WORTH_A_TRY", "TooLongError", "room_after", "shrunk", "span", "steady"]

MIN_ROOM = 400
"""Characters below which nothing worth a review would be left."""
FRAME = 40
"""Characters that the label of a message, or of a call, takes: many short messages are not shorter than a long one."""
WORTH_A_TRY = 2_000
"""Characters that are tried even where there seems to be less room: how many tokens they are is only guessed."""
_PROSE_CHARS = 5
"""Characters of a token of the rules, which are English prose."""
_FRAME_TOKENS = 400
"""What stands around the rules and the record: the task, the fences, the provider's own template."""
_SAFETY = 0.9
"""The share of the room that is used: tokens are not spread evenly."""
_LIMIT = re.compile(r"(?:n_ctx: |maximum context length is |maximum (?:of|is) |> ?)(\d{3,9})", re.IGNORECASE)
_ASKED = re.compile(
    r"(?:n_prompt_tokens: |you requested |resulted in |too long: |messages? (?:has|have) |at least )(\d{3,9})",
    re.IGNORECASE,
)
_RESULTS = ("tool", "function")
_Redact: TypeAlias = Callable[[str], str]


class TooLongError(ContextOverflowError):
    """Raised where a question does not fit, with what the provider's words say of how much would have.

    The words themselves, which may quote anything, are not kept.
    """

    def __init__(self, message: str, *, words: str = "") -> None:
        self._limit, self._asked = _number(_LIMIT, words), _number(_ASKED, words)
        super().__init__(message)

    def share(self, fixed: float) -> float | None:
        """Return which share of the question fits, from 0 to 1, not counting its ``fixed`` tokens, which all stay.

        None where the provider does not name two numbers, its limit and the question's size.
        """
        limit, asked = self._limit, self._asked
        if limit is None or asked is None or asked <= max(limit, fixed):
            return None
        return max(0.0, (_SAFETY * limit - fixed) / (asked - fixed))


def room_after(error: ContextOverflowError, chars: int, fixed: int) -> int:
    """Return the characters to try next, where a span of ``chars`` beside ``fixed`` characters of rules was too long.

    Half of the span, or less where the provider says how little fits; but 2,000 are worth a try.
    """
    share = error.share(fixed / _PROSE_CHARS + _FRAME_TOKENS) if isinstance(error, TooLongError) else None
    return chars // 2 if share is None else min(chars // 2, max(int(chars * share), WORTH_A_TRY))


def span(review: Review) -> int:
    """Return the characters of a review that may be left out: messages with their calls and labels, and the answer."""
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


def steady(review: Review) -> Review:
    """Return the review from a start that stays the same while messages are added, for as long as it can.

    A window of the newest messages that moves with every message shares nothing with the one before. So where older
    messages are left out already, a few more are: the start is the roundest number of a message (the multiple of the
    highest power of two) with which half of the messages and half of the characters still follow, and all that are
    new to the reviewer. With 32 messages it moves once in 16. It needs no memory, so a restart does not move it.
    """
    start = _start(review) if review.elided else 0
    return replace(review, messages=review.messages[start:], elided=review.elided + start) if start else review


def _start(review: Review) -> int:
    messages = review.messages
    last = min(_half(messages), len(messages) - (review.new or 0))
    # The oldest message may have been cut to what room was left, so it is not the same each time.
    start = max(range(1, last + 1), key=lambda place: _roundness(review.elided + place), default=0)
    while 0 < start < last and messages[start].role in _RESULTS:
        start += 1
    return start


def _roundness(number: int) -> int:
    return number & -number


def _half(messages: Sequence[Message]) -> int:
    """Return the last place from which half of the messages, and half of their characters, follow."""
    lengths = [_length(message) for message in messages]
    least, place = sum(lengths) / 2, len(messages) // 2
    while place and sum(lengths[place:]) < least:
        place -= 1
    return place


def _number(form: re.Pattern[str], text: str) -> int | None:
    found = form.search(text)
    return int(found[1]) if found else None


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
    each = max(room // (1 + len(message.tool_calls)) - FRAME, 0)
    calls = tuple(replace(call, arguments=_cut(call.arguments, each, redact)) for call in message.tool_calls)
    return replace(message, text=_cut(message.text, each, redact), tool_calls=calls)


def _cut(text: str, room: int, redact: _Redact) -> str:
    return text if len(text) <= room else cut_middle(redact(text), room)


def _length(message: Message) -> int:
    return FRAME + len(message.text) + sum(FRAME + len(call.arguments) for call in message.tool_calls)
