"""The state of one session: a frozen, versioned value that survives restarts.

It holds progress, never policy: how often a reviewer is due is read from the live configuration, so switching one
off takes effect on resume. Plain data throughout; nothing in it is bound to a process, a loop or a clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from foureyes.core.facts import Anchor, Usage
from foureyes.core.history import History
from foureyes.core.words import FinishResult, OutcomeKind, Severity, SkipReason, Trigger, Verdict

__all__ = [
    "STATE_VERSION",
    "Called",
    "Closed",
    "NoteRecord",
    "NoteStatus",
    "Offer",
    "ReviewerState",
    "SessionState",
    "Settled",
    "Skipped",
    "Started",
]

STATE_VERSION = 1
"""Raised whenever an older foureyes could misread what a newer one wrote; it then refuses to load it."""


class NoteStatus(StrEnum):
    """Where an admitted note is on its road to the agent."""

    QUEUED = "queued"
    """Admitted, and waiting for a boundary that has room for it."""
    HANDED_OVER = "handed_over"
    """In the guidance that the host was given, which it has not confirmed yet."""
    SENT = "sent"
    """The host has taken it. Kept, newest 32 per reviewer, to show the reviewer what it has said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NoteRecord:
    """One admitted note, and what became of it so far."""

    id: str
    """``n`` and a number that counts the admitted notes of the session."""
    reviewers: tuple[str, ...]
    """All who raised it, in the order of the reviewers."""
    severity: Severity
    """The strongest severity that any of them gave it."""
    text: str
    """As the agent reads it: at most ``guard.max_note_chars``."""
    key: str | None = None
    anchor: Anchor | None = None
    turn: int
    """The turn whose review raised it."""
    request: int
    """The request in which it was raised; it is never handed over in another."""
    trigger: Trigger
    status: NoteStatus = NoteStatus.QUEUED
    host_only: bool = False
    """Beyond the notes of the request, held as similar, or left over from an earlier or aborted request: not handed
    over any more, and listed to the host at the finish."""
    similar_to: str | None = None
    """The id of the earlier note that it was flagged for resembling; None for a note that resembles none."""
    similar_text: str = ""
    """How that note begins, at most 80 characters: what the agent is told that this one resembles."""
    chain: str | None = None
    """The id of the first note of its finding, where it resembles another one closely; None where it is the first."""
    cluster: str | None = None
    """The id of the first of the notes that it is related to, where it resembles one; None where it is the first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """The advisory last handed over, until the next one."""

    id: str
    """``a``, a number that counts the advisories of the session, and a digest of the notes."""
    turn: int
    finish: bool
    notes: tuple[str, ...]
    """Ids of the notes in it, in the order of the advisory."""
    taken: bool = False
    """Whether the host has confirmed it; an unconfirmed one is offered again under the same id."""


@dataclass(frozen=True, kw_only=True)
class Started:
    """A review that was charged and has not ended: after a crash it is repeated once, without a new charge."""

    turn: int
    trigger: Trigger
    attempt: int = 1
    """1, or 2 once it has been repeated."""
    last_review: int
    """The reviewer's last review before this one, restored where the host cancels it."""
    round: int
    """The round of this review, from 0."""


@dataclass(frozen=True, kw_only=True)
class Called:
    """One review of the boundary last settled."""

    reviewer: str
    trigger: Trigger
    outcome: OutcomeKind
    error: str = field(default="", compare=False)
    """For the operator: what went wrong, at most 200 characters. Never saved: it may hold what must not be kept.

    So a repeated boundary, which is read from the saved state, is the same without it.
    """


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A reviewer that was due and was not called, with the numbers behind it."""

    reviewer: str
    trigger: Trigger
    reason: SkipReason
    have: int | None = None
    """For a cap: reviews spent. For a cooldown: the turn."""
    limit: int | None = None
    """For a cap: reviews allowed. For a cooldown: the first turn after it."""


@dataclass(frozen=True, kw_only=True)
class Settled:
    """What was decided at the boundary last settled, so that asking again gives the same answer."""

    turn: int
    finish: bool = False
    advisory: str | None = None
    """The id of the advisory that was handed over, if any."""
    reopen: bool = False
    result: FinishResult | None = None
    verdict: Verdict | None = None
    progress: str = ""
    calls: tuple[Called, ...] = ()
    skips: tuple[Skipped, ...] = ()
    unsent: tuple[NoteRecord, ...] = ()
    """At an accepted finish: the admitted notes that the agent was never sent, also those of requests before
    that ended without a finish."""
    answer: int = 0
    """At a finish: a digest of the answer; asking again about another one is a mistake of the host's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Closed:
    """The request is over (an accepted finish, or an abort): nothing is offered until the human speaks."""

    messages: int
    """How long the transcript was."""
    humans: tuple[int, ...] = ()
    """Digests of the newest human messages in it, at most 64, and of the request."""
    last: int = 0
    """A digest of its last message, 0 for none: a transcript that has another one there was rewritten."""
    aborted: bool = False
    """The user stopped the run."""
    answered: bool = False
    """An answer was accepted. Neither: the run ended by a limit or an error, and may go on."""

    @property
    def rests(self) -> bool:
        """Tell whether nothing may be offered to the agent before the human speaks."""
        return self.aborted or self.answered


@dataclass(frozen=True, kw_only=True)
class ReviewerState:
    """The progress of one reviewer in one session. Without slots, as :class:`SessionState`."""

    name: str
    last_review: int = 0
    """The turn of the last review that was charged, 0 for none."""
    periodic_used: int = 0
    """Periodic reviews charged in this request."""
    rounds_used: int = 0
    """Finish reviews charged in this request."""
    cooldown_until: int = 0
    """The first turn at which a periodic review may happen again; 0 = no cooldown."""
    muted: bool = False
    """Whether a flood has silenced the reviewer for the rest of the request."""
    spoken: int = 0
    """Notes charged to it since the agent last did something."""
    held: int = 0
    """Notes of this request that were held as similar, with nothing but flagged ones between them."""
    rejected: int = 0
    """Suppressed blockers in a row of this request."""
    shrinking: str | None = None
    """The id of the note of which its newest was the beginning, broken off; None where it was none."""
    failures: int = 0
    """Failed reviews in a row in this session."""
    paused: bool = False
    """Whether its process had paused the reviewer when this session was last settled."""
    damaged: str = ""
    """Why the saved record could not be read; such a reviewer is skipped as ``disabled`` in this session."""
    started: Started | None = None
    outcome: OutcomeKind | None = None
    """How its last review ended."""
    raised: int = 0
    """The highest rank that its last completed review of this request raised, repeats included; 0 for none."""
    read: int = 0
    """How many messages the transcript had at its last review."""
    read_mark: int = 0
    """A digest of the last of them, 0 for none: a transcript that has another one there was rewritten."""
    spent: Usage = Usage(cost_usd=0.0)
    """Used in the session, all attempts together."""
    spent_in_request: Usage = Usage(cost_usd=0.0)
    """Used in this request."""
    history: History = field(default_factory=lambda: History(capacity=4_096))
    """The keys of its admitted notes."""


@dataclass(frozen=True, kw_only=True)
class SessionState:
    """The whole state of one session. Without slots: a quiet boundary copies it, and a dict copies fastest."""

    id: str
    """The host's id of the conversation, 1 to 256 characters."""
    nonce: str
    """A secret of the session, from which the references of its advisories are made."""
    revision: int = 0
    """Counts the saved changes; a store refuses one that does not follow the last."""
    turn: int = 0
    """The turn last settled, 0 before the first."""
    request: int = 0
    """The number of the request, 0 before the first."""
    request_text: str = ""
    """The original request, at most 8,000 characters."""
    closed: Closed | None = None
    reopens: int = 0
    """How often this request's finish was re-opened."""
    admitted: int = 0
    """Notes admitted for the agent in this request."""
    compacted_at: int = 0
    """The turn up to which the host has rewritten its transcript: the agent no longer sees notes of that time."""
    serial: int = 0
    """How many notes were ever kept."""
    offers: int = 0
    """How many advisories were ever handed over."""
    offer: Offer | None = None
    settled: Settled | None = None
    """None where the boundary last settled was quiet."""
    notes: Mapping[str, NoteRecord] = field(default_factory=dict)
    """Queued, handed over and lately sent notes by id, oldest first."""
    unsaid: tuple[str, ...] = ()
    """Ids of the newest notes that were withdrawn from the queue, at most 256: raised again, they are new."""
    reviewers: Mapping[str, ReviewerState] = field(default_factory=dict)
    """By name, those included that are not configured at present."""
    version: int = STATE_VERSION

    def reviewer(self, name: str) -> ReviewerState:
        """Return the progress of a reviewer; a new one's where the session has not met it."""
        return self.reviewers.get(name) or ReviewerState(name=name)

    def with_status(self, *statuses: NoteStatus) -> tuple[NoteRecord, ...]:
        """Return the notes with one of these statuses, oldest first."""
        return tuple(note for note in self.notes.values() if note.status in statuses)
