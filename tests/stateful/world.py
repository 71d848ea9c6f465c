"""One session of a real scheduler with scripted reviewers, and a model of what must be true of it.

The model is kept from the outside: from what reviewers were asked, what guidance said, and which events came. Where
the process has lost what the store did not take, or died, a new *era* begins: the model goes on from what is left.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

import anyio
import anyio.lowlevel

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Review
from foureyes.core.guard import Limits
from foureyes.core.state import NoteStatus, ReviewerState, SessionState
from foureyes.core.words import FAILURES, Disposition, OutcomeKind, Severity, SkipReason, Stop, Trigger, Verdict
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.records import dumped, loaded
from foureyes.telemetry.events import Event, NoteSent
from foureyes.testing import FakeClock, turn_messages

from .shaky import ShakyStore

__all__ = ["LIMITS", "Acts", "World"]

Acts = Mapping[str, Any]
"""What each reviewer does when asked: notes, an exception to raise, or something that is no reply."""

LIMITS = Limits(notes_per_boundary=2, notes_per_request=6)
TRIAL_AFTER = 10
"""Skips of a paused reviewer before it gets a trial, as documented."""


class World:
    """The host, its reviewers, its store, and the model."""

    def __init__(self, settings: Sequence[Mapping[str, Any]], *, pauses: int = 0) -> None:
        self.configs = [ReviewerConfig(reviewer=self._review, max_attempts=1, **one) for one in settings]
        self.names = [config.name for config in self.configs]
        self.pauses = pauses
        """Rounds of the event loop that a review takes: they must make no difference."""
        self.store = ShakyStore({})
        self.messages: list[Any] = [{"role": "user", "content": "Do the work."}]
        self.guidance: Guidance | None = None
        self.last: dict[str, int] = {}
        """The turn of each reviewer's last charged review."""
        self.cold: dict[str, int] = {}
        """The first turn at which each may be asked again."""
        self.unconfirmed: str | None = None
        """The advisory that the host was handed and has neither kept nor confirmed."""
        self.said = False
        """Whether the human has said something that the store may not know of."""
        self.steered = False
        """Whether the human has added something to a request that was under way."""
        self.asked: list[Review] = []
        self.hangs, self.moved = False, anyio.Event()
        self.acts: Acts = {}
        self.paused = dict.fromkeys(self.names, False)
        self.failures = dict.fromkeys(self.names, 0)
        self.passed_over = dict.fromkeys(self.names, 0)
        self.unread = False
        """Whether the session was opened while the store could not be read, and has not been read since."""

    @property
    def state(self) -> SessionState:
        """Return the state of the session."""
        return self.session.state

    # --- what happens ---

    async def open(self) -> None:
        """Open a new scheduler, as a new process does."""
        self.scheduler = ReviewScheduler(
            self.configs, limits=LIMITS, store=self.store, sinks=[self], clock=FakeClock(), nonce=lambda: "5e5510"
        )
        await self.scheduler.__aenter__()
        self.unread = self.store.fails
        self.session = await self.scheduler.session("s")
        self.guidance = None
        self.paused, self.failures = dict.fromkeys(self.names, False), dict.fromkeys(self.names, 0)

    async def close(self) -> None:
        """Close the scheduler, as a process that ends well does."""
        await self.scheduler.__aexit__(None, None, None)

    async def restart(self) -> None:
        """End well, and begin again."""
        await self.close()
        lossy = self.store.behind or self.unread
        await self.open()
        if lossy or self.unread:
            self.begin_era()

    async def settle(self, acts: Acts, *, stop: Stop | None, takes: str, works: bool, gap: int) -> None:
        """Come to a boundary, or to a finish."""
        self.acts, self.asked = acts, []
        before = await self.read_at_last()
        turn = before.turn + 1 + gap
        self.messages += turn_messages(turn) if works else []
        if stop is None:
            guidance = await self.session.boundary(self.messages, turn=turn)
        else:
            self.messages.append({"role": "assistant", "content": f"Answer {turn}."})
            guidance = await self.session.finish(self.messages, answer=f"Answer {turn}.", stop=stop, turn=turn)
        self._check(before, guidance, stop)
        self._learn(before, guidance, stop)
        self.guidance = guidance
        self.unconfirmed = guidance.advisory.id if guidance.advisory and takes == "neither" else None
        self.messages += guidance.messages if takes == "reference" else []
        if takes == "taken":
            guidance.taken()

    async def read_at_last(self) -> SessionState:
        # What is read late is settled by the first boundary that can; the model goes on from there.
        if self.unread and not self.store.fails:
            self.unread = False
            await self.close()
            await self.open()
            self.begin_era()
        return self.state

    async def repeat(self) -> None:
        """Come to the last boundary again: the same, and nobody is asked."""
        if self.guidance is None or self.guidance.turn != self.state.turn or self.unread:
            return
        self.asked, last, state = [], self.guidance, self.state
        if last.result is None:
            again = await self.session.boundary(self.messages, turn=last.turn)
        else:
            again = await self.session.finish(self.messages, answer=f"Answer {last.turn}.", turn=last.turn)
        assert self.asked == []
        assert self.state is state
        assert _ended(again) == _ended(last)
        if self.rests:
            assert again.advisory is None
            assert not again.reopen

    async def interrupted(self, interrupt: Callable[[], Awaitable[None]]) -> bool:
        """Come to a boundary, and do something as soon as a reviewer is at work. Returns whether one was."""
        self.asked, self.hangs, self.moved = [], True, anyio.Event()
        before = await self.read_at_last()
        turn = before.turn + 1
        self.messages += turn_messages(turn)
        try:
            async with anyio.create_task_group() as self.tasks:
                self.tasks.start_soon(self._boundary, turn)
                await self.moved.wait()
                at_work = bool(self.asked)
                if at_work:
                    self._hear(before)
                    self.spoken = False
                    self._refund([name for name, one in self.state.reviewers.items() if _is_repeated(one)])
                    await interrupt()
        finally:
            self.hangs = False
        return at_work

    async def _boundary(self, turn: int) -> None:
        before = self.state
        guidance = await self.session.boundary(self.messages, turn=turn)
        self.moved.set()
        if not self.asked:
            self._check(before, guidance, None)
            self._learn(before, guidance, None)
        self.guidance = guidance

    async def cancel(self) -> None:
        """Cancel the host's own task."""
        self.tasks.cancel_scope.cancel()

    async def die(self) -> None:
        """Be killed: what the store has now is all that is left."""
        self.left_behind = self.store.copied()
        self.tasks.cancel_scope.cancel()

    async def rise(self) -> None:
        """Begin again after a kill."""
        await self.close()
        for review in self.asked:
            self._count(review)
        self.store = ShakyStore(self.left_behind)
        await self.open()
        self.begin_era()

    async def abort(self) -> None:
        """Stop at the user's word."""
        if not self.hangs:
            self._refund([name for name, one in self.state.reviewers.items() if one.started])
        # A process that has not seen the transcript yet does not know what the human added since the request.
        knows = self.state.request > 0 and (self.guidance is not None or not self.steered)
        self.unconfirmed = None
        await self.session.abort()
        self.rests = knows

    async def ask(self, text: str) -> None:
        """Begin a request of the human."""
        self.messages.append({"role": "user", "content": text})
        self.said = True
        self.unconfirmed = None
        await self.session.new_request(text)
        self.rests = self.steered = False

    def speak(self, text: str) -> None:
        """Let the human say something that the host does not tell of."""
        self.messages.append({"role": "user", "content": text})
        self.spoken = self.steered = self.said = True

    async def rewind(self, back: int) -> None:
        """Go back some turns."""
        turn = max(0, self.state.turn - back)
        before, self.unconfirmed = self._unsent(), None
        await self.session.rewound(turn)
        self.withdrawn |= before - set(self.state.notes)
        self.last = {name: min(last, turn) for name, last in self.last.items()}
        self.cold = {name: min(until, turn + 1) for name, until in self.cold.items()}
        self.rests = self.rests and not back
        self.guidance = None

    async def compact(self) -> None:
        """Make the transcript shorter, and keep what the human said."""
        said = [one for one in self.messages[:-2] if one["role"] == "user" and not one["content"].startswith("[fe-")]
        self.messages = said + self.messages[-2:]
        await self.session.compacted()

    # --- what reviewers and sinks see ---

    async def _review(self, review: Review) -> Any:
        self.asked.append(review)
        if self.hangs:
            self.moved.set()
            await anyio.sleep_forever()
        for _ in range(self.pauses * (1 + self.names[::-1].index(review.reviewer))):
            await anyio.lowlevel.checkpoint()
        act = self.acts.get(review.reviewer, [])
        if isinstance(act, Exception):
            raise act
        return act

    def emit(self, event: Event) -> None:
        """Take note of what was sent."""
        if isinstance(event, NoteSent):
            self.sent[event.note, event.reviewer] += 1

    def quiet(self, finish: bool) -> None:
        """Do nothing."""

    # --- the model ---

    def begin_era(self) -> None:
        """Go on from what the state says, and hold nothing against it that was before."""
        state, notes = self.state, self.state.notes.values()
        self.admitted = {note.id for note in notes}
        self.sent = Counter(
            (note.id, name) for note in notes if note.status is NoteStatus.SENT for name in note.reviewers
        )
        self.listed: set[str] = set()
        self.withdrawn: set[str] = set()
        self.unconfirmed = None
        self.offers: dict[str, tuple[str, ...]] = {}
        if state.offer is not None:
            self.offers[state.offer.id] = state.offer.notes
        self.reopens = Counter({state.request: state.reopens})
        self.charged: Counter[tuple[int, str, Trigger]] = Counter()
        self.last = dict.fromkeys(self.names, 0)
        self.cold = dict.fromkeys(self.names, 0)
        for name, one in state.reviewers.items():
            self.charged[state.request, name, Trigger.PERIODIC] = one.periodic_used
            self.charged[state.request, name, Trigger.FINISH] = one.rounds_used
            self.last[name], self.cold[name] = one.last_review, one.cooldown_until
        self.rests, self.spoken = state.closed is not None and state.closed.rests, self.said

    def _refund(self, names: Sequence[str]) -> None:
        for name in names:
            started = self.state.reviewer(name).started
            if started is not None:
                self.charged[self.state.request, name, started.trigger] -= 1
                self.last[name] = started.last_review

    def _unsent(self) -> set[str]:
        return {note.id for note in self.state.notes.values() if note.status is not NoteStatus.SENT}

    def _due(self, before: SessionState, turn: int, stop: Stop | None) -> set[str]:
        due = set()
        for config in self.configs:
            one = before.reviewer(config.name)
            periodic = config.interval_turns and turn - one.last_review >= config.interval_turns
            if one.started or (periodic if stop is None else config.max_rounds):
                due.add(config.name)
        return due

    def _check(self, before: SessionState, guidance: Guidance, stop: Stop | None) -> None:
        heard = [called.reviewer for called in guidance.outcomes] + [skip.reviewer for skip in guidance.skips]
        assert sorted(heard) == sorted(self._due(before, guidance.turn, stop))
        assert {review.reviewer for review in self.asked} == {
            called.reviewer for called in guidance.outcomes if called.outcome is not OutcomeKind.INTERRUPTED
        }
        for review in self.asked:
            self._check_review(review)
        if self.rests and not self.spoken:
            assert guidance.advisory is None
        if self.unconfirmed and stop is None and not before.closed:
            assert guidance.advisory is not None
            assert guidance.advisory.id == self.unconfirmed
        if guidance.verdict is Verdict.APPROVED:
            self._check_approval(guidance, stop)
        assert guidance.reopen == (stop is not None and guidance.advisory is not None)

    def _check_review(self, review: Review) -> None:
        config = next(config for config in self.configs if config.name == review.reviewer)
        name = review.reviewer
        assert not self.paused[name] or self.passed_over[name] >= TRIAL_AFTER
        if review.attempt == 1 and review.trigger is Trigger.PERIODIC:
            assert review.turn - self.last[name] >= config.interval_turns
            assert review.turn >= self.cold[name]
        self._count(review)
        request = self.state.request
        assert self.charged[request, name, Trigger.PERIODIC] <= config.max_periodic_reviews
        assert self.charged[request, name, Trigger.FINISH] <= config.max_rounds

    def _count(self, review: Review) -> None:
        if review.attempt == 1:
            self.charged[self.state.request, review.reviewer, review.trigger] += 1
            self.last[review.reviewer] = review.turn

    def _check_approval(self, guidance: Guidance, stop: Stop | None) -> None:
        assert stop is Stop.ANSWER
        at_finish = [called for called in guidance.outcomes if called.trigger is Trigger.FINISH]
        assert at_finish
        assert all(called.outcome in (OutcomeKind.QUIET, OutcomeKind.NOTED) for called in at_finish)
        assert {called.reviewer for called in at_finish} == {review.reviewer for review in self.asked}
        assert not any(_objects(self.acts.get(called.reviewer, [])) for called in at_finish)
        assert {skip.reason for skip in guidance.skips} <= {SkipReason.DISABLED}

    def _learn(self, before: SessionState, guidance: Guidance, stop: Stop | None) -> None:
        self._hear(before)
        self.spoken, self.said = False, self.said and (self.store.behind or self.unread)
        for called in guidance.outcomes:
            self._learn_outcome(called.reviewer, called.outcome, guidance.turn)
        for skip in guidance.skips:
            self.passed_over[skip.reviewer] += skip.reason is SkipReason.PAUSED
        own = (Disposition.ADMITTED, Disposition.OVER_BOUNDARY, Disposition.OVER_REQUEST)
        self.admitted |= {one.record for one in guidance.judged if one.record and one.disposition in own}
        self.listed |= {note.id for note in guidance.unsent}
        if guidance.advisory is not None:
            notes = tuple(note.id for note in guidance.advisory.notes)
            assert self.offers.setdefault(guidance.advisory.id, notes) == notes
            assert len(notes) <= LIMITS.notes_per_boundary
        self.reopens[self.state.request] += guidance.reopen
        self.rests = self.rests or (stop in (Stop.ANSWER, Stop.ABORTED) and not guidance.reopen)

    def _hear(self, before: SessionState) -> None:
        # Words that are new after the end of a request begin another, and nothing of the old one passes into it.
        if self.spoken and before.closed:
            self.rests = self.steered = False

    def _learn_outcome(self, name: str, kind: OutcomeKind, turn: int) -> None:
        config = next(config for config in self.configs if config.name == name)
        if kind in FAILURES:
            self.cold[name] = turn + config.cooldown_turns
            self.failures[name] += 1
            useless = kind is OutcomeKind.QUOTA_EXHAUSTED
            if self.paused[name] or useless or self.failures[name] >= config.pause_after_failures:
                self.paused[name], self.passed_over[name] = True, 0
        elif kind.completed:
            self.cold[name], self.failures[name], self.paused[name] = 0, 0, False

    def check(self) -> None:
        """Check what must be true between any two calls."""
        state = self.state
        assert loaded(json.loads(json.dumps(dumped(state)))) == state
        rounds = max((config.max_rounds for config in self.configs), default=0)
        assert all(times <= rounds for times in self.reopens.values())
        assert all(times == 1 for times in self.sent.values())
        sent = {note for note, _ in self.sent}
        assert not self._unsent() & sent
        assert self.admitted == sent | self._unsent() | self.listed | self.withdrawn
        assert state.admitted <= LIMITS.notes_per_request


def _is_repeated(one: ReviewerState) -> bool:
    return one.started is not None and one.started.attempt > 1


def _ended(guidance: Guidance) -> object:
    return [(one.reviewer, one.trigger, one.outcome) for one in guidance.outcomes], guidance.skips


def _objects(act: Any) -> bool:
    notes: list[Note] = act if isinstance(act, list) else []
    of_substance = [one for one in notes if one.subject == "work" and one.text not in ("", "LGTM")]
    return any(one.severity is not Severity.NIT for one in of_substance)
