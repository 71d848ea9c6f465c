"""Which checks the embedded reviewer consists of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.metadata import entry_points

from foureyes.core.config import ReviewerConfig, ReviewerLike
from foureyes.core.facts import Note
from foureyes.loading import GROUP, built

__all__ = ["USE", "Listed", "check_of", "checklist", "checks"]

USE = "checks"
"""The ``use`` name of the reviewer that consists of checks, and its own name in a score."""
UNNAMED = "unnamed"
"""The check of a note without a key."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Listed:
    """One check of the reviewer."""

    name: str
    description: str
    """What it looks for, in one line."""


@cache
def checks() -> ReviewerLike:
    """Return the reviewer as ``use = "checks"`` gives it, with every check. Raises ConfigError where there is none."""
    return built(USE, ReviewerConfig(name=USE, use=USE))


@cache
def checklist() -> tuple[Listed, ...]:
    """Return all checks, in the order of the reviewer.

    The module that offers the reviewer lists them as CHECKS, each with a name and a description; without such a list
    only checks that say something can be known.
    """
    offers = entry_points(group=GROUP, name=USE)
    listed: Iterable[object] = next((getattr(import_module(offer.module), "CHECKS", ()) for offer in offers), ())
    return tuple(Listed(name=str(getattr(one, "name", one)), description=_description(one)) for one in listed)


def check_of(note: Note) -> str:
    """Return the name of the check that raised the note: every key begins with it, up to the first colon."""
    return (note.key or "").partition(":")[0].strip() or UNNAMED


def _description(check: object) -> str:
    return " ".join(str(getattr(check, "description", "")).split())
