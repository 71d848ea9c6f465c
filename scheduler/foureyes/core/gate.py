"""The stages of the emission guard at which notes meet: repeats, merges, resemblance and bounds.

Two passes. The first takes the strongest notes first and puts those aside that resemble something the agent has been
told; the second takes these, so that a note which may be a paraphrase never takes the place of one that is none. Both
go by what notes say and where their authors put them, never by whose they are; that decides only the order in which
equally strong notes are handed over.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from functools import cached_property

from foureyes.core.candidates import Candidate, Chosen, Like, Target, excerpt
from foureyes.core.chains import RUN
from foureyes.core.config import ReviewerConfig
from foureyes.core.earlier import Earlier, same_place
from foureyes.core.history import Entry, History
from foureyes.core.judged import Limits, Opinion
from foureyes.core.state import NoteRecord, SessionState
from foureyes.core.words import Answer, Disposition, Likeness

__all__ = ["HARDLY_NEW", "MAX_LISTED", "MOSTLY_NEW", "RELATED_SENT", "Gate"]

MAX_LISTED = 512
"""Notes of one request that are kept for the host alone. Further ones are judged the same, and told in events only."""
RELATED_SENT = 2
"""Flagged notes among four of a reviewer that are sent before one that says hardly anything new is held."""
HARDLY_NEW = 0.2
"""Share of what a note says that is new, below which it says hardly anything new. Measured: five findings of one form
("the index on orders.customer_id is …") have 0.22 each, 62 ways to say one thing 0.2 where they have none of it."""
MOSTLY_NEW = 0.5
"""Share of what a note says that is new, from which it is never held, not even in a flood."""


class Gate:
    """What has been admitted so far, in the state and at this boundary."""

    def __init__(
        self,
        configs: Mapping[str, ReviewerConfig],
        state: SessionState,
        limits: Limits,
        spent: dict[str, int],
        opinions: Iterable[Opinion] = (),
    ) -> None:
        asked = ((opinion.question, opinion.answer) for opinion in opinions)
        self._answers: dict[tuple[str, int, Target], Answer] = {
            (question.reviewer, question.position, question.matched): answer for question, answer in asked
        }
        self._configs, self._state, self._limits = configs, state, limits
        self._unsaid = frozenset(state.unsaid)
        self._before = [reviewer.history for reviewer in state.reviewers.values()]
        self._here: dict[int, Chosen] = {}
        self._chosen: list[Chosen] = []
        self._held: Counter[str] = Counter()
        self.spent = spent
        """Notes charged to each reviewer, by name."""
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
        waiting: Counter[str] = Counter()
        ordered = sorted(candidates, key=_precedence)
        for one in ordered:
            name = one.raised.reviewer
            if self._is_settled(one) or self._is_over(one):
                continue
            like = None if one.like else self._resembled(one)
            if like is None:
                self._choose(one)
            elif not self._is_over(one, ahead=waiting[name] // 2):
                waiting[name] += 1
                aside.append((one, like))
        for one, like in aside:
            if not self._is_settled(one):
                self._flag(one, like)
        for one in ordered:
            if one.disposition is Disposition.OVER_REVIEW:
                self._join_all_the_same(one)
        self._number()

    def records(self, turn: int) -> tuple[NoteRecord, ...]:
        """Return what is to be kept of the notes, in the order in which they are handed over."""
        return tuple(self._record(one, turn) for one in self._chosen if one.id is not None)

    def histories(self) -> dict[str, History]:
        """Return the histories of everybody whose notes are on their way to the agent."""
        histories: dict[str, History] = {}
        for one in self._chosen:
            for member in one.members if one.lead.disposition in _FOR_THE_AGENT else ():
                name = member.raised.reviewer
                history = histories.get(name) or self._history(name)
                histories[name] = _remembered(history, member, one, self._unsaid)
        return histories

    def _resembled(self, one: Candidate) -> Like | None:
        like = self._earlier.resembled(one)
        answer = self._answers.get((one.raised.reviewer, one.position, like.target)) if like else None
        if like is None or answer is None:
            return like
        if answer is Answer.DIFFERENT:
            one.like = replace(like, answer=answer)
            return None
        return replace(like, answer=answer, mutual=1.0)

    def _is_settled(self, one: Candidate) -> bool:
        return self._repeats(one) or self._joins(one)

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
            if (entry := history.find(key)) is not None and entry.note not in self._unsaid
        ]
        if not entries:
            return None
        entry, likeness = max(entries, key=lambda found: found[0].rank)
        told = self._state.notes.get(entry.note)
        risen = one.severity.rank > entry.rank
        return Like(target=entry.note, likeness=likeness, risen=risen, excerpt=excerpt(told.text) if told else "")

    def _joins(self, one: Candidate) -> bool:
        like = self._twin(one)
        return like is not None and isinstance(like.target, Chosen) and self._joined(one, like.target, like)

    def _join_all_the_same(self, one: Candidate) -> None:
        # What another reviewer's note tells the agent anyway costs it nothing, and who comes first must not decide
        # whether a reviewer at its bound is named. A stronger note would: there the bound stands.
        like = self._twin(one)
        if like is not None and isinstance(like.target, Chosen) and like.target.rank >= one.severity.rank:
            self._joined(one, like.target, like)

    def _twin(self, one: Candidate) -> Like | None:
        # Two lines at one boundary are two places: nothing has moved between them.
        found = ((self._here[key], how) for key, how in one.keys if key in self._here and how is not Likeness.MOVED)
        twin, likeness = next(found, (None, None))
        if twin is None or likeness is None:
            return same_place(one, self._chosen)
        return Like(target=twin, likeness=likeness, excerpt=excerpt(twin.lead.text))

    def _joined(self, one: Candidate, twin: Chosen, like: Like) -> bool:
        if one.raised.reviewer in twin.reviewers:
            return one.decided(Disposition.DUPLICATE, like)
        self._join(one, twin)
        if not twin.held:
            self._charge(one)
        return one.decided(Disposition.MERGED, like)

    def _is_over(self, one: Candidate, *, ahead: int = 0) -> bool:
        name = one.raised.reviewer
        have, limit = self.spent.get(name, 0) + ahead, self._configs[name].guard.max_notes
        return have >= limit and one.decided(Disposition.OVER_REVIEW, have=have, limit=limit)

    def _choose(self, one: Candidate) -> None:
        chosen = Chosen(lead=one)
        self._keep(one, chosen)
        self._charge(one)
        self._earlier.told(chosen)

    def _flag(self, one: Candidate, like: Like) -> None:
        one.like = like
        chains, chosen = self._earlier.chains, Chosen(lead=one, late=not like.risen)
        chosen.chain, chosen.cluster = chains.chain_of(like), chains.cluster_of(like)
        if chosen.late and self._is_held(chosen, like):
            self._hold(chosen)
        elif not self._is_over(one):
            self._keep(one, chosen)
            self._charge(one)
            self._earlier.told(chosen)

    def _is_held(self, chosen: Chosen, like: Like) -> bool:
        lead, chains = chosen.lead, self._earlier.chains
        news = 0.0 if like.answer is Answer.SAME else chains.news(lead.text, like)
        if chosen.chain is not None and not news and (have := chains.retold(like)):
            return lead.decided(Disposition.HELD_SIMILAR, have=have, limit=1)
        if chosen.cluster is None or news >= MOSTLY_NEW:
            return False
        have, limit = chains.run(lead.raised.reviewer), RUN if news >= HARDLY_NEW else RELATED_SENT
        return have >= limit and lead.decided(Disposition.HELD_SIMILAR, have=have, limit=limit)

    def _hold(self, chosen: Chosen) -> None:
        # What is held costs no note of the review, and yet there is no more of it than of the others.
        name = chosen.lead.raised.reviewer
        self._held[name] += 1
        limit = self._configs[name].guard.max_notes
        if self._held[name] > limit:
            chosen.lead.decided(Disposition.OVER_REVIEW, have=self._held[name] - 1, limit=limit)
        else:
            chosen.held = True
            self._keep(chosen.lead, chosen)

    def _keep(self, one: Candidate, chosen: Chosen) -> None:
        self._chosen.append(chosen)
        self._join(one, chosen)

    def _join(self, one: Candidate, chosen: Chosen) -> None:
        chosen.members.append(one)
        one.chosen = chosen
        for key, _ in one.keys:
            self._here.setdefault(key, chosen)

    def _charge(self, one: Candidate) -> None:
        name = one.raised.reviewer
        self.spent[name] = self.spent.get(name, 0) + 1

    def _number(self) -> None:
        self._chosen.sort(key=_delivery)
        if not self._chosen:
            return
        serial, listed = self._state.serial, self._earlier.waiting_for_the_host
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
            similar_to=_id(like.target) if like else None,
            chain=_id(one.chain),
            cluster=_id(one.cluster),
            similar_text=like.excerpt if like else "",
        )

    def _history(self, name: str) -> History:
        stored, capacity = self._state.reviewers.get(name), self._configs[name].guard.history
        return stored.history.resized(capacity) if stored else History(capacity=capacity)


_FOR_THE_AGENT = (Disposition.ADMITTED, Disposition.OVER_BOUNDARY)


def _precedence(one: Candidate) -> tuple[int, bool, int, str, str, int, int]:
    # Notes with a key before those without: the latter join one of them, whichever reviewer comes first.
    keyless = not any(likeness is Likeness.KEY for _, likeness in one.keys)
    return -one.severity.rank, keyless, one.position, one.bare, one.note.text, -one.room, one.place


def _delivery(one: Chosen) -> tuple[bool, bool, int, int, int]:
    return one.held, one.late, -one.rank, one.lead.place, one.lead.position


def _id(target: Target | None) -> str | None:
    return target.id if isinstance(target, Chosen) else target


def _remembered(history: History, member: Candidate, chosen: Chosen, unsaid: Collection[str]) -> History:
    for key, _ in member.keys:
        known = history.find(key)
        if known is None or known.rank < chosen.rank or known.note in unsaid:
            history = history.remembered(Entry(key, chosen.rank, chosen.id or ""))
    return history
