"""The JSON documents in a text that may hold anything else."""

from __future__ import annotations

import re
from dataclasses import dataclass

from foureyes_reviewers.foreign import JSONValue
from foureyes_reviewers.model.relaxed import value_at

__all__ = ["Documents", "documents"]

_BRACKET = re.compile(r"[{\[]")
_LIKE_JSON = re.compile(r"\{\s*+[\"']|\[\s*+[{\"']")
_MAX_FAILURES = 32
"""Brackets that may turn out to open nothing. Each costs a walk through the text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Documents:
    """What was found."""

    values: tuple[JSONValue, ...]
    """Objects and lists in order, outermost ones only where these could be read."""
    around: str
    """The text outside of them."""
    broken: bool
    """Something began like JSON and could not be read: what was found behind it may have been a part of it."""


def documents(text: str) -> Documents:
    """Return every object and list in the text; text around them does not matter.

    Where one cannot be read, what is inside it is looked at. Takes linear time.
    """
    values: list[JSONValue] = []
    around: list[str] = []
    failures, broken, read = 0, False, 0
    bracket = _BRACKET.search(text)
    while bracket and failures < _MAX_FAILURES:
        found = value_at(text, bracket.start())
        if found is None:
            failures += 1
            broken = broken or _LIKE_JSON.match(text, bracket.start()) is not None
        else:
            values.append(found[0])
            around.append(text[read : bracket.start()])
            read = found[1]
        bracket = _BRACKET.search(text, found[1] if found else bracket.end())
    around.append(text[read:])
    return Documents(values=tuple(values), around="\n".join(around), broken=broken or bracket is not None)
