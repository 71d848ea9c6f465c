"""The stages of the emission guard at which notes meet: repeats, merges, resemblance and bounds.

Two passes. The first takes the strongest notes first and puts those aside that resemble something the agent has been
told; the second takes these, so that a note which may be a paraphrase never takes the place of one that is none. Both
go by what notes say and where their authors put them, never by whose they are; that decides only the order in which
equally strong notes are handed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property

from foureyes.core.candidates import Candidate, Chosen, Like, Target, excerpt
from foureyes.core.config import ReviewerConfig
from foureyes.core.earlier import Earlier, same_place
from foureyes.core.history import Entry, History
from foureyes.core.judged import Limits
from foureyes.core.state import NoteRecord, SessionState
from foureyes.core.words import Disposition, Likeness

__all__ = ["ALIKE_IN_A_ROW", "MAX_LISTED", "Gate"]

MAX_LISTED = 512
"""Notes of one request that are kept for the host alone. Further ones are judged the same, and told in events only."""
ALIKE_IN_A_ROW = 3
"""Flagged notes of a reviewer that resemble each other and are sent, with no other admitted note between them. Further
ones are held, however little each of them tells by itself."""
_RELATED = 0.2
"""Of the longer of two notes that has to be in the other for them to be of one run, or a short one would gather all."""


class Gate:
    """What has been admitted so far, in the state and at this boundary."""

    def __init__(
        self, configs: Mapping[str, ReviewerConfig], state: SessionState, limits: Limits, spent: dict[str, int]
    ) -> None:
        self._configs, self._state, self._limits = configs, state, limits
        self._before = [reviewer.history for reviewer in state.reviewers.values()]
        self._here: dict[int, Chosen] = {}
        self._chosen: list[Chosen] = []
        self.spent = spent
        """Notes charged to each reviewer, by name."""
        self.alike: dict[str, tuple[Target, ...]] = {name: one.alike for name, one in state.reviewers.items()}
        """Each reviewer's flagged notes in a row, after the note that the first of them resembles, by name."""
        self.shrinking: dict[str, Target] = {
            name: reviewer.shrinking for name, reviewer in state.reviewers.items() if reviewer.shrinking
        }
        """The note of which each reviewer's last one was the beginning, by name."""

    @cached_property
    def _earlier(self) -> Earlier:
        return Earlier(self._state)  # for notes that nothing has settled before, which most boundaries do not have

    def run(self, candidates: Iterable[Candidate]) -> None:
        """Decide about every note of substance, and number those that are kept."""
        aside: list[tuple[Candidate, Like]] = []
        waiting: dict[str, int] = {}
        for one in sorted(candidates, key=_precedence):
            if not self._is_settled(one):
                like = None if one.like else self._earlier.resembled(one)
                if like is None:
                    self._choose(one)
                elif not self._is_over(one, waiting):
                    waiting[one.raised.reviewer] = waiting.get(one.raised.reviewer, 0) + 1
                    aside.append((one, like))
        for one, like in aside:
            if not self._is_settled(one):
                self._choose(one, like)
        self._number()

    def records(self, turn: int) -> tuple[NoteRecord, ...]:
        """Return what is to be kept of the notes, in the order in which they are handed over."""
        return tuple(self._record(one, turn) for one in self._chosen if one.id is not None)

    def histories(self) -> dict[str, History]:
        """Return the histories of everybody whose notes are on their way to the agent."""
        histories: dict[str, History] = {}
        for one in self._chosen:
            for member in one.members if one.id and not one.held else ():
                name = member.raised.reviewer
                histories[name] = _remembered(histories.get(name) or self._history(name), member, one)
        return histories

    def _is_settled(self, one: Candidate) -> bool:
        return self._repeats(one) or self._joins(one) or self._is_over(one, {})

    def _repeats(self, one: Candidate) -> bool:
        known = self._known(one)
        if known is not None and known.risen:
            one.like = known
            return False
        like = known or self._earlier.repeated(one, self.shrinking.pop(one.raised.reviewer, None))
        if like is not None and like.likeness is Likeness.CUT:
            self.shrinking[one.raised.reviewer] = like.target
        return like is not None and one.decided(Disposition.DUPLICATE, like)

    def _known(self, one: Candidate) -> Like | None:
        entries = [
            (entry, likeness)
            for history in self._before
            for key, likeness in one.keys
            if (entry := history.find(key)) is not None
        ]
        if not entries:
            return None
        entry, likeness = max(entries, key=lambda found: found[0].rank)
        told = self._state.notes.get(entry.note)
        risen = one.severity.rank > entry.rank
        return Like(target=entry.note, likeness=likeness, risen=risen, excerpt=excerpt(told.text) if told else "")

    def _joins(self, one: Candidate) -> bool:
        # Two lines at one boundary are two places: nothing has moved between them.
        found = ((self._here[key], how) for key, how in one.keys if key in self._here and how is not Likeness.MOVED)
        twin, likeness = next(found, (None, None))
        if twin is None or likeness is None:
            like = same_place(one, self._chosen)
            return like is not None and isinstance(like.target, Chosen) and self._joined(one, like.target, like)
        return self._joined(one, twin, Like(target=twin, likeness=likeness, excerpt=excerpt(twin.lead.text)))

    def _joined(self, one: Candidate, twin: Chosen, like: Like) -> bool:
        if one.raised.reviewer in twin.reviewers:
            return one.decided(Disposition.DUPLICATE, like)
        self._charge(one, twin)
        return one.decided(Disposition.MERGED, like)

    def _is_over(self, one: Candidate, waiting: Mapping[str, int]) -> bool:
        name = one.raised.reviewer
        have, limit = self.spent.get(name, 0) + waiting.get(name, 0), self._configs[name].guard.max_notes
        return have >= limit and one.decided(Disposition.OVER_REVIEW, have=have, limit=limit)

    def _choose(self, one: Candidate, like: Like | None = None) -> None:
        chosen = Chosen(lead=one)
        if like is None:
            self.alike.pop(one.raised.reviewer, None)
        else:
            self._flag(chosen, like)
        self._chosen.append(chosen)
        self._charge(one, chosen)
        if not chosen.held:
            self._earlier.told(chosen)

    def _flag(self, chosen: Chosen, like: Like) -> None:
        chosen.lead.like, chosen.chain = like, self._earlier.chain_of(like)
        if like.risen:
            return
        chosen.late = True
        run = self._in_a_row(chosen, like)
        if chosen.chain is not None and self._earlier.was_sent(chosen.chain):
            chosen.held = chosen.lead.decided(Disposition.HELD_SIMILAR, have=1, limit=1)
        elif run > ALIKE_IN_A_ROW:
            chosen.held = chosen.lead.decided(Disposition.HELD_SIMILAR, have=run - 1, limit=ALIKE_IN_A_ROW)

    def _in_a_row(self, chosen: Chosen, like: Like) -> int:
        name = chosen.lead.raised.reviewer
        before = self.alike.get(name, ())
        if like.mutual >= _RELATED:
            self.alike[name] = (*(before if like.target in before else (like.target,)), chosen)
        return len(self.alike.get(name, ())) - 1

    def _charge(self, one: Candidate, chosen: Chosen) -> None:
        name = one.raised.reviewer
        self.spent[name] = self.spent.get(name, 0) + 1
        chosen.members.append(one)
        one.chosen = chosen
        for key, _ in one.keys:
            self._here.setdefault(key, chosen)

    def _number(self) -> None:
        self._chosen.sort(key=_delivery)
        if not self._chosen:
            return
        serial, listed = self._state.serial, len(self._earlier.listed)
        for place, one in enumerate(self._chosen):
            if self._bound(one, place):
                listed += 1
            if listed <= MAX_LISTED or one.lead.disposition in _FOR_THE_AGENT:
                serial += 1
                one.id = f"n{serial}"

    def _bound(self, one: Chosen, place: int) -> bool:
        in_request, limits = self._state.admitted + place, self._limits
        if one.held:
            return True
        if in_request >= limits.notes_per_request:
            return one.lead.decided(Disposition.OVER_REQUEST, have=in_request, limit=limits.notes_per_request)
        if place >= limits.notes_per_boundary:
            one.lead.decided(Disposition.OVER_BOUNDARY, have=place, limit=limits.notes_per_boundary)
        else:
            one.lead.decided(Disposition.ADMITTED)
        return False

    def _record(self, one: Chosen, turn: int) -> NoteRecord:
        lead, like = one.lead, one.flag
        target = like.target if like else None
        return NoteRecord(
            id=one.id or "",
            reviewers=one.reviewers,
            severity=lead.severity,
            text=lead.text,
            key=lead.note.key,
            anchor=lead.note.anchor,
            turn=turn,
            request=self._state.request,
            trigger=lead.raised.trigger,
            host_only=lead.disposition not in _FOR_THE_AGENT,
            similar_to=target.id if isinstance(target, Chosen) else target,
            chain=one.chain.id if isinstance(one.chain, Chosen) else one.chain,
            similar_text=like.excerpt if like else "",
        )

    def _history(self, name: str) -> History:
        stored, capacity = self._state.reviewers.get(name), self._configs[name].guard.history
        return stored.history.resized(capacity) if stored else History(capacity=capacity)


_FOR_THE_AGENT = (Disposition.ADMITTED, Disposition.OVER_BOUNDARY)


def _precedence(one: Candidate) -> tuple[int, bool, int, str, str, int]:
    # Notes with a key before those without: the latter join one of them, whichever reviewer comes first.
    keyless = not any(likeness is Likeness.KEY for _, likeness in one.keys)
    return -one.severity.rank, keyless, one.position, one.bare, one.note.text, one.place


def _delivery(one: Chosen) -> tuple[bool, bool, int, int, int]:
    return one.held, one.late, -one.rank, one.lead.place, one.lead.position


def _remembered(history: History, member: Candidate, chosen: Chosen) -> History:
    for key, _ in member.keys:
        known = history.find(key)
        if known is None or known.rank < chosen.rank:
            history = history.remembered(Entry(key, chosen.rank, chosen.id or ""))
    return history
