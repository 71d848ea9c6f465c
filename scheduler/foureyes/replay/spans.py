"""Which turns of a time line share a row: those at which nothing but the same thing happened."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from itertools import groupby

from foureyes.replay.run import Step

__all__ = ["Span", "spans"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Turns in a row that are shown as one row."""

    first: Step
    last: Step

    @property
    def label(self) -> str:
        """Return ``turn 4`` or ``turns 4-7``."""
        if self.first.turn == self.last.turn:
            return f"turn {self.first.turn}"
        return f"turns {self.first.turn}-{self.last.turn}"


def spans(steps: Sequence[Step]) -> list[Span]:
    """Return the rows of the time line, in order; every step is in exactly one.

    Turns in a row share one if nobody was due at any of them, or if the same reviewers were skipped for the same
    reasons and nobody was called. A turn that begins a request begins a row.
    """
    rows: list[Span] = []
    begun = 0
    keyed: list[tuple[Hashable, Step]] = []
    for step in steps:
        begun += step.request is not None
        keyed.append(((begun, _likeness(step)), step))
    for _, group in groupby(keyed, key=lambda pair: pair[0]):
        members = [step for _, step in group]
        rows.append(Span(first=members[0], last=members[-1]))
    return rows


def _likeness(step: Step) -> Hashable:
    if step.finish or step.calls or step.notes or step.advisory:
        return step.turn
    return tuple((skip.reviewer, skip.reason, skip.limit) for skip in step.skips)
