"""The user's own folders, as the XDG base directory specification names them."""

from __future__ import annotations

import os
from pathlib import Path

from foureyes.errors import ConfigError

__all__ = ["default_store", "user_file"]


def user_file() -> Path | None:
    """Return where the user's own settings file would be; None on a machine where the user has no home."""
    folder = _folder("XDG_CONFIG_HOME", ".config")
    return folder / "foureyes" / "foureyes.toml" if folder else None


def default_store() -> str:
    """Return ``sqlite:`` and the path of ``foureyes.db`` in the user's state folder.

    Raises ConfigError where the user has no home folder, as in some containers.
    """
    folder = _folder("XDG_STATE_HOME", ".local/state")
    if folder is None:
        raise ConfigError("store: the user has no home folder to keep it in; set FOUREYES_STORE to a path or memory")
    return f"sqlite:{folder / 'foureyes' / 'foureyes.db'}"


def _folder(variable: str, default: str) -> Path | None:
    # The specification tells programs to ignore a relative path here.
    named = os.environ.get(variable, "")
    if os.path.isabs(named):
        return Path(named)
    try:
        return Path.home() / default
    except RuntimeError:
        return None
