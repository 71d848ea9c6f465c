"""Where the turns of a recorded run begin and end: the same rules for every format.

A turn is one assistant message with everything up to the next assistant or user message: its tool results. A turn
without tool calls and with text is an answer; any other is a step, an empty assistant message included. What stands
before the first assistant message belongs to no turn.

In some formats agents also speak between two steps: several agents in a conversation, or an agent that is recorded
sentence by sentence. Such a recording *narrates*, and there it is only an answer if a user message comes next (a
human's, or that of a hook which sends the agent back), or nothing does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from foureyes.core.facts import Message

__all__ = ["RecordedTurn", "turn_at", "turns"]


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
    goes_on: bool = False
    """Whether the agent went on by itself, so that this was no answer whatever it said."""

    @property
    def answers(self) -> bool:
        """Tell whether the agent gave an answer: text, no tool calls, and it did not go on by itself."""
        return not self.said.tool_calls and bool(self.said.text.strip()) and not self.goes_on


def turns(messages: Sequence[Message], *, narrates: bool = False) -> Iterator[RecordedTurn]:
    """Yield the turns of the transcript, in order; none where the agent never spoke.

    ``narrates``: a turn is only an answer if a user message comes next, or nothing. Empty messages do not count.
    """
    end = 0
    going = _going_on(messages) if narrates else frozenset()
    for start in (place for place, said in enumerate(messages) if said.role == "assistant"):
        asked = _asked(messages, end, start)
        end = _end(messages, start)
        yield RecordedTurn(said=messages[start], start=start, end=end, asked=asked, goes_on=start in going)


def turn_at(messages: Sequence[Message], place: int) -> int | None:
    """Return the number, from 1, of the turn that holds the message at this place, from 0.

    A message between two turns belongs to the one before it, a place after the end to the last turn, and what comes
    before the first turn to the first. None where the agent never spoke.
    """
    spoken = [at for at, said in enumerate(messages) if said.role == "assistant"]
    return max(1, sum(at <= place for at in spoken)) if spoken else None


def _going_on(messages: Sequence[Message]) -> frozenset[int]:
    places: list[int] = []
    goes_on = False
    for place in range(len(messages) - 1, -1, -1):
        said = messages[place]
        if said.role == "assistant" and goes_on:
            places.append(place)
        # Other messages prove nothing: it is the agent that goes on.
        goes_on = said.role != "user" and (goes_on or (said.role == "assistant" and _does_something(said)))
    return frozenset(places)


def _does_something(said: Message) -> bool:
    return bool(said.tool_calls) or bool(said.text.strip())


def _asked(messages: Sequence[Message], start: int, end: int) -> str | None:
    return next((messages[place].text for place in range(start, end) if messages[place].by_human), None)


def _end(messages: Sequence[Message], start: int) -> int:
    end = start + 1
    while end < len(messages) and messages[end].role not in ("assistant", "user"):
        end += 1
    return end
