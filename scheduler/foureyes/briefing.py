"""What the reviewers that are called at one boundary are told, and what the budget sets aside for them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import partial

from foureyes.book import Book
from foureyes.budget import Purse, Reservation
from foureyes.core.evidence import newest
from foureyes.core.facts import NO_USAGE, Review, Usage
from foureyes.core.schedule import Call, Decision, afforded
from foureyes.core.text import unredacted
from foureyes.core.unread import unread
from foureyes.preparation import Budgeting, Preparation
from foureyes.sight import Sight
from foureyes.visit import Visit

__all__ = ["Briefing"]


class Briefing:
    """The evidence and the budget of one boundary.

    A review that stays in this process is ready at once. One that leaves it is made ready later, inside its deadline,
    and not before that is it known what it may use.
    """

    def __init__(self, book: Book, visit: Visit) -> None:
        self._runtime, self._state, self._permitted = book.runtime, book.state, book.permitted
        self._visit = visit
        self._purse: Purse | None = None
        self._sights: dict[int, Sight] = {}
        self._new: dict[tuple[int, int], int] = {}
        self.reviews: dict[str, Review | Preparation] = {}
        """What each reviewer that is called is told, by reviewer."""
        self.reserved: dict[str, Reservation] = {}
        """What is set aside so far, by reviewer."""

    def open(self, decision: Decision) -> Decision:
        """Begin with these calls, and return the decision without those for which the budget is known to be too small.

        Raises MessageError for messages that are none.
        """
        if not decision.calls:
            return decision
        self._purse = self._runtime.purse(self._state)
        self._tell(decision.calls)
        return decision if self._purse is None else afforded(decision, set(self._unaffordable(self._purse)))

    def begin(self, calls: Iterable[Call]) -> None:
        """Count the calls; one that waits for its budget is counted once it has it."""
        for call in calls:
            if self._purse is None or call.reviewer in self.reserved:
                self._runtime.begun(call.reviewer)

    def settle(self, used: Mapping[str, Usage]) -> None:
        """Say what each review has used in the end; who is not named has used nothing."""
        for name, reservation in self.reserved.items():
            reservation.settle(used.get(name, NO_USAGE))

    def _tell(self, calls: Iterable[Call]) -> None:
        # What is the host's is read here and now, so that a message that is none is refused before anything is charged.
        roster = self._runtime.roster
        last: dict[int, Preparation] = {}
        for call in calls:
            name = call.reviewer
            config, sight, new = roster.by_name[name], self._sight(name), self._unread(name)
            if name not in roster.outgoing:
                self.reviews[name] = sight.review(call, config, new, unredacted)
                continue
            # Who has the same sight uses what the one before has made, and a budget is given out in order.
            queue = roster.sight[name] if self._purse is None else 0
            last[queue] = self.reviews[name] = Preparation(
                self._runtime.callers[name],
                partial(sight.review, call, config, new),
                last.get(queue),
                self._budgeting(),
            )

    def _unread(self, name: str) -> int:
        progress = self._state.reviewers[name]
        read = progress.read, progress.read_mark
        if read not in self._new:
            self._new[read] = unread(self._visit.messages, *read)
        return self._new[read]

    def _sight(self, name: str) -> Sight:
        roster = self._runtime.roster
        number, messages = roster.sight[name], self._visit.messages
        if number not in self._sights:
            if name in roster.outgoing:
                messages = newest(messages, roster.by_name[name].evidence)
            self._sights[number] = Sight(self._state, self._visit, messages, self._permitted)
        return self._sights[number]

    def _budgeting(self) -> Budgeting | None:
        purse = self._purse
        if purse is None:
            return None
        return Budgeting(estimate=self._runtime.estimate, reserve=partial(self._afford, purse))

    def _afford(self, purse: Purse, name: str, estimate: Usage) -> Reservation | None:
        reservation = purse.reserve(name, estimate)
        if reservation is not None:
            self.reserved[name] = reservation
            self._runtime.begun(name)
        return reservation

    def _unaffordable(self, purse: Purse) -> Iterator[str]:
        for name, review in self.reviews.items():
            if isinstance(review, Preparation):
                continue
            reservation = purse.reserve(name, self._runtime.estimate(name, review))
            if reservation is None:
                yield name
            else:
                self.reserved[name] = reservation
