"""Runs as messages of Anthropic's Messages API: content blocks, with tool calls and results among them."""

from __future__ import annotations

from foureyes.replay.importers.base import Importer
from foureyes.replay.importers.content_blocks import has_blocks
from foureyes.replay.importers.conversation import has_role, raw_messages, read_log, read_run

__all__ = ["ANTHROPIC"]


def _is_run(value: object) -> bool:
    return any(map(has_blocks, raw_messages(value)))


def _is_record(value: object) -> bool:
    return has_role(value) and has_blocks(value)


ANTHROPIC = Importer(
    format="Anthropic messages",
    shapes='[{"role": "assistant", "content": [{"type": "tool_use", ...}]}, ...], in the same shapes',
    is_run=_is_run,
    is_record=_is_record,
    run=read_run,
    log=read_log,
)
"""Reads messages of content blocks. A tool failed where its result says ``is_error``."""
