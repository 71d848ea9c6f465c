"""The project's own words for reviewers: a file of the workspace, and never one outside of it."""

from __future__ import annotations

import os
from pathlib import Path
from stat import S_ISREG

from foureyes.core.text import Redact, clean, cut_redacted, start_redacted, unredacted
from foureyes.errors import ConfigError

__all__ = ["MAX_POLICY", "POLICY_FILE", "read_policy"]

POLICY_FILE = "WATCHDOG.md"
"""The name under which coding agents look for it."""
MAX_POLICY = 16_000
"""Characters that are read, twice what the operator may say; of a longer file the middle is left out."""
_MAX_BYTES = 6 * MAX_POLICY
"""More than four for each character: beyond what is kept, enough to know a secret by that stands at the cut."""
_REST = "\n[the rest of the file is left out]"


def read_policy(workspace: Path, name: str = POLICY_FILE, redact: Redact = unredacted) -> str:
    """Return the text of the policy file at this path of the workspace, redacted before it is cut.

    A line such as ``@other.md`` imports nothing: it is text. Raises ConfigError where there is no such file, for it
    would be missed by nobody; for a path that leads out of the workspace, by itself or through a link; for what is no
    plain file; and for a file that cannot be read.
    """
    found = _inside(workspace, name)
    try:
        raw, whole = _bytes(found)
    except (FileNotFoundError, NotADirectoryError):
        raise ConfigError(_problem(name, "does not exist")) from None
    except OSError as error:
        raise ConfigError(_problem(name, f"cannot be read: {error.strerror or type(error).__name__}")) from None
    if raw is None:
        raise ConfigError(_problem(name, "is no plain file"))
    text = clean(raw.decode("utf-8-sig", "replace")).strip()
    if whole:
        return cut_redacted(text, MAX_POLICY, redact)
    return start_redacted(text, MAX_POLICY - len(_REST), redact, whole=False) + _REST


def _inside(workspace: Path, name: str) -> Path:
    try:
        root = workspace.resolve()
        found = (root / name).resolve()
    except (OSError, RuntimeError, ValueError):
        raise ConfigError(_problem(name, "has a path that leads nowhere")) from None
    if not name.strip() or Path(name).is_absolute():
        raise ConfigError(_problem(name, "has no path relative to the workspace"))
    if not found.is_relative_to(root):
        raise ConfigError(_problem(name, "is outside the workspace"))
    return found


def _bytes(found: Path) -> tuple[bytes | None, bool]:
    # Neither waits for a pipe, nor follows a link that was put there after the path had been checked.
    handle = os.open(found, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    try:
        if not S_ISREG(os.fstat(handle).st_mode):
            return None, True
        with open(handle, "rb", closefd=False) as file:
            raw = file.read(_MAX_BYTES + 1)
        return raw[:_MAX_BYTES], len(raw) <= _MAX_BYTES
    finally:
        os.close(handle)


def _problem(name: str, what: str) -> str:
    where = "give the path of a text file in the working directory, or leave the setting out"
    return f"'policy_file': the file {name[:200]!r} {what}; {where}"
