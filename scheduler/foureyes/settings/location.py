"""Where sessions are kept, in one written form."""

from __future__ import annotations

import re
from pathlib import Path

__all__ = ["located"]

_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+:")
_FORMS = "write memory, sqlite:PATH, or a path with a / or . in it"


def located(store: str) -> str:
    """Return ``memory`` or ``sqlite:PATH``, whichever way it was written, with ``~`` replaced.

    Raises ValueError for anything that is neither; a bare word is refused, as it is more likely a slip than a file.
    """
    store = store.strip()
    if store.casefold() == "memory":
        return "memory"
    if store[:7].casefold() == "sqlite:":
        return f"sqlite:{_path(store[7:].strip())}"
    if _SCHEME.match(store):
        raise ValueError(f"names a kind of store that is not known; {_FORMS}")
    if not any(mark in store for mark in "/\\."):
        raise ValueError(f"is a word that names no store; {_FORMS}")
    return f"sqlite:{_path(store)}"


def _path(path: str) -> Path:
    if not path:
        raise ValueError(f"has no path after sqlite:; {_FORMS}")
    if path.startswith("//"):
        raise ValueError("looks like a URL; write sqlite: and the path, without the slashes of a URL")
    if path.startswith(":memory:"):
        raise ValueError("names a database that SQLite forgets; write memory")
    try:
        return Path(path).expanduser()
    except RuntimeError:
        raise ValueError("begins with ~ and there is no such home folder; write the whole path") from None
