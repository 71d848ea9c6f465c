"""What a host says when it calls at a boundary or a finish."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from foureyes.core.similarity import digest
from foureyes.core.words import Stop
from foureyes.telemetry.events import Event

__all__ = ["Visit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Visit:
    """What the host said when it called."""

    messages: Sequence[object]
    turn: int
    """The turn that is being settled, checked."""
    answer: str | None = None
    stop: Stop | None = None
    """None at a boundary."""
    heard: Sequence[Event] = ()
    """What the transcript said about us, to be told once it has been read."""

    length: int = 0
    """How many messages there were when the host called: what it appends meanwhile has not been reviewed."""

    @property
    def finish(self) -> bool:
        """Tell whether this is a finish."""
        return self.stop is not None

    @property
    def answer_mark(self) -> int:
        """Return a digest of the answer, 0 at a boundary."""
        return digest("a", self.answer) if self.answer is not None else 0

    def transcript(self) -> Sequence[object]:
        """Return the messages as they were when the host called."""
        return self.messages if len(self.messages) == self.length else list(islice(self.messages, self.length))
