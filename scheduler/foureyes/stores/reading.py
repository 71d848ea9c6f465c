"""Reading one record: JSON of unknown origin in, a checked value or the reason why not out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from math import isfinite
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from foureyes.core.facts import Anchor
from foureyes.core.history import History
from foureyes.core.state import NoteRecord

__all__ = ["Unreadable", "counter", "parsed", "read"]

_MAX_TEXT = 2_000
"""Code points of a note: the upper bound of ``guard.max_note_chars``."""

T = TypeVar("T")


class Unreadable(Exception):  # noqa: N818  # the reason a reader gives its caller, never a user's error
    """Why a record cannot be read, in words that repeat nothing of what is in it."""


def read(adapter: TypeAdapter[T], body: object) -> T:
    """Return the value of a record, which is JSON as ``str`` or ``bytes``.

    Raises Unreadable for anything else, for values of the wrong type or outside a closed set, for a negative or
    infinite number and for a note longer than 2,000 characters. Fields that are missing have their defaults, and
    fields that are not known are ignored: a version that minds raises the version.
    """
    if not isinstance(body, str | bytes):
        raise Unreadable("it is missing")
    try:
        value = adapter.validate_json(body, strict=True)
    except ValidationError as error:
        raise Unreadable(_first_problem(error)) from None
    for flaw in _flaws(value, ""):
        raise Unreadable(flaw)
    return value


def counter(value: object, name: str) -> int:
    """Return a value that is a whole number from 0; else raise Unreadable with the name."""
    if type(value) is not int or value < 0:
        raise Unreadable(f"{name} is no count")
    return value


def parsed(body: object) -> Mapping[str, Any]:
    """Return the fields that can be made out in a record, unchecked; none where it is no JSON object."""
    try:
        raw = json.loads(body) if isinstance(body, str | bytes) else None
    except (ValueError, RecursionError):
        raw = None
    return raw if isinstance(raw, dict) else {}


def _first_problem(error: ValidationError) -> str:
    # Its message names types and the members of closed sets; the input, which it could show too, may be a secret.
    problem = error.errors(include_url=False, include_input=False)[0]
    place = ".".join(str(step) for step in problem["loc"])
    return f"{place}: {problem['msg']}" if place else problem["msg"]


def _flaws(value: object, place: str) -> Iterator[str]:
    # An anchor is whatever a reviewer claimed, and a history is checked by itself.
    if isinstance(value, float) and not isfinite(value):
        yield f"{place} is no number"
    elif isinstance(value, int | float) and value < 0:
        yield f"{place} is negative"
    elif isinstance(value, NoteRecord) and len(value.text) > _MAX_TEXT:
        yield f"the text of a note is longer than {_MAX_TEXT:,} characters"
    elif isinstance(value, tuple):
        for item in value:
            yield from _flaws(item, place)
    elif is_dataclass(value) and not isinstance(value, Anchor | History):
        for field in fields(value):
            yield from _flaws(getattr(value, field.name), f"{place}.{field.name}".lstrip("."))
