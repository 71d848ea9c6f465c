"""Strict JSON that somebody else wrote, read so that one odd value does not cost the rest."""

from __future__ import annotations

import json
from math import inf
from typing import Any, TypeAlias

from foureyes.core.words import Severity

__all__ = ["DECODER", "JSONValue", "lossless", "parsed", "written"]

JSONValue: TypeAlias = Any
"""What ``json`` returns: a reply is read from it, and nothing of it is trusted."""

_MAX_DIGITS = 300
"""Of a number: more are no number of anything, and Python refuses to read 4,301."""
_CONSTANTS = {"Infinity": inf, "-Infinity": -inf}
_HOLLOW: tuple[JSONValue, ...] = (None, "", [], {})


def _number(digits: str) -> int | float:
    return int(digits) if len(digits) <= _MAX_DIGITS else float(digits)


def _object(pairs: list[tuple[str, JSONValue]]) -> dict[str, JSONValue]:
    found = dict(pairs)
    if len(found) == len(pairs):
        return found
    given: dict[str, list[JSONValue]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value)
    return {name: _joined(name, values) if len(values) > 1 else values[0] for name, values in given.items()}


def _joined(name: str, values: list[JSONValue]) -> JSONValue:
    # The last would hide the others. What is no list beside lists is an entry that nobody can read, and is counted.
    telling = [value for value in values if value not in _HOLLOW]
    if any(isinstance(value, list) for value in values):
        return [entry for value in telling for entry in (value if isinstance(value, list) else [value])]
    if name in ("text", "note") and all(isinstance(value, str) for value in telling):
        return "\n".join(dict.fromkeys(telling))
    if name == "severity":
        return max(values, key=lambda value: Severity.parse(value)[0].rank)
    return telling[-1] if telling else values[-1]


DECODER = json.JSONDecoder(strict=False, parse_constant=_CONSTANTS.get, parse_int=_number, object_pairs_hook=_object)
"""Line breaks inside strings are read; NaN is null, and numbers too long to be any are infinite. Of a field that
is given twice, lists are joined, texts too, and the highest severity counts; else the last that says something."""


def written(raw: bytes) -> str:
    """Return the text in the bytes, without a mark or blanks around it. Bytes that belong to no character are marked.

    Some shells write UTF-16.
    """
    return raw.decode(json.detect_encoding(raw), errors="replace").strip("\ufeff \t\r\n")


def parsed(text: str) -> JSONValue:
    """Return the one value in the text. Raises ValueError where there is none, or more, or one nested too deeply."""
    return _decoded(DECODER, text)


def _kept(digits: str) -> int | str:
    return int(digits) if len(digits) <= _MAX_DIGITS else digits


_LOSSLESS = json.JSONDecoder(parse_int=_kept)


def lossless(text: str) -> JSONValue:
    """Return the one value in the text as any program would read it. Raises as parsed does.

    Only numbers too long to be any are texts. It is for what is compared and searched.
    """
    return _decoded(_LOSSLESS, text)


def _decoded(decoder: json.JSONDecoder, text: str) -> JSONValue:
    try:
        return decoder.decode(text)
    except RecursionError:
        raise ValueError("nested too deeply") from None
