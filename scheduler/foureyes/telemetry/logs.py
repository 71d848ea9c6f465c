"""Events as log records: a sentence for people, and the same facts as fields for machines.

Every record carries ``action``, the word that events and dashboards use, and the event's facts as further fields.
Failures are warnings, a reply with unreadable notes or severities among them; skips, saves and single notes are only
for debugging, and so is a note's text.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import fields, is_dataclass
from typing import Any, TypeAlias

from foureyes.core.words import FAILURES
from foureyes.telemetry.events import (
    BoundarySettled,
    Checkpointed,
    CheckpointFailed,
    Event,
    FellBack,
    FinishSettled,
    LeftoverChanged,
    LoopFrozen,
    NoteJudged,
    NoteSent,
    QuotaExhausted,
    ReviewerMuted,
    ReviewerPaused,
    ReviewerResumed,
    ReviewSettled,
    ReviewSkipped,
    SinkFailed,
)

__all__ = ["LogSink", "in_one_line"]

_Fact: TypeAlias = str | int | float
_LOGGER = logging.getLogger("foureyes")


class LogSink:
    """Writes one record for each event to a standard logger; whether and where it is seen is the host's choice.

    Characters that could end a line or steer a terminal are escaped, in the sentence and in the fields, so no text
    from outside can pass for a record of its own. The text of a note is only ever in DEBUG records.
    """

    def __init__(self, logger: logging.Logger = _LOGGER, *, least: int = logging.DEBUG) -> None:
        """Write to the logger, but nothing below the level ``least``."""
        self._logger, self._least = logger, least

    def emit(self, event: Event) -> None:
        """Write the record of one event, unless the logger is not interested in its level."""
        level = _level(event)
        if level >= self._least and self._logger.isEnabledFor(level):
            used = _facts(event.usage) if isinstance(event, ReviewSettled) else {}
            extra = {"action": event.action, **_facts(event), **used}
            self._logger.log(level, in_one_line(_SENTENCES[type(event)](event)), extra=extra)

    def quiet(self, finish: bool) -> None:
        """Write nothing: a boundary at which nobody was due is no news."""


def _level(event: Event) -> int:
    if isinstance(event, ReviewSkipped | NoteJudged):
        return logging.DEBUG
    if isinstance(event, CheckpointFailed | LoopFrozen | ReviewerMuted | ReviewerPaused | SinkFailed):
        return logging.WARNING
    if isinstance(event, Checkpointed):
        return logging.DEBUG
    if isinstance(event, ReviewSettled):
        odd = event.outcome in FAILURES or event.malformed > 0 or event.unknown_severities > 0
        return logging.WARNING if odd else logging.INFO
    return logging.INFO


def _facts(value: Any) -> dict[str, _Fact]:
    # A part such as the usage gives its own fields: flat names are what log stores can search.
    facts: dict[str, _Fact] = {}
    for field in fields(value):
        fact = getattr(value, field.name)
        if is_dataclass(fact):
            facts |= _facts(fact)
        elif isinstance(fact, str):
            facts |= {field.name: in_one_line(str(fact))} if fact else {}
        elif fact is not None and not isinstance(fact, tuple):
            facts[field.name] = fact
    return facts


def in_one_line(text: str) -> str:
    """Return the text with everything escaped that could end a line or steer a terminal."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


def _review_settled(event: ReviewSettled) -> str:
    why = f": {event.error}" if event.error else ""
    if event.malformed:
        why += f", {_count(event.malformed, 'note')} could not be read"
    if event.unknown_severities:
        why += f", {_count(event.unknown_severities, 'note')} of unknown severity taken for nits"
    review = f"{event.trigger} review by {event.reviewer} after turn {event.turn} of session {event.session}"
    return f"{review} ended as {event.outcome} in {event.seconds:.3f} s, {_count(event.attempts, 'call')}{why}"


def _review_skipped(event: ReviewSkipped) -> str:
    numbers = "" if event.limit is None else f" (have {event.have}, limit {event.limit})"
    review = f"{event.trigger} review by {event.reviewer} after turn {event.turn} of session {event.session}"
    return f"{review} was skipped: {event.reason}{numbers}"


def _fell_back(event: FellBack) -> str:
    hop = event.hop
    went = f"{event.reviewer} went on with {hop.target} instead of {hop.source}"
    return f"{went} after turn {event.turn} of session {event.session}: {hop.reason}"


def _note_judged(event: NoteJudged) -> str:
    note = f"{event.severity} by {event.reviewer} after turn {event.turn} of session {event.session}"
    like = f", similar to {event.similar}" if event.similar else ""
    return f"{note} was judged {event.disposition}{like}" + (f": {event.text}" if event.text else "")


def _note_sent(event: NoteSent) -> str:
    return f"the agent of session {event.session} was sent {event.severity} {event.note} by {event.reviewer}"


def _quota_exhausted(event: QuotaExhausted) -> str:
    return f"{event.reviewer} has no {event.trigger} review left in this request of session {event.session}"


def _reviewer_muted(event: ReviewerMuted) -> str:
    run = f"{event.have} notes in a row, limit {event.limit} ({event.reason})"
    return f"{event.reviewer} is muted for the rest of this request of session {event.session}: {run}"


def _reviewer_paused(event: ReviewerPaused) -> str:
    time = "" if event.seconds is None else f" for {event.seconds:.0f} s"
    last = ": ".join(filter(None, (event.outcome, event.error)))
    paused = f"{event.reviewer} is paused in this process{time}"
    if event.told:
        return f"{paused}: {last}"
    row = f"{paused} after {_count(event.failures, 'failed review')} in a row"
    return f"{row}, the last one: {last}" if last else row


def _loop_frozen(event: LoopFrozen) -> str:
    stood = f"the event loop stood still for {event.seconds:.1f} s after turn {event.turn} of session {event.session}"
    return f"{stood}: one of {event.reviewers} may block it; give blocking work to a plain function"


def _reviewer_resumed(event: ReviewerResumed) -> str:
    return f"{event.reviewer} is consulted again"


def _leftover_changed(event: LeftoverChanged) -> str:
    return f"{event.reviewer} has {_count(event.running, 'given-up review')} still running"


def _boundary_settled(event: BoundarySettled) -> str:
    kind = "finish" if event.finish else "boundary"
    advice = f"advisory {event.advisory} was handed over" if event.advisory else "nothing was handed over"
    return f"{kind} after turn {event.turn} of session {event.session} took {event.seconds:.3f} s, {advice}"


def _finish_settled(event: FinishSettled) -> str:
    left = f", {_count(event.unsent, 'note')} not sent" if event.unsent else ""
    return f"finish after turn {event.turn} of session {event.session} is {event.result}, {event.verdict}{left}"


def _checkpointed(event: Checkpointed) -> str:
    return f"the state of session {event.session} was saved in {event.seconds:.4f} s"


def _checkpoint_failed(event: CheckpointFailed) -> str:
    return f"the store failed{_for(event.session)}: {event.error}"


def _sink_failed(event: SinkFailed) -> str:
    return f"{event.sink} failed{_for(event.session)}: {event.error}"


def _for(session: str) -> str:
    return f" for session {session}" if session else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


_SENTENCES: dict[type, Callable[[Any], str]] = {
    ReviewSettled: _review_settled,
    ReviewSkipped: _review_skipped,
    FellBack: _fell_back,
    NoteJudged: _note_judged,
    NoteSent: _note_sent,
    QuotaExhausted: _quota_exhausted,
    ReviewerMuted: _reviewer_muted,
    LoopFrozen: _loop_frozen,
    ReviewerPaused: _reviewer_paused,
    ReviewerResumed: _reviewer_resumed,
    LeftoverChanged: _leftover_changed,
    BoundarySettled: _boundary_settled,
    FinishSettled: _finish_settled,
    Checkpointed: _checkpointed,
    CheckpointFailed: _checkpoint_failed,
    SinkFailed: _sink_failed,
}
