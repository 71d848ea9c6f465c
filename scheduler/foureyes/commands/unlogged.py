"""Work for a screen, where what it would log is shown in its own place."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["unlogged"]


@contextmanager
def unlogged() -> Iterator[None]:
    """Keep Python from printing what foureyes logs where no handler is set; handlers that are set still get it."""
    log, silent = logging.getLogger("foureyes"), logging.NullHandler()
    log.addHandler(silent)
    try:
        yield
    finally:
        log.removeHandler(silent)
