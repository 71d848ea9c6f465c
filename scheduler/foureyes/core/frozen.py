"""Making frozen values quickly, on the path that every boundary takes.

A frozen dataclass sets its fields one by one, each through a call; filling the dictionary of one without slots costs
a third of that. The price is that the names of the fields are not checked, so only the few places that a benchmark
pointed at use these.
"""

from __future__ import annotations

from typing import TypeVar

__all__ = ["altered", "made"]

T = TypeVar("T")

_new, _set = object.__new__, object.__setattr__


def altered(value: T, /, **changes: object) -> T:
    """Return the value with some fields changed, as dataclasses.replace does."""
    after = _new(value.__class__)
    _set(after, "__dict__", value.__dict__ | changes)
    return after


def made(kind: type[T], /, **fields: object) -> T:
    """Return ``kind(**fields)``. Fields with a default may be left out, the others must be given."""
    value = _new(kind)
    _set(value, "__dict__", fields)
    return value
