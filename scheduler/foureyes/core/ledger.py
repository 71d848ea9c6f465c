"""The only functions that change a session's state. Each takes a state and returns the next; none looks outside.

What has to be written to a store is not tracked beside the changes but derived from them, by
:class:`foureyes.core.changes.Changes`: two records of one truth would drift apart.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, replace
from typing import Any

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Outcome
from foureyes.core.frozen import altered
from foureyes.core.guard import Guarded
from foureyes.core.history import History
from foureyes.core.progress import begun, drawn_back, ended, refilled, refund
from foureyes.core.schedule import Call
from foureyes.core.state import (
    Closed,
    NoteRecord,
    NoteStatus,
    Offer,
    ReviewerState,
    SessionState,
    Settled,
)
from foureyes.core.text import Redact, clean, cut_redacted, unredacted
from foureyes.core.words import FinishResult, Verdict

__all__ = [
    "aborted",
    "closed",
    "compacted",
    "fitted",
    "is_new_request",
    "is_request",
    "listed",
    "moved",
    "new_request",
    "noted",
    "offered",
    "reported",
    "requeued",
    "resumed",
    "revised",
    "rewound",
    "settled",
    "started",
    "taken",
]

MAX_REQUEST_CHARS = 8_000
"""Of the original request, kept in the state; a longer one is cut in the middle."""
MAX_UNSAID = 256
"""Notes that are known to have been withdrawn unsaid; an older one counts as said if it is raised again."""
MAX_LEFT_OVER = 512
"""Notes of requests that ended without a finish, kept for listing them at the next one: as many as of one request."""
MAX_SHOWN = 32
"""Sent notes kept per reviewer, newest first to stay. 32 as in the reference."""


def fitted(state: SessionState, configs: Sequence[ReviewerConfig]) -> SessionState:
    """Return the state with a record for every configured reviewer, its history at the configured capacity."""
    reviewers = dict(state.reviewers)
    for config in configs:
        progress = reviewers.get(config.name)
        if progress is None:
            history = History(capacity=config.guard.history)
            reviewers[config.name] = ReviewerState(name=config.name, history=history)
        elif progress.history.capacity != config.guard.history:
            reviewers[config.name] = altered(progress, history=progress.history.resized(config.guard.history))
    return altered(state, reviewers=reviewers)


def moved(state: SessionState, turn: int) -> SessionState:
    """Return the state after a quiet boundary, under the next revision: the turn has moved, and nothing else."""
    return altered(state, turn=turn, settled=None, revision=state.revision + 1)


def new_request(state: SessionState, text: str, redact: Redact = unredacted) -> SessionState:
    """Return the state at the start of a request: both allowances of every reviewer are full again.

    Mutes end. Notes of the request before that were not sent (where it ended without a finish, which lists them) are
    for the host alone from now on, and listed at the next finish, the newest 512. An advisory that the host was given
    is not offered again, and may still be confirmed. Turn counts, last reviews, cooldowns, streaks and the memory of
    what was said stay.
    """
    reviewers = {name: refilled(progress) for name, progress in state.reviewers.items()}
    return altered(
        _left_over(state),
        request=state.request + 1,
        request_text=_bounded(text, redact),
        closed=None,
        reopens=0,
        admitted=0,
        reviewers=reviewers,
    )


def is_new_request(state: SessionState, text: str, redact: Redact = unredacted) -> bool:
    """Tell whether this text starts a request: another one is over, there was none, or it has another text."""
    return state.request == 0 or state.closed is not None or not is_request(state, text, redact)


def is_request(state: SessionState, text: str, redact: Redact = unredacted) -> bool:
    """Tell whether this is the text with which the state's request began."""
    return _bounded(text, redact) == state.request_text


def resumed(state: SessionState, turn: int, request: str) -> SessionState:
    """Return a state that was read late, once the session has gone on without it to a turn and perhaps a request."""
    state = altered(state, turn=max(state.turn, turn), settled=None if turn > state.turn else state.settled)
    return new_request(state, request) if request and is_new_request(state, request) else state


def started(state: SessionState, calls: Iterable[Call]) -> SessionState:
    """Return the state in which these reviews are charged and under way.

    A repeated review is not charged again. The turn does not move before the reviews are settled.
    """
    return _changed(state, [begun(state.reviewer(call.reviewer), call) for call in calls])


def reported(
    state: SessionState,
    outcomes: Sequence[Outcome],
    configs: Sequence[ReviewerConfig],
    *,
    turn: int,
    read: int,
    read_mark: int = 0,
    paused: Collection[str] = (),
) -> SessionState:
    """Return the state once these reviews have ended.

    A failure starts the reviewer's cooldown and lengthens its streak, a completed review ends both, and a
    cancelled or stale one is refunded: the reviewer is due again as if it had not been called. One that a crash
    interrupted for good keeps its charge and is no failure.
    ``read`` is the length of the reviewed transcript, ``read_mark`` a digest of its last message; ``paused`` names
    the reviewers that are paused in this process, which is only noted down.
    """
    cooldowns = {config.name: config.cooldown_turns for config in configs}
    reviewers = []
    for outcome in outcomes:
        name = outcome.reviewer
        progress = state.reviewer(name)
        fields = ended(progress, outcome, turn, cooldowns.get(name, 0), read)
        if "read" in fields:
            fields["read_mark"] = read_mark
        reviewers.append(altered(progress, paused=name in paused, **fields))
    return _changed(state, reviewers)


def noted(state: SessionState, guarded: Guarded) -> SessionState:
    """Return the state with the guard's admitted notes in the queue and remembered."""
    if not guarded.judged:
        return state
    ranks = guarded.raised.items()
    progress = {name: altered(state.reviewer(name), raised=rank, **_counted(guarded, name)) for name, rank in ranks}
    for name, history in guarded.histories.items():
        progress[name] = altered(progress.get(name) or state.reviewer(name), history=history)
    return altered(
        _changed(state, progress.values()),
        notes={**state.notes, **{record.id: record for record in guarded.records}},
        serial=state.serial + len(guarded.records),
        admitted=state.admitted + sum(not record.host_only for record in guarded.records),
    )


def _counted(guarded: Guarded, name: str) -> dict[str, Any]:
    run = guarded.runs.get(name)
    counts = {} if run is None else asdict(run)
    return counts | ({"muted": True} if any(mute.reviewer == name for mute in guarded.muted) else {})


def offered(state: SessionState, offer: Offer) -> SessionState:
    """Return the state in which these notes are handed over; a finish that hands over counts as re-opened.

    An offer that is made again under its own id changes nothing.
    """
    if state.offer is not None and state.offer.id == offer.id:
        return state
    return altered(
        _marked(state, offer.notes, NoteStatus.HANDED_OVER),
        offer=offer,
        offers=state.offers + 1,
        reopens=state.reopens + offer.finish,
    )


def requeued(state: SessionState) -> SessionState:
    """Return the state in which the notes of an unconfirmed offer wait in the queue again."""
    if state.offer is None or state.offer.taken:
        return state
    return altered(_marked(state, state.offer.notes, NoteStatus.QUEUED), offer=replace(state.offer, taken=True))


def revised(state: SessionState, revision: int) -> SessionState:
    """Return the state under the revision with which it is saved."""
    return altered(state, revision=revision)


def taken(state: SessionState) -> SessionState:
    """Return the state once the host has the advisory: its notes are sent. Nothing changes without an open offer."""
    if state.offer is None or state.offer.taken:
        return state
    after = _marked(state, state.offer.notes, NoteStatus.SENT)
    return altered(_trimmed(after), offer=replace(state.offer, taken=True))


def listed(state: SessionState) -> SessionState:
    """Return the state once the host has been told of every note that was not sent: they leave the queue."""
    return _withdrawn(state)


def closed(state: SessionState, at: Closed) -> SessionState:
    """Return the state of an ended request: nothing is offered until the human speaks."""
    return altered(state, closed=at)


def settled(state: SessionState, what: Settled) -> SessionState:
    """Return the state in which the turn has moved and asking again gives the same answer."""
    return altered(state, turn=what.turn, settled=what)


def aborted(state: SessionState, at: Closed) -> SessionState:
    """Return the state after the user stopped the run: reviews refunded, quiet until they speak.

    Nothing waits for the agent any more: notes that were not sent are for the host alone, listed at the next finish.
    """
    refunded = [altered(progress, **refund(progress)) for progress in state.reviewers.values() if progress.started]
    return closed(_left_over(_changed(state, refunded)), at)


def rewound(state: SessionState, turn: int) -> SessionState:
    """Return the state after the transcript was cut back to a turn; a later turn changes nothing.

    Last reviews and cooldowns that lie in the removed future are drawn back to the turn, notes raised in it that
    were not sent are withdrawn, and the memory of what was said is kept. Charges stay.
    """
    if turn >= state.turn:
        return state
    state = requeued(state)
    notes = {key: note for key, note in state.notes.items() if note.turn <= turn or note.status is NoteStatus.SENT}
    offer = state.offer if state.offer and state.offer.taken else None
    after = altered(
        state,
        notes=notes,
        unsaid=_unsaid(state, notes),
        offer=offer,
        turn=turn,
        settled=None,
        closed=None,
        compacted_at=min(state.compacted_at, turn),
    )
    return _changed(after, [drawn_back(progress, turn) for progress in state.reviewers.values()])


def compacted(state: SessionState) -> SessionState:
    """Return the state after the host rewrote the transcript.

    Every reviewer may say again what the agent no longer sees; quotas, cooldowns, and what was sent stay.
    """
    return _changed(
        altered(state, compacted_at=state.turn),
        [
            altered(progress, history=History(capacity=progress.history.capacity), read=0, read_mark=0, held=0)
            for progress in state.reviewers.values()
        ],
    )


def _bounded(text: str, redact: Redact) -> str:
    return clean(cut_redacted(text.strip(), MAX_REQUEST_CHARS, redact))


def _changed(state: SessionState, reviewers: Iterable[ReviewerState]) -> SessionState:
    after = dict(state.reviewers)
    for progress in reviewers:
        after[progress.name] = progress
    return altered(state, reviewers=after)


def _marked(state: SessionState, identities: Iterable[str], status: NoteStatus) -> SessionState:
    notes = dict(state.notes)
    for identity in identities:
        note = notes[identity]
        notes[identity] = replace(note, status=status, host_only=note.host_only and status is not NoteStatus.SENT)
    return altered(state, notes=notes)


def _withdrawn(state: SessionState) -> SessionState:
    notes = {key: note for key, note in state.notes.items() if note.status is NoteStatus.SENT}
    offer = state.offer if state.offer is None or state.offer.taken else None
    unsaid = _unsaid(state, notes)
    return altered(state, notes=notes, unsaid=unsaid, offer=offer, settled=_recalled(state.settled))


def _left_over(state: SessionState) -> SessionState:
    # The host may have taken what it was given, and only not have said so yet: the offer stays open for that.
    waiting = frozenset(note.id for note in _unsent(state)[-MAX_LEFT_OVER:])
    kept = {key: note for key, note in state.notes.items() if note.status is NoteStatus.SENT or key in waiting}
    notes = {key: replace(note, host_only=True) if key in waiting else note for key, note in kept.items()}
    offer = state.offer
    stays = offer is not None and (offer.taken or kept.keys() >= set(offer.notes))
    return altered(_withdrawn(state), notes=notes, offer=offer if stays else None)


def _unsent(state: SessionState) -> tuple[NoteRecord, ...]:
    return state.with_status(NoteStatus.QUEUED, NoteStatus.HANDED_OVER)


def _unsaid(state: SessionState, kept: Collection[str]) -> tuple[str, ...]:
    # What is for the host only was never remembered as said, and what was handed over may well have been read.
    queued = state.with_status(NoteStatus.QUEUED)
    gone = [note.id for note in queued if note.id not in kept and not note.host_only]
    return (*state.unsaid, *gone)[-MAX_UNSAID:] if gone else state.unsaid


def _recalled(settled: Settled | None) -> Settled | None:
    # Asked for again, the last boundary must neither offer what was withdrawn nor let the run go on for its sake.
    if settled is None or settled.advisory is None:
        return settled
    end = (FinishResult.ABORTED, Verdict.UNREVIEWED) if settled.finish else (None, None)
    return replace(settled, advisory=None, reopen=False, progress="", result=end[0], verdict=end[1])


def _trimmed(state: SessionState) -> SessionState:
    room: dict[str, int] = {}
    kept: list[NoteRecord] = []
    for note in reversed(tuple(state.notes.values())):
        if note.status is NoteStatus.SENT:
            for name in note.reviewers:
                room[name] = room.get(name, 0) + 1
            if all(room[name] > MAX_SHOWN for name in note.reviewers):
                continue
        kept.append(note)
    return altered(state, notes={note.id: note for note in reversed(kept)})
