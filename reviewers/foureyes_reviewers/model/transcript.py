"""The record of a run as the model reads it.

A message, once shown, is shown with the same characters in every later review, so that providers find it in their
caches: nothing in it depends on which review it is.
"""

from __future__ import annotations

from collections.abc import Iterator

from foureyes.core.facts import EarlierNote, Message, Review, ToolTrace
from foureyes.core.text import cut_middle
from foureyes_reviewers.model.fence import Fence
from foureyes_reviewers.redaction import Redactor

__all__ = ["Record"]

MAX_TOOL_CHARS = 400
"""Characters of the arguments, and of the result, of a call that is older than the messages shown."""
MAX_OLDER = 16
"""Calls from before the messages that are shown."""
MAX_NOTE_CHARS = 500
"""Characters of an earlier note: enough to know it again."""
_CUT = "[shortened for review: "
_HIDDEN = ("system", "developer")
_RESULTS = ("tool", "function")


class Record:
    """Renders the parts of a review: redacted first, then cut, then fenced."""

    def __init__(self, review: Review, redactor: Redactor, fence: Fence) -> None:
        self._review = review
        self._redactor = redactor
        self._fence = fence
        self._names = {call.id: call.name for message in review.messages for call in message.tool_calls if call.id}

    @property
    def empty(self) -> bool:
        """Tell whether there is nothing that could be reviewed."""
        shown = any(message.role not in _HIDDEN for message in self._review.messages)
        return not (shown or self._review.tools or (self._review.answer or "").strip())

    def request(self) -> str:
        """Return the human's original request."""
        return self._fence.block("request", self._text(self._review.request) or "(not known)")

    def permitted(self) -> str:
        """Return what the host declares that the agent may do; "" where it declares nothing."""
        allowed = self._text(self._review.permitted)
        return self._fence.block("agent-permissions", allowed) if allowed else ""

    def older_tools(self) -> str:
        """Return the tool calls from before the messages that are shown, oldest first; "" where there are none.

        At most 16, and a power of two: as messages are added fewer of them are known, and so seldom change.
        """
        seen = sum(len(message.tool_calls) for message in self._review.messages)
        older = self._review.tools[: max(0, len(self._review.tools) - seen)]
        if not older:
            return ""
        shown = older[-min(1 << (len(older).bit_length() - 1), MAX_OLDER) :]
        return self._fence.block("older-calls", *map(self._trace, shown))

    def messages(self) -> Iterator[str]:
        """Yield the opening of the transcript, then each message that is shown, oldest first, with its number.

        The number is that of the message in the run, from 1. System text is left out.
        """
        yield self._fence.opening("transcript")
        for number, message in enumerate(self._review.messages, self._review.elided + 1):
            if message.role not in _HIDDEN:
                yield self._message(number, message)

    def end(self) -> str:
        """Return the closing of the transcript."""
        lost = "" if self._review.messages else "(nothing was captured)\n"
        return lost + self._fence.closing("transcript")

    def shortened(self) -> int:
        """Return in how many of the messages that are shown characters are left out."""
        return sum(map(_is_shortened, self._review.messages))

    def answer(self) -> str:
        """Return the answer that the agent would give; "" where it would give none yet."""
        if self._review.answer is None:
            return ""
        return self._fence.block("answer", self._text(self._review.answer) or "(empty)")

    def earlier(self) -> str:
        """Return what this reviewer has told the agent already, oldest first; "" where that is nothing."""
        notes = self._review.earlier
        return self._fence.block("earlier-notes", *map(self._note, notes)) if notes else ""

    def _text(self, text: str) -> str:
        return self._fence.inside(self._redactor.redacted(text)).strip("\n")

    def _name(self, text: str) -> str:
        return self._fence.name(self._redactor.redacted(text))

    def _cut(self, text: str, limit: int) -> str:
        return self._fence.inside(cut_middle(self._redactor.redacted(text), limit)).strip("\n")

    def _message(self, number: int, message: Message) -> str:
        parts = [self._fence.label(f"#{number} {self._speaker(message)}"), self._text(message.text)]
        for call in message.tool_calls:
            parts += [self._fence.label(f"the agent calls {self._called(call.name, call.id)}")]
            parts += [self._text(call.arguments)]
        return "\n".join(filter(None, parts))

    def _called(self, name: str, identity: str) -> str:
        name, identity = self._name(name) or "a tool", self._name(identity)
        return f"{name}, id {identity}" if identity else name

    def _speaker(self, message: Message) -> str:
        if message.role == "user":
            return "human" if message.by_human else "automated message, not from the human"
        if message.role in _RESULTS:
            name = message.name or self._names.get(message.call_id, "")
            return f"result of {self._called(name, message.call_id)}{', which FAILED' if message.error else ''}"
        return "agent" if message.role == "assistant" else (self._name(message.role) or "unknown speaker")

    def _trace(self, trace: ToolTrace) -> str:
        return "\n".join(filter(None, self._trace_parts(trace)))

    def _trace_parts(self, trace: ToolTrace) -> Iterator[str]:
        yield self._fence.label(f"the agent calls {self._called(trace.name, trace.call_id)}")
        yield self._cut(trace.arguments, MAX_TOOL_CHARS)
        if trace.result is None:
            yield self._fence.label("no result is known")
        else:
            yield self._fence.label("its result, a FAILURE" if trace.error else "its result")
            yield self._cut(trace.result, MAX_TOOL_CHARS)

    def _note(self, note: EarlierNote) -> str:
        key = f", key {self._name(note.key)}" if note.key else ""
        return f"{self._fence.label(f'turn {note.turn}, {note.severity}{key}')}\n{self._cut(note.text, MAX_NOTE_CHARS)}"


def _is_shortened(message: Message) -> bool:
    return _CUT in message.text or any(_CUT in call.arguments for call in message.tool_calls)
