"""Whether the human has spoken since a request ended, read from the transcript."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foureyes.core.messages import human_text
from foureyes.core.render import is_ours
from foureyes.core.similarity import digest
from foureyes.core.state import Closed, SessionState

__all__ = ["closed_at", "spoken_since"]

_SCANNED = 256
"""Newest messages in which a human message is looked for, so that the cost does not grow with the transcript."""


def closed_at(state: SessionState, messages: Sequence[object], *, aborted: bool = False) -> Closed:
    """Return the mark of a request that ends with this transcript."""
    newest = next(_human(state, messages), "")
    return Closed(messages=len(messages), human=digest("h", newest) if newest else 0, aborted=aborted)


def spoken_since(state: SessionState, messages: Sequence[object]) -> str | None:
    """Return the human message that was not there when the request ended, or None.

    A transcript that has not become shorter is read from where it ended, so a human who says the same again is
    heard; a shorter one was rewritten, and only another text counts.
    """
    mark = state.closed
    if mark is None:
        return None
    if len(messages) >= mark.messages:
        return next(_human(state, messages[mark.messages :]), None)
    newest = next(_human(state, messages), None)
    return newest if newest and digest("h", newest) != mark.human else None


def _human(state: SessionState, messages: Sequence[object]) -> Iterator[str]:
    for raw in list(messages[-_SCANNED:])[::-1]:
        text = human_text(raw)
        if text and not is_ours(state.nonce, text):
            yield text
