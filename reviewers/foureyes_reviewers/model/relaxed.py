"""JSON as models write it."""

from __future__ import annotations

import json
import re
from typing import Any, TypeAlias

__all__ = ["JSONValue", "value_at", "whole"]

JSONValue: TypeAlias = Any
"""What ``json`` returns: a reply is read from it, and nothing of it is trusted."""

_MAX_DIGITS = 300
"""Of a number: more are no number of anything, and Python refuses to read 4,301."""


def whole(digits: str) -> int | None:
    """Return the number, or None where it is too long to be the number of anything."""
    return int(digits) if len(digits) <= _MAX_DIGITS else None


def _object(pairs: list[tuple[str, JSONValue]]) -> dict[str, JSONValue]:
    if sum(name == "notes" for name, _ in pairs) > 1:
        raise ValueError  # The second list would hide the first.
    return dict(pairs)


_STRICT = json.JSONDecoder(strict=False, parse_constant=lambda _: None, parse_int=whole, object_pairs_hook=_object)
"""Line breaks inside strings are read; NaN, the infinities, and numbers too long to be any are null."""
_PART = re.compile(
    r'(?P<text>"(?:[^"\\]|\\.)*+(?:"|\\?\Z))'
    r"|(?P<quoted>'(?:[^'\\]|\\.)*+(?:'|\\?\Z))"
    r"|(?P<open>[{\[])|(?P<close>[}\]])|(?P<comma>,)|(?P<word>\b(?:None|True|False|NaN)\b)",
    re.DOTALL,
)
_MAX_DEPTH = 32
"""Brackets inside one another; a reply has five."""
_WORDS = {"None": "null", "True": "true", "False": "false", "NaN": "null"}
_QUOTE = re.compile(r'\\.|"', re.DOTALL)


def value_at(text: str, start: int) -> tuple[JSONValue, int] | None:
    """Return the value that begins at this bracket and where it ends, or None where none can be read.

    Besides JSON: strings in single quotes, commas before a closing bracket, line breaks inside strings, and the
    constants of Python. Takes linear time.
    """
    try:
        return _STRICT.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _relaxed(text, start)


def _relaxed(text: str, start: int) -> tuple[JSONValue, int] | None:
    strict, end = _as_json(text, start)
    try:
        return _STRICT.decode(strict), end
    except (ValueError, RecursionError):
        return None


def _as_json(text: str, start: int) -> tuple[str, int]:
    done: list[str] = []
    depth, place = 0, start
    for part in _PART.finditer(text, start):
        done.append(text[place : part.start()])
        place = part.end()
        depth += (part.lastgroup == "open") - (part.lastgroup == "close")
        if part.lastgroup == "close":
            _drop_comma(done)
        done.append(_spelt(part))
        if not 0 < depth <= _MAX_DEPTH:
            break
    return "".join(done), place


def _drop_comma(done: list[str]) -> None:
    if len(done) > 1 and done[-2] == "," and not done[-1].strip():
        done[-2] = ""


def _spelt(part: re.Match[str]) -> str:
    if part.lastgroup == "quoted":
        return f'"{_QUOTE.sub(_requoted, part[0][1:-1])}"'
    return _WORDS.get(part[0], part[0])


def _requoted(found: re.Match[str]) -> str:
    return {"\\'": "'", '"': '\\"'}.get(found[0], found[0])
