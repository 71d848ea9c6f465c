"""Making frozen values quickly, on the path that every boundary takes.

A frozen dataclass sets its fields one by one, each through a call; filling the dictionary of one without slots costs
a third of that. The price is that the names of the fields are not checked, so only the few places that a benchmark
pointed at use these.
"""

from __future__ import annotations

from typing import TypeVar

__all__ = ["altered", "made"]

T = TypeVar("T")


def altered(value: T, /, **changes: object) -> T:
    """Return the value with some fields changed, as dataclasses.replace does."""
    after = object.__new__(type(value))
    after.__dict__.update(value.__dict__)
    after.__dict__.update(changes)
    return after


def made(kind: type[T], /, **fields: object) -> T:
    """Return ``kind(**fields)``. Fields with a default may be left out, the others must be given."""
    value = object.__new__(kind)
    value.__dict__.update(fields)
    return value
