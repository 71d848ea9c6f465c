"""What one review sees of the run: a bounded, detached window, and truthful words about what is missing.

The cost depends on the bounds and never on the length of the transcript: messages are looked at from the newest
back, and cut before anything else is done with them. The original request is carried in the state, so it is shown
however long the run has become.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain

from foureyes.core.config import EvidenceConfig
from foureyes.core.facts import EarlierNote, Message, Review, ToolCall, ToolTrace
from foureyes.core.frozen import altered
from foureyes.core.messages import detached, is_work, mark, message, text_of
from foureyes.core.noise import is_noise
from foureyes.core.render import is_ours
from foureyes.core.schedule import Call
from foureyes.core.similarity import folded
from foureyes.core.state import NoteStatus, SessionState
from foureyes.core.text import Redact, clean, cut_middle, cut_redacted, unredacted

__all__ = ["Window", "contains", "evidence", "evidence_like", "has_new_work", "newest", "window"]

MAX_MESSAGE = 4_000
"""Characters of one message. 4,000 as in the reference."""
MAX_TRACE = 1_000
"""Characters of a tool call's arguments and of its result. 1,000 as in the reference."""
MAX_ANSWER = 8_000
"""Characters of the final answer. 8,000 as in the reference."""
MAX_PERMITTED = 2_000
"""Characters of what the host declares that the agent may do."""
MAX_SHOWN = 32
_LEAST = 100
"""Characters left for a further message. In fewer it could be cut without a marker, and would pass for whole."""
_SCANNED_PER_TOOL = 3
"""Messages looked at per tool call wanted, so that a run without tools does not cost a walk to its beginning."""
_RESULTS = ("tool", "function")
"""Roles of the results of calls."""
_READ_FOR_WORK = 64
"""Messages in which work is looked for; more at once have never been without any, and would take long to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """The part of the transcript that a review shows."""

    messages: tuple[Message, ...]
    elided: int
    """Older messages that are not shown."""
    tools: tuple[ToolTrace, ...]


def newest(messages: Sequence[object], bounds: EvidenceConfig) -> tuple[Message, ...]:
    """Return as many of the newest messages as a window inside the bounds may look at, oldest first, detached.

    Raises MessageError for what is no message.
    """
    taken: list[Message] = []
    calls = 0
    for raw in _newest(messages, bounds.max_messages + bounds.max_tools * _SCANNED_PER_TOOL):
        taken.append(detached(raw))
        calls += 0 if taken[-1].role in _RESULTS else len(taken[-1].tool_calls)
        if len(taken) >= bounds.max_messages and calls >= bounds.max_tools:
            break
    return tuple(taken[::-1])


def window(
    state: SessionState,
    messages: Sequence[object],
    bounds: EvidenceConfig,
    redact: Redact = unredacted,
    older: int = 0,
) -> Window:
    """Return the newest messages and tool calls inside the bounds, oldest first.

    A message larger than what is left of the budget is cut in the middle, with a marker; the newest one is always
    shown. The budget counts texts and tool calls; the calls of the oldest shown message may overshoot it. Advisories
    of this session are marked as not human. Secrets are taken out of all texts before they are cut. ``older`` messages
    came before these. Raises MessageError for what is no message.
    """
    shown: list[Message] = []
    left = bounds.max_chars
    for raw in _newest(messages, bounds.max_messages):
        if left < _LEAST:
            break
        taken = message(raw, MAX_MESSAGE if left > MAX_MESSAGE else left, redact)
        if taken.role == "user":
            taken = _marked(state.nonce, taken)
        left -= _size(taken)
        shown.append(taken)
    return Window(
        messages=tuple(shown[::-1]),
        elided=older + len(messages) - len(shown),
        tools=_tools(shown, messages, bounds.max_tools, redact),
    )


def evidence(
    state: SessionState,
    call: Call,
    seen: Window,
    answer: str | None,
    timeout_seconds: float,
    redact: Redact = unredacted,
    *,
    new: int | None = None,
    max_notes: int = 3,
    permitted: str = "",
) -> Review:
    """Return everything that the reviewer is told for this call."""
    return Review(
        session=state.id,
        reviewer=call.reviewer,
        trigger=call.trigger,
        turn=call.turn,
        since=call.since,
        round=call.round,
        request=state.request_text,
        messages=seen.messages,
        elided=seen.elided,
        tools=seen.tools,
        answer=None if answer is None else clean(cut_redacted(answer, MAX_ANSWER, redact)),
        earlier=_earlier(state, call.reviewer) if state.notes else (),
        timeout_seconds=timeout_seconds,
        attempt=call.attempt,
        new=new,
        max_notes=max_notes,
        permitted=clean(cut_redacted(permitted, MAX_PERMITTED, redact)) if permitted else "",
    )


def evidence_like(
    review: Review,
    state: SessionState,
    call: Call,
    timeout_seconds: float,
    *,
    new: int | None = None,
    max_notes: int = 3,
) -> Review:
    """Return what another reviewer with the same bounds is told at the same moment, for a fraction of the cost."""
    return altered(
        review,
        reviewer=call.reviewer,
        since=call.since,
        round=call.round,
        trigger=call.trigger,
        turn=call.turn,
        earlier=_earlier(state, call.reviewer) if state.notes else (),
        timeout_seconds=timeout_seconds,
        attempt=call.attempt,
        new=new,
        max_notes=max_notes,
    )


def has_new_work(messages: Sequence[object], read: int, read_mark: int = 0) -> bool:
    """Tell whether the agent has done anything since the transcript was ``read`` messages long.

    Our own advisories, what the human said, and an agent that only says thanks are no work. A transcript that has
    become shorter, or whose message there is not the one of this digest, was rewritten, and counts as new; so do more
    than 64 further messages, of which only the newest 64 are read.
    """
    if len(messages) < read or (read_mark and mark(messages, read) != read_mark):
        return True
    further = len(messages) - read
    found = any(is_work(raw, says_nothing=_says_nothing) for raw in _newest(messages, min(further, _READ_FOR_WORK)))
    return found or further > _READ_FOR_WORK


def _newest(messages: Sequence[object], count: int, after: int = 0) -> Iterator[object]:
    for place in range(len(messages) - 1 - after, max(-1, len(messages) - 1 - count), -1):
        yield messages[place]


def _marked(nonce: str, taken: Message) -> Message:
    return replace(taken, human=False) if taken.by_human and is_ours(nonce, taken.text) else taken


def _size(taken: Message) -> int:
    size = len(taken.text)
    for call in taken.tool_calls:
        size += len(call.name) + len(call.arguments)
    return size or 1


def _says_nothing(text: str) -> bool:
    fold = folded(text.strip())
    return not fold or is_noise(fold)


def _tools(shown: Sequence[Message], messages: Sequence[object], count: int, redact: Redact) -> tuple[ToolTrace, ...]:
    # Newest first. What the window holds has been read already; further back only tool calls are of interest.
    results: dict[str, Message] = {}
    unnamed: list[Message] = []
    found: list[ToolTrace] = []
    further = _newest(messages, count * _SCANNED_PER_TOOL, len(shown))
    for seen in chain(shown, (message(raw, MAX_TRACE, redact) for raw in further)) if count else ():
        if len(found) >= count:
            break
        if seen.role in _RESULTS:
            _keep(seen, results, unnamed)
        else:
            found += [_trace(call, results, unnamed) for call in seen.tool_calls[::-1]]
    return tuple(found[:count][::-1])


def _keep(seen: Message, results: dict[str, Message], unnamed: list[Message]) -> None:
    if seen.call_id:
        results.setdefault(seen.call_id, seen)
    else:
        unnamed.append(seen)


def _trace(call: ToolCall, results: dict[str, Message], unnamed: list[Message]) -> ToolTrace:
    result = results.pop(call.id, None) if call.id else unnamed.pop(0) if unnamed else None
    arguments = call.arguments
    return ToolTrace(
        name=call.name,
        arguments=arguments if len(arguments) <= MAX_TRACE else cut_middle(arguments, MAX_TRACE),
        result=None if result is None else cut_middle(result.text, MAX_TRACE),
        error=result is not None and result.error,
        call_id=call.id,
    )


def _earlier(state: SessionState, reviewer: str) -> tuple[EarlierNote, ...]:
    sent = [note for note in state.with_status(NoteStatus.SENT) if reviewer in note.reviewers]
    return tuple(
        EarlierNote(text=note.text, severity=note.severity, turn=note.turn, key=note.key) for note in sent[-MAX_SHOWN:]
    )


def contains(messages: Sequence[object], text: str, newest: int = 64) -> bool:
    """Tell whether one of the newest messages contains the text."""
    return any(text in text_of(raw) for raw in _newest(messages, newest))
