"""What the libraries below us log of our requests, without what nobody may read.

At INFO the HTTP client logs every address, at DEBUG the libraries log headers and errors too. Only records that are
made while one of our requests runs are looked at: what the host does with the same libraries is logged as ever.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from foureyes_reviewers.confidential import Confidential

__all__ = ["discreetly"]

_FAMILIES = frozenset({"anthropic", "hpack", "httpcore", "httpcore2", "httpx", "httpx2", "openai"})
_kept: ContextVar[Confidential | None] = ContextVar("foureyes_confidential", default=None)
_formatter = logging.Formatter()


class _Discreet(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        """Let the record through, without what is confidential where one of our requests runs."""
        kept = _kept.get()
        if kept is not None:
            _hide(record, kept)
        return True


def _hide(record: logging.LogRecord, kept: Confidential) -> None:
    if record.exc_info:
        # An error's text has the address in it.
        text = record.exc_text or _formatter.formatException(record.exc_info)
        record.exc_text, record.exc_info = kept.without(text), None
    said = record.getMessage()
    if (shown := kept.without(said)) != said:
        record.msg, record.args = shown, None


_FILTER = _Discreet()


@contextmanager
def discreetly(kept: Confidential) -> Iterator[None]:
    """Keep what is confidential out of what the libraries log in this block."""
    for name, logger in list(logging.root.manager.loggerDict.items()):
        if name.partition(".")[0] in _FAMILIES and isinstance(logger, logging.Logger):
            logger.addFilter(_FILTER)  # Once: a filter that is there is not added again.
    token = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(token)
