"""What a ``use`` names, found and imported."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from importlib import import_module
from typing import TYPE_CHECKING, Protocol, cast

from foureyes.calling import described
from foureyes.core.account import secrets_in
from foureyes.core.config import ReviewerConfig, ReviewerLike
from foureyes.core.text import Redact, unredacted
from foureyes.errors import ConfigError
from foureyes.spelling import did_you_mean

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

__all__ = ["GROUP", "REDACTORS", "ReviewerFactory", "built", "load", "redactor"]

REDACTORS = "foureyes.redactors"
"""The group of the entry point that offers what takes secrets out: ``(secrets) -> (text) -> text``."""
GROUP = "foureyes.reviewers"
"""The group of entry points under which packages offer reviewers."""


class ReviewerFactory(Protocol):
    """What a ``use`` may name in place of a reviewer: something that makes one from the reviewer's settings.

    A reviewer that has a coroutine function ``aclose`` is closed with the scheduler, and may be opened again.
    """

    def from_config(self, config: ReviewerConfig) -> ReviewerLike:
        """Return the reviewer; called when the scheduler is built. Raises ConfigError for settings that do not do."""


def built(use: str, config: ReviewerConfig) -> ReviewerLike:
    """Return the reviewer that a ``use`` names, made from the settings where it is made at all. Raises as load."""
    found = load(use, config)
    factory = getattr(found, "from_config", None)
    if factory is None:
        return found
    made = _attempted(use, lambda: factory(config), config)
    if not callable(made):
        raise ConfigError(f"use {use!r} made nothing that can be called from the settings")
    return made


def load(use: str, config: ReviewerConfig | None = None) -> ReviewerLike:
    """Return what a ``use`` names: ``package.module:callable``, or an entry point's name without colon.

    That is a reviewer, or a :class:`ReviewerFactory`. The key in ``config`` is in no error, nor is any other secret.

    Raises ConfigError, and nothing else, where no package offers the name (with the nearest name that one does),
    where two packages offer different things under it, where the import fails (with the type and the message of what
    it raised), and where what was found cannot be called with a review. A class cannot: give an instance.
    """
    use = use.strip()
    found = _attempted(use, (lambda: _imported(use)) if ":" in use else _offered(use).load, config)
    if callable(getattr(found, "from_config", None)):
        return cast(ReviewerLike, found)
    if isinstance(found, type) or not callable(found):
        kind = "a class" if isinstance(found, type) else "not callable"
        raise ConfigError(f"use {use!r} is {kind}; name a function, or an instance that can be called")
    return found


def redactor(configs: Iterable[ReviewerConfig]) -> Redact:
    """Return what takes secrets out of texts: those of this process and these settings, and whatever looks like one.

    From the package that offers it under the entry-point group ``foureyes.redactors``, which is the one with the
    reviewers that ship; without any, texts stay as they are. Where what it makes has a method ``refresh()``, that is
    called before each review that leaves: a secret may be new.
    """
    from importlib.metadata import entry_points  # half as slow to import as the rest of foureyes

    keys = frozenset(key for config in configs for key in _keys(config))
    for offer in entry_points(group=REDACTORS):
        made: Redact = offer.load()(keys)
        return made
    return unredacted


def _keys(config: ReviewerConfig) -> Iterator[str]:
    if config.api_key is not None:
        yield config.api_key.get_secret_value()
    yield from secrets_in(config.base_url)


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


def _attempted(use: str, attempt: Callable[[], object], config: ReviewerConfig | None = None) -> object:
    try:
        return attempt()
    except ConfigError as error:
        redact = _redactor_of(config)
        raise ConfigError(*map(redact, error.problems)) from None
    except (Exception, SystemExit) as error:  # noqa: BLE001 - somebody else's module, which may raise anything
        reason = described(error, _redactor_of(config))
        raise ConfigError(f"use {use!r} cannot be loaded: {reason}; correct the name, or what it imports") from None


def _redactor_of(config: ReviewerConfig | None) -> Redact:
    try:
        return redactor(() if config is None else (config,))
    except (Exception, SystemExit):  # noqa: BLE001 - the package that takes secrets out may be the one that is broken
        return lambda _: "(not shown: what would take secrets out of it cannot be loaded)"
