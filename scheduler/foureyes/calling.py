"""One review, from the call to its outcome. Whatever a reviewer does, this returns; only cancellation goes through.

Inside the one deadline that the caller holds: each link of the fallback chain in turn, and each link up to
``max_attempts`` times where it raises a transient error and the wait before the next attempt fits into the deadline.
Timeouts and cancellation are never retried.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from typing import Any, TypeAlias

import anyio
from tenacity import AsyncRetrying, RetryCallState, retry_if_exception_type, wait_random_exponential

from foureyes.charging import Meter, metered
from foureyes.clock import Clock
from foureyes.core.account import Account
from foureyes.core.config import ReviewerConfig, ReviewerLike
from foureyes.core.facts import NO_REPLY, NO_USAGE, Hop, Outcome, Reply, Review, Spend
from foureyes.core.frozen import made
from foureyes.core.schedule import Call
from foureyes.core.text import Redact, clean, cut_end, unredacted
from foureyes.core.words import FAILURES, OutcomeKind
from foureyes.errors import ReviewerError, TransientReviewerError, UnusableReviewerError
from foureyes.replies import read_reply, redacted
from foureyes.room import Room
from foureyes.threads import Threads

__all__ = ["Caller", "Link", "Tally", "call_review", "described", "ended", "fatal"]

_READ_OF_ERROR = 8_192
"""Characters of an error that are redacted, so that none of the few that are kept is half of a secret."""
_MOST_OF_ERROR = 1_000_000
MAX_ERROR = 200
"""Characters of an error that operators are told."""
_BACKOFF = wait_random_exponential(multiplier=0.25, max=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """One thing that reviews: the reviewer itself, or one of its fallbacks."""

    use: str
    """The name that metrics give it."""
    function: ReviewerLike
    blocking: bool
    """Whether calling it may block, so that it gets a thread."""
    account: Account | None = None
    """The account that the transcript goes to; None = it stays on this machine."""
    outgoing: bool = False
    """Whether the transcript leaves this process, for an account or another program."""

    @classmethod
    def of(cls, use: str, function: ReviewerLike) -> Link:
        """Return the link for a callable: a coroutine function runs on the loop, anything else in a thread."""
        asynchronous = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - whether the call is a coroutine function
        )
        found = getattr(function, "account", None)
        where = found if isinstance(found, Account) else None
        return cls(use=use, function=function, blocking=not asynchronous, account=where, outgoing=_leaves(function))


def _leaves(function: ReviewerLike) -> bool:
    return isinstance(getattr(function, "account", None), Account) or getattr(function, "outgoing", False) is True


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Everything that a review needs and that does not change from one to the next."""

    config: ReviewerConfig
    chain: tuple[Link, ...]
    threads: Threads
    clock: Clock
    redact: Redact = unredacted
    """Takes the secrets out of notes and errors, before anybody keeps or shows them."""
    room: Room | None = None
    """Where the review waits for its turn among those of all sessions; None = there is room for any number."""


@dataclass(slots=True, kw_only=True)
class Tally(Meter):
    """What a review has cost so far, known even where it is cut off."""

    began: float
    """By the caller's clock, in seconds."""
    attempts: int = 0
    """Calls made, of the reviewer and of its fallbacks."""
    hops: tuple[Hop, ...] = ()
    pauses: tuple[float | None, ...] = ()
    """For each link that failed: for how long it is of no use, None where it did not say."""


async def call_review(caller: Caller, call: Call, review: Review, tally: Tally) -> Outcome:
    """Return the outcome of the call, and keep the tally meanwhile.

    Nothing but BaseException leaves this function: cancellation, KeyboardInterrupt and SystemExit are the host's. The
    review belongs to the reviewer from here on, who may change it as it likes.
    """
    metered(tally)
    kind, reply, error = OutcomeKind.ERROR, NO_REPLY, ""
    job = (caller, call, review.session, review, tally)
    for place, link in enumerate(caller.chain):
        if place:
            tally.hops += (Hop(source=caller.chain[place - 1].use, target=link.use, reason=kind),)
        kind, reply, error = await _tried(job, link)
        if kind.completed:
            break
    return ended(caller, call, tally, kind, reply=reply, error=error)


def ended(
    caller: Caller, call: Call, tally: Tally, kind: OutcomeKind, *, reply: Reply = NO_REPLY, error: str = ""
) -> Outcome:
    """Return the outcome of a review that is over now."""
    return made(
        Outcome,
        reviewer=call.reviewer,
        trigger=call.trigger,
        kind=kind,
        reply=reply,
        attempts=tally.attempts,
        hops=tally.hops,
        seconds=caller.clock.monotonic() - tally.began,
        error=error,
        spent=tally.total if reply.usage is NO_USAGE else (*tally.total, Spend(model="", usage=reply.usage)),
        pause_seconds=_pause_after(tally) if kind in FAILURES else None,
    )


def _pause_after(tally: Tally) -> float | None:
    # One link that may work the next time is enough to be asked again.
    times = [seconds for seconds in tally.pauses if seconds is not None]
    return min(times) if times and len(times) == len(tally.pauses) else None


_Job: TypeAlias = tuple[Caller, Call, str, Review, Tally]
"""What one review is made of: a tuple, for every review makes one. The session's name is kept apart from the review."""


async def _tried(job: _Job, link: Link) -> tuple[OutcomeKind, Reply, str]:
    # Tenacity costs more than the rest of a review together, so it is asked only once something has gone wrong.
    try:
        raw = await _answered(job, link)
        reply = read_reply(raw)
        if reply is not None and (reply.notes or reply.resolved):
            reply = redacted(reply, job[0].redact)
    except ReviewerError as error:
        job[4].pauses += (_pause_of(error),)
        return error.outcome, NO_REPLY, described(error, job[0].redact)
    except anyio.get_cancelled_exc_class():
        raise
    except BaseException as error:
        if isinstance(error, GeneratorExit) or fatal(error) is not None:
            raise
        job[4].pauses += (None,)
        return OutcomeKind.ERROR, NO_REPLY, described(error, job[0].redact)
    if reply is None:
        job[4].pauses += (None,)
        return OutcomeKind.UNPARSED, NO_REPLY, f"returned {type(raw).__name__}, which is no reply"
    return (OutcomeKind.NOTED if reply.notes or reply.malformed else OutcomeKind.QUIET), reply, ""


async def _answered(job: _Job, link: Link) -> Any:
    try:
        return await _once(job, link)
    except TransientReviewerError as error:
        first = error
    # Not inside the handler: there the first error would be the context of whatever goes wrong later.
    return await _again(job, link, first)


def _pause_of(error: ReviewerError) -> float | None:
    if isinstance(error, UnusableReviewerError):
        return inf if error.retry_after is None else error.retry_after
    return error.retry_after if isinstance(error, TransientReviewerError) else None


async def _again(job: _Job, link: Link, first: TransientReviewerError) -> Any:
    caller, _, _, _, tally = job
    failed, deadline = [first], tally.began + caller.config.timeout_seconds

    async def attempt() -> Any:
        if failed:
            raise failed.pop()
        return await _once(job, link)

    def is_over(state: RetryCallState) -> bool:
        fits = state.upcoming_sleep < deadline - caller.clock.monotonic()
        return state.attempt_number >= caller.config.max_attempts or not fits

    retrying = AsyncRetrying(
        sleep=caller.clock.sleep,
        stop=is_over,
        retry=retry_if_exception_type(TransientReviewerError),
        wait=_pause,
        reraise=True,
    )
    return await retrying(attempt)


def _pause(state: RetryCallState) -> float:
    error = state.outcome.exception() if state.outcome else None
    hint = error.retry_after if isinstance(error, TransientReviewerError) else None
    return _BACKOFF(state) if hint is None else max(hint, 0.0)  # In this order NaN stays, and fits no deadline.


async def _once(job: _Job, link: Link) -> Any:
    caller, call, session, review, tally = job
    tally.attempts += 1
    if not link.blocking:
        return await link.function(review)
    answer = await caller.threads.call((session, call.reviewer), call.turn, _bound(link.function, review))
    return await answer if inspect.isawaitable(answer) else answer


def _bound(function: ReviewerLike, review: Review) -> Callable[[], Any]:
    return lambda: function(review)


def fatal(error: BaseException) -> BaseException | None:
    """Return the KeyboardInterrupt or SystemExit that the error is or holds: these are the host's."""
    if isinstance(error, BaseExceptionGroup):
        found = error.subgroup((KeyboardInterrupt, SystemExit))
        return None if found is None else fatal(found.exceptions[0])
    return error if isinstance(error, KeyboardInterrupt | SystemExit) else None


def described(error: BaseException, redact: Redact = unredacted) -> str:
    """Return the error's type and text for an operator, on one line; of an error of foureyes the text says it all."""
    ours = type(error).__module__.startswith(("foureyes.", "foureyes_reviewers."))
    try:
        said = str(error)
        text = said if said and ours else f"{type(error).__name__}{said and ': '}{said}"
        # Blanks go first: what they would have pushed out of the part that is read could come back as half of a secret.
        known = clean(redact(" ".join(text[:_MOST_OF_ERROR].split())[:_READ_OF_ERROR]))
    except BaseException:  # noqa: BLE001 - foreign code: an exception may have no text, and a redactor may be broken
        known = clean(type(error).__name__)
    return cut_end(known, MAX_ERROR)
