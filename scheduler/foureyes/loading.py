"""What a ``use`` names, found and imported."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING

from foureyes.core.config import ReviewerLike
from foureyes.errors import ConfigError
from foureyes.spelling import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "load"]

GROUP = "foureyes.reviewers"
"""The group of entry points under which packages offer reviewers."""
_MAX_CHARS = 200


def load(use: str) -> ReviewerLike:
    """Return the reviewer that a ``use`` names: ``package.module:callable``, or an entry point's name without colon.

    Raises ConfigError, and nothing else, where no package offers the name (with the nearest name that one does),
    where two packages offer different things under it, where the import fails (with the type and the message of what
    it raised), and where what was found cannot be called with a review. A class cannot: give an instance.
    """
    use = use.strip()
    found = _attempted(use, lambda: _imported(use)) if ":" in use else _attempted(use, _offered(use).load)
    if isinstance(found, type) or not callable(found):
        kind = "a class" if isinstance(found, type) else "not callable"
        raise ConfigError(f"use {use!r} is {kind}; name a function, or an instance that can be called")
    return found


def _imported(use: str) -> object:
    module, _, name = use.partition(":")
    found: object = reduce(getattr, name.split("."), import_module(module))
    return found


def _offered(use: str) -> EntryPoint:
    from importlib.metadata import entry_points  # half as slow to import as the rest of foureyes

    offers = {offer.value: offer for offer in entry_points(group=GROUP, name=use)}
    if len(offers) > 1:
        raise ConfigError(f"use {use!r} is offered by {' and '.join(sorted(offers))}; write one of these instead")
    if not offers:
        raise ConfigError(f"use {use!r} is offered by no installed package{_others(use)}")
    return next(iter(offers.values()))


def _others(use: str) -> str:
    from importlib.metadata import entry_points

    names = sorted(entry_points(group=GROUP).names)
    known = f"known are {', '.join(names)}" if names else "none offers any reviewer"
    return f"; {known}, or write module:callable{did_you_mean(use, names)}"


def _attempted(use: str, attempt: Callable[[], object]) -> object:
    try:
        return attempt()
    except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's module, which may raise anything
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:_MAX_CHARS]
        raise ConfigError(f"use {use!r} cannot be loaded: {reason}; correct the name, or what it imports") from None
