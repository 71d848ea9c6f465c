"""What the model answered."""

from __future__ import annotations

import json
from dataclasses import replace

from foureyes.core.facts import NO_USAGE, Reply, Usage
from foureyes.errors import TransientReviewerError, UnparsedReplyError
from foureyes.replies import read_reply

__all__ = ["read"]


def read(text: str, usage: Usage | None, finish_reason: str | None) -> Reply:
    """Return the reply in the text.

    Raises UnparsedReplyError where there is none, RefusedError where the provider declined, ContextOverflowError
    where the model's window was full, and TransientReviewerError where the provider gave nothing at all.
    """
    if not text.strip():
        if usage is not None and usage.output_tokens:
            return Reply(usage=usage)
        raise TransientReviewerError("the provider answered with nothing, and no tokens used")
    try:
        reply = read_reply(json.loads(text))
    except (ValueError, RecursionError):
        reply = None
    if reply is None:
        raise UnparsedReplyError("the model's answer has no notes in it")
    return replace(reply, usage=usage or NO_USAGE)
