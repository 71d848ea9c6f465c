"""Reading the JSON of a provider's answer, whatever is in it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from foureyes.errors import UnparsedReplyError
from foureyes_reviewers.model.problem import ProviderError

__all__ = ["JSON", "answered", "count", "text_of"]

JSON = Mapping[str, Any]


def answered(raw: bytes, what: str, needed: str) -> JSON:
    """Return the object in the body of a successful response.

    Raises ProviderError where it is an error after all, and UnparsedReplyError where it is no ``what``, which has a
    field that is ``needed``.
    """
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = None
    if isinstance(data, dict) and needed in data:
        return data
    if isinstance(data, dict) and data.get("error"):
        raise ProviderError(data, _status_in(data["error"]))
    raise UnparsedReplyError(f"the response is no {what} ({len(raw)} bytes): check 'base_url' and 'protocol'")


def text_of(content: object) -> str:
    """Return the text of a message's content: a text, or a list of blocks of which those with text count."""
    if isinstance(content, str):
        return content
    blocks = content if isinstance(content, list) else []
    return "".join(
        block["text"]
        for block in blocks
        if isinstance(block, dict) and block.get("type") in ("text", "output_text") and isinstance(block["text"], str)
    )


def count(data: object, *path: str) -> int:
    """Return the whole number from 0 at the path, 0 where there is none."""
    for name in path:
        data = data.get(name) if isinstance(data, Mapping) else None
    return data if isinstance(data, int) and not isinstance(data, bool) and data > 0 else 0


def _status_in(error: object) -> int | None:
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None
