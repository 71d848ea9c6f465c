"""A short run told in a few words, and the review that the checks get of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, replace

from foureyes.core.config import EvidenceConfig
from foureyes.core.evidence import window
from foureyes.core.facts import Message, Note, Review, ToolCall
from foureyes.core.state import SessionState
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks import CHECKS


@dataclass(frozen=True, kw_only=True)
class Call:
    """A call of one tool with its result, and what the agent says with it."""

    name: str
    arguments: dict[str, object]
    result: str
    words: str = ""
    error: bool = False


def call(name: str, result: str = "done", *, words: str = "", error: bool = False, **arguments: object) -> Call:
    """Return a call; its arguments are the further keywords."""
    return Call(name=name, arguments=arguments, result=result, words=words, error=error)


def human(text: str) -> Message:
    """Return the words of a human."""
    return Message(role="user", text=text)


def system(text: str) -> Message:
    """Return a system message."""
    return Message(role="system", text=text)


def told(request: str, *said: str | Call | Message, finish: bool = False) -> Review:
    """Return the review after the last thing said: a string is the agent's, and with ``finish`` its last is the answer.

    It covers everything since the beginning, as a finish review does.
    """
    messages = [*(one for one in said if isinstance(one, Message) and one.role == "system"), human(request)]
    messages += [one for place, part in enumerate(said) for one in _messages(part, place)]
    seen = window(SessionState(id="s", nonce="n"), messages, EvidenceConfig())
    turn = sum(message.role == "assistant" for message in messages)
    answer = next(message.text for message in reversed(messages) if message.role == "assistant") if finish else None
    return Review(
        session="s",
        reviewer="checks",
        trigger=Trigger.FINISH if finish else Trigger.PERIODIC,
        turn=turn,
        since=0,
        round=0,
        request=request,
        messages=seen.messages,
        elided=seen.elided,
        tools=seen.tools,
        answer=answer,
    )


def newest(review: Review) -> Review:
    """Return the same review where the reviewer had seen all but the last turn before."""
    return replace(review, since=review.turn - 1)


def notes(name: str, review: Review) -> tuple[Note, ...]:
    """Return what the check of this name says."""
    (check,) = [check for check in CHECKS if check.name == name]
    return check.find(review)


def severities(name: str, review: Review) -> list[Severity]:
    """Return the severities of what the check of this name says."""
    return [note.severity for note in notes(name, review)]


def _messages(part: str | Call | Message, place: int) -> Iterator[Message]:
    if isinstance(part, str):
        yield Message(role="assistant", text=part)
    elif isinstance(part, Call):
        made = ToolCall(id=f"c{place}", name=part.name, arguments=json.dumps(part.arguments))
        yield Message(role="assistant", text=part.words, tool_calls=(made,))
        yield Message(role="tool", text=part.result, call_id=made.id, error=part.error)
    elif part.role != "system":
        yield part
