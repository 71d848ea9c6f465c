"""Where the turns of a recorded run begin and end: the same rules for every format.

A turn is one assistant message with everything up to the next assistant or user message: its tool results. A turn
without tool calls and with text is an answer; any other is a step, an empty assistant message included. What stands
before the first assistant message belongs to no turn.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foureyes.core.facts import Message

__all__ = ["RecordedTurn", "turns"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RecordedTurn:
    """One turn of the agent in a recording."""

    said: Message
    """The assistant message with which it begins."""
    start: int
    """The place of that message in the transcript, from 0."""
    end: int
    """The place after its last message: the agent had seen everything before it."""
    asked: str | None
    """The first thing that a human said since the turn before, or None."""

    @property
    def answers(self) -> bool:
        """Tell whether the agent gave an answer: text, and no tool calls."""
        return not self.said.tool_calls and bool(self.said.text.strip())


def turns(messages: Sequence[Message]) -> Iterator[RecordedTurn]:
    """Yield the turns of the transcript, in order; none where the agent never spoke."""
    end = 0
    for start in (place for place, said in enumerate(messages) if said.role == "assistant"):
        asked = _asked(messages, end, start)
        end = _end(messages, start)
        yield RecordedTurn(said=messages[start], start=start, end=end, asked=asked)


def _asked(messages: Sequence[Message], start: int, end: int) -> str | None:
    return next((messages[place].text for place in range(start, end) if messages[place].by_human), None)


def _end(messages: Sequence[Message], start: int) -> int:
    end = start + 1
    while end < len(messages) and messages[end].role not in ("assistant", "user"):
        end += 1
    return end
