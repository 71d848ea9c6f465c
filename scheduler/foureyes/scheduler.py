"""The scheduler: reviewers, a store and sinks on one side, sessions on the other."""

from __future__ import annotations

import importlib
import logging
import os
import secrets
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any
from weakref import WeakValueDictionary

import anyio
import anyio.lowlevel

from foureyes.book import Book
from foureyes.budget import SharedUsage
from foureyes.calling import described
from foureyes.clock import Clock, SystemClock
from foureyes.core import ledger
from foureyes.core.account import Account
from foureyes.core.backend import BudgetConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.counters import uncounted
from foureyes.core.gist import gist
from foureyes.core.guard import Limits
from foureyes.core.noise import is_noise
from foureyes.core.state import SessionState
from foureyes.errors import ConfigError, HostError, StateVersionError, StoreError
from foureyes.judging import Judge
from foureyes.loading import redactor
from foureyes.room import Room
from foureyes.roster import Roster, rostered
from foureyes.runtime import OnNotes, Runtime
from foureyes.session import Session
from foureyes.stores.base import Store
from foureyes.stores.memory import MemoryStore
from foureyes.stores.patient import PatientStore
from foureyes.tasks import CLOSE_SECONDS, own_tasks
from foureyes.telemetry.events import ReviewerResumed, Sink

if TYPE_CHECKING:
    from prometheus_client import CollectorRegistry

    from foureyes.settings import Settings
    from foureyes.telemetry.endpoint import MetricsServer

__all__ = ["ReviewScheduler"]

logger = logging.getLogger("foureyes")

MAX_ID = 256
"""Characters of a session's id."""


class ReviewScheduler:
    """Consults up to four reviewers at an agent's turn boundaries and finishes.

    Use as ``async with ReviewScheduler([...]) as scheduler``. Configuration errors are raised here, at construction,
    and never in the middle of a run. One scheduler serves any number of sessions, and may be entered again after it
    was closed, on another event loop too.
    """

    def __init__(
        self,
        reviewers: Iterable[ReviewerConfig] = (),
        *,
        limits: Limits | None = None,
        store: Store | None = None,
        registry: CollectorRegistry | None = None,
        sinks: Sequence[Sink] = (),
        on_notes: OnNotes | None = None,
        clock: Clock | None = None,
        nonce: Callable[[], str] | None = None,
        budget: BudgetConfig | None = None,
        shared_usage: SharedUsage | None = None,
        agent: Account | None = None,
        judge: Judge | None = None,
        max_parallel_reviews: int = 0,
    ) -> None:
        """Check the reviewers and load what reviews; nothing is opened or started yet.

        ``store`` None keeps sessions in memory. ``registry`` is where the metrics go, such as
        ``prometheus_client.REGISTRY``; None keeps none. ``sinks`` get the events as well.
        ``on_notes(reviewer, notes, sent)`` is told of every note that is for the agent or the host, once it is
        settled, and must not block. What exceeds a review's notes is neither, there as in ``guidance.unsent``.
        ``nonce`` makes the secret of a new session; None takes a random one. ``budget``
        bounds what all reviewers together may use, beside the budget of each; ``shared_usage`` is the host's own
        account of that. ``agent`` is the agent's account with its provider: a reviewer whose ``data_boundary``
        does not let the transcript go to its own account is not called. ``await judge(note, earlier)`` may say whether
        a note that was flagged as similar tells the same finding; None where it cannot. ``max_parallel_reviews`` bounds
        how many reviews run at the same time, all sessions together, as accounts do; 0 = any number. The others wait,
        within their own deadlines, and whoever waits in vain is skipped as ``busy``. Raises ConfigError with every
        problem at once.
        """
        _check_parts(store, sinks)
        roster = rostered(_declared(reviewers), limits or Limits(), budget or BudgetConfig(), agent)
        watchers = (*_metrics(roster, registry), *sinks)
        self._runtime = Runtime(
            roster,
            _patient(store or MemoryStore()),
            watchers,
            clock or SystemClock(),
            on_notes,
            shared_usage,
            redactor(roster.configs),
            judge,
            _room(max_parallel_reviews),
        )
        self._nonce = nonce or (lambda: secrets.token_hex(16))
        self._sessions: WeakValueDictionary[str, Session] = WeakValueDictionary()
        self._books: WeakValueDictionary[str, Book] = WeakValueDictionary()
        self._endpoint: Callable[[], MetricsServer] | None = None
        self.metrics_server: MetricsServer | None = None
        """While open and made from settings that name a port: the running metrics page."""

    @classmethod
    def from_settings(
        cls,
        settings: Settings | None = None,
        *,
        registry: CollectorRegistry | None = None,
        sinks: Sequence[Sink] = (),
        on_notes: OnNotes | None = None,
    ) -> ReviewScheduler:
        """Return the scheduler that the settings declare: its reviewers, bounds, store, metrics and log.

        ``settings`` None reads them now, from the environment and files; ``registry`` None is the default one of
        prometheus_client. Entering the scheduler opens the metrics page where the settings name a port. Raises
        ConfigError with every problem at once.
        """
        from foureyes import declared  # loads what a scheduler made in code does not need

        settings = settings or declared.read()
        metrics = declared.metrics(settings, registry)
        scheduler = cls(
            settings.reviewers,
            limits=settings.limits,
            budget=settings.budget,
            agent=settings.agent.account(os.environ),
            max_parallel_reviews=settings.max_parallel_reviews,
            store=declared.store(settings),
            registry=metrics.registry,
            sinks=(declared.log(), *sinks),
            on_notes=on_notes,
        )
        scheduler._endpoint = metrics.serve
        return scheduler

    def __repr__(self) -> str:
        """Name the reviewers."""
        return f"<ReviewScheduler: {', '.join(config.name for config in self.reviewers) or 'no reviewers'}>"

    @property
    def reviewers(self) -> tuple[ReviewerConfig, ...]:
        """Return the reviewers in the order of consultation."""
        return self._runtime.roster.configs

    async def __aenter__(self) -> ReviewScheduler:
        """Open the store and load what the event loop needs, so that no review has to wait for an import."""
        if self._runtime.tasks is not None:
            raise HostError("the scheduler is open already: enter it once, and share it")
        await self._open_store()
        try:
            self.metrics_server = self._endpoint() if self._endpoint is not None else None
        except BaseException:
            await self._close_store()
            raise
        self._runtime.epoch += 1
        self._runtime.tasks = own_tasks()
        await _warm_up()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Cancel what still runs, wait for it at most a second, and close the store.

        A boundary under way returns empty guidance at once, whatever its reviewers do; their reviews are refunded.
        What ignores its cancellation for longer is abandoned, and said so in the log. ``asyncio.run`` ends without
        waiting for it, except for tasks that the reviewer has started itself; ``trio.run`` abandons nothing and waits
        until it ends, idle. A thread that blocks holds up neither, nor the end of the process.
        """
        tasks, self._runtime.tasks = self._runtime.tasks, None
        self._sessions.clear()
        for give_up in tuple(self._runtime.under_way):
            give_up()
        with anyio.CancelScope(shield=True):
            abandoned = await tasks.close() if tasks else 0
            if abandoned:
                logger.warning("reviews that ignored their cancellation and were abandoned: %d", abandoned)
            await self._keep()
            await self._close_reviewers()
            await self._close_store()
        if self.metrics_server is not None:
            self.metrics_server.close()
            self.metrics_server = None

    async def session(
        self,
        identity: str,
        *,
        request: str | None = None,
        snapshot: Mapping[str, Any] | None = None,
        permitted: str | None = None,
    ) -> Session:
        """Return the session with this id, as it was last saved, or a new one.

        ``request`` is the human's text. It starts a request, unless it is the text of the one that is still open:
        that is a restart, and a restart refills nothing. ``snapshot`` restores the state that a host kept itself, in
        place of the store's. While a session is in use, asking for it again gives the same one. ``permitted`` says in
        words what the agent may do ("may write files; no network"), at most 2,000 characters, so that reviewers advise
        nothing else; it is not saved, and None leaves what was said before.

        Raises HostError for an id that is empty or longer than 256 characters, StateVersionError for a state that a
        newer foureyes wrote, and StoreError for a snapshot that is none. Where the store cannot be read the session
        starts empty: nobody is called (``store_unavailable``) and nothing is saved before it can be.
        """
        if self._runtime.tasks is None:
            raise HostError("the scheduler is closed: ask for sessions inside 'async with ReviewScheduler(...)'")
        if not self._runtime.tasks.here():
            raise HostError("the scheduler runs on another event loop: enter one on each, or use SyncReviewScheduler")
        if not isinstance(identity, str) or not 1 <= len(identity) <= MAX_ID:
            raise HostError(f"a session's id must be text of 1 to {MAX_ID} characters")
        live = self._sessions.get(identity)
        if live is None or snapshot is not None:
            live = await self._opened(identity, snapshot)
        if permitted is not None:
            live.permitted = permitted
        if request is not None and ledger.is_new_request(live.state, request, self._runtime.redact):
            await live.new_request(request)
        return live

    def resume(self, reviewer: str) -> None:
        """End a reviewer's pause by hand. Raises HostError for a name that is not configured."""
        health = self._runtime.health.get(reviewer)
        if health is None:
            raise HostError(f"no reviewer is called {reviewer!r}")
        self._runtime.health[reviewer] = health.recovered()
        if health.paused:
            self._runtime.emit(ReviewerResumed(session="", reviewer=reviewer))

    async def _keep(self) -> None:
        for book in [book for book in self._runtime.kept.values() if isinstance(book, Book)]:
            with suppress(StoreError):  # Another process may have moved it on.
                await book.save()
        self._runtime.kept.clear()

    async def _open_store(self) -> None:
        try:
            await self._runtime.store.open()
        except StateVersionError:
            raise
        except Exception as error:  # noqa: BLE001 - a store may be foreign code, and the run goes on without it
            self._runtime.store_failed("", error)

    async def _close_reviewers(self) -> None:
        # Clients keep connections of this event loop; a reviewer opens new ones where it is called again.
        links = [link for chain in self._runtime.roster.chains.values() for link in chain]
        closers = {id(link.function): getattr(link.function, "aclose", None) for link in links}
        for close in filter(None, closers.values()):
            try:
                with anyio.move_on_after(CLOSE_SECONDS):
                    await close()
            except Exception as error:  # noqa: BLE001 - foreign code, and its work is done
                logger.warning("a reviewer could not be closed: %s", described(error, self._runtime.redact))

    async def _close_store(self) -> None:
        try:
            await self._runtime.store.close()
        except Exception as error:  # noqa: BLE001 - as above
            self._runtime.store_failed("", error)

    async def _opened(self, identity: str, snapshot: Mapping[str, Any] | None) -> Session:
        book = await self._book(identity, snapshot)
        before = self._sessions.get(identity)
        if before is not None and snapshot is None:
            return before  # Somebody else asked for it meanwhile.
        if replaced := self._books.get(identity):
            replaced.superseded = True
        self._books[identity] = book
        self._sessions[identity] = session = Session(book)
        return session

    async def _book(self, identity: str, snapshot: Mapping[str, Any] | None) -> Book:
        saved, unread = await self._saved(identity)
        state = saved or SessionState(id=identity, nonce=self._nonce())
        if snapshot is not None:
            state = _restored(snapshot)
            if state.id != identity:
                raise HostError(f"the snapshot is of another session than {identity!r}")
        return Book(self._runtime, ledger.fitted(state, self._runtime.roster.configs), saved, unread=unread)

    async def _saved(self, identity: str) -> tuple[SessionState | None, bool]:
        try:
            return await self._runtime.store.load(identity), False
        except StateVersionError:
            raise
        except Exception as error:  # noqa: BLE001 - as above
            self._runtime.store_failed(identity, error)
            return None, True


def _declared(reviewers: object) -> tuple[ReviewerConfig, ...]:
    if isinstance(reviewers, Iterable) and not isinstance(reviewers, ReviewerConfig | str):
        found = tuple(reviewers)
        if all(isinstance(config, ReviewerConfig) for config in found):
            return found
    raise ConfigError("reviewers must be a list of ReviewerConfig, as in [ReviewerConfig(name='one', use='checks')]")


def _patient(store: Store) -> Store:
    # Ours keep to bounds of their own, and a cancel scope would cost a quiet boundary as much as all the rest.
    return store if type(store).__module__.startswith("foureyes.stores.") else PatientStore(store)


def _room(places: object) -> Room | None:
    if type(places) is not int or places < 0:
        raise ConfigError("max_parallel_reviews must be a whole number from 0, which means any number")
    return Room(places) if places else None


def _is_sink(sink: object) -> bool:
    return all(callable(getattr(sink, name, None)) for name in ("emit", "quiet"))


def _check_parts(store: object, sinks: object) -> None:
    if store is not None and not all(callable(getattr(store, name, None)) for name in ("open", "load", "save")):
        kind = type(store).__name__
        raise ConfigError(f"store must be a store, such as SQLiteStore('foureyes.db') or MemoryStore(): got {kind}")
    if not isinstance(sinks, Sequence) or not all(_is_sink(sink) for sink in sinks):
        raise ConfigError("sinks must be a list of sinks, such as [LogSink()]")


def _metrics(roster: Roster, registry: CollectorRegistry | None) -> tuple[Sink, ...]:
    if registry is None:
        return ()
    from foureyes.telemetry.prometheus import PrometheusSink

    return (PrometheusSink(roster.configs, registry),)


def _restored(snapshot: Mapping[str, Any]) -> SessionState:
    from foureyes.stores.records import loaded  # not needed by a host that has a store

    return loaded(snapshot)


async def _warm_up() -> None:
    # The first use of a back end costs up to 170 ms, and the first look at the list of noise 60 ms.
    # So do the patterns that few notes need: of denials, of Chinese and Japanese, of counters and amounts.
    for text in ("no issues", "\u6ca1\u6709\u95ee\u9898", "(2nd reminder) again: 5 ms"):
        is_noise(uncounted(text))
        gist(text)
    importlib.import_module("anyio.from_thread")
    with anyio.move_on_after(1):
        await anyio.lowlevel.checkpoint()
    anyio.Event().set()
