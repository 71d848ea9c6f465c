"""The scheduler for hosts without an event loop: the same calls, without await.

One event loop in a thread of its own serves all sessions, so it works inside a running loop too, where
``asyncio.run`` would not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from types import TracebackType
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

from foureyes.core.config import ReviewerConfig
from foureyes.core.state import SessionState
from foureyes.core.words import Stop
from foureyes.errors import HostError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session

__all__ = ["SyncReviewScheduler", "SyncSession"]


class SyncReviewScheduler:
    """Runs a scheduler behind blocking calls: ``with SyncReviewScheduler(ReviewScheduler([...])) as scheduler``.

    Safe to use from several threads, each with sessions of its own.
    """

    def __init__(self, scheduler: ReviewScheduler) -> None:
        self._scheduler = scheduler
        self._stack = ExitStack()
        self._portal: BlockingPortal | None = None

    def __enter__(self) -> SyncReviewScheduler:
        """Start the event loop's thread and open the scheduler."""
        with ExitStack() as stack:
            self._portal = stack.enter_context(start_blocking_portal(name="foureyes"))
            stack.enter_context(self._portal.wrap_async_context_manager(self._scheduler))
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the scheduler and end the thread."""
        self._portal = None
        self._stack.close()

    @property
    def reviewers(self) -> tuple[ReviewerConfig, ...]:
        """Return the reviewers in the order of consultation."""
        return self._scheduler.reviewers

    def session(
        self, identity: str, *, request: str | None = None, snapshot: Mapping[str, Any] | None = None
    ) -> SyncSession:
        """Return the session; as :meth:`foureyes.scheduler.ReviewScheduler.session`."""
        portal, scheduler = self._opened(), self._scheduler
        session = portal.call(lambda: scheduler.session(identity, request=request, snapshot=snapshot))
        return SyncSession(portal, session)

    def resume(self, reviewer: str) -> None:
        """End a reviewer's pause by hand; as :meth:`foureyes.scheduler.ReviewScheduler.resume`."""
        self._opened().call(self._scheduler.resume, reviewer)

    def _opened(self) -> BlockingPortal:
        if self._portal is None:
            raise HostError("the scheduler is closed: use it inside 'with SyncReviewScheduler(...)'")
        return self._portal


class SyncSession:
    """One session behind blocking calls; every method does what its namesake on Session does."""

    def __init__(self, portal: BlockingPortal, session: Session) -> None:
        self._portal, self._session = portal, session

    @property
    def id(self) -> str:
        """Return the host's id of the session."""
        return self._session.id

    @property
    def state(self) -> SessionState:
        """Return the state as it is now: a value, safe to keep."""
        return self._session.state

    def boundary(self, messages: Sequence[object], *, turn: int | None = None) -> Guidance:
        """Settle the turn that has just been completed."""
        return self._portal.call(lambda: self._session.boundary(messages, turn=turn))

    def finish(
        self, messages: Sequence[object], *, answer: str, stop: Stop = Stop.ANSWER, turn: int | None = None
    ) -> Guidance:
        """Settle the turn with which the agent would end."""
        return self._portal.call(lambda: self._session.finish(messages, answer=answer, stop=stop, turn=turn))

    def new_request(self, text: str) -> None:
        """Start a request of the human."""
        self._portal.call(lambda: self._session.new_request(text))

    def abort(self) -> None:
        """Stop at the user's word."""
        self._portal.call(self._session.abort)

    def rewound(self, turn: int) -> None:
        """Go back to a turn, after the host cut its transcript back to it."""
        self._portal.call(lambda: self._session.rewound(turn))

    def compacted(self) -> None:
        """Say that the host rewrote its transcript to make it shorter."""
        self._portal.call(self._session.compacted)

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain JSON data."""
        return self._session.snapshot()
