"""Reviews and the prompts that are made of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from foureyes.core.config import EvidenceConfig
from foureyes.core.evidence import evidence, window
from foureyes.core.facts import EarlierNote, Message, Review, ToolCall
from foureyes.core.schedule import Call
from foureyes.core.state import SessionState
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.model.fence import reference_for
from foureyes_reviewers.model.prompt import Prompt, prompt
from foureyes_reviewers.redaction import Redactor

REFERENCE = reference_for(b"sixteen bytes or", "session-1")
TASK = "Sum the refunds of March."
NOTE = EarlierNote(text="The sum is in euros.", severity=Severity.CONCERN, turn=3, key="sum/currency")


def review(*messages: Message, **facts: Any) -> Review:
    """Return a periodic review of these messages, of which there is one unless given."""
    known: dict[str, Any] = {"session": "session-1", "reviewer": "correctness", "trigger": Trigger.PERIODIC, "turn": 4}
    known |= {"since": 0, "round": 0, "request": TASK}
    return Review(messages=messages or (said("Working on it."),), **(known | facts))


def said(text: str, *calls: ToolCall) -> Message:
    """Return a message of the agent."""
    return Message(role="assistant", text=text, tool_calls=calls)


def asked(seen: Review, instructions: str = "", policy: str = "", redactor: Redactor | None = None) -> Prompt:
    """Return the prompt for the review."""
    return prompt(seen, instructions, policy, redactor or Redactor(), REFERENCE)


def words(*messages: Message, **facts: Any) -> str:
    """Return all user-role text of the prompt for a review of these messages."""
    return "\n\n".join(asked(review(*messages, **facts)).messages)


def run(turns: int, size: int = 300) -> list[dict[str, Any]]:
    """Return the transcript of a run of so many turns, each with one tool call."""
    messages: list[dict[str, Any]] = [
        {"role": "system", "content": "You are the agent."},
        {"role": "user", "content": TASK},
    ]
    for turn in range(1, turns + 1):
        call = {"id": f"c{turn}", "function": {"name": "query", "arguments": f'{{"page": {turn}}}'}}
        messages.append({"role": "assistant", "content": f"Step {turn}. " + "x" * size, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{turn}", "content": f"{turn} rows " + "y" * size})
    return messages


def review_of(messages: Sequence[object], turn: int = 1, answer: str | None = None, **facts: Any) -> Review:
    """Return what a reviewer is told of a transcript, through the evidence window."""
    state = SessionState(id="session-1", nonce="0" * 32, request=1, request_text=TASK)
    trigger = Trigger.PERIODIC if answer is None else Trigger.FINISH
    call = Call(reviewer="correctness", trigger=trigger, turn=turn, since=max(0, turn - 1), round=0, **facts)
    return evidence(state, call, window(state, messages, EvidenceConfig()), answer, 30.0)


def words_of_result(text: str) -> str:
    """Return the user-role text about a run whose only tool gave this result."""
    transcript = [*run(0), {"role": "assistant", "content": "Look."}, {"role": "tool", "content": text}]
    return "\n".join(asked(review_of(transcript)).messages)
