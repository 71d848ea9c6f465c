"""What the settings point at outside of themselves: the code that reviews, and the place of the store."""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from foureyes.calling import Link
from foureyes.errors import ConfigError
from foureyes.loading import built, load
from foureyes.roster import notices
from foureyes.settings import Settings
from foureyes.settings.location import located
from foureyes.settings.places import default_store

__all__ = ["unbounded", "unbuildable", "unreachable", "unwritable"]


def unreachable(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield a problem for each ``use`` and fallback that cannot be loaded.

    ``found`` holds values as they were found, reviewers as a list of tables, and their ``sources``. They need not be
    valid: what has the wrong form is passed over, as that is said elsewhere.
    """
    for table in found["reviewers"]:
        for key, use in _uses(table):
            path = f"reviewers.{table['name']}.{key}"
            if problem := _quietly(partial(load, use)):
                yield f"{path} ({found['sources'].get(path, 'default')}): {problem}"


def unbuildable(settings: Settings) -> Iterator[str]:
    """Yield a problem for each ``use`` and fallback of valid settings that nothing can be made of."""
    for config in settings.reviewers:
        for _, use, fitted in config.chain():
            key = "use" if use == config.use else "fallbacks"
            path = f"reviewers.{config.name}.{key}"
            if use is not None and (problem := _quietly(partial(built, use, fitted))):
                yield f"{path} ({settings.sources.get(path, 'default')}): {problem}"


def unbounded(settings: Settings) -> Iterator[str]:
    """Yield a warning for whatever may not see the transcript, or may with nothing to compare its account with."""
    agent = settings.agent.account(os.environ)
    for config in settings.reviewers:
        with contextlib.suppress(ConfigError), contextlib.redirect_stdout(sys.stderr):
            chain = [Link.of(name, built(use, fitted)) for name, use, fitted in config.chain() if use is not None]
            yield from notices(config, chain, agent) if chain else ()


def unwritable(found: Mapping[str, Any]) -> Iterator[str]:
    """Yield a problem for a store that cannot be written. Nothing is created; ``found`` need not be valid."""
    if (store := _file(found)) and (problem := _unwritable(store)):
        yield f"store ({found['sources'].get('store', 'default')}): {problem}; correct that, or give another path"


def _uses(table: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    fallbacks = table.get("fallbacks")
    named = [("use", table.get("use"))]
    named += [("fallbacks", use) for use in fallbacks] if isinstance(fallbacks, list | tuple) else []
    yield from ((key, use) for key, use in named if isinstance(use, str) and use.strip())


def _quietly(attempt: Callable[[], object]) -> str | None:
    try:
        # Importing runs somebody's module, and what that prints is no part of the report.
        with contextlib.redirect_stdout(sys.stderr):
            attempt()
    except ConfigError as error:
        return "; ".join(error.problems)
    return None


def _file(found: Mapping[str, Any]) -> Path | None:
    try:
        store = located(found["store"]) if "store" in found else default_store()
    except (AttributeError, ConfigError, TypeError, ValueError):
        return None
    return None if store == "memory" else Path(store.removeprefix("sqlite:")).absolute()


def _unwritable(file: Path) -> str | None:
    if os.path.isdir(file):
        return "there is a folder in the place of the file"
    if os.path.exists(file) and not _may(file, os.R_OK | os.W_OK):
        return "the file may not be read and written by this user"
    nearest = next(parent for parent in file.parents if os.path.lexists(parent))
    if not os.path.isdir(nearest):
        return "there is a file in the place of a folder that it lies in"
    if not _may(nearest, os.W_OK | os.X_OK):
        # SQLite keeps further files beside its own, so the folder matters even where the file is there.
        there = "may not be written" if nearest == file.parent else "is not there and may not be made"
        return f"its folder {there} by this user"
    return None


def _may(path: Path, mode: int) -> bool:
    # As opening the file would be judged; some systems can only tell for the user who started the process.
    return os.access(path, mode, effective_ids=os.access in os.supports_effective_ids)
