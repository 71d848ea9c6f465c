"""The names of environment variables: those that we know, and the nearest one to a name that we do not."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from foureyes.settings.shape import Shape
from foureyes.spelling import nearest

__all__ = ["CONFIG", "NO_SETTINGS", "PREFIX", "Stranger", "advice", "respelt"]

PREFIX = "FOUREYES_"
CONFIG = "FOUREYES_CONFIG"
"""Names a TOML file with settings."""
NO_SETTINGS = (CONFIG, "FOUREYES_TRACEBACK")
"""Names that are ours and hold no setting."""


_FLAT = re.compile(f"{PREFIX}REVIEWERS?_(?P<rest>.+)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Stranger:
    """An environment name that begins like ours and is not known."""

    name: str
    kind: str
    """``env`` or ``.env``."""


def advice(stranger: Stranger, shape: Shape, reviewers: Iterable[str]) -> str:
    """Return the warning about an unknown name, with the nearest known one where there is one."""
    found = _meant(stranger.name.upper(), shape, reviewers)
    meant = f"; did you mean {found}?" if found else "; remove it"
    return f"{stranger.kind} {stranger.name} is not known and is ignored{meant}"


def _meant(name: str, shape: Shape, reviewers: Iterable[str]) -> str | None:
    parts = name.removeprefix(PREFIX).split("__")
    if _FLAT.match(name) and (len(parts) < 3 or "_" in parts[0]):
        return respelt(name, shape) or f"{PREFIX}REVIEWERS__NAME__KEY"
    if len(parts) > 2 and nearest(parts[0], ["REVIEWERS"]):
        return _nearest("__".join(parts[2:]), _keys(shape, parts[1]))
    return _nearest("__".join(parts), _known(shape, reviewers))


def respelt(name: str, shape: Shape) -> str | None:
    """Return the name of a reviewer's key that was written with too few underscores; None for any other name.

    ``FOUREYES_REVIEWERS_A_USE`` and ``FOUREYES_REVIEWERS__A_USE`` are both ``FOUREYES_REVIEWERS__A__USE``.
    """
    flat = re.sub("_+", "_", name.upper())
    if not (found := _FLAT.fullmatch(flat)):
        return None
    keys = {word.replace("__", "_"): word for word in _keys(shape, "NAME")}
    ends = [key for key in keys if found["rest"].endswith(f"_{key}") and found["rest"] != f"_{key}"]
    key = max(ends, key=len, default="")
    reviewer = found["rest"].removesuffix(f"_{key}")
    return _keys(shape, reviewer)[keys[key]] if key else None


def _nearest(word: str, known: dict[str, str]) -> str | None:
    found = nearest(word, known)
    return known[found] if found else None


def _known(shape: Shape, reviewers: Iterable[str]) -> dict[str, str]:
    names = [PREFIX + key.upper() for key in shape.keys_at()] + list(NO_SETTINGS)
    names += [full for name in reviewers for full in _keys(shape, name).values()]
    # "TIMEOUT_SECONDS" alone is a key of a reviewer, of whichever was meant.
    return _keys(shape, "NAME") | {name.removeprefix(PREFIX): name for name in names}


def _keys(shape: Shape, reviewer: str) -> dict[str, str]:
    paths = [path[2:] for path in shape.below(("reviewers", reviewer)) if path[-1] not in ("name", "reviewer")]
    words = ["__".join(path).upper() for path in paths]
    return {word: f"{PREFIX}REVIEWERS__{reviewer.upper()}__{word}" for word in words}
