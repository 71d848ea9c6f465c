"""What an agent did at one turn, in a few words."""

from __future__ import annotations

import json

from foureyes.core.facts import Message, ToolCall
from foureyes.core.text import Redact, start_redacted, unredacted
from foureyes.replay.visible import cut

__all__ = ["deed"]

MAX_DEED = 64
"""Characters; with the label of its row it fits a line of 80."""
_MAX_VALUE = 32
_READ = 8_000
"""Characters of what was said that are looked at: far more than are shown."""


def deed(said: Message, redact: Redact = unredacted) -> str:
    """Return what the agent did with this message: its first tool call, or the beginning of what it said.

    One line of at most 64 characters, of which secrets are taken out before anything is cut. Further calls of the same
    message are counted.
    """
    if not said.tool_calls:
        text = _joined(start_redacted(said.text, _READ, redact))
        return f'answered "{cut(text, MAX_DEED - 11)}"' if text else "said nothing"
    more = len(said.tool_calls) - 1
    tail = f" and {more} more" if more else ""
    return cut(_call(said.tool_calls[0], redact), MAX_DEED - len(tail)) + tail


def _call(call: ToolCall, redact: Redact) -> str:
    return f"{_joined(redact(call.name))}({', '.join(_arguments(redact(call.arguments)))})"


def _arguments(text: str) -> list[str]:
    try:
        value = json.loads(text) if text.strip() else {}
    except (ValueError, RecursionError):
        value = text
    if not isinstance(value, dict):
        return [_short(value)]
    return [f"{_joined(name)}={_short(item)}" for name, item in value.items()]


def _short(value: object) -> str:
    return cut(_joined(json.dumps(value, ensure_ascii=False)), _MAX_VALUE)


def _joined(text: str) -> str:
    return " ".join(text.split())
