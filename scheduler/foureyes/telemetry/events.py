"""What happened, as frozen values: the one source of metrics, traces and logs.

Sinks get the events of a boundary after everything that matters for the agent is done, in the order in which they
happened. The sums of the metrics equal the events exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol, TypeAlias

from foureyes.core.facts import Hop, Spend, Usage, total
from foureyes.core.words import (
    Disposition,
    FinishResult,
    MuteReason,
    OutcomeKind,
    Severity,
    SkipReason,
    Trigger,
    Verdict,
)

__all__ = [
    "BoundarySettled",
    "CheckpointFailed",
    "Checkpointed",
    "Event",
    "FellBack",
    "FinishSettled",
    "LeftoverChanged",
    "LoopFrozen",
    "NoteJudged",
    "NoteSent",
    "QuotaExhausted",
    "ReviewSettled",
    "ReviewSkipped",
    "ReviewerMuted",
    "ReviewerPaused",
    "ReviewerResumed",
    "Sink",
    "SinkFailed",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Event:
    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSettled(_Event):
    """A review ended. Exactly one for every review that was started."""

    action: ClassVar[str] = "review_settled"
    reviewer: str
    trigger: Trigger
    turn: int
    outcome: OutcomeKind
    seconds: float
    attempts: int
    spent: tuple[Spend, ...]
    """What was used, attempt by attempt and model by model."""
    error: str = ""
    """For the operator: the kind and text of the error, at most 200 characters."""
    malformed: int = 0
    """Notes of the reply that could not be read."""
    unknown_severities: int = 0
    """Notes of the reply whose severity is a word that nobody knows: each counts as a nit."""

    @property
    def usage(self) -> Usage:
        """Return the sum of what was used; the cost is unknown where a part of it is."""
        return total(self.spent)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewSkipped(_Event):
    """A reviewer was due and was not called."""

    action: ClassVar[str] = "review_skipped"
    reviewer: str
    trigger: Trigger
    turn: int
    reason: SkipReason
    have: int | None = None
    limit: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FellBack(_Event):
    """A review went on with the next of its fallbacks."""

    action: ClassVar[str] = "fell_back"
    reviewer: str
    turn: int
    hop: Hop


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteJudged(_Event):
    """The guard decided about one note. Exactly one for every note, unreadable and late ones included."""

    action: ClassVar[str] = "note_judged"
    reviewer: str
    turn: int
    severity: Severity
    disposition: Disposition
    text: str = ""
    """As it was written, at most 2,000 characters; empty for a note that could not be read."""
    note: str | None = None
    """The id of the note that it became or that it repeats."""
    similar: str | None = None
    """The id of the earlier note that it was flagged for resembling; None where it was not flagged."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteSent(_Event):
    """The host has taken a note: the agent reads it. One for every reviewer that raised it."""

    action: ClassVar[str] = "note_sent"
    reviewer: str
    severity: Severity
    note: str


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotaExhausted(_Event):
    """A reviewer spent the last of an allowance of this request."""

    action: ClassVar[str] = "quota_exhausted"
    reviewer: str
    turn: int
    trigger: Trigger
    """``periodic`` or ``finish``: which allowance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerMuted(_Event):
    """A flood has silenced a reviewer for the rest of a request. Once for each time, whatever it would say further."""

    action: ClassVar[str] = "reviewer_muted"
    reviewer: str
    turn: int
    reason: MuteReason
    have: int
    """Notes in a row, of the kind that the reason names."""
    limit: int
    """Notes in a row at which a reviewer is muted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LoopFrozen(_Event):
    """The event loop stood still during the reviews of a boundary, which nothing in the process can bound.

    Most often one of the reviewers blocks: it is an ``async`` function that waits without ``await``.
    """

    action: ClassVar[str] = "loop_frozen"
    turn: int
    seconds: float
    """For how long, at the longest; at least a tenth of a second."""
    reviewers: str
    """Who was being consulted and may have done it, with commas between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerPaused(_Event):
    """A reviewer failed too often in this process, or said to be of no use: it is not consulted for a while."""

    action: ClassVar[str] = "reviewer_paused"
    reviewer: str
    failures: int
    seconds: float | None = None
    """For how long; None = until it was skipped ten times."""
    outcome: OutcomeKind | None = None
    """How its last review ended; None where that is not known."""
    error: str = ""
    """What went wrong in that review, at most 200 characters."""
    told: bool = False
    """Whether it said itself that it is of no use for now; False = it failed too often in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerResumed(_Event):
    """A paused reviewer is consulted again."""

    action: ClassVar[str] = "reviewer_resumed"
    reviewer: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftoverChanged(_Event):
    """A review that was given up still runs, or one that did has let go."""

    action: ClassVar[str] = "leftover_changed"
    reviewer: str
    running: int
    """How many of this reviewer's given-up reviews run now, in the whole scheduler."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundarySettled(_Event):
    """A boundary at which somebody was due, or a finish, is over. Quiet boundaries are only counted."""

    action: ClassVar[str] = "boundary_settled"
    turn: int
    finish: bool
    seconds: float
    advisory: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FinishSettled(_Event):
    """A finish was decided."""

    action: ClassVar[str] = "finish_settled"
    turn: int
    result: FinishResult
    verdict: Verdict
    unsent: int = 0
    """Admitted notes that the agent was never sent, and that were listed to the host."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Checkpointed(_Event):
    """A state with more in it than a moved turn was saved."""

    action: ClassVar[str] = "checkpointed"
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckpointFailed(_Event):
    """A state could not be saved."""

    action: ClassVar[str] = "checkpoint_failed"
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SinkFailed(_Event):
    """A sink, or the host's hook for notes, raised an exception; the review was not affected."""

    action: ClassVar[str] = "sink_failed"
    sink: str
    """The type of the sink, or ``on_notes``."""
    error: str


Event: TypeAlias = (
    ReviewSettled
    | ReviewSkipped
    | FellBack
    | NoteJudged
    | NoteSent
    | QuotaExhausted
    | ReviewerMuted
    | ReviewerPaused
    | ReviewerResumed
    | LeftoverChanged
    | LoopFrozen
    | BoundarySettled
    | FinishSettled
    | Checkpointed
    | CheckpointFailed
    | SinkFailed
)


class Sink(Protocol):
    """Where events go. A sink that raises is counted and left in place; the review is not affected."""

    def emit(self, event: Event) -> None:
        """Take one event. Called on the event loop: must not block."""

    def quiet(self, finish: bool) -> None:
        """Count one boundary at which nobody was due."""
