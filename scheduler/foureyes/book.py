"""The state of one session while it is live: what it is now, what the store holds, and how one follows the other."""

from __future__ import annotations

from collections.abc import Sequence

from foureyes.core import ledger
from foureyes.core.changes import changes
from foureyes.core.delivery import unconfirmed
from foureyes.core.evidence import contains
from foureyes.core.messages import human_text
from foureyes.core.render import Advisory, advisory, is_ours, reference
from foureyes.core.requests import spoken_since
from foureyes.core.state import NoteStatus, SessionState
from foureyes.errors import RevisionConflictError, StoreError
from foureyes.guidance import Guidance
from foureyes.runtime import Runtime
from foureyes.telemetry.events import Checkpointed, CheckpointFailed, NoteSent

__all__ = ["Book"]

_FIRST_MESSAGES = 64
"""Messages in which the first human one is looked for."""


class Book:
    """Keeps the state of one session, saves it, and reads the guidance out of it."""

    def __init__(self, runtime: Runtime, state: SessionState, saved: SessionState | None) -> None:
        self.runtime, self.state = runtime, state
        self._saved = saved

    @property
    def waits(self) -> bool:
        """Tell whether something is waiting to be handed over, so that no boundary is quiet."""
        if unconfirmed(self.state) is not None:
            return True
        return any(note.status is NoteStatus.QUEUED for note in self.state.notes.values())

    async def save(self) -> bool:
        """Save the state, and return whether the store took it.

        Raises RevisionConflictError where another process has moved the session on; any other failure of the store
        is an event, and the next save writes what this one could not.
        """
        before = self.state
        after = ledger.revised(before, (self._saved.revision if self._saved else 0) + 1)
        difference = changes(self._saved, after)
        clock = self.runtime.clock
        began = clock.monotonic() if not difference.quiet else 0.0
        try:
            await self.runtime.store.save(after, difference)
        except RevisionConflictError:
            raise
        except StoreError as error:
            self.runtime.emit([CheckpointFailed(session=before.id, error=str(error)[:200])])
            return False
        self._saved = after
        self.state = after if self.state is before else ledger.revised(self.state, after.revision)
        if not difference.quiet:
            self.runtime.emit([Checkpointed(session=before.id, seconds=clock.monotonic() - began)])
        return True

    def hear(self, messages: Sequence[object]) -> None:
        """Take in what the transcript says about us: a taken advisory, a human who has spoken."""
        state = self.state
        offer = unconfirmed(state)
        if offer is not None and contains(messages, reference(state.nonce, offer.id)):
            self.take(offer.id)
        if state.request == 0:
            self.state = ledger.new_request(self.state, self._first_words(messages))
        elif state.closed is not None and (text := spoken_since(state, messages)):
            self.state = ledger.new_request(self.state, text)

    def take(self, identity: str | None) -> None:
        """Mark the notes of the advisory as sent; one that is not open any more changes nothing.

        It is saved with the next boundary: an advisory whose taking was lost is offered again under its own id.
        """
        offer = unconfirmed(self.state)
        if offer is None or offer.id != identity:
            return
        notes = [self.state.notes[key] for key in offer.notes if key in self.state.notes]
        self.state = ledger.taken(self.state)
        self.runtime.emit(
            NoteSent(session=self.state.id, reviewer=name, severity=note.severity, note=note.id)
            for note in notes
            for name in note.reviewers
        )

    def guidance(self) -> Guidance:
        """Return the guidance of the boundary last settled, the same however often it is asked for."""
        settled = self.state.settled
        if settled is None:
            return Guidance(turn=self.state.turn)
        return Guidance(
            turn=settled.turn,
            advisory=self._handed(settled.advisory),
            reopen=settled.reopen,
            result=settled.result,
            verdict=settled.verdict,
            progress=settled.progress,
            outcomes=settled.calls,
            skips=settled.skips,
            unsent=settled.unsent,
            on_taken=lambda: self.take(settled.advisory),
        )

    def _handed(self, identity: str | None) -> Advisory | None:
        offer = self.state.offer
        if identity is None or offer is None or offer.id != identity:
            return None
        notes = [self.state.notes[key] for key in offer.notes if key in self.state.notes]
        return advisory(self.state.nonce, offer.id, notes, finish=offer.finish)

    def _first_words(self, messages: Sequence[object]) -> str:
        texts = (human_text(raw) for raw in messages[:_FIRST_MESSAGES])
        return next((text for text in texts if text and not is_ours(self.state.nonce, text)), "")
