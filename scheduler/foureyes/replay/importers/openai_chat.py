"""Runs as OpenAI-style chat messages: what most agent frameworks record, or can be made to record.

A run is a list of messages, or an object that holds one under ``messages``, ``traj`` or ``conversation``. A file is
one run, a list of runs, one run a line, or one message a line.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foureyes.core.facts import Message
from foureyes.core.messages import message
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Importer
from foureyes.replay.recording import RecordingError

__all__ = ["OPENAI_CHAT"]

_KEYS = ("messages", "traj", "conversation")
_FOREIGN = ("tool_use", "tool_result")
"""Content parts of another format with the same outer shape; read as this one, its tool calls would be lost."""
_CURE = "repair it or remove the run"


def _recognises(entries: Sequence[Entry]) -> bool:
    messages = [raw for _, run in _raw_runs(entries) for raw in run]
    return bool(messages) and _has_role(messages[0]) and not any(map(_foreign, messages))


def _runs(entries: Sequence[Entry]) -> Iterator[tuple[Message, ...]]:
    if _message_a_line(entries):
        yield tuple(_message(entry.value, f"line {entry.line}") for entry in entries)
        return
    for place, raw in _raw_runs(entries):
        if not raw:
            raise RecordingError("a run without messages", place=place, cure=_CURE)
        inside = f"{place}, " if place else ""
        yield tuple(_message(item, f"{inside}message {number}") for number, item in enumerate(raw, 1))


OPENAI_CHAT = Importer(
    format="OpenAI chat messages",
    shapes='[{"role": "user", "content": "..."}, ...] or {"messages": [...]}, JSON or JSONL, '
    "one message or one run a line",
    recognises=_recognises,
    runs=_runs,
)
"""Reads chat-completions messages: tool calls, legacy function calls, content as text, parts or null."""


def _raw_runs(entries: Sequence[Entry]) -> list[tuple[str, list[object]]]:
    if _message_a_line(entries):
        return [("", [entry.value for entry in entries])]
    if len(entries) == 1:
        return _in_one_value(entries[0].value)
    return [(f"line {entry.line}", _run(entry.value) or []) for entry in entries]


def _in_one_value(value: object) -> list[tuple[str, list[object]]]:
    if isinstance(value, list) and value and not _has_role(value[0]) and _run(value[0]) is not None:
        return [(f"run {number}", _run(item) or []) for number, item in enumerate(value, 1)]
    return [("", _run(value) or [])]


def _run(value: object) -> list[object] | None:
    if isinstance(value, Mapping):
        value = next((value[key] for key in _KEYS if isinstance(value.get(key), list)), None)
    return value if isinstance(value, list) else None


def _message_a_line(entries: Sequence[Entry]) -> bool:
    return _has_role(entries[0].value)


def _has_role(value: object) -> bool:
    return isinstance(value, Mapping) and isinstance(value.get("role"), str)


def _foreign(raw: object) -> bool:
    content = raw.get("content") if isinstance(raw, Mapping) else None
    parts = content if isinstance(content, list) else []
    return any(isinstance(part, Mapping) and part.get("type") in _FOREIGN for part in parts)


def _message(raw: object, place: str) -> Message:
    if not isinstance(raw, Mapping) or not _has_role(raw):
        raise RecordingError("not a message: it has no role", place=place, cure=_CURE)
    for problem in _problems(raw):
        raise RecordingError(problem, place=place, cure=_CURE)
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
