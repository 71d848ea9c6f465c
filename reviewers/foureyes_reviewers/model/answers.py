"""Reading the JSON of a provider's answer, whatever is in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from foureyes.errors import UnparsedReplyError
from foureyes_reviewers.foreign import parsed, written
from foureyes_reviewers.model.endings import Ending
from foureyes_reviewers.model.problem import ProviderError

__all__ = ["JSON", "answered", "count", "ending_of", "fail_if_error", "text_of"]

JSON = Mapping[str, Any]

_UNBELIEVABLE = 2**53
"""Tokens: as many can be counted exactly."""
_TEXTS = ("text", "output_text")
_CALLS = ("tool_use", "tool_call", "function_call")


def answered(raw: bytes, what: str, needed: str) -> JSON:
    """Return the object in the body of a successful response.

    Raises ProviderError where it is an error after all, and UnparsedReplyError where it is no ``what``, which has a
    field that is ``needed``.
    """
    try:
        data = parsed(written(raw))
    except ValueError:
        data = None
    if isinstance(data, dict):
        fail_if_error(data)
        if needed in data:
            return data
    raise UnparsedReplyError(f"the response is no {what} ({len(raw)} bytes): check 'base_url' and 'protocol'")


def fail_if_error(data: JSON) -> None:
    """Raise ProviderError where this part of an answer tells of an error."""
    if data.get("error"):
        raise ProviderError(data, _status_in(data["error"]))


def text_of(content: object) -> str | None:
    """Return the text of a message's content: a text, or a list of blocks of which those with text count.

    An empty list is an empty text. None where nobody can tell what was said: no text among the blocks, which is not the
    same as an empty one, or none but in blocks of the wrong shape, or neither a text nor a list.
    """
    if isinstance(content, str):
        return content
    texts = [_text_in(block) for block in _blocks(content) if _type_of(block) in _TEXTS]
    if content == []:
        return ""  # How the messages API writes an answer without a word.
    said = "".join(text for text in texts if text is not None)
    return said if said.strip() or (texts and None not in texts) else None


def ending_of(content: object, reason: object, *, refusal: object = None, calls: object = None) -> str | None:
    """Return why the model stopped, in the provider's word or in one that says what is in the message.

    ``refusal`` and ``calls`` are what the message has beside its content. A refusal counts more than any reason, and
    calls to tools more than any but a refusal.
    """
    types = [_type_of(block) for block in _blocks(content)]
    given = reason if isinstance(reason, str) else None
    if refusal or "refusal" in types:
        return "refusal"
    called = bool(calls) or any(kind.endswith(_CALLS) for kind in types)
    return "tool_calls" if called and Ending.of(given) is not Ending.REFUSED else given


def count(data: object, *path: str) -> int:
    """Return the whole number from 0 at the path, also where it is written as 7.0; 0 where there is none to believe."""
    for name in path:
        data = data.get(name) if isinstance(data, Mapping) else None
    whole = type(data) is int or (isinstance(data, float) and data.is_integer())
    return int(data) if whole and isinstance(data, int | float) and 0 < data < _UNBELIEVABLE else 0


def _blocks(content: object) -> list[Any]:
    return content if isinstance(content, list) else []


def _type_of(block: object) -> str:
    kind = block.get("type", "text") if isinstance(block, dict) else "text" if isinstance(block, str) else ""
    return kind if isinstance(kind, str) else ""


def _text_in(block: dict[str, object] | str) -> str | None:
    text = block if isinstance(block, str) else block.get("text")
    return text if isinstance(text, str) else None


def _status_in(error: object) -> int | None:
    code = error.get("code") if isinstance(error, dict) else None
    return code if isinstance(code, int) and not isinstance(code, bool) else None
