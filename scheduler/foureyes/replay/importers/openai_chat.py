"""Runs as OpenAI-style chat messages: what most agent frameworks record, or can be made to record."""

from __future__ import annotations

from foureyes.replay.importers.base import Importer
from foureyes.replay.importers.conversation import has_role, raw_messages, read_log, read_run

__all__ = ["OPENAI_CHAT"]


def _is_run(value: object) -> bool:
    return bool(raw_messages(value))


OPENAI_CHAT = Importer(
    format="OpenAI chat messages",
    shapes='[{"role": "user", "content": "..."}, ...] or {"messages": [...]}, JSON or JSONL, '
    "one message or one run a line",
    is_run=_is_run,
    is_record=has_role,
    run=read_run,
    log=read_log,
)
"""Reads chat-completions messages: tool calls, legacy function calls, content as text, parts or null.

A tool failed where its message says ``is_error``; else its text is for the reviewers to judge.
"""
