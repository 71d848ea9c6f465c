"""The scheduler for hosts without an event loop: the same calls, without await.

One event loop in a thread of its own serves all sessions, so it works inside a running loop too, where
``asyncio.run`` would not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import replace
from types import TracebackType
from typing import Any

from anyio.from_thread import BlockingPortal, start_blocking_portal

from foureyes.core.config import ReviewerConfig
from foureyes.core.state import SessionState
from foureyes.core.words import Stop
from foureyes.errors import ConfigError, HostError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session

__all__ = ["SyncReviewScheduler", "SyncSession"]


class _Door:
    """The way into the event loop's thread, while the scheduler is open."""

    portal: BlockingPortal | None = None

    def call(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Return what the function returns there. Raises HostError while the scheduler is closed."""
        if self.portal is None:
            raise HostError("the scheduler is closed: use it inside 'with SyncReviewScheduler(...)'")
        return self.portal.call(function, *arguments)


class SyncReviewScheduler:
    """Runs a scheduler behind blocking calls: ``with SyncReviewScheduler(ReviewScheduler([...])) as scheduler``.

    Safe to use from several threads, each with sessions of its own.
    """

    def __init__(self, scheduler: ReviewScheduler) -> None:
        if not isinstance(scheduler, ReviewScheduler):
            kind = type(scheduler).__name__
            raise ConfigError(f"SyncReviewScheduler takes a scheduler, as in ...(ReviewScheduler([...])): got {kind}")
        self._scheduler = scheduler
        self._stack = ExitStack()
        self._door = _Door()

    def __enter__(self) -> SyncReviewScheduler:
        """Start the event loop's thread and open the scheduler."""
        if self._door.portal is not None:
            raise HostError("the scheduler is open already: enter it once, and share it")
        with ExitStack() as stack:
            portal = stack.enter_context(start_blocking_portal(name="foureyes"))
            stack.enter_context(portal.wrap_async_context_manager(self._scheduler))
            self._door.portal, self._stack = portal, stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Close the scheduler and end the thread."""
        self._door.portal = None
        self._stack.close()

    @property
    def reviewers(self) -> tuple[ReviewerConfig, ...]:
        """Return the reviewers in the order of consultation."""
        return self._scheduler.reviewers

    def session(
        self,
        identity: str,
        *,
        request: str | None = None,
        snapshot: Mapping[str, Any] | None = None,
        permitted: str | None = None,
    ) -> SyncSession:
        """Return the session; as :meth:`foureyes.scheduler.ReviewScheduler.session`."""
        scheduler = self._scheduler
        session = self._door.call(
            lambda: scheduler.session(identity, request=request, snapshot=snapshot, permitted=permitted)
        )
        return SyncSession(self._door, session)

    def resume(self, reviewer: str) -> None:
        """End a reviewer's pause by hand; as :meth:`foureyes.scheduler.ReviewScheduler.resume`."""
        self._door.call(self._scheduler.resume, reviewer)


class SyncSession:
    """One session behind blocking calls; every method does what its namesake on Session does."""

    def __init__(self, door: _Door, session: Session) -> None:
        self._door, self._session = door, session

    @property
    def id(self) -> str:
        """Return the host's id of the session."""
        return self._session.id

    @property
    def state(self) -> SessionState:
        """Return the state as it is now: a value, safe to keep."""
        return self._session.state

    @property
    def permitted(self) -> str:
        """What the agent may do, in the host's words, which reviewers are told. Set it whenever that changes."""
        return self._session.permitted

    @permitted.setter
    def permitted(self, words: str) -> None:
        """Tell the reviewers from now on."""
        self._session.permitted = words

    def boundary(self, messages: Sequence[object], *, turn: int | None = None) -> Guidance:
        """Settle the turn that has just been completed."""
        return self._confirmable(self._door.call(lambda: self._session.boundary(messages, turn=turn)))

    def finish(
        self, messages: Sequence[object], *, answer: str = "", stop: Stop = Stop.ANSWER, turn: int | None = None
    ) -> Guidance:
        """Settle the turn with which the agent would end."""
        return self._confirmable(
            self._door.call(lambda: self._session.finish(messages, answer=answer, stop=stop, turn=turn))
        )

    def new_request(self, text: str) -> None:
        """Start a request of the human."""
        self._door.call(lambda: self._session.new_request(text))

    def abort(self) -> None:
        """Stop at the user's word."""
        self._door.call(self._session.abort)

    def rewound(self, turn: int) -> None:
        """Go back to a turn, after the host cut its transcript back to it."""
        self._door.call(lambda: self._session.rewound(turn))

    def compacted(self) -> None:
        """Say that the host rewrote its transcript to make it shorter."""
        self._door.call(self._session.compacted)

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state as plain JSON data."""
        return self._session.snapshot()

    def _confirmable(self, guidance: Guidance) -> Guidance:
        # The confirmation belongs into the event loop's thread, as everything that changes a session.
        tell = guidance.on_taken
        return guidance if tell is None else replace(guidance, on_taken=lambda: self._door.call(tell))
