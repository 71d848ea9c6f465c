"""A note on its way through the emission guard, before it has an id."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from foureyes.core.facts import Note
from foureyes.core.judged import Judged, Raised
from foureyes.core.text import clean, cut_end
from foureyes.core.words import Answer, Disposition, Likeness, Severity

__all__ = ["Candidate", "Chosen", "Like", "Target", "excerpt"]

_EXCERPT_CHARS = 80


def excerpt(text: str) -> str:
    """Return how a note begins: one line of at most 80 code points."""
    line = " ".join(text.split())
    return line if len(line) <= _EXCERPT_CHARS else cut_end(line, _EXCERPT_CHARS - 1) + "…"


@dataclass(slots=True, eq=False)
class Candidate:
    """One note that a reviewer wrote, and what becomes of it."""

    place: int
    """The reviewer's place among the reviewers, from 0."""
    raised: Raised
    position: int
    note: Note
    severity: Severity
    room: int
    """Code points that the agent would read of it."""
    bare: str = ""
    """Its folded text without what only counts it."""
    counted: bool = False
    """Whether something counted it."""
    keys: tuple[tuple[int, Likeness], ...] = ()
    """What it is identified by, a declared key first."""
    disposition: Disposition | None = None
    """None as long as it is not decided."""
    like: Like | None = None
    chosen: Chosen | None = None
    have: int | None = None
    limit: int | None = None
    _text: str | None = None

    @property
    def text(self) -> str:
        """Return the note as the agent would read it."""
        if self._text is None:
            self._text = cut_end(clean(self.note.text.strip()), self.room)
        return self._text

    def decided(
        self, disposition: Disposition, like: Like | None = None, have: int | None = None, limit: int | None = None
    ) -> bool:
        """Keep what becomes of the note, and by which rule. Returns True, to end a chain of rules with."""
        self.disposition, self.have, self.limit = disposition, have, limit
        self.like = like or self.like
        return True

    def judged(self) -> Judged:
        """Return what became of the note, once every note that is kept has its id."""
        like = self.like
        target = like.target if like else None
        return Judged(
            reviewer=self.raised.reviewer,
            position=self.position,
            note=self.note,
            severity=self.severity,
            disposition=self.disposition or Disposition.ADMITTED,
            matched=target.id if isinstance(target, Chosen) else target,
            likeness=like.likeness if like else None,
            overlap=like.overlap if like else None,
            answer=like.answer if like else None,
            risen=like.risen if like else False,
            excerpt=like.excerpt if like else "",
            record=self.chosen.id if self.chosen else None,
            have=self.have,
            limit=self.limit,
        )


@dataclass(slots=True, eq=False)
class Chosen:
    """A note of this boundary that is kept, with everybody who raised it."""

    lead: Candidate
    """The one whose text is kept; the strongest."""
    members: list[Candidate] = field(default_factory=list)
    """All who raised it, the lead included."""
    chain: Target | None = None
    """The first note of the finding that it tells again, if there is one."""
    cluster: Target | None = None
    """The first of the notes that it is related to, if there is one."""
    late: bool = False
    """Flagged, and no stronger than what it resembles: last in the queue."""
    held: bool = False
    """Flagged, and so was another of its finding in this request: for the host only."""
    id: str | None = None
    """None until everything is chosen, and for good where nothing more can be listed."""

    @property
    def rank(self) -> int:
        """Return the rank of the severity under which it is kept."""
        return self.lead.severity.rank

    @property
    def flag(self) -> Like | None:
        """Return the earlier note that it only resembles, if there is one."""
        like = self.lead.like
        flagged = like is not None and like.likeness is Likeness.WORDS and like.answer is not Answer.DIFFERENT
        return like if flagged else None

    @property
    def reviewers(self) -> tuple[str, ...]:
        """Return all who raised it, in the order of the reviewers."""
        return tuple(one.raised.reviewer for one in sorted(self.members, key=lambda one: one.place))


Target: TypeAlias = str | Chosen
"""An earlier note: by its id, or one of this boundary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Like:
    """What a note is like, and by what."""

    target: Target
    likeness: Likeness
    overlap: float | None = None
    mutual: float = 1.0
    """How much of the longer of the two is in the other, roughly; all of it for a repeat."""
    answer: Answer | None = None
    risen: bool = False
    excerpt: str = ""
