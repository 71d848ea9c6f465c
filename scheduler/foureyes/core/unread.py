"""How much of a transcript a reviewer has not read yet."""

from __future__ import annotations

from collections.abc import Sequence

from foureyes.core.messages import mark

__all__ = ["unread"]


def unread(messages: Sequence[object], read: int, read_mark: int = 0) -> int:
    """Return how many messages came after the first ``read``; all of them where the transcript was rewritten.

    It was rewritten where it has become shorter, or where its message there is not the one of the digest
    ``read_mark``. A mark of 0 is that of no message, and says nothing.
    """
    rewritten = len(messages) < read or (read_mark != 0 and mark(messages, read) != read_mark)
    return len(messages) if rewritten else len(messages) - read
