"""The state of one session while it is live: what it is now, what the store holds, and how one follows the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice

from foureyes.core import ledger
from foureyes.core.changes import Changes
from foureyes.core.delivery import unconfirmed
from foureyes.core.evidence import contains
from foureyes.core.frozen import made
from foureyes.core.guard import Judged
from foureyes.core.messages import human_text
from foureyes.core.render import Advisory, advisory, is_ours, reference
from foureyes.core.requests import spoken_since
from foureyes.core.schedule import next_due
from foureyes.core.state import Called, NoteStatus, Offer, SessionState
from foureyes.errors import RevisionConflictError
from foureyes.guidance import Guidance
from foureyes.runtime import Runtime
from foureyes.telemetry.events import Checkpointed, Event, NoteSent

__all__ = ["Book"]

_FIRST_MESSAGES = 64
"""Messages in which the first human one is looked for."""


class Book:
    """Keeps the state of one session, saves it, and reads the guidance out of it."""

    def __init__(
        self, runtime: Runtime, state: SessionState, saved: SessionState | None, *, unread: bool = False
    ) -> None:
        self.runtime, self.state = runtime, state
        self.unread = unread
        """Whether the store could not tell what it holds: then nothing is saved, and so nobody called."""
        self.superseded = False
        """Whether another handle has taken over the session, so that this one must not be used any more."""
        self.on_taken: Callable[[str | None], object] = self.take
        """What a guidance tells when the host confirms its advisory."""
        self.permitted = ""
        """What the agent may do, in the host's words; empty where it has not said it."""
        self._saved = saved
        self._torn: SessionState | None = None
        self._reviewers: object = None
        self._notes: object = None
        self._next_due = 0.0

    def is_quiet(self, turn: int) -> bool:
        """Tell whether the turn's boundary can be passed by: nobody is due, and nothing waits to be handed over."""
        state = self.state
        if state.reviewers is not self._reviewers or state.notes is not self._notes:
            self._reviewers, self._notes = state.reviewers, state.notes
            waits = any(note.status is not NoteStatus.SENT and not note.host_only for note in state.notes.values())
            self._next_due = 0 if waits else next_due(self.runtime.roster.configs, state)
        return turn < self._next_due

    async def reread(self) -> None:
        """Try again to read what could not be read when the session was opened, and go on from there."""
        try:
            held = await self.runtime.store.load(self.state.id)
        except Exception as error:  # noqa: BLE001 - a store may be foreign code, and the run goes on without it
            self.runtime.store_failed(self.state.id, error)
            return
        self.unread, self._saved = False, held
        if held is not None:
            here, configs = self.state, self.runtime.roster.configs
            self.state = ledger.resumed(ledger.fitted(held, configs), here.turn, here.request_text)

    async def pass_by(self, turn: int) -> None:
        """Move the turn and nothing else: what happens at most boundaries, and costs least."""
        before = self.state
        self.state = after = ledger.moved(before, turn)
        if before is not self._saved or before.settled is not None:
            await self.save()
        elif await self._written(after, Changes(before, after)):
            self._saved = after

    async def save(self) -> bool:
        """Save the state, and return whether the store took it.

        Raises RevisionConflictError where another process has moved the session on; any other failure of the store
        is an event, and the next save writes what this one could not.
        """
        if self.unread:
            return False
        if self._torn is not None and not await self._is_mended(self._torn):
            return False
        before = self.state
        after = ledger.revised(before, (self._saved.revision if self._saved else 0) + 1)
        difference = Changes(self._saved, after)
        began = self.runtime.clock.monotonic()
        if not await self._written(after, difference):
            return False
        self._saved = after
        self.state = after if self.state is before else ledger.revised(self.state, after.revision)
        if self.runtime.is_watched and not difference.quiet:
            self.runtime.emit(Checkpointed(session=before.id, seconds=self.runtime.clock.monotonic() - began))
        return True

    async def _written(self, state: SessionState, difference: Changes) -> bool:
        try:
            await self.runtime.store.save(state, difference)
        except RevisionConflictError:
            raise
        except Exception as error:  # noqa: BLE001 - a store may be foreign code, and the run goes on without it
            self._torn = state
            self.runtime.store_failed(state.id, error)
            return False
        except BaseException:
            self._torn = state
            raise
        self.runtime.kept.pop(state.id, None)
        return True

    async def _is_mended(self, torn: SessionState) -> bool:
        # A save has failed, or was cancelled while the store waited: only the store knows what it holds now.
        try:
            held = await self.runtime.store.load(torn.id)
        except Exception as error:  # noqa: BLE001 - as above
            self.runtime.store_failed(torn.id, error)
            return False
        if held is not None and (held.nonce, held.revision) == (torn.nonce, torn.revision):
            self._saved = torn
        elif self._is_lost(held):
            self._saved = held
        self._torn = None
        return True

    def _is_lost(self, held: SessionState | None) -> bool:
        # The file was deleted, or an older copy of it was put back: then what is there now is gone on from.
        if held is None or self._saved is None:
            return held is None
        return held.nonce == self._saved.nonce and held.revision < self._saved.revision

    def hear(self, messages: Sequence[object]) -> Sequence[Event]:
        """Take in what the transcript says about us: a taken advisory, a human who has spoken.

        Returns what is to be told of it once the call is known to be a legal one.
        """
        state = self.state
        heard: tuple[Event, ...] = ()
        offer = unconfirmed(state)
        if offer is not None and contains(messages, reference(state.nonce, offer.id)):
            heard = self._taken(offer)
        if state.request == 0:
            self.state = ledger.new_request(self.state, self._first_words(messages), self.runtime.redact)
        elif state.closed is not None and (text := spoken_since(state, messages, self.runtime.redact)):
            self.state = ledger.new_request(self.state, text, self.runtime.redact)
        return heard

    def take(self, identity: str | None) -> bool:
        """Mark the notes of the advisory as sent, and return whether it was open; another one changes nothing.

        It is saved with the next boundary or when the scheduler closes: an advisory whose taking was lost is offered
        again under its own id.
        """
        offer = unconfirmed(self.state)
        if offer is None or offer.id != identity:
            return False
        self.runtime.emit(*self._taken(offer))
        return True

    def _taken(self, offer: Offer) -> tuple[Event, ...]:
        notes = [self.state.notes[key] for key in offer.notes if key in self.state.notes]
        self.state = ledger.taken(self.state)
        return tuple(
            NoteSent(session=self.state.id, reviewer=name, severity=note.severity, note=note.id)
            for note in notes
            for name in note.reviewers
        )

    def guidance(self, judged: tuple[Judged, ...] = (), outcomes: tuple[Called, ...] = ()) -> Guidance:
        """Return the guidance of the boundary last settled, the same however often it is asked for."""
        settled = self.state.settled
        if settled is None:
            return Guidance.quiet(self.state.turn)
        return made(
            Guidance,
            turn=settled.turn,
            advisory=self._handed(settled.advisory),
            reopen=settled.reopen,
            result=settled.result,
            verdict=settled.verdict,
            progress=settled.progress,
            outcomes=outcomes or settled.calls,
            skips=settled.skips,
            judged=judged,
            unsent=settled.unsent,
            on_taken=lambda: self.on_taken(settled.advisory),
        )

    def _handed(self, identity: str | None) -> Advisory | None:
        offer = self.state.offer
        if identity is None or offer is None or offer.id != identity:
            return None
        notes = [self.state.notes[key] for key in offer.notes if key in self.state.notes]
        return advisory(self.state.nonce, offer.id, notes, finish=offer.finish)

    def _first_words(self, messages: Sequence[object]) -> str:
        texts = (human_text(raw) for raw in islice(messages, _FIRST_MESSAGES))
        return next((text for text in texts if text and not is_ours(self.state.nonce, text)), "")
