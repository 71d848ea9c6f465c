"""Trajectories in the Agent Trajectory Interchange Format (ATIF), written by Harbor and its kin."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foureyes.core.facts import Message, ToolCall
from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Importer, Run, mapping, never, string, wrong
from foureyes.replay.importers.content_blocks import arguments, text
from foureyes.replay.importers.conversation import read_log

__all__ = ["ATIF"]

_ROLES = {"agent": "assistant", "user": "user", "system": "system"}
_FLAGS = ("is_error", "tool_result_is_error")
_NESTED = ("tool_result_metadata", "raw_tool_result", "metadata")
"""Where converters keep what the agent's own host said about a result; the format itself has no place for it."""


def _is_run(value: object) -> bool:
    found = mapping(value)
    steps = found.get("steps")
    declared = string(found.get("schema_version")).startswith("ATIF-")
    numbered = isinstance(steps, list) and bool(steps) and "step_id" in mapping(steps[0])
    return isinstance(steps, list) and (declared or (numbered and "agent" in found))


def _run(entry: Entry, place: str, beside: Beside) -> Run:
    value = mapping(entry.value)
    steps = value["steps"] if isinstance(value["steps"], list) else []
    inside = f"{place}, step " if place else "step "
    messages = tuple(said for count, raw in enumerate(steps, 1) for said in _step(raw, f"{inside}{count}"))
    if not messages:
        raise wrong("a trajectory without steps", place)
    return Run(messages=messages, id=string(value.get("session_id")), narrates=True, reward=beside.reward())


def _step(raw: object, place: str) -> Iterator[Message]:
    step = mapping(raw)
    role = _ROLES.get(string(step.get("source")))
    if role is None:
        raise wrong("not a step: its source is neither agent, user nor system", place)
    calls = _list(step, "tool_calls", place)
    yield Message(role=role, text=_text(step.get("message")), tool_calls=tuple(_call(call, place) for call in calls))
    for found in _list(mapping(step.get("observation")), "results", place):
        yield _result(mapping(found), step, calls)


def _text(content: object) -> str:
    return content if isinstance(content, str) else text(content if isinstance(content, list) else [])


def _list(value: Mapping[str, object], key: str, place: str) -> Sequence[object]:
    found = value.get(key)
    if not isinstance(found, list | None):
        raise wrong(f"{key} is not a list", place)
    return found or ()


def _call(raw: object, place: str) -> ToolCall:
    call = mapping(raw)
    name = string(call.get("function_name"))
    if not name:
        raise wrong("a tool call without a function name", place)
    return ToolCall(id=string(call.get("tool_call_id")), name=name, arguments=arguments(call.get("arguments")))


def _result(found: Mapping[str, object], step: Mapping[str, object], calls: Sequence[object]) -> Message:
    only = calls[0] if len(calls) == 1 else None
    call = string(found.get("source_call_id")) or string(mapping(only).get("tool_call_id"))
    # What is said about a step is said about its result only where it has one.
    said = step.get("extra") if len(calls) == 1 else None
    failed = _says_error(found) or _says_error(found.get("extra")) or _says_error(said)
    return Message(role="tool", text=_text(found.get("content")), call_id=call, error=failed)


def _says_error(value: object) -> bool:
    found = mapping(value)
    return any(found.get(flag) is True for flag in _FLAGS) or any(
        _says_error(found[key]) for key in _NESTED if key in found
    )


ATIF = Importer(
    format="ATIF",
    shapes='{"schema_version": "ATIF-v1.2", "steps": [{"step_id": 1, "source": "user", "message": "..."}, ...]}, '
    "the reward in reward.txt beside the file",
    is_run=_is_run,
    is_record=never,
    run=_run,
    log=read_log,
)
"""Reads trajectories of ATIF: each step of the agent is a turn.

A tool failed where the host of the agent said so, which converters keep in ``extra``.
"""
