"""One boundary at which somebody is due, or one finish, from the decision to the guidance."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

import anyio

from foureyes.book import Book
from foureyes.briefing import Briefing
from foureyes.calling import described
from foureyes.core import ledger
from foureyes.core.evidence import has_new_work
from foureyes.core.facts import Moment, Outcome, Usage
from foureyes.core.frozen import made
from foureyes.core.guard import Guarded, Judged, Raised, admitted, questions
from foureyes.core.judged import Opinion
from foureyes.core.messages import MessageError, mark
from foureyes.core.schedule import Call, Decision, afforded, decide
from foureyes.core.settlement import Case, called, settlement
from foureyes.core.state import Called, SessionState, Settled, Skipped
from foureyes.core.words import Disposition, FinishResult, OutcomeKind, SkipReason, Verdict
from foureyes.errors import HostError
from foureyes.flights import Flight, Round
from foureyes.guidance import Guidance
from foureyes.judging import Hearing
from foureyes.report import reported_events
from foureyes.tasks import Tasks
from foureyes.telemetry.events import Event, LoopFrozen
from foureyes.visit import Visit

__all__ = ["Consultation"]


class Consultation:
    """One boundary or finish under way.

    The state moves twice, and is saved twice: once the reviews are charged, and once they are settled. A process
    that dies in between repeats the reviews without a new charge.
    """

    def __init__(self, book: Book, visit: Visit) -> None:
        self._book, self._visit, self._turn = book, visit, visit.turn
        self._runtime, self._tasks = book.runtime, book.runtime.tasks
        self._configs = book.runtime.roster.configs
        self._limits = book.runtime.roster.limits
        self._began = book.runtime.clock.monotonic()
        self._round: Round | None = None
        self._hearing: Hearing | None = None
        self._opinions: tuple[Opinion, ...] = ()
        self._cut: OutcomeKind | None = None
        self._briefing = Briefing(book, visit)
        self._used: dict[str, Usage] = {}
        self._frozen: tuple[LoopFrozen, ...] = ()

    def cut(self, kind: OutcomeKind) -> None:
        """Give up the reviews under way; the call that waits for them returns empty guidance."""
        self._cut = self._cut or kind
        if self._round is not None:
            self._round.cut(kind)
        if self._hearing is not None:
            self._hearing.cut()

    def close(self) -> None:
        """Give up the reviews under way, for the scheduler closes; what has been reviewed is settled all the same."""
        if self._round is not None:
            self.cut(OutcomeKind.CANCELLED)

    async def hold(self) -> Guidance:
        """Consult whoever is due, settle, and return the guidance."""
        self._runtime.under_way.add(self.close)
        try:
            return await self._held()
        finally:
            self._runtime.under_way.discard(self.close)
            self._briefing.settle(self._used)

    async def _held(self) -> Guidance:
        moment, decision = self._prepared()
        self._runtime.emit(*self._visit.heard)
        outcomes = [_interrupted(call) for call in decision.interrupted]
        self._briefing.begin(decision.calls)
        if decision.calls and not await self._charged(decision.calls):
            decision = _without_store(decision)
        flights = await self._consulted(decision.calls)
        self._round = None
        decision, flights = self._afforded(decision, flights)
        outcomes += self._ended(flights)
        if self._cut is not None:
            return await self._cut_short(decision, outcomes, flights)
        guidance = await self._settled(moment, decision, outcomes, flights)
        for flight in flights:
            if flight.fatal is not None:
                raise flight.fatal
        return guidance if self._cut is None else _withdrawn(guidance)

    def _prepared(self) -> tuple[Moment, Decision]:
        try:
            moment = self._moment()
            return moment, self._briefing.open(decide(self._configs, self._book.state, moment))
        except MessageError as error:
            raise HostError(str(error)) from None
        except Exception as error:
            raise HostError(f"the messages cannot be read ({described(error, self._runtime.redact)})") from error

    def _moment(self) -> Moment:
        state = self._book.state
        return Moment(
            turn=self._turn,
            stop=self._visit.stop,
            idle=self._idle(),
            busy=self._runtime.busy(state.id),
            paused=self._runtime.paused(),
            not_permitted=self._runtime.roster.not_permitted,
            aborted=state.closed is not None and state.closed.aborted,
        )

    def _idle(self) -> frozenset[str]:
        reviewers, messages = self._book.state.reviewers, self._visit.messages
        stale: dict[tuple[int, int], bool] = {}
        idle = []
        for config in self._configs:
            if config.at_finish if self._visit.finish else config.periodic:
                progress = reviewers[config.name]
                read = progress.read, progress.read_mark
                if read not in stale:
                    stale[read] = not has_new_work(messages, *read)
                if stale[read]:
                    idle.append(config.name)
        return frozenset(idle)

    async def _charged(self, calls: Iterable[Call]) -> bool:
        before = self._book.state
        self._book.state = ledger.started(before, calls)
        charged = False
        try:
            charged = await self._book.save()
        finally:
            if not charged:
                self._book.state = before
        return charged

    async def _consulted(self, calls: Sequence[Call]) -> tuple[Flight, ...]:
        if not calls:
            return ()
        left_over = self._runtime.left_over(self._book.state.id)
        callers = self._runtime.callers
        reviews, reserved = self._briefing.reviews, self._briefing.reserved
        flights = [
            Flight(callers[call.reviewer], call, reviews[call.reviewer], left_over, reserved.get(call.reviewer))
            for call in calls
        ]
        tasks = self._tasks
        if self._cut is not None or tasks is None or tasks is not self._runtime.tasks:  # closed while it was charged
            self._cut = self._cut or OutcomeKind.CANCELLED
            return _unstarted(flights, self._cut)
        self._round = Round(flights, tasks)
        try:
            await self._round.fly()
            await self._ask_judge(tasks)
        except BaseException:
            self._round.cut(OutcomeKind.CANCELLED)
            with anyio.CancelScope(shield=True):
                await self._given_up(self._round.flights)
            raise
        if self._round.frozen:
            names = ", ".join(flight.reviewer for flight in self._round.flights)
            self._frozen = (
                LoopFrozen(session=self._book.state.id, turn=self._turn, seconds=self._round.frozen, reviewers=names),
            )
        return self._round.flights

    def _afforded(self, decision: Decision, flights: tuple[Flight, ...]) -> tuple[Decision, tuple[Flight, ...]]:
        # What leaves this process is charged before it is known whether the budget has room for it, and whatever is
        # called before it is known whether there is a place.
        uncalled = [flight for flight in flights if flight.crowded or (flight.unaffordable and not flight.given_up)]
        if not uncalled:
            return decision, flights
        for flight in uncalled:
            if flight.crowded:
                self._runtime.not_begun(flight.reviewer)
        self._book.state = self._reported(self._book.state, [flight.outcome() for flight in uncalled])
        decision = afforded(decision, {flight.reviewer for flight in uncalled if not flight.crowded})
        decision = afforded(decision, {flight.reviewer for flight in uncalled if flight.crowded}, SkipReason.BUSY)
        return decision, tuple(flight for flight in flights if flight not in uncalled)

    async def _ask_judge(self, tasks: Tasks) -> None:
        judge, around = self._runtime.judge, self._round
        if judge is None or around is None or self._cut is not None:
            return
        state, raised = self._book.state, self._raised([flight.outcome() for flight in around.flights], ())
        asked = questions(state, admitted(self._configs, state, raised, self._turn, self._limits))
        if asked:
            self._hearing = Hearing(judge, asked, tasks)
            self._opinions = await self._hearing.hold(max(flight.deadline for flight in around.flights))

    async def _given_up(self, flights: Sequence[Flight]) -> None:
        # The host itself was cancelled: the reviews are refunded, and the turn is still to be settled.
        outcomes = self._ended(flights)
        self._book.state = self._reported(self._book.state, outcomes)
        await self._book.save()
        if self._runtime.is_watched:
            self._runtime.emit(*reported_events(self._book.state, self._turn, outcomes), *self._late(flights))

    def _ended(self, flights: Iterable[Flight]) -> list[Outcome]:
        outcomes = [flight.outcome() for flight in flights]
        if self._briefing.reserved:
            self._used.update((outcome.reviewer, outcome.usage) for outcome in outcomes)
        return outcomes

    async def _cut_short(self, decision: Decision, outcomes: Sequence[Outcome], flights: Sequence[Flight]) -> Guidance:
        finish = self._visit.finish
        settled = Settled(
            turn=self._turn,
            finish=finish,
            result=FinishResult.ABORTED if finish else None,
            verdict=Verdict.UNREVIEWED if finish else None,
            calls=tuple(called(outcome) for outcome in outcomes),
            skips=decision.skips,
            answer=self._visit.answer_mark,
        )
        self._book.state = ledger.settled(self._reported(self._book.state, outcomes), settled)
        await self._book.save()
        if self._runtime.is_watched:
            seconds = self._runtime.clock.monotonic() - self._began
            events = reported_events(self._book.state, self._turn, outcomes, settled=settled, seconds=seconds)
            self._runtime.emit(*events, *self._late(flights))
        return self._book.guidance()

    def _late(self, flights: Iterable[Flight]) -> list[Event]:
        # One that was abandoned tells of its notes itself, once it has landed.
        landed = [flight for flight in flights if flight.late and not flight.abandoned]
        return [event for flight in landed for event in self._runtime.late(self._book.state.id, flight)]

    def _reported(self, state: SessionState, outcomes: Sequence[Outcome]) -> SessionState:
        return ledger.reported(
            state,
            outcomes,
            self._configs,
            turn=self._turn,
            read=self._visit.length,
            read_mark=mark(self._visit.messages, self._visit.length),
            paused=self._runtime.paused(),
        )

    async def _settled(
        self, moment: Moment, decision: Decision, outcomes: Sequence[Outcome], flights: Sequence[Flight]
    ) -> Guidance:
        before = self._book.state
        learned = self._learned(outcomes, {flight.reviewer for flight in flights if flight.hurried})
        state, guarded = self._guarded(before, outcomes, moment.idle)
        case = made(
            Case,
            configs=self._configs,
            limits=self._limits,
            moment=moment,
            decision=decision,
            outcomes=outcomes,
            guarded=guarded,
            transcript=self._visit.transcript() if moment.finish else (),
            answer=self._visit.answer_mark,
        )
        self._book.state, settled = settlement(state, case)
        more = [*self._late(flights), *learned, *self._frozen]
        try:
            await self._book.save()
        except anyio.get_cancelled_exc_class():
            self._tell(decision, outcomes, guarded, settled, more)
            raise
        self._tell(decision, outcomes, guarded, settled, more)
        return self._book.guidance(judged=guarded.judged, outcomes=_with_errors(outcomes))

    def _learned(self, outcomes: Iterable[Outcome], hurried: Collection[str]) -> list[Event]:
        # Who had less than half of its time because of others has not shown that it is unfit.
        fair = [one for one in outcomes if one.kind is not OutcomeKind.TIMEOUT or one.reviewer not in hurried]
        return [event for outcome in fair for event in self._runtime.learn(self._book.state.id, outcome)]

    def _guarded(
        self, state: SessionState, outcomes: Sequence[Outcome], idle: Collection[str]
    ) -> tuple[SessionState, Guarded]:
        state = self._reported(state, outcomes)
        raised = self._raised(outcomes, idle)
        guarded = admitted(self._configs, state, raised, self._turn, self._limits, self._opinions)
        return ledger.noted(state, guarded), guarded

    def _raised(self, outcomes: Sequence[Outcome], idle: Collection[str]) -> list[Raised]:
        return [
            Raised(
                reviewer=outcome.reviewer,
                trigger=outcome.trigger,
                notes=outcome.reply.notes,
                idle=outcome.reviewer in idle,
            )
            for outcome in outcomes
            if outcome.kind is OutcomeKind.NOTED
        ]

    def _tell(
        self,
        decision: Decision,
        outcomes: Sequence[Outcome],
        guarded: Guarded,
        settled: Settled,
        more: Iterable[Event],
    ) -> None:
        runtime, state = self._runtime, self._book.state
        for skip in decision.skips:
            if skip.reason is SkipReason.PAUSED:
                runtime.passed_over(skip.reviewer)
        self._show(guarded.judged, state.offer.notes if state.offer and settled.advisory else ())
        if guarded.muted or self._frozen or runtime.wants(outcomes):
            seconds, configs = runtime.clock.monotonic() - self._began, runtime.roster.by_name
            runtime.emit(*reported_events(state, self._turn, outcomes, configs, guarded, settled, seconds), *more)

    def _show(self, judged: Sequence[Judged], handed: Sequence[str]) -> None:
        for config in self._configs if judged else ():
            notes = [one for one in judged if one.reviewer == config.name and _is_for_host(one)]
            sent = tuple(one for one in notes if one.record in handed)
            unsent_notes = tuple(one for one in notes if one.record not in handed)
            self._runtime.show_notes(self._book.state.id, config.name, sent, sent=True)
            self._runtime.show_notes(self._book.state.id, config.name, unsent_notes, sent=False)


def _is_for_host(judged: Judged) -> bool:
    return judged.record is not None or judged.disposition is Disposition.RECORDED


def _unstarted(flights: Iterable[Flight], kind: OutcomeKind) -> tuple[Flight, ...]:
    for flight in flights:
        flight.give_up(kind)
    return tuple(flights)


def _withdrawn(guidance: Guidance) -> Guidance:
    # Interrupted while the notes were being saved: who interrupted withdraws them as soon as we are gone.
    end = (FinishResult.ABORTED, Verdict.UNREVIEWED) if guidance.result else (None, None)
    return replace(guidance, advisory=None, reopen=False, progress="", result=end[0], verdict=end[1], on_taken=None)


def _with_errors(outcomes: Sequence[Outcome]) -> tuple[Called, ...]:
    # Nothing where there are none: what is saved says the same then.
    if not any(outcome.error for outcome in outcomes):
        return ()
    return tuple(replace(called(outcome), error=outcome.error) for outcome in outcomes)


def _interrupted(call: Call) -> Outcome:
    return Outcome(reviewer=call.reviewer, trigger=call.trigger, kind=OutcomeKind.INTERRUPTED)


def _without_store(decision: Decision) -> Decision:
    refused = [
        Skipped(reviewer=call.reviewer, trigger=call.trigger, reason=SkipReason.STORE_UNAVAILABLE)
        for call in decision.calls
    ]
    return replace(decision, calls=(), skips=(*decision.skips, *refused))
