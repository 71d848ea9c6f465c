"""Fakes for testing a host, a reviewer or a sink: no model, no network, no waiting.

All of it is public and typed, and foureyes tests itself with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeVar

import anyio

from foureyes.core.facts import Note, Reply, Review
from foureyes.core.words import Severity
from foureyes.guidance import Guidance
from foureyes.session import Session
from foureyes.telemetry.events import Event

__all__ = ["FakeClock", "RecordingSink", "ScriptedReviewer", "note", "run_turns", "turn_messages"]

E = TypeVar("E")


def note(text: str, severity: Severity = Severity.CONCERN, *, key: str | None = None) -> Note:
    """Return a note; a concern unless said otherwise, so that it reaches the agent."""
    return Note(text=text, severity=severity, key=key)


class ScriptedReviewer:
    """A reviewer that answers from a script, one entry a review.

    An entry is what it returns, an exception that it raises, or a function of the review that returns either (or an
    awaitable of it). Once the script is used up it has nothing to say.
    """

    def __init__(self, *script: object) -> None:
        self._script = list(script)
        self.reviews: list[Review] = []
        """What it was asked, in order."""

    async def __call__(self, review: Review) -> Any:
        """Return the next entry of the script."""
        self.reviews.append(review)
        entry = self._script.pop(0) if self._script else Reply()
        if callable(entry) and not isinstance(entry, type):
            entry = entry(review)
            entry = await entry if hasattr(entry, "__await__") else entry
        if isinstance(entry, BaseException):
            raise entry
        return [entry] if isinstance(entry, Note) else entry

    @property
    def turns(self) -> list[int]:
        """Return the turns at which it was asked."""
        return [review.turn for review in self.reviews]


class RecordingSink:
    """A sink that keeps every event."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        """In the order in which they came."""
        self.quiet_boundaries = 0
        """Boundaries at which nobody was due."""

    def emit(self, event: Event) -> None:
        """Keep the event."""
        self.events.append(event)

    def quiet(self, finish: bool) -> None:
        """Count a boundary at which nobody was due."""
        self.quiet_boundaries += 1

    def of(self, kind: type[E]) -> list[E]:
        """Return the events of one type, in order."""
        return [event for event in self.events if isinstance(event, kind)]


class FakeClock:
    """A clock that moves only when told to, or when somebody waits on it.

    Deadlines are the event loop's and are not affected.
    """

    def __init__(self, start: float = 0.0) -> None:
        self._now = start
        self.slept: list[float] = []
        """How long was waited, in order, in seconds."""

    def monotonic(self) -> float:
        """Return the seconds that have passed."""
        return self._now

    async def sleep(self, seconds: float) -> None:
        """Let the time pass at once."""
        await anyio.lowlevel.checkpoint()
        self.slept.append(seconds)
        self.advance(seconds)

    def advance(self, seconds: float) -> None:
        """Let the time pass. Raises ValueError for a negative time: clocks do not go back."""
        if seconds < 0:
            raise ValueError("a clock does not go back")
        self._now += seconds


def turn_messages(number: int) -> list[dict[str, Any]]:
    """Return what an agent adds to its transcript in one turn: a tool call of its own, and the result."""
    call = {"id": f"call-{number}", "type": "function", "function": {"name": "work", "arguments": f'{{"n": {number}}}'}}
    return [
        {"role": "assistant", "content": f"Step {number}.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call-{number}", "content": f"result {number}"},
    ]


async def run_turns(
    session: Session,
    turns: int,
    *,
    messages: list[Any] | None = None,
    each: Callable[[int], Sequence[Any]] = turn_messages,
    answers: Iterable[str] = (),
) -> list[Guidance]:
    """Drive an agent's loop for some turns and then through its answers, and return every guidance.

    The transcript is ``messages``, which grows as a host's would: by what ``each`` returns for the turn, and by the
    advisories. After the turns each answer is offered at a finish; the run ends with the first that is accepted, or
    when there are no more.
    """
    transcript: list[Any] = messages if messages is not None else [{"role": "user", "content": "Do the work."}]
    guidances = []
    for _ in range(turns):
        transcript += each(session.state.turn + 1)
        guidances.append(await session.boundary(transcript))
        transcript += guidances[-1].messages
    for answer in answers:
        transcript.append({"role": "assistant", "content": answer})
        guidances.append(await session.finish(transcript, answer=answer))
        transcript += guidances[-1].messages
        if not guidances[-1].reopen:
            break
    return guidances
