"""The conversation that spans of model calls and tools tell together."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from foureyes.core.facts import Message, ToolCall
from foureyes.core.messages import text_of
from foureyes.replay.importers.base import mapping, string
from foureyes.replay.importers.content_blocks import arguments
from foureyes.replay.importers.genai_spans import Span, json_value

__all__ = ["conversation"]

_EVENTS = {
    "gen_ai.system.message": "system",
    "gen_ai.user.message": "user",
    "gen_ai.assistant.message": "assistant",
    "gen_ai.tool.message": "tool",
    "gen_ai.choice": "assistant",
}
"""How the conventions before version 1.37 recorded messages: as events of the span."""


def conversation(spans: Sequence[Span]) -> tuple[Message, ...]:
    """Return the messages of one conversation, from its spans in the order of time.

    Each model call tells its whole history, or only what is new; both are understood. A result that only the span of
    its tool tells comes where that span does.
    """
    told: list[Message] = []
    for span in spans:
        if span.operation == "execute_tool":
            told += _result(span)
        else:
            _join(told, tuple(_input(span)))
            told += _output(span)
    failed = {_call_id(span) for span in spans if span.operation == "execute_tool" and span.failed} - {""}
    return tuple(_without_repeats(told, failed))


def _join(told: list[Message], heard: Sequence[Message]) -> None:
    # A history begins as what was told before; from it only what was not told yet is new.
    if not told or not heard or _key(heard[0]) != _key(told[0]):
        told += heard
        return
    known = Counter(map(_key, told))
    for said in heard:
        known[_key(said)] -= 1
        if known[_key(said)] < 0:
            told.append(said)


def _key(said: Message) -> tuple[object, ...]:
    # Calls by their ids where they have any: arguments are often written in another way in a history.
    calls = tuple(call.id or (call.name, call.arguments) for call in said.tool_calls)
    return (said.role, said.call_id) if said.call_id else (said.role, said.text, calls)


def _without_repeats(told: Sequence[Message], failed: set[str]) -> Iterator[Message]:
    results: set[str] = set()
    for said in told:
        if said.call_id in results and said.role == "tool":
            continue
        results.update([said.call_id] if said.role == "tool" and said.call_id else [])
        yield replace(said, error=True) if said.role == "tool" and said.call_id in failed else said


def _input(span: Span) -> Iterator[Message]:
    system = json_value(span.attributes.get("gen_ai.system_instructions"))
    if isinstance(system, list):
        yield from _messages({"role": "system", "parts": system})
    for raw in _list(span, "gen_ai.input.messages"):
        yield from _messages(mapping(raw))
    for name, attributes in span.events:
        if name in _EVENTS and name != "gen_ai.choice":
            yield from _from_event(name, attributes)


def _output(span: Span) -> Iterator[Message]:
    # Of several candidates the first counts: only one can have gone on.
    for raw in _list(span, "gen_ai.output.messages")[:1]:
        yield from _messages(mapping(raw))
    for attributes in [attributes for name, attributes in span.events if name == "gen_ai.choice"][:1]:
        said = json_value(attributes.get("message", attributes))
        yield from _from_event("gen_ai.choice", mapping(said))


def _list(span: Span, name: str) -> list[object]:
    found = json_value(span.attributes.get(name))
    return found if isinstance(found, list) else []


def _messages(raw: Mapping[str, object]) -> Iterator[Message]:
    listed = raw.get("parts")
    parts = [mapping(part) for part in listed] if isinstance(listed, list) else []
    results = [part for part in parts if string(part.get("type")).endswith("tool_call_response")]
    calls = [part for part in parts if part.get("type") in ("tool_call", "server_tool_call")]
    words = _words([part for part in parts if part not in results and part not in calls])
    role = string(raw.get("role")) or "assistant"
    if words or calls or not results:
        yield Message(role=role, text=words, tool_calls=tuple(map(_call, calls)))
    for part in results:
        shown = part.get("response", part.get("result", part.get("content")))
        yield Message(role="tool", call_id=string(part.get("id")), text=arguments(shown))


def _words(parts: Sequence[Mapping[str, object]]) -> str:
    said = [part for part in parts if part.get("type") not in ("reasoning", "thinking")]
    return text_of({"content": [{**part, "text": part["content"]} if _is_text(part) else part for part in said]})


def _is_text(part: Mapping[str, object]) -> bool:
    return part.get("type") == "text" and isinstance(part.get("content"), str)


def _call(part: Mapping[str, object]) -> ToolCall:
    return ToolCall(
        id=string(part.get("id")), name=string(part.get("name")), arguments=arguments(part.get("arguments"))
    )


def _from_event(name: str, raw: Mapping[str, object]) -> Iterator[Message]:
    calls = json_value(raw.get("tool_calls"))
    role = _EVENTS[name]
    yield Message(
        role=role,
        text=text_of(raw),
        tool_calls=tuple(_legacy(mapping(call)) for call in calls) if isinstance(calls, list) else (),
        call_id=string(raw.get("id")) if role == "tool" else "",
    )


def _legacy(call: Mapping[str, object]) -> ToolCall:
    return _call({"id": call.get("id"), **mapping(call.get("function"))})


def _result(span: Span) -> Iterator[Message]:
    shown = span.attributes.get("gen_ai.tool.call.result")
    failure = span.attributes.get("exception.message", span.attributes.get("error.type")) if span.failed else None
    if shown is not None or failure is not None:
        words = arguments(shown if shown is not None else failure)
        yield Message(role="tool", call_id=_call_id(span), text=words, error=span.failed)


def _call_id(span: Span) -> str:
    return string(span.attributes.get("gen_ai.tool.call.id"))
