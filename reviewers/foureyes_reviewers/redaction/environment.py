"""The secrets that the process itself was given."""

from __future__ import annotations

import re
from collections.abc import Mapping

__all__ = ["MIN_SECRET", "process_secrets"]

MIN_SECRET = 8
"""Characters of the shortest value that is looked for: a shorter one is a word of every other text."""
_SECRET_NAME = re.compile(r"(?:_|^)(?:KEY|TOKEN|SECRET)$|PASSWORD", re.IGNORECASE)


def process_secrets(environ: Mapping[str, str]) -> frozenset[str]:
    """Return the values of the variables whose names say that they are secret."""
    return frozenset(v for name, v in environ.items() if _SECRET_NAME.search(name) and len(v) >= MIN_SECRET)
