"""What goes into the emission guard and what comes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from foureyes.core.facts import Note
from foureyes.core.history import History
from foureyes.core.state import NoteRecord
from foureyes.core.words import Answer, Disposition, Likeness, MuteReason, Severity, Trigger

__all__ = ["Guarded", "Judged", "Limits", "Muted", "Opinion", "Question", "Raised", "Run"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The bounds over all reviewers together."""

    notes_per_boundary: int = 6
    """Notes handed over at one boundary, at least 1."""
    notes_per_request: int = 48
    """Notes for the agent in one request, at least 1."""
    reopen_severity: Severity = Severity.CONCERN
    """The weakest note that may address the agent by itself: re-open a finish, or interrupt between turns."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Raised:
    """The notes of one review."""

    reviewer: str
    trigger: Trigger
    notes: tuple[Note, ...]
    idle: bool = False
    """The agent has done nothing since this reviewer's last review, so the two share one allowance of notes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """Two notes that resemble each other: whether they tell the same finding is for a judge to say."""

    reviewer: str
    position: int
    """Place in the reviewer's reply, from 0."""
    text: str
    """The new note, as the agent would read it."""
    matched: str
    """The id of the earlier note."""
    earlier: str
    """The text of the earlier note, as the agent has read it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opinion:
    """A judge's answer to one question."""

    question: Question
    answer: Answer


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the guard made of one note, and by which rule."""

    reviewer: str
    position: int
    """Place in the reviewer's reply, from 0."""
    note: Note
    severity: Severity
    """After the reviewer's ceiling."""
    disposition: Disposition
    matched: str | None = None
    """The id of the note that it repeats, joins or resembles."""
    likeness: Likeness | None = None
    """By what it is like the matched note. ``words`` is a flag: it ranks a note last, and does not drop it."""
    overlap: float | None = None
    """For a flagged note: how much of the shorter of the two is in the other, above 0 and at most 1."""
    answer: Answer | None = None
    """What a judge said of the two; None where none was asked, or none could say. ``different`` ends the flag."""
    risen: bool = False
    """It is stronger than everything that was told of what it repeats or resembles, so it passes."""
    excerpt: str = ""
    """How the matched note begins, at most 80 characters; empty where it is no longer kept."""
    record: str | None = None
    """For an admitted, merged or held note: the id under which it travels or is listed."""
    have: int | None = None
    """For a bound: the notes that came before it. For the floor: its own rank."""
    limit: int | None = None
    """For a bound: the notes allowed. For the floor: the lowest rank that passes."""

    @property
    def similar(self) -> str | None:
        """Return the id of the note that it was flagged for resembling, or None."""
        flagged = self.likeness is Likeness.WORDS and self.answer is not Answer.DIFFERENT
        return self.matched if flagged else None

    def explain(self) -> str:
        """Return the rule that fired, with its numbers and the note that it matched, in words."""
        reasons = [*self._likeness(), *self._numbers()]
        return f"{self.disposition}: {'; '.join(reasons)}" if reasons else str(self.disposition)

    def _likeness(self) -> list[str]:
        if self.matched is None:
            return []
        verb = "joins" if self.disposition is Disposition.MERGED else "repeats"
        verb = "resembles" if self.likeness is Likeness.WORDS else verb
        if self.likeness is None:
            return [f"{verb} {self.matched}"]
        share = f"{self.overlap:.0%} " if self.overlap is not None else ""
        quoted = f': "{self.excerpt}"' if self.excerpt else ""
        risen = ["stronger than before"] if self.risen else []
        risen += [f"a judge says {self.answer}"] if self.answer else []
        return [f"{verb} {self.matched}, {share}{_LIKENESSES[self.likeness]}{quoted}", *risen]

    def _numbers(self) -> list[str]:
        if self.limit is None or self.have is None:
            return []
        if self.disposition is Disposition.RECORDED:
            floor = next(level for level in Severity if level.rank == self.limit)
            return [f"a {self.severity}, and the floor is {floor}"]
        return [f"number {self.have + 1}, limit {self.limit}"]


_LIKENESSES = {
    Likeness.KEY: "the same key",
    Likeness.TEXT: "the same text",
    Likeness.COUNTER: "the same text but for what counts it",
    Likeness.MOVED: "the same text about a line nearby",
    Likeness.CUT: "its beginning",
    Likeness.PLACE: "the same place and gist",
    Likeness.WORDS: "of the shorter in common",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """How a reviewer stands after its notes: what stops floods goes by it. Its fields are those of the state."""

    spoken: int
    """Notes charged to it since the agent last did something."""
    held: int
    """Notes that were held for saying hardly anything new, with nothing but flagged ones between them."""
    rejected: int
    """Suppressed blockers in a row, up to the newest."""
    shrinking: str | None = None
    """The id of the note of which its newest was the beginning, broken off; None where it was none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Muted:
    """A reviewer that a flood has just silenced for the rest of the request."""

    reviewer: str
    reason: MuteReason
    have: int
    """Notes in a row."""
    limit: int
    """Notes in a row at which it is muted."""

    def explain(self) -> str:
        """Return the rule that fired, with its numbers, in words."""
        return f"muted for the rest of this request: {self.have} {_RUNS[self.reason]} in a row, limit {self.limit}"


_RUNS = {MuteReason.SIMILAR: "held notes", MuteReason.BLOCKERS: "suppressed blockers"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarded:
    """What the guard decided about one boundary."""

    judged: tuple[Judged, ...] = ()
    """Every note once, in the order of the reviewers and of their replies."""
    records: tuple[NoteRecord, ...] = ()
    """The new notes to keep: admitted ones, strongest first and flagged ones last, then what is for the host only."""
    histories: Mapping[str, History] = field(default_factory=dict)
    """The reviewers whose history has changed."""
    raised: Mapping[str, int] = field(default_factory=dict)
    """The strongest rank that each reviewer raised, repeats included; 0, or absent, where it said nothing."""
    runs: Mapping[str, Run] = field(default_factory=dict)
    """Every reviewer that said something, by name."""
    muted: tuple[Muted, ...] = ()
    """The reviewers that are muted from now on, in the order of the reviewers."""
