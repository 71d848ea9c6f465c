"""What the host tells us, what a reviewer is shown, and what it answers: plain frozen values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from hashlib import blake2b

from foureyes.core.frozen import altered
from foureyes.core.words import OutcomeKind, Severity, Stop, Trigger

__all__ = [
    "NO_REPLY",
    "NO_USAGE",
    "Anchor",
    "EarlierNote",
    "Hop",
    "Message",
    "Moment",
    "Note",
    "Outcome",
    "Reply",
    "Review",
    "Spend",
    "ToolCall",
    "ToolTrace",
    "Usage",
    "total",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One tool call that the agent asked for."""

    id: str = ""
    """The host's id of the call, at most 128 characters; empty where it gives none."""
    name: str
    """At most 64 characters."""
    arguments: str = ""
    """As the agent wrote them, usually JSON; cut in the middle at 1,024 characters for a review."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message of the transcript, whatever framework it came from."""

    role: str
    """``user``, ``assistant``, ``tool`` or ``system``; other roles are shown as they are."""
    text: str = ""
    """Text parts joined; images and other parts as placeholders."""
    name: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    call_id: str = ""
    """For a tool result: the id of the call that it answers."""
    error: bool = False
    """For a tool result: the host says that the tool failed."""
    human: bool | None = None
    """Whether a human wrote it. None: unknown, which for a user message without our reference means yes."""

    @property
    def by_human(self) -> bool:
        """Tell whether to treat the message as the human's own words."""
        return self.role == "user" if self.human is None else self.human


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolTrace:
    """One tool call with its result, as a review sees it."""

    name: str
    arguments: str = ""
    """Cut in the middle at 1,000 characters."""
    result: str | None = None
    """What came back, cut in the middle at 1,000 characters; None where there is no result yet."""
    error: bool = False
    """The host says that the tool failed. A result that merely reads like a failure is for a reviewer to judge."""
    call_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """Where in the run a note's evidence is: a declared place, never guessed from prose."""

    turn: int | None = None
    """A turn of the session."""
    call: str | None = None
    """The id or the name of a tool call."""
    path: str | None = None
    """A file, with or without a line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """One remark of a reviewer."""

    text: str
    """Any length; the agent reads at most ``guard.max_note_chars`` of it."""
    severity: Severity = Severity.NIT
    key: str | None = None
    """A stable name of the defect, the same on every re-raise; None where the reviewer gives none."""
    subject: str = "work"
    """``work``, or ``review`` for a remark about the review itself, which the agent is spared."""
    anchor: Anchor | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What one review used, all attempts together."""

    input_tokens: int = 0
    """Tokens read, cached ones included."""
    cached_tokens: int = 0
    """Of the tokens read, those that the provider had cached."""
    output_tokens: int = 0
    cost_usd: float | None = None
    """Money in US dollars; None = unknown, which is never counted as 0."""

    def __add__(self, other: Usage) -> Usage:
        """Return the sum; an unknown cost makes the sum unknown, unless that side used nothing at all."""
        costs = [u.cost_usd for u in (self, other) if u.cost_usd is not None or u.input_tokens or u.output_tokens]
        return Usage(
            input_tokens=self.input_tokens + other.input_tokens,
            cached_tokens=self.cached_tokens + other.cached_tokens,
            output_tokens=self.output_tokens + other.output_tokens,
            cost_usd=None if None in costs or not costs else sum(c for c in costs if c is not None),
        )


NO_USAGE = Usage()
"""Nothing used, or nothing known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spend:
    """What one attempt used, and of which model."""

    model: str
    """As it is declared; "" where there is none, or none is known."""
    usage: Usage


def total(spent: Iterable[Spend]) -> Usage:
    """Return the sum of what was used; the cost is unknown where a part of it is."""
    return sum((spend.usage for spend in spent), start=NO_USAGE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What a reviewer answers, once read."""

    notes: tuple[Note, ...] = ()
    """Readable notes in the order in which they were given; none means that it had nothing to say."""
    malformed: int = 0
    """Entries that could not be read as a note."""
    unknown_severities: int = 0
    """Notes whose severity is a word that nobody knows: each counts as a nit."""
    resolved: tuple[str, ...] = ()
    """Keys of earlier notes that the reviewer has seen dealt with. Silence about a key resolves nothing."""
    usage: Usage = NO_USAGE
    """What the review used, where the reviewer has not charged it (:mod:`foureyes.charging`) while it ran."""

    @property
    def odd(self) -> bool:
        """Tell whether a part of it could not be understood."""
        return self.malformed > 0 or self.unknown_severities > 0


NO_REPLY = Reply()
"""Nothing said, and nothing used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierNote:
    """A note of the same reviewer that the agent has already been sent."""

    text: str
    severity: Severity
    turn: int
    """The turn whose review raised it."""
    key: str | None = None


@dataclass(frozen=True, kw_only=True)
class Review:
    """Everything that one reviewer is told for one review: a detached copy, safe to change or keep."""

    session: str
    reviewer: str
    trigger: Trigger
    turn: int
    """The turn just completed, counted per session from 1."""
    since: int
    """The turn of this reviewer's previous review, 0 for none: the review covers the turns after it."""
    round: int
    """0 for the first review of this kind in the request, then 1, 2, …"""
    request: str
    """The human's original request, at most 8,000 characters, however long the run has become."""
    messages: tuple[Message, ...] = ()
    """The newest messages inside the evidence bounds, oldest first."""
    elided: int = 0
    """How many older messages are not shown. What is not shown is unknown, not absent."""
    tools: tuple[ToolTrace, ...] = ()
    """The newest tool calls with their results, oldest first."""
    new: int | None = None
    """How many of the run's messages, shown or not, came after this reviewer's last review; all of them where there was
    none, or where the transcript was rewritten since. None = not known."""
    answer: str | None = None
    """At a finish: the answer that the agent would return, at most 8,000 characters."""
    earlier: tuple[EarlierNote, ...] = ()
    """What this reviewer has already told the agent, oldest first, the newest 32."""
    max_notes: int = 3
    """How many notes of this review the agent is to read at most, the strongest first: ``guard.max_notes``."""
    permitted: str = ""
    """What the agent may do, in the host's words, at most 2,000 characters: advice beyond it is of no use. Empty where
    the host has not said it."""
    timeout_seconds: float = 30.0
    """How long the whole review may take."""
    attempt: int = 1
    """1, or 2 where a review that a crash interrupted is asked for again under the same key."""

    @property
    def key(self) -> str:
        """Return ``session:turn:reviewer:trigger:content``: the same when a crash makes us ask again.

        ``content`` is a digest of the review, for a turn can come twice with other contents: after ``rewound()``,
        after a cancelled call, or where the agent did something else after the crash. Whoever keeps answers by their
        keys must not answer such a review with the old one.
        """
        return f"{self.session}:{self.turn}:{self.reviewer}:{self.trigger}:{self._content()}"

    def _content(self) -> str:
        same = altered(self, attempt=1, timeout_seconds=0.0)
        return blake2b(repr(same).encode("utf-8", "replace"), digest_size=8).hexdigest()


@dataclass(frozen=True, slots=True, kw_only=True)
class Moment:
    """A boundary or a finish as the rules see it: numbers and names, not the transcript."""

    turn: int
    """The turn just completed, from 1."""
    stop: Stop | None = None
    """None at a boundary; at a finish, why the agent stopped."""
    idle: frozenset[str] = frozenset()
    """Reviewers for which the agent has done nothing since their last review."""
    busy: frozenset[str] = frozenset()
    """Reviewers whose previous review in this session has not let go yet."""
    paused: frozenset[str] = frozenset()
    """Reviewers that are paused in this process."""
    not_permitted: frozenset[str] = frozenset()
    """Reviewers that may not see the transcript."""
    aborted: bool = False
    """The user stopped the run and has not spoken since."""

    @property
    def finish(self) -> bool:
        """Tell whether this is a finish."""
        return self.stop is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One step along the fallback chain."""

    source: str
    """The ``use`` name that failed."""
    target: str
    """The ``use`` name that was tried instead."""
    reason: OutcomeKind


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How one review ended. Whatever a reviewer does, it ends as one of these."""

    reviewer: str
    trigger: Trigger
    kind: OutcomeKind
    reply: Reply = NO_REPLY
    """What was said; empty unless the kind is ``noted`` or ``quiet`` (or, for ``late`` notes, a timeout)."""
    attempts: int = 0
    """Calls made, of the reviewer and of its fallbacks."""
    hops: tuple[Hop, ...] = ()
    seconds: float = 0.0
    """Wall time from the start of the review until its outcome was known."""
    error: str = ""
    """For the operator: what went wrong, at most 200 characters. Never shown to the agent."""
    spent: tuple[Spend, ...] = ()
    """What was used, all attempts, failed and abandoned ones included, and what the reply reports."""
    pause_seconds: float | None = None
    """For how long the reviewer is of no use; infinite where nobody knows. None = the usual streak decides."""

    @property
    def usage(self) -> Usage:
        """Return the sum of what was used; the cost is unknown where a part of it is."""
        return total(self.spent)
