"""One session: what a host calls at its turn boundaries."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import anyio

from foureyes.book import Book
from foureyes.consultation import Consultation
from foureyes.core import ledger
from foureyes.core.facts import Moment
from foureyes.core.requests import closed_at
from foureyes.core.similarity import digest
from foureyes.core.state import SessionState
from foureyes.core.verdict import concluded
from foureyes.core.words import OutcomeKind, Stop, Verdict
from foureyes.errors import HostError
from foureyes.guidance import Guidance
from foureyes.telemetry.events import Event
from foureyes.visit import Visit

__all__ = ["Session"]


class Session:
    """One conversation with one agent. Made by :meth:`foureyes.scheduler.ReviewScheduler.session`.

    Methods raise :class:`~foureyes.errors.HostError` where the host breaks the contract, and then nothing has
    changed. A failing reviewer, sink or store never raises here.
    """

    def __init__(self, book: Book) -> None:
        self._book, self._runtime, self._epoch = book, book.runtime, book.runtime.epoch
        book.on_taken = self._take
        self._messages: Sequence[object] = ()
        self._consultation: Consultation | None = None
        self._entered = False
        self._left: anyio.Event | None = None

    def __repr__(self) -> str:
        """Name the session and where it is."""
        state = self._book.state
        return f"<Session {state.id!r}: turn {state.turn}, request {state.request}>"

    @property
    def id(self) -> str:
        """Return the host's id of the session."""
        return self._book.state.id

    @property
    def state(self) -> SessionState:
        """Return the state as it is now: a value, safe to keep."""
        return self._book.state

    @property
    def permitted(self) -> str:
        """What the agent may do, in the host's words, which reviewers are told. Set it whenever that changes."""
        return self._book.permitted

    @permitted.setter
    def permitted(self, words: str) -> None:
        """Tell the reviewers from now on. Raises HostError for what is no text."""
        if not isinstance(words, str):
            raise HostError(f"permitted must be text: got {type(words).__name__}")
        self._book.permitted = words

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain JSON data, for hosts that keep it themselves.

        Hand it back as ``scheduler.session(id, snapshot=...)``.
        """
        from foureyes.stores.records import dumped  # not needed by a host that has a store

        return dumped(self._book.state)

    async def boundary(self, messages: Sequence[object], *, turn: int | None = None) -> Guidance:
        """Settle the turn that has just been completed, and return what the agent is to read before the next.

        ``messages`` is the whole transcript so far; only its newest part is looked at. ``turn`` None means the next
        turn of the session. A turn equal to the last settled one is a repeat: the same guidance, and nobody is
        called. Raises HostError for a lower turn, for no turn at all (0), for two calls at once, and for messages
        that cannot be read.
        """
        self._enter()
        try:
            return await self._settle(messages, turn, None, None)
        finally:
            self._leave()

    async def finish(
        self, messages: Sequence[object], *, answer: str = "", stop: Stop = Stop.ANSWER, turn: int | None = None
    ) -> Guidance:
        """Settle the turn with which the agent would end, and return whether it is to answer again.

        ``answer`` is what the user would read; a run that did not stop by itself has none. Only a ``stop`` of
        ``answer`` is reviewed; with any other ``stop`` the result is ``incomplete`` or ``aborted``. A finish
        is a turn. After one that was not re-opened nothing is offered until the human speaks, except that a pause
        for the human ends nothing. A repeated finish with another answer
        has the verdict ``unreviewed``. Raises HostError as :meth:`boundary` does.
        """
        if not isinstance(answer, str):
            raise HostError(f"answer must be text: got {type(answer).__name__}")
        try:
            reason = Stop(stop)
        except ValueError:
            raise HostError(f"stop must be one of: {', '.join(Stop)}") from None
        with self._alone():
            return await self._settle(messages, turn, answer, reason)

    async def new_request(self, text: str) -> None:
        """Start a request of the human: every reviewer's allowances are full again.

        Admitted notes that were not sent are never handed over; the next accepted finish lists them in ``unsent``.
        May be called while a boundary is under way: its reviews are given up as ``stale`` and refunded.
        """
        if not isinstance(text, str):
            raise HostError(f"the request must be text: got {type(text).__name__}")
        with await self._interrupted(OutcomeKind.STALE):
            self._book.state = ledger.new_request(self._book.state, text, self._runtime.redact)
            self._messages = ()  # What was seen before does not end with these words: an abort must not wait for them.
            await self._book.save()

    async def abort(self) -> None:
        """Stop at the user's word: reviews under way are cancelled and refunded, and nothing waits for the agent now.

        Nothing is offered until the human speaks. Admitted notes that were not sent are listed in ``unsent`` at the
        next finish that ends a run, such as one with ``Stop.ABORTED``. May be called while a boundary is under way,
        which then returns empty guidance.
        """
        with await self._interrupted(OutcomeKind.CANCELLED):
            state = self._book.state
            self._book.state = ledger.aborted(state, closed_at(state, self._messages, aborted=True))
            await self._book.save()

    async def rewound(self, turn: int) -> None:
        """Go back to a turn, 0 for the start, after the host cut its transcript back to it.

        Charges stay spent. Raises HostError for a turn that has not been settled, or during a boundary.
        """
        with self._alone():
            if isinstance(turn, bool) or not isinstance(turn, int) or not 0 <= turn <= self._book.state.turn:
                last = self._book.state.turn
                raise HostError(f"rewound: the turn must be a whole number from 0 to {last}, the last settled one")
            self._book.state = ledger.rewound(self._book.state, turn)
            await self._book.save()

    async def compacted(self) -> None:
        """Say that the host rewrote its transcript to make it shorter.

        Reviewers may say again what the agent no longer sees; quotas, cooldowns and the record of notes stay.
        Raises HostError during a boundary.
        """
        with self._alone():
            self._book.state = ledger.compacted(self._book.state)
            await self._book.save()

    def _take(self, identity: str | None) -> None:
        if self._epoch == self._runtime.epoch and self._book.take(identity):
            self._runtime.kept[self.id] = self._book

    async def _settle(
        self, messages: Sequence[object], turn: int | None, answer: str | None, stop: Stop | None
    ) -> Guidance:
        if self._book.unread:
            await self._book.reread()
        before = self._book.state
        now = before.turn + 1 if turn is None else _checked(turn, before.turn)
        if type(messages) is not list:
            _check_messages(messages)
        if not self._runtime.roster.configs:
            return self._unreviewed(now, stop)
        if now == before.turn:
            return self._again(now, answer)
        self._messages = messages
        try:
            heard = self._book.hear(messages)
            if stop is None and self._book.is_quiet(now):
                return await self._passed(now, heard)
            return await self._consulted(
                Visit(messages=messages, turn=now, answer=answer, stop=stop, heard=heard, length=len(messages))
            )
        except HostError:
            self._book.state = before
            raise

    async def _passed(self, turn: int, heard: Sequence[Event]) -> Guidance:
        if heard:
            self._runtime.emit(*heard)
        await self._book.pass_by(turn)
        if self._runtime.is_watched:
            self._runtime.quiet(finish=False)
        return Guidance.quiet(turn)

    async def _consulted(self, visit: Visit) -> Guidance:
        self._consultation = Consultation(self._book, visit)
        try:
            return await self._consultation.hold()
        finally:
            self._consultation = None

    def _unreviewed(self, turn: int, stop: Stop | None) -> Guidance:
        self._book.state = ledger.moved(self._book.state, turn)
        if stop is None:
            return Guidance.quiet(turn)
        moment = Moment(turn=turn, stop=stop)
        end = concluded(self._book.state, moment, (), (), self._runtime.roster.limits, reopened=False)
        return Guidance(turn=turn, result=end.result, verdict=end.verdict)

    def _again(self, turn: int, answer: str | None) -> Guidance:
        settled, finish = self._book.state.settled, answer is not None
        was_finish = settled is not None and settled.finish
        if was_finish != finish:
            kind = "a finish" if was_finish else "a boundary"
            raise HostError(f"turn {turn} was settled as {kind}, and cannot be the other as well")
        guidance = self._book.guidance()
        if settled is None or not settled.answer or answer is None or digest("a", answer) == settled.answer:
            return guidance
        return replace(guidance, verdict=Verdict.UNREVIEWED)  # Nobody has read this answer.

    @contextmanager
    def _alone(self) -> Iterator[None]:
        self._enter()
        try:
            yield
        finally:
            self._leave()

    def _enter(self) -> None:
        tasks = self._runtime.tasks
        if tasks is None:
            raise HostError("the scheduler is closed: use its sessions inside 'async with ReviewScheduler(...)'")
        if not tasks.here():
            raise HostError("the scheduler runs on another event loop: enter one on each, or use SyncReviewScheduler")
        if self._epoch != self._runtime.epoch or self._book.superseded:
            raise HostError(f"session {self.id!r} is out of date: ask the scheduler for it again")
        if self._entered:
            raise HostError(f"two calls at once on session {self.id!r}: await one before making the next")
        self._entered = True

    def _leave(self) -> None:
        self._entered = False
        if self._left is not None:
            self._left.set()
            self._left = None

    async def _interrupted(self, kind: OutcomeKind) -> Any:
        while self._entered:
            if self._consultation is not None:
                self._consultation.cut(kind)
            self._left = self._left or anyio.Event()
            await self._left.wait()
        return self._alone()


_LAST_TURN = 2**53
"""The largest number that every store and every JSON reader keeps exactly."""


def _check_messages(messages: object) -> None:
    if not isinstance(messages, Sequence) or isinstance(messages, str | bytes):
        raise HostError(f"messages must be a list of messages, oldest first: got {type(messages).__name__}")


def _checked(turn: object, last: int) -> int:
    if isinstance(turn, bool) or not isinstance(turn, int) or not 1 <= turn <= _LAST_TURN:
        raise HostError("turn must be a whole number from 1, or None for the next one")
    if turn < last:
        raise HostError(f"turn {turn} is before turn {last}, the last settled one: call rewound({turn - 1}) first")
    return turn
