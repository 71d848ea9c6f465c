"""From the bytes of a file to the JSON values in it: one value, one a line, or several after each other.

Which of these it is, is never asked for and never guessed from the name: values are read until the file ends.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from foureyes.replay.recording import RecordingError

__all__ = ["Entry", "decoded"]

_BLANK = " \t\r\n"
_DECODER = json.JSONDecoder()


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One JSON value of a file."""

    value: object
    line: int
    """The line on which it begins, from 1."""


def decoded(data: bytes) -> tuple[Entry, ...]:
    """Return all values of the file, at least one.

    Raises RecordingError, with the place and without the file's name, for an empty file, for bytes that are no
    UTF-8, and for text that is no JSON; a file of which one line is broken is refused as a whole.
    """
    text = _text(data)
    entries: list[Entry] = []
    at, line = _next(text, 0, 1)
    while at < len(text):
        value, end = _value(text, at)
        entries.append(Entry(value=value, line=line))
        at, line = _next(text, end, line + text.count("\n", at, end))
    if not entries:
        raise RecordingError("the file is empty", cure="record the run again")
    return tuple(entries)


def _text(data: bytes) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise RecordingError("not UTF-8 text", place=f"byte {error.start}", cure="save it as UTF-8 JSON") from None


def _next(text: str, at: int, line: int) -> tuple[int, int]:
    start = at
    while at < len(text) and text[at] in _BLANK:
        at += 1
    return at, line + text.count("\n", start, at)


def _value(text: str, at: int) -> tuple[object, int]:
    try:
        return _DECODER.raw_decode(text, at)
    except json.JSONDecodeError as error:
        raise _broken(text, error) from None
    except (RecursionError, ValueError) as error:
        place = f"line {text.count(chr(10), 0, at) + 1}"
        reason = "too deeply nested" if isinstance(error, RecursionError) else "a number with too many digits"
        raise RecordingError(f"JSON that cannot be read: {reason}", place=place, cure="record the run again") from None


def _broken(text: str, error: json.JSONDecodeError) -> RecordingError:
    place = f"line {error.lineno}, column {error.colno}"
    unclosed = error.msg.startswith("Unterminated string") and "\n" not in text[error.pos :].rstrip()
    if error.pos >= len(text.rstrip()) or unclosed:
        return RecordingError("the file ends in the middle of a value", place=place, cure="copy or record it again")
    return RecordingError(f"not JSON ({error.msg})", place=place, cure="repair or remove the broken line")
