"""Driving a recorded run through a real session, as if its agent were at work now.

The rules are the same for every format:

- The first human message starts a request, and so does the first one after an accepted finish. What else a human
  says is part of the transcript.
- A turn with tool calls is a boundary, one that is an answer is a finish (:mod:`foureyes.replay.turns`).
- Every call sees the transcript up to the end of its turn, and nothing that was said about the run afterwards.
- What the agent would have been told counts as sent. It is not put into the transcript: the recorded agent never
  read it, and a finish that was re-opened goes on as it was recorded.

Two replays differ in their seconds only, as far as the reviewers answer the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b

from foureyes.core.account import Account
from foureyes.core.backend import BudgetConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import NO_USAGE, Message
from foureyes.core.guard import Limits
from foureyes.core.state import Called
from foureyes.core.text import Redact
from foureyes.core.words import Stop, Trigger
from foureyes.guidance import Guidance
from foureyes.loading import redactor
from foureyes.replay.deeds import deed
from foureyes.replay.recording import Recording
from foureyes.replay.run import Consulted, ReplayedRun, Step
from foureyes.replay.turns import RecordedTurn
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.telemetry.events import Event, ReviewSettled

__all__ = ["replay"]

_SESSION = "replay"


async def replay(
    recording: Recording,
    reviewers: Sequence[ReviewerConfig],
    *,
    limits: Limits | None = None,
    budget: BudgetConfig | None = None,
    agent: Account | None = None,
) -> ReplayedRun:
    """Return what the reviewers would have done at every turn of the recording.

    Each replay has a scheduler and a memory store of its own, so that one run's cooldowns, pauses and spending do not
    reach into the next. The reviews are real: who may not see the transcript of this ``agent``, or has no ``budget``
    left, is not called; both are as in :class:`~foureyes.scheduler.ReviewScheduler`. Raises ConfigError where a
    reviewer cannot be found.
    """
    watch = _Stopwatch()
    scheduler = ReviewScheduler(
        reviewers, limits=limits, budget=budget, agent=agent, sinks=[watch], nonce=lambda: _nonce(recording.messages)
    )
    redact = redactor(reviewers)
    async with scheduler:
        told = await _walked(scheduler, recording)
    return ReplayedRun(
        name=recording.name,
        source=recording.source,
        messages=len(recording.messages),
        steps=tuple(_step(moment, watch, redact) for moment in told),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Moment:
    """One turn, and what the session said about it."""

    turn: RecordedTurn
    request: str | None
    guidance: Guidance


class _Stopwatch:
    """A sink that keeps what only events tell about a review: its seconds, attempts, error and use."""

    def __init__(self) -> None:
        self._settled: dict[tuple[int, str, Trigger], ReviewSettled] = {}

    def emit(self, event: Event) -> None:
        """Remember the end of a review."""
        if isinstance(event, ReviewSettled):
            self._settled[event.turn, event.reviewer, event.trigger] = event

    def quiet(self, finish: bool) -> None:
        """Do nothing: a quiet boundary has no reviews."""

    def consulted(self, turn: int, call: Called) -> Consulted:
        """Return the review with what was measured of it."""
        event = self._settled.get((turn, call.reviewer, call.trigger))
        return Consulted(
            reviewer=call.reviewer,
            trigger=call.trigger,
            outcome=call.outcome,
            seconds=event.seconds if event else 0.0,
            attempts=event.attempts if event else 0,
            error=event.error if event else "",
            usage=event.usage if event else NO_USAGE,
            malformed=event.malformed if event else 0,
            unknown_severities=event.unknown_severities if event else 0,
        )


async def _walked(scheduler: ReviewScheduler, recording: Recording) -> list[_Moment]:
    messages = recording.messages
    session: Session | None = None
    told: list[_Moment] = []
    seen: list[Message] = []
    idle = True
    for turn in recording.turns():
        request = turn.asked if idle else None
        session = await _begun(scheduler, session, request)
        seen.extend(messages[len(seen) : turn.end])  # one growing list, as a host has: no copy of the past a turn
        guidance = await _settled(session, turn, seen)
        accepted = turn.answers and not guidance.reopen
        idle = accepted or (idle and request is None)
        told.append(_Moment(turn=turn, request=request, guidance=guidance))
    return told


async def _begun(scheduler: ReviewScheduler, session: Session | None, request: str | None) -> Session:
    if session is None:
        return await scheduler.session(_SESSION, request=request)
    if request is not None:
        await session.new_request(request)
    return session


async def _settled(session: Session, turn: RecordedTurn, seen: Sequence[Message]) -> Guidance:
    if turn.answers:
        guidance = await session.finish(seen, answer=turn.said.text, stop=Stop.ANSWER)
    else:
        guidance = await session.boundary(seen)
    guidance.taken()
    return guidance


def _step(moment: _Moment, watch: _Stopwatch, redact: Redact) -> Step:
    guidance = moment.guidance
    return Step(
        turn=guidance.turn,
        finish=moment.turn.answers,
        did=deed(moment.turn.said, redact),
        request=None if moment.request is None else redact(moment.request),
        calls=tuple(watch.consulted(guidance.turn, call) for call in guidance.outcomes),
        skips=guidance.skips,
        notes=guidance.judged,
        advisory=guidance.advisory.text if guidance.advisory else None,
        sent=guidance.advisory.notes if guidance.advisory else (),
        result=guidance.result,
        verdict=guidance.verdict,
        unsent=guidance.unsent,
    )


def _nonce(messages: Sequence[Message]) -> str:
    # The same at each replay; and since it depends on every message, none of them can hold a valid reference.
    return blake2b(repr(messages).encode("utf-8", "backslashreplace"), digest_size=16).hexdigest()
