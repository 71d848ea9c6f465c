"""Messages whose content is a list of blocks, as in Anthropic's Messages API and in what Claude Code records."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from foureyes.core.facts import Message, ToolCall
from foureyes.core.messages import text_of
from foureyes.replay.importers.base import mapping, string, wrong

__all__ = ["arguments", "block_messages", "has_blocks", "result", "text"]

_THINKING = ("thinking", "redacted_thinking")
_BLOCKS = ("tool_use", "tool_result", *_THINKING)
"""Blocks that no chat-completions message has."""


def has_blocks(raw: object) -> bool:
    """Tell whether a message holds a block that only this API has."""
    return any(mapping(block).get("type") in _BLOCKS for block in _list(mapping(raw).get("content")))


def block_messages(raw: Mapping[str, object], place: str) -> tuple[Message, ...]:
    """Return the messages that one message of blocks stands for: its tool results are messages of their own.

    Results come before what a user says beside them, and after what the agent says. Images and thinking become
    placeholders; thinking alone is no words. Raises RecordingError for a block of the wrong shape.
    """
    content = raw.get("content")
    if not isinstance(content, str | list | None):
        raise wrong("content is neither text, nor a list of blocks, nor null", place)
    blocks = [content] if isinstance(content, str) else _list(content)
    if not all(isinstance(block, str | dict) for block in blocks):
        raise wrong("a content block that is neither text nor an object", place)
    results = tuple(result(mapping(block)) for block in blocks if _is_result(block))
    said = _said(raw, [block for block in blocks if not _is_result(block)], place)
    if said.role == "assistant":
        return (said, *results)
    return (*results, said) if said.text or not results else results


def result(block: Mapping[str, object]) -> Message:
    """Return the tool result in a block, with the flag by which the host says that the tool failed."""
    content = block.get("content")
    failure = string(mapping(content).get("error_code"))
    shown = failure or text([content] if isinstance(content, str | dict) else _list(content))
    failed = block.get("is_error") is True or bool(failure)
    return Message(role="tool", call_id=string(block.get("tool_use_id")), text=shown, error=failed)


def text(blocks: Sequence[object]) -> str:
    """Return the words in the blocks, with placeholders for what is none; "" where there is nothing but thinking."""
    shown = [block for block in blocks if not _empty(block)]
    only_thinking = all(mapping(block).get("type") in _THINKING for block in shown)
    return "" if only_thinking else text_of({"content": [_titled(block) for block in shown]})


def arguments(value: object) -> str:
    """Return the arguments of a tool call as the text that an agent writes: JSON, or what is a text already."""
    if value is None or isinstance(value, str):
        return value or ""
    return json.dumps(value, ensure_ascii=False)


def _said(raw: Mapping[str, object], blocks: Sequence[object], place: str) -> Message:
    calls = [mapping(block) for block in blocks if string(mapping(block).get("type")).endswith("tool_use")]
    if not all(string(call.get("name")) for call in calls):
        raise wrong("a tool call without a name", place)
    words = [block for block in blocks if mapping(block) not in calls]
    return Message(role=string(raw.get("role")), text=text(words), tool_calls=tuple(map(_call, calls)))


def _call(block: Mapping[str, object]) -> ToolCall:
    return ToolCall(id=string(block.get("id")), name=string(block.get("name")), arguments=arguments(block.get("input")))


def _is_result(block: object) -> bool:
    return string(mapping(block).get("type")).endswith("tool_result")


def _empty(block: object) -> bool:
    return not block or (mapping(block).get("type") == "text" and not mapping(block).get("text"))


def _titled(block: object) -> object:
    # A hit of the provider's own search: what a reviewer can use of it is where it is.
    found = mapping(block)
    return f"{string(found.get('title'))} {string(found.get('url'))}" if string(found.get("url")) else block


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []
