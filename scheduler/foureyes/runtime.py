"""What all sessions of a scheduler share while it is open: tasks, threads, the store, sinks, and health."""

from __future__ import annotations

import logging
import random
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, TypeAlias

from foureyes.budget import Purse, SharedUsage, bounded
from foureyes.calling import Caller, described, fatal
from foureyes.clock import Clock
from foureyes.core.facts import NO_USAGE, Note, Outcome, Review, Usage
from foureyes.core.guard import Judged
from foureyes.core.health import MAX_PAUSE_SECONDS, Health
from foureyes.core.state import SessionState
from foureyes.core.text import Redact, unredacted
from foureyes.core.words import FAILURES, Disposition
from foureyes.flights import Flight
from foureyes.judging import Judge
from foureyes.replies import read_reply, read_usage
from foureyes.room import Room
from foureyes.roster import Roster
from foureyes.stores.base import Store
from foureyes.tasks import Tasks
from foureyes.telemetry.events import (
    CheckpointFailed,
    Event,
    LeftoverChanged,
    NoteJudged,
    ReviewerPaused,
    ReviewerResumed,
    Sink,
    SinkFailed,
)
from foureyes.telemetry.logs import LogSink, in_one_line
from foureyes.threads import Threads

__all__ = ["OnNotes", "Runtime"]

logger = logging.getLogger("foureyes")

OnNotes: TypeAlias = Callable[[str, tuple[Judged, ...], bool], object]
"""``on_notes(reviewer, notes, sent)``: the host's own record of notes."""


_NOBODY: frozenset[str] = frozenset()


def _spread(seconds: float | None) -> float | None:
    # Reviewers of one account are told the same time, and must not all come back at once. No further than counts.
    if seconds is None or seconds >= MAX_PAUSE_SECONDS:
        return seconds
    later = random.uniform(0, min(0.1 * seconds, 8.0))  # noqa: S311 - no secret
    return min(seconds + later, MAX_PAUSE_SECONDS)


class Runtime:
    """The shared side of all sessions."""

    def __init__(
        self,
        roster: Roster,
        store: Store,
        sinks: Sequence[Sink],
        clock: Clock,
        on_notes: OnNotes | None,
        shared_usage: SharedUsage | None = None,
        redact: Redact = unredacted,
        judge: Judge | None = None,
        room: Room | None = None,
    ) -> None:
        self.redact, self.judge = redact, judge
        self._shared_usage = shared_usage
        self._bounded = shared_usage is not None or bounded(roster.configs, roster.budget)
        self.roster, self.store, self.clock = roster, store, clock
        self.tasks: Tasks | None = None
        """None while the scheduler is closed."""
        self._sinks, self._on_notes = tuple(sinks), on_notes
        logged = any(isinstance(sink, LogSink) for sink in sinks)
        self._warnings = None if logged else LogSink(least=logging.WARNING)
        self._threads = Threads(self._thread_left_over)
        self._leftovers: Counter[str] = Counter()
        self._busy: Counter[tuple[str, str]] = Counter()
        self.kept: dict[str, object] = {}
        """Sessions by id whose state is ahead of the store, so that they do not vanish before it is saved."""
        self.under_way: set[Callable[[], None]] = set()
        """What gives up the reviews of each boundary under way; called when the scheduler closes."""
        self.epoch = 0
        """Counts how often the scheduler was opened; a session belongs to one opening."""
        self.health = {config.name: Health() for config in roster.configs}
        self._untried: dict[str, Health] = {}
        self.callers = {
            config.name: Caller(
                config=config,
                chain=roster.chains[config.name],
                threads=self._threads,
                clock=clock,
                redact=redact,
                room=room,
            )
            for config in roster.configs
        }

    @property
    def is_watched(self) -> bool:
        """Tell whether anybody wants all events; warnings are logged in any case."""
        return bool(self._sinks)

    def wants(self, outcomes: Sequence[Outcome]) -> bool:
        """Tell whether anybody wants the events of a boundary with these outcomes."""
        return bool(self._sinks) or any(outcome.kind in FAILURES or outcome.reply.odd for outcome in outcomes)

    def emit(self, *events: Event) -> None:
        """Give the events to every sink; one that fails is told to the others and does no other harm."""
        for event in events:
            if self._warnings is not None:
                self._warnings.emit(event)
            for sink in self._sinks:
                try:
                    sink.emit(event)
                except BaseException as error:  # noqa: BLE001 - foreign code
                    self._failed(event.session, type(sink).__name__, error)

    def quiet(self, *, finish: bool) -> None:
        """Tell every sink of a boundary at which nobody was due."""
        for sink in self._sinks:
            try:
                sink.quiet(finish)
            except BaseException as error:  # noqa: BLE001 - foreign code
                self._failed("", type(sink).__name__, error)

    def store_failed(self, session: str, error: Exception) -> None:
        """Tell every sink that the store could not do its work; "" where no session is concerned."""
        self.emit(CheckpointFailed(session=session, error=described(error, self.redact)))

    def show_notes(self, session: str, reviewer: str, notes: tuple[Judged, ...], *, sent: bool) -> None:
        """Give the host the notes of one review, as far as they were sent, or as far as they were not."""
        if self._on_notes is None or not notes:
            return
        try:
            self._on_notes(reviewer, notes, sent)
        except BaseException as error:  # noqa: BLE001 - foreign code
            self._failed(session, "on_notes", error)

    def _failed(self, session: str, name: str, error: BaseException) -> None:
        # A sink is foreign code and must not hurt a review; not even by a cancellation that it makes up.
        if fatal(error) is not None:
            raise error
        what = described(error, self.redact)
        logger.warning("%s failed: %s", name, in_one_line(what))
        failure = SinkFailed(session=session, sink=name, error=what)
        for sink in self._sinks:
            if type(sink).__name__ != name:
                with suppress(Exception):
                    sink.emit(failure)

    def busy(self, session: str) -> frozenset[str]:
        """Return the reviewers whose previous review in the session has not let go."""
        if not self._busy and not self._threads.in_use:
            return _NOBODY
        return frozenset(
            name for name in self.health if self._busy[session, name] or self._threads.running((session, name))
        )

    def paused(self) -> frozenset[str]:
        """Return the reviewers that are not to be consulted now."""
        paused = [name for name, health in self.health.items() if health.paused]
        if not paused:
            return _NOBODY
        now = self.clock.monotonic()
        return frozenset(name for name in paused if not self.health[name].consulted(now))

    def purse(self, state: SessionState) -> Purse | None:
        """Return what may be used at one boundary of the session; None where nothing bounds it."""
        if not self._bounded:
            return None
        return Purse(self.roster.configs, state, self.roster.budget, self._shared_usage)

    def estimate(self, reviewer: str, review: Review) -> Usage:
        """Return what the reviewer says that this review may use; nothing where it does not say."""
        estimate = getattr(self.callers[reviewer].chain[0].function, "estimate", None)
        try:
            return read_usage(estimate(review)) if estimate is not None else NO_USAGE
        except Exception as error:  # noqa: BLE001 - foreign code
            logger.warning(
                "%s cannot say what a review may use: %s", reviewer, in_one_line(described(error, self.redact))
            )
            return NO_USAGE

    def begun(self, reviewer: str) -> None:
        """Count that a reviewer is being called; where it is paused, this was its trial, and nobody else has it."""
        health = self.health[reviewer]
        self._untried.pop(reviewer, None)
        if health.paused:
            self.health[reviewer], self._untried[reviewer] = health.tried(), health

    def not_begun(self, reviewer: str) -> None:
        """Count that a reviewer had no place and was not called after all; a trial that it was due is still to come."""
        untried = self._untried.pop(reviewer, None)
        if untried is not None and self.health[reviewer].paused:
            self.health[reviewer] = untried

    def passed_over(self, reviewer: str) -> None:
        """Count that a paused reviewer was skipped; its trial comes after the tenth time."""
        self.health[reviewer] = self.health[reviewer].passed_over()

    def learn(self, session: str, outcome: Outcome) -> list[Event]:
        """Take one outcome into the reviewer's health, and return what became of it."""
        name, before = outcome.reviewer, self.health[outcome.reviewer]
        if outcome.kind in FAILURES:
            limit, seconds = self.roster.by_name[name].pause_after_failures, _spread(outcome.pause_seconds)
            after = before.failed(limit, now=self.clock.monotonic(), pause_seconds=seconds)
            self.health[name] = after
            if after.paused and not before.paused:
                paused = ReviewerPaused(
                    session=session,
                    reviewer=name,
                    failures=after.failures,
                    seconds=None if after.until is None else seconds,
                    outcome=outcome.kind,
                    error=outcome.error,
                    told=outcome.pause_seconds is not None,
                )
                return [paused]
        elif outcome.kind.completed:
            self.health[name] = before.recovered()
            if before.paused:
                return [ReviewerResumed(session=session, reviewer=name)]
        return []

    def left_over(self, session: str) -> Callable[[Flight], None]:
        """Return what is told of this session's abandoned reviews: when abandoned, and when they let go."""

        def tell(flight: Flight) -> None:
            change = -1 if flight.landed else 1
            self._count(session, flight.reviewer, change)
            self._left_over(session, flight.reviewer, change)
            if flight.landed:
                self.emit(*self.late(session, flight))

        return tell

    def _count(self, session: str, reviewer: str, change: int) -> None:
        self._busy[session, reviewer] += change
        if not self._busy[session, reviewer]:
            del self._busy[session, reviewer]

    def late(self, session: str, flight: Flight) -> list[Event]:
        """Return the events for notes that came after their review was given up."""
        return _late(session, flight.reviewer, flight.call.turn, flight.late)

    def _thread_left_over(self, key: Any, turn: int, change: int, result: object) -> None:
        session, reviewer = key
        self._left_over(session, reviewer, change)
        if change < 0 and (reply := read_reply(result)):
            self.emit(*_late(session, reviewer, turn, reply.notes))

    def _left_over(self, session: str, reviewer: str, change: int) -> None:
        self._leftovers[reviewer] += change
        self.emit(LeftoverChanged(session=session, reviewer=reviewer, running=self._leftovers[reviewer]))


def _late(session: str, reviewer: str, turn: int, notes: Sequence[Note]) -> list[Event]:
    return [
        NoteJudged(
            session=session,
            reviewer=reviewer,
            turn=turn,
            severity=note.severity,
            disposition=Disposition.LATE,
            text=note.text[:2_000],
        )
        for note in notes
    ]
