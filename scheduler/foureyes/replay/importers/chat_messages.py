"""One OpenAI-style chat message."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import replace

from foureyes.core.facts import Message
from foureyes.core.messages import message
from foureyes.replay.importers.base import wrong

__all__ = ["chat_message"]


def chat_message(raw: Mapping[str, object], place: str) -> Message:
    """Return the message: text, parts or null as content, tool calls, legacy function calls and results.

    Raises RecordingError for a message of the wrong shape rather than reading half of it.
    """
    for problem in _problems(raw):
        raise wrong(problem, place)
    read = message(_with_text(raw), sys.maxsize)
    return replace(read, role="tool") if read.role == "function" else read


def _problems(raw: Mapping[str, object]) -> Iterator[str]:
    if not isinstance(raw.get("content"), str | list | None):
        yield "content is neither text, nor a list of parts, nor null"
    calls = raw.get("tool_calls")
    if not isinstance(calls, list | None):
        yield "tool_calls is not a list"
    elif not all(map(_is_call, calls or [])):
        yield "a tool call without a function name"
    if raw.get("function_call") and not _named(raw["function_call"]):
        yield "a function call without a name"


def _is_call(call: object) -> bool:
    return isinstance(call, Mapping) and (_named(call.get("function")) or _named(call.get("custom")))


def _named(function: object) -> bool:
    return isinstance(function, Mapping) and bool(function.get("name")) and isinstance(function["name"], str)


def _with_text(raw: Mapping[str, object]) -> dict[str, object]:
    calls = raw.get("tool_calls")
    shown = {name: value for name, value in raw.items() if name != "tool_calls"}
    if isinstance(calls, list) and calls:
        shown["tool_calls"] = [_function(call) for call in calls]
    if not shown.get("content") and isinstance(shown.get("refusal"), str):
        shown["content"] = shown["refusal"]
    return shown


def _function(call: Mapping[str, object]) -> Mapping[str, object]:
    return call if call.get("function") else {"id": call.get("id"), "function": call["custom"]}
