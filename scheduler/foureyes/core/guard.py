"""The emission guard: which notes of one boundary are admitted for the agent.

A pure function of the state and of all notes of the boundary together, so neither the order of the reviewers'
answers nor the order of reviewers of equal standing changes what is admitted. Each note goes through the stages in
this order and stops at the first that holds:

1. ``empty`` - nothing is left after folding.
2. ``noise`` - the whole folded text is a content-free phrase.
3. ``about_reviewer`` - its declared subject is the review itself.
4. ``recorded`` - below the reviewer's floor, after its ceiling has been applied.
5. ``duplicate`` - the same finding was admitted before, from any reviewer, at the same or a higher severity.
6. ``merged`` - the same finding from another reviewer at this boundary: one note, all names, strongest severity.
7. ``over_review`` - beyond the reviewer's notes per review.
8. ``admitted``; or ``over_boundary``, ``over_request`` where it is admitted but has to wait, or is for the host only.

From stage 5 on the strongest notes come first, of these the ones with a declared key, then the order of the reviewers,
then the order in which one wrote them. Suppressed notes cost no budget, and only admitted ones are remembered, so a
note that a bound pushed out may be raised again. Two notes are the same finding if they declare the same key or fold
to the same text. Severity never buys a way round a bound.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note
from foureyes.core.history import Entry, History
from foureyes.core.noise import is_noise
from foureyes.core.similarity import digest, folded
from foureyes.core.state import NoteRecord, SessionState
from foureyes.core.text import clean, cut_end
from foureyes.core.words import Disposition, Severity, Trigger

__all__ = ["Guarded", "Judged", "Limits", "Raised", "admitted"]

_SPOKEN = frozenset({Disposition.EMPTY, Disposition.NOISE, Disposition.ABOUT_REVIEWER})


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
    """For a duplicate or a merged note: the id of the admitted note that it repeats."""
    record: str | None = None
    """For an admitted or merged note: the id under which it travels."""
    have: int | None = None
    """For a bound: the notes that came before it."""
    limit: int | None = None

    def explain(self) -> str:
        """Return the rule that fired, with its numbers, as a sentence fragment."""
        if self.matched:
            return f"{self.disposition}: repeats {self.matched}"
        if self.limit is not None:
            return f"{self.disposition}: number {(self.have or 0) + 1}, limit {self.limit}"
        return str(self.disposition)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarded:
    """What the guard decided about one boundary."""

    judged: tuple[Judged, ...] = ()
    """Every note once, in the order of the reviewers and of their replies."""
    records: tuple[NoteRecord, ...] = ()
    """The newly admitted notes, strongest first."""
    histories: Mapping[str, History] = field(default_factory=dict)
    """The reviewers whose history has changed."""
    raised: Mapping[str, int] = field(default_factory=dict)
    """The strongest rank that each reviewer raised, repeats included; 0, or absent, where it said nothing."""


_NOTHING = Guarded()


@dataclass(slots=True)
class _Candidate:
    place: int
    raised: Raised
    position: int
    note: Note
    severity: Severity
    keys: tuple[int, ...] = ()
    fate: Judged | None = None


def admitted(
    configs: Sequence[ReviewerConfig], state: SessionState, raised: Sequence[Raised], turn: int, limits: Limits
) -> Guarded:
    """Return what becomes of each note, and what the reviewers' histories are afterwards.

    Notes of reviewers that are not configured are ignored.
    """
    if not any(review.notes for review in raised):
        return _NOTHING
    by_name = {config.name: (place, config) for place, config in enumerate(configs)}
    candidates = [
        _candidate(by_name[review.reviewer][0], by_name[review.reviewer][1], review, position, note)
        for review in raised
        if review.reviewer in by_name
        for position, note in enumerate(review.notes)
    ]
    candidates.sort(key=lambda c: (c.place, c.position))
    gate = _Gate({c.name: c for c in configs}, state, turn, limits)
    for candidate in sorted(candidates, key=_precedence):
        if candidate.fate is None:
            candidate.fate = gate.judge(candidate)
    return Guarded(
        judged=tuple(c.fate for c in candidates if c.fate),
        records=tuple(gate.records),
        histories=gate.histories,
        raised=_strongest(raised, candidates),
    )


def _precedence(candidate: _Candidate) -> tuple[int, bool, int, int]:
    # Notes with a key before those without: the latter join one of them, whichever reviewer comes first.
    return -candidate.severity.rank, len(candidate.keys) < 2, candidate.place, candidate.position


def _candidate(place: int, config: ReviewerConfig, review: Raised, position: int, note: Note) -> _Candidate:
    severity = min(note.severity, config.guard.max_severity, key=lambda s: s.rank)
    candidate = _Candidate(place, review, position, note, severity)
    fold = folded(note.text)
    disposition = _worth(config, note, severity, fold)
    if disposition:
        candidate.fate = _judged(candidate, disposition)
    else:
        candidate.keys = _identity(note, fold)
    return candidate


def _worth(config: ReviewerConfig, note: Note, severity: Severity, fold: str) -> Disposition | None:
    if not fold:
        return Disposition.EMPTY
    if is_noise(fold):
        return Disposition.NOISE
    if note.subject == "review":
        return Disposition.ABOUT_REVIEWER
    return Disposition.RECORDED if severity.rank < config.guard.min_severity.rank else None


def _identity(note: Note, fold: str) -> tuple[int, ...]:
    key, text = folded(note.key) if note.key else "", digest("t", fold)
    return (digest("k", key), text) if key else (text,)


def _judged(candidate: _Candidate, disposition: Disposition, **facts: object) -> Judged:
    judged = Judged(
        reviewer=candidate.raised.reviewer,
        position=candidate.position,
        note=candidate.note,
        severity=candidate.severity,
        disposition=disposition,
    )
    return replace(judged, **facts) if facts else judged  # type: ignore[arg-type]


def _strongest(raised: Sequence[Raised], candidates: Sequence[_Candidate]) -> dict[str, int]:
    ranks = {review.reviewer: 0 for review in raised}
    for candidate in candidates:
        if candidate.fate and candidate.fate.disposition not in _SPOKEN:
            name = candidate.raised.reviewer
            ranks[name] = max(ranks[name], candidate.severity.rank)
    return ranks


class _Gate:
    """Stages 5 to 8: what has been admitted so far, in the state and at this boundary."""

    def __init__(self, configs: Mapping[str, ReviewerConfig], state: SessionState, turn: int, limits: Limits) -> None:
        self._configs, self._state, self._turn, self._limits = configs, state, turn, limits
        self._before = [reviewer.history for reviewer in state.reviewers.values()]
        self._spent: dict[str, int] = {}
        self._here: dict[int, int] = {}
        self.records: list[NoteRecord] = []
        self.histories: dict[str, History] = {}

    def judge(self, candidate: _Candidate) -> Judged:
        """Return the fate of a note of substance; the strongest notes have to come first."""
        reviewer = candidate.raised.reviewer
        if matched := self._admitted_before(candidate):
            return _judged(candidate, Disposition.DUPLICATE, matched=matched)
        twin = next((self._here[key] for key in candidate.keys if key in self._here), None)
        if twin is not None:
            return self._joined(candidate, twin)
        have, limit = self._spent.get(reviewer, 0), self._configs[reviewer].guard.max_notes
        if have >= limit:
            return _judged(candidate, Disposition.OVER_REVIEW, have=have, limit=limit)
        return self._admit(candidate)

    def _admitted_before(self, candidate: _Candidate) -> str | None:
        for history in self._before:
            for key in candidate.keys:
                entry = history.find(key)
                if entry is not None and entry.rank >= candidate.severity.rank:
                    return entry.note
        return None

    def _joined(self, candidate: _Candidate, twin: int) -> Judged:
        record, reviewer = self.records[twin], candidate.raised.reviewer
        if reviewer in record.reviewers:
            return _judged(candidate, Disposition.DUPLICATE, matched=record.id)
        self.records[twin] = replace(record, reviewers=(*record.reviewers, reviewer))
        self._charge(candidate, twin, record.severity.rank)
        return _judged(candidate, Disposition.MERGED, matched=record.id, record=record.id)

    def _admit(self, candidate: _Candidate) -> Judged:
        place = len(self.records)
        in_request = self._state.admitted + place
        host_only = in_request >= self._limits.notes_per_request
        record = self._record(candidate, f"n{self._state.serial + place + 1}", host_only=host_only)
        self.records.append(record)
        self._charge(candidate, place, record.severity.rank)
        if host_only:
            limit = self._limits.notes_per_request
            return _judged(candidate, Disposition.OVER_REQUEST, record=record.id, have=in_request, limit=limit)
        limit = self._limits.notes_per_boundary
        disposition = Disposition.ADMITTED if place < limit else Disposition.OVER_BOUNDARY
        bound = {} if place < limit else {"have": place, "limit": limit}
        return _judged(candidate, disposition, record=record.id, **bound)

    def _record(self, candidate: _Candidate, identity: str, *, host_only: bool) -> NoteRecord:
        reviewer = candidate.raised.reviewer
        return NoteRecord(
            id=identity,
            reviewers=(reviewer,),
            severity=candidate.severity,
            text=cut_end(clean(candidate.note.text.strip()), self._configs[reviewer].guard.max_note_chars),
            key=candidate.note.key,
            anchor=candidate.note.anchor,
            turn=self._turn,
            request=self._state.request,
            trigger=candidate.raised.trigger,
            host_only=host_only,
        )

    def _charge(self, candidate: _Candidate, place: int, rank: int) -> None:
        reviewer = candidate.raised.reviewer
        self._spent[reviewer] = self._spent.get(reviewer, 0) + 1
        history = self.histories.get(reviewer)
        if history is None:
            stored = self._state.reviewers.get(reviewer)
            capacity = self._configs[reviewer].guard.history
            history = stored.history.resized(capacity) if stored else History(capacity=capacity)
        for key in candidate.keys:
            known = history.find(key)
            if known is None or known.rank < rank:
                history = history.remembered(Entry(key, rank, self.records[place].id))
            self._here.setdefault(key, place)
        self.histories[reviewer] = history
