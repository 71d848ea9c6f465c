"""What a boundary or a finish gives back to the host."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from foureyes.core.guard import Judged
from foureyes.core.render import Advisory
from foureyes.core.state import Called, NoteRecord, Skipped
from foureyes.core.words import FinishResult, Verdict

__all__ = ["Guidance"]


@dataclass(frozen=True, kw_only=True)
class Guidance:
    """The answer to one boundary. Without reviewers, or where nobody has anything to say, it is empty."""

    turn: int
    """The turn that was settled."""
    advisory: Advisory | None = None
    """What the agent is to read, None for nothing."""
    reopen: bool = False
    """At a finish: whether the agent is to answer again, after reading the advisory."""
    result: FinishResult | None = None
    """At a finish: how it ended for the run. None at a boundary."""
    verdict: Verdict | None = None
    """At a finish: what may be said of the answer; only a completed review makes it ``approved``."""
    progress: str = ""
    """One line for the user: which reviewers said how much, never what, and how much was withheld."""
    outcomes: tuple[Called, ...] = ()
    """Who was called, and how each review ended."""
    skips: tuple[Skipped, ...] = ()
    """Who was due and not called, and why."""
    judged: tuple[Judged, ...] = ()
    """Every note that was raised, with what became of it. Empty for a repeated boundary."""
    unsent: tuple[NoteRecord, ...] = ()
    """At an accepted finish: admitted notes that the agent was never sent, those that were held as similar, and those
    that a request before left over because it ended without a finish. They are for the host to show. What exceeded a
    reviewer's notes per review was not admitted, and is in ``judged`` only."""
    on_taken: Callable[[], None] | None = field(default=None, repr=False, compare=False)
    """What :meth:`taken` tells; None where there is nothing to confirm."""

    @classmethod
    def quiet(cls, turn: int) -> Guidance:
        """Return the guidance of a boundary at which nobody was due: the defaults, at a tenth of the usual cost."""
        guidance = object.__new__(cls)
        guidance.__dict__["turn"] = turn
        return guidance

    @property
    def messages(self) -> list[dict[str, Any]]:
        """Return the advisory as chat messages to append: one with the role ``user``, or none."""
        return [{"role": "user", "content": self.advisory.text}] if self.advisory else []

    def taken(self) -> None:
        """Confirm that the agent's transcript has the advisory, so that it is not offered again.

        Not needed where the next call's messages contain it. Confirming twice, or a superseded one, does nothing.
        """
        if self.on_taken is not None:
            self.on_taken()
