"""JSON as models write it."""

from __future__ import annotations

import re
from collections.abc import Iterable

from foureyes_reviewers.foreign import DECODER, JSONValue

__all__ = ["value_at"]

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
    """Return the value that begins at this bracket and where it ends, or None where none can be read, or a deep one.

    Besides JSON: strings in single quotes, commas before a closing bracket, line breaks inside strings, and the
    constants of Python. Takes linear time.
    """
    try:
        value, end = DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return _relaxed(text, start)
    return None if _is_deep(value) else (value, end)


def _is_deep(value: JSONValue) -> bool:
    # Whoever writes it again, or compares it, may have less room left on the stack than the decoder had.
    level: list[JSONValue] = [value]
    for _ in range(_MAX_DEPTH + 1):
        level = [inner for outer in level if isinstance(outer, dict | list) for inner in _items(outer)]
    return bool(level)


def _items(value: dict[str, JSONValue] | list[JSONValue]) -> Iterable[JSONValue]:
    return value.values() if isinstance(value, dict) else value


def _relaxed(text: str, start: int) -> tuple[JSONValue, int] | None:
    strict, end = _as_json(text, start)
    try:
        return DECODER.decode(strict), end
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
