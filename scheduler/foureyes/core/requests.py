"""Whether the human has spoken since a request ended, read from the transcript."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from foureyes.core.ledger import is_request
from foureyes.core.messages import human_text, mark
from foureyes.core.render import is_ours
from foureyes.core.similarity import digest
from foureyes.core.state import Closed, SessionState
from foureyes.core.text import Redact, unredacted

__all__ = ["closed_at", "spoken_since"]

_REMEMBERED = 64
"""Human messages whose digests are kept: where a later one was compacted away, an earlier one is not new."""
_SCANNED = 256
"""Messages in which a human one is looked for: as many of the newest, and as many of the first after the end of the
last request, for a run that is only reviewed at its finish may be long. The cost does not grow with the transcript."""


def closed_at(
    state: SessionState, messages: Sequence[object], *, aborted: bool = False, answered: bool = False
) -> Closed:
    """Return the mark of a request that ends with this transcript.

    Where there is none, because the process has just begun, it ends where the last review has read to, and after the
    words with which the request began. A request that was aborted or answered stays so, whatever the run that was left
    over ends with.
    """
    humans = list(islice(_human(state, messages), _REMEMBERED))
    length = len(messages) or max((progress.read for progress in state.reviewers.values()), default=0)
    return Closed(
        messages=length,
        humans=tuple(digest("h", text) for text in (*humans, state.request_text) if text),
        last=mark(messages, len(messages)),
        aborted=aborted or (state.closed is not None and state.closed.aborted),
        answered=answered or (state.closed is not None and state.closed.answered),
    )


def spoken_since(state: SessionState, messages: Sequence[object], redact: Redact = unredacted) -> str | None:
    """Return the human message that was not there when the request ended, or None.

    A transcript that still holds its last message is read from there on, so a human who says the same again is
    heard; any other was rewritten, and only another text counts. Where the end is not known for certain, the words
    that began the request are not taken for new ones.
    """
    end = state.closed
    if end is None:
        return None
    if len(messages) >= end.messages and (not end.last or mark(messages, end.messages) == end.last):
        added = next(_human(state, messages, end.messages), None)
        return None if added and not end.last and is_request(state, added, redact) else added
    newest = next(_human(state, messages), None)
    return newest if newest and digest("h", newest) not in end.humans else None


def _human(state: SessionState, messages: Sequence[object], start: int = 0) -> Iterator[str]:
    end = len(messages)
    newest = range(end - 1, max(start, end - _SCANNED) - 1, -1)
    first = range(start, min(end - len(newest), start + _SCANNED))
    for place in chain(newest, reversed(first)):
        text = human_text(messages[place])
        if text and not is_ours(state.nonce, text):
            yield text
