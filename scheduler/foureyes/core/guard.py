"""The emission guard: which notes of one boundary are admitted for the agent.

A pure function of the state and of all notes of the boundary together, so neither the order of the reviewers'
answers nor the order of reviewers of equal standing changes what is admitted. Each note goes through the stages in
this order and stops at the first that holds:

1. ``empty`` - nothing is left after folding.
2. ``noise`` - the whole text is a content-free phrase, or nothing but a counter ("aa", "0x1f", "third reminder").
3. ``about_reviewer`` - its declared subject is the review itself.
4. ``recorded`` - below the reviewer's floor, after its ceiling has been applied.
5. ``duplicate`` - the same finding was admitted before, from any reviewer, at the same or a higher severity: the same
   declared key, the same text but for what only counts it or a line that has moved, or its beginning, broken off.
6. ``merged`` - the same finding from another reviewer at this boundary, which the same declared place may tell too:
   one note, all names, strongest severity. A reviewer at its bound is named as well, for it costs the agent nothing.
7. ``over_review`` - beyond the reviewer's notes per review; reviews between which the agent did nothing share them. It
   was never admitted: the host finds it in ``judged`` only, and it may be raised again.
8. ``held_similar`` - it resembles a note that the agent has been told, and says nothing that was not told of the same
   finding, another way of telling which was sent in this request; or it says hardly anything new (below a fifth) while
   two of the reviewer's newest four notes were flagged, or less new than old while all four were. Any other note that
   resembles one is only *flagged*: it says which, and comes last. Nothing is dropped for resembling.
9. ``admitted``; or ``over_boundary``, ``over_request`` where it is admitted but has to wait, or is for the host only.

From stage 5 on the strongest notes come first, of these the ones with a declared key, then the order in which one
wrote them. Suppressed notes cost no budget, and only what is on its way to the agent is remembered, so a note that a
bound pushed out may be raised again. Two notes are the same finding if they declare the same key or fold to the same
text. A strictly higher severity passes once. Severity never buys a way round a bound.

A reviewer is *muted* for the rest of the request after three notes held for saying hardly anything new, in one review
or in a row, or 32 suppressed blockers in a row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from foureyes.core.candidates import Candidate, Chosen, Target
from foureyes.core.chains import RUN
from foureyes.core.config import ReviewerConfig
from foureyes.core.counters import uncounted
from foureyes.core.facts import Note
from foureyes.core.gate import Gate
from foureyes.core.judged import Guarded, Judged, Limits, Muted, Opinion, Question, Raised, Run
from foureyes.core.noise import is_noise
from foureyes.core.places import moved
from foureyes.core.series import series
from foureyes.core.signs import signs
from foureyes.core.similarity import digest, folded
from foureyes.core.state import ReviewerState, SessionState
from foureyes.core.text import clean, cut_end
from foureyes.core.words import Disposition, Likeness, MuteReason, Severity

__all__ = ["HELD_IN_A_ROW", "SUPPRESSED_IN_A_ROW", "Guarded", "Judged", "Limits", "Raised", "admitted", "questions"]

HELD_IN_A_ROW = 3
"""Notes held for saying hardly anything new, in one review or with nothing but flagged notes between them, that mute a
reviewer. Those that say something new do not: they may well be findings of one form."""
SUPPRESSED_IN_A_ROW = 32
"""Suppressed blockers, with no admitted note between them, after which a reviewer is muted: as many as one review may
ever have admitted. Reviewers that repeat themselves now and then stay well below it; those of the field's floods wrote
45 to 942."""

_SPOKEN = frozenset({Disposition.EMPTY, Disposition.NOISE, Disposition.ABOUT_REVIEWER})
_SUPPRESSED = _SPOKEN | {Disposition.DUPLICATE, Disposition.HELD_SIMILAR}
_PASSED = frozenset({Disposition.ADMITTED, Disposition.MERGED, Disposition.OVER_BOUNDARY})


def admitted(
    configs: Sequence[ReviewerConfig],
    state: SessionState,
    raised: Sequence[Raised],
    turn: int,
    limits: Limits,
    opinions: Sequence[Opinion] = (),
) -> Guarded:
    """Return what becomes of each note, and what the reviewers' histories are afterwards.

    Notes of reviewers that are not configured are ignored. ``opinions`` are what a judge says of similar ones: two
    that are the same are taken to tell one finding, and of two that are different the new one is not flagged.
    """
    if not any(review.notes for review in raised):
        return _NOTHING
    by_name = {config.name: (place, config) for place, config in enumerate(configs)}
    known = [review for review in raised if review.reviewer in by_name]
    candidates = [
        _candidate(*by_name[review.reviewer], review, position, note)
        for review in known
        for position, note in enumerate(review.notes)
    ]
    candidates.sort(key=lambda c: (c.place, c.position))
    spent = {review.reviewer: state.reviewer(review.reviewer).spoken for review in known if review.idle}
    gate = Gate({config.name: config for config in configs}, state, limits, spent, opinions)
    gate.run([candidate for candidate in candidates if candidate.disposition is None])
    judged = tuple(candidate.judged() for candidate in candidates)
    ranks = _strongest(raised, judged)
    runs = {name: _run(state.reviewer(name), judged, gate) for name in ranks}
    return Guarded(
        judged=judged,
        records=gate.records(turn),
        histories=gate.histories(),
        raised=ranks,
        runs=runs,
        muted=tuple(
            mute for config in configs if config.name in runs for mute in _muted(config.name, runs[config.name])
        ),
    )


def questions(state: SessionState, guarded: Guarded) -> tuple[Question, ...]:
    """Return what a judge may be asked: the flagged notes, each with the earlier note that it resembles."""
    told = ((one, state.notes.get(one.similar or "")) for one in guarded.judged)
    return tuple(
        Question(
            reviewer=one.reviewer,
            position=one.position,
            text=cut_end(clean(one.note.text.strip()), MAX_ASKED_CHARS),
            matched=note.id,
            earlier=note.text,
        )
        for one, note in told
        if note is not None
    )


MAX_ASKED_CHARS = 2_000
"""Of a note that a judge is asked about: as much as the agent could read of it."""
_NOTHING = Guarded()


def _candidate(place: int, config: ReviewerConfig, review: Raised, position: int, note: Note) -> Candidate:
    severity = min(note.severity, config.guard.max_severity, key=lambda s: s.rank)
    room = config.guard.max_note_chars
    one = Candidate(place, review, position, note, severity, room)
    fold = folded(note.text)
    one.bare = uncounted(note.text, fold)
    one.counted = fold != one.bare
    one.disposition = _worth(one, fold)
    if one.disposition is None:
        one.keys = _identity(one)
        if severity.rank < config.guard.min_severity.rank:
            one.decided(Disposition.RECORDED, have=severity.rank, limit=config.guard.min_severity.rank)
    return one


def _worth(one: Candidate, fold: str) -> Disposition | None:
    if not fold:
        return Disposition.EMPTY
    if is_noise(fold) or is_noise(one.bare) or series(one.bare):
        return Disposition.NOISE
    return Disposition.ABOUT_REVIEWER if one.note.subject == "review" else None


def _identity(one: Candidate) -> tuple[tuple[int, Likeness], ...]:
    key = folded(one.note.key) if one.note.key else ""
    declared = [(digest("k", key), Likeness.KEY)] if key else []
    told = signs(one.note.text, one.bare)
    text = digest("t", one.bare + told), Likeness.COUNTER if one.counted else Likeness.TEXT
    places = moved(one.bare, one.note.text)
    return (*declared, text, *((digest("m", place + told), Likeness.MOVED) for place in places))


def _strongest(raised: Sequence[Raised], judged: Sequence[Judged]) -> dict[str, int]:
    ranks = {review.reviewer: 0 for review in raised}
    for one in judged:
        if one.disposition not in _SPOKEN:
            ranks[one.reviewer] = max(ranks[one.reviewer], one.severity.rank)
    return ranks


def _run(before: ReviewerState, judged: Sequence[Judged], gate: Gate) -> Run:
    own = [one for one in judged if one.reviewer == before.name]
    rejected = before.rejected
    for one in own:
        rejected = _rejected_after(rejected, one)
    return Run(
        held=_held(before.held, own),
        spoken=gate.spent.get(before.name, 0),
        rejected=rejected,
        shrinking=_id(gate.shrinking.get(before.name)),
    )


def _id(note: Target | None) -> str | None:
    return note.id if isinstance(note, Chosen) else note


def _held(before: int, own: Sequence[Judged]) -> int:
    # Anything else between them, even a plain repeat, is no sign of somebody who only rewords.
    goes_on = all(one.similar is not None for one in own)
    return (before if goes_on else 0) + sum(_says_hardly_anything_new(one) for one in own)


def _says_hardly_anything_new(one: Judged) -> bool:
    return one.disposition is Disposition.HELD_SIMILAR and one.limit is not None and one.limit < RUN


def _rejected_after(run: int, one: Judged) -> int:
    if one.disposition in _PASSED and run < SUPPRESSED_IN_A_ROW:
        return 0
    return run + (one.note.severity is Severity.BLOCKER and one.disposition in _SUPPRESSED)


def _muted(name: str, run: Run) -> Iterator[Muted]:
    if run.held >= HELD_IN_A_ROW:
        yield Muted(reviewer=name, reason=MuteReason.SIMILAR, have=run.held, limit=HELD_IN_A_ROW)
    elif run.rejected >= SUPPRESSED_IN_A_ROW:
        yield Muted(reviewer=name, reason=MuteReason.BLOCKERS, have=run.rejected, limit=SUPPRESSED_IN_A_ROW)
