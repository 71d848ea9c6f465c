"""The reviews of one boundary while they are under way.

All start at the same time. Each has its own deadline; at a deadline the review is a timeout, its task is cancelled,
and after a short grace for those that let go the boundary walks away. So a boundary takes as long as its slowest
reviewer, and never longer than the largest timeout plus the grace.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import anyio

from foureyes.budget import Reservation
from foureyes.calling import Caller, Tally, call_review, described, ended, fatal
from foureyes.core.facts import NO_REPLY, Note, Outcome, Review
from foureyes.core.schedule import Call
from foureyes.core.words import OutcomeKind
from foureyes.preparation import Preparation, TimeUpError
from foureyes.room import Room
from foureyes.tasks import Tasks

__all__ = ["GRACE_SECONDS", "Flight", "Round"]

GRACE_SECONDS = 0.005
"""How long a cancelled review may take to let go before it counts as left over."""
_LOOK_SECONDS = 0.1
"""How often the clock is looked at while reviews are under way."""
_FROZEN_SECONDS = 0.1
"""How late the event loop may be before it counts as frozen."""
_TICK = 0.001
"""The resolution to which event loops keep their timers."""


def _nothing() -> None:
    """Do nothing: the review has not been started."""


class Flight:
    """One review under way."""

    def __init__(
        self,
        caller: Caller,
        call: Call,
        review: Review | Preparation,
        left_over: Callable[[Flight], None],
        reservation: Reservation | None = None,
    ) -> None:
        self.call = call
        self.unaffordable = False
        """Whether the budget turned out to have no room for it, once it was ready: nobody was called."""
        self.crowded = False
        """Whether others took all the room until the deadline, so that nobody was called."""
        self.hurried = False
        """Whether more than half of its time was gone when others had made room for it."""
        self.landed = False
        """Whether the task has let go."""
        self.abandoned = False
        """Whether the boundary has gone on without it."""
        self.fatal: BaseException | None = None
        """KeyboardInterrupt or SystemExit, which belong to the host."""
        self.deadline = 0.0
        """By the event loop's clock; once the review was given up, the moment of that, from which the grace runs."""
        self._caller, self._review, self._left_over = caller, review, left_over
        self._tally = Tally(began=caller.clock.monotonic(), reservation=reservation)
        self._begun = self._waits = False
        self._outcome: Outcome | None = None
        self._given_up: OutcomeKind | None = None
        self._cancel: Callable[[], None] = _nothing
        self._notify: Callable[[], None] = _nothing
        self._now: Callable[[], float] = anyio.current_time

    @property
    def given_up(self) -> bool:
        """Tell whether the review was cancelled from here, because of its deadline or because of the host."""
        return self._given_up is not None

    @property
    def late(self) -> tuple[Note, ...]:
        """Return the notes of a review that was given up: they are dropped."""
        return self._outcome.reply.notes if self.given_up and self._outcome is not None else ()

    @property
    def reviewer(self) -> str:
        """Return the name of the reviewer."""
        return self.call.reviewer

    def start(self, tasks: Tasks, notify: Callable[[], None]) -> None:
        """Start the review's task; ``notify`` is called when it lands."""
        self._notify = notify
        self._tally.began = self._caller.clock.monotonic()
        self._now = tasks.now
        self.deadline = tasks.now() + self._caller.config.timeout_seconds
        self._cancel = tasks.start(self._run)

    def give_up(self, kind: OutcomeKind) -> None:
        """Make this the outcome, and cancel the task if it still runs. Only the first reason counts."""
        if self._given_up is None and not (self.landed and kind is OutcomeKind.TIMEOUT):
            self._given_up, self.deadline = kind, self._now()
            self.crowded = self._waits and kind is OutcomeKind.TIMEOUT
            if not self.landed:
                self._cancel()
            if not self._begun:
                self._land()

    def abandon(self) -> None:
        """Go on without the task: it is left over until it lands."""
        self.abandoned = True
        self._left_over(self)

    def outcome(self) -> Outcome:
        """Return how the review ended, once it has landed or was given up."""
        kind = OutcomeKind.CANCELLED if self.crowded else self._given_up
        if self._outcome is None:
            return self._ended(kind or OutcomeKind.ERROR, self._lateness() if kind is OutcomeKind.TIMEOUT else "")
        return self._outcome if kind is None else replace(self._outcome, kind=kind, reply=NO_REPLY)

    async def _run(self) -> None:
        self._begun = True
        try:
            given = self._review
            review = await self._ready(given) if isinstance(given, Preparation) else given
            if review is None:
                return
            if self._caller.room is None:
                self._outcome = await call_review(self._caller, self.call, review, self._tally)
            else:
                self._outcome = await self._in_turn(self._caller.room, review)
            if self._now() > self.deadline + _TICK:
                self._given_up = self._given_up or OutcomeKind.TIMEOUT
        except anyio.get_cancelled_exc_class():
            raise
        except BaseException as error:  # noqa: BLE001 - a foreign exception must not take the scheduler's tasks down
            self.fatal = fatal(error)
            self._outcome = self._ended(OutcomeKind.ERROR, described(error, self._caller.redact))
        finally:
            self._land()

    async def _in_turn(self, room: Room, review: Review) -> Outcome:
        self._waits = True
        async with room:
            self._waits = False
            self.hurried = self.deadline - self._now() < self._caller.config.timeout_seconds / 2
            return await call_review(self._caller, self.call, review, self._tally)

    async def _ready(self, preparation: Preparation) -> Review | None:
        try:
            review = await preparation.review()
        except TimeUpError:
            self._outcome = self._ended(OutcomeKind.TIMEOUT, self._lateness())
            return None
        except Exception as error:  # noqa: BLE001 - foreign code: the redactor, or an object of the host's
            # Without the error's own text, for what could redact that has just failed.
            said = f"the evidence cannot be made ready ({type(error).__name__})"
            self._outcome = self._ended(OutcomeKind.ERROR, said)
            return None
        self._tally.reservation = preparation.reservation
        if review is None:
            self.unaffordable, self._outcome = True, self._ended(OutcomeKind.CANCELLED, "")
        return None if self.given_up else review

    def _lateness(self) -> str:
        unready = isinstance(self._review, Preparation) and not self._tally.attempts
        return "the evidence was not ready in time" if unready else "no answer in time"

    def _land(self) -> None:
        self.landed = True
        if isinstance(self._review, Preparation):
            self._review.end()
        notify = self._notify
        self._notify = self._cancel = _nothing  # Nothing here may hold the boundary's evidence for longer than it.
        notify()
        if self.abandoned:
            self._left_over(self)

    def _ended(self, kind: OutcomeKind, error: str) -> Outcome:
        return ended(self._caller, self.call, self._tally, kind, error=error)


class Round:
    """All reviews of one boundary."""

    def __init__(self, flights: Sequence[Flight], tasks: Tasks) -> None:
        self.flights, self._tasks = tuple(flights), tasks
        self._aloft = len(self.flights)
        self._done = tasks.gate()
        self.frozen = 0.0
        """The longest time in seconds that the event loop stood still meanwhile; 0 = no more than a tenth."""

    async def fly(self) -> None:
        """Start all reviews and return when each has landed or was given up.

        Where the host is cancelled, all reviews are given up as cancelled, and the cancellation goes on.
        """
        for flight in self.flights:
            flight.start(self._tasks, self._landed)
        try:
            while (wake := self._wake()) is not None:
                await self._watched(wake)
        except BaseException:
            self.cut(OutcomeKind.CANCELLED)
            with anyio.CancelScope(shield=True):
                await self._done.wait(self._tasks.now() + GRACE_SECONDS)
            self._abandon_the_rest()
            raise
        self._abandon_the_rest()

    async def _watched(self, wake: float) -> None:
        # Looking at the clock now and then costs nothing, and shows a reviewer that blocks the loop.
        look = min(wake, self._tasks.now() + _LOOK_SECONDS)
        await self._done.wait(look)
        late = self._tasks.now() - look
        if late > _FROZEN_SECONDS:
            self.frozen = max(self.frozen, late)

    def cut(self, kind: OutcomeKind) -> None:
        """Give up every review, those included that have landed: the boundary is not going to use them."""
        for flight in self.flights:
            flight.give_up(kind)
        self._done.hurry(self._tasks.now() + GRACE_SECONDS)
        if all(flight.landed for flight in self.flights):
            self._done.open()

    def _landed(self) -> None:
        self._aloft -= 1
        if not self._aloft:
            self._done.open()

    def _wake(self) -> float | None:
        # When to look again: at the next deadline or end of a grace; None once nobody is waited for.
        if not self._aloft:
            return None
        now = self._tasks.now() + _TICK
        times = [self._patience(flight, now) for flight in self.flights if not flight.landed]
        return min((time for time in times if time > now), default=None)

    @staticmethod
    def _patience(flight: Flight, now: float) -> float:
        if now >= flight.deadline:
            flight.give_up(OutcomeKind.TIMEOUT)
        return flight.deadline + GRACE_SECONDS if flight.given_up else flight.deadline

    def _abandon_the_rest(self) -> None:
        for flight in self.flights if self._aloft else ():
            if not flight.landed:
                flight.abandon()
