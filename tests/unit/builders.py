"""Small builders of configurations and states, and one boundary of the pure core in one call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from foureyes.core.config import GuardConfig, ReviewerConfig
from foureyes.core.facts import Moment, Note, Outcome, Reply
from foureyes.core.guard import Guarded, Limits, Raised, admitted
from foureyes.core.ledger import fitted, noted, offered, reported, started, taken
from foureyes.core.schedule import Call, Decision, decide
from foureyes.core.state import NoteRecord, NoteStatus, Offer, ReviewerState, SessionState, Skipped
from foureyes.core.words import Disposition, OutcomeKind, Severity, SkipReason, Stop, Trigger

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER
LIMITS = Limits()
UNBOUNDED = Limits(notes_per_boundary=1_000_000, notes_per_request=1_000_000)

Answer: TypeAlias = OutcomeKind | Sequence[Note]
"""What a scripted reviewer does: notes, or an outcome without any."""


def config(name: str = "correctness", **settings: Any) -> ReviewerConfig:
    """Return a reviewer that reviews nothing; guard settings may be given beside its own."""
    guard = {key: settings.pop(key) for key in tuple(settings) if key in GuardConfig.model_fields}
    return ReviewerConfig(name=name, use="checks", guard=GuardConfig(**guard), **settings)


def fresh(*configs: ReviewerConfig, **changes: Any) -> SessionState:
    """Return the state of a session in its first request that knows these reviewers."""
    return fitted(replace(SessionState(id="s", nonce="0" * 32, request=1), **changes), configs)


def with_progress(state: SessionState, name: str, **changes: Any) -> SessionState:
    """Return the state with another progress of one reviewer."""
    return replace(state, reviewers={**state.reviewers, name: replace(state.reviewer(name), **changes)})


def progress(state: SessionState, name: str = "correctness") -> ReviewerState:
    """Return the progress of a reviewer that the state knows."""
    return state.reviewers[name]


def record(identity: str, *, turn: int = 1, status: NoteStatus = NoteStatus.QUEUED, **changes: Any) -> NoteRecord:
    """Return an admitted note."""
    facts: dict[str, Any] = {"reviewers": ("correctness",), "severity": CONCERN, "text": identity, "request": 1}
    return NoteRecord(id=identity, turn=turn, status=status, trigger=Trigger.PERIODIC, **(facts | changes))


def note(text: str, severity: Severity = CONCERN, **facts: Any) -> Note:
    """Return a note, a concern unless said otherwise."""
    return Note(text=text, severity=severity, **facts)


def moment(turn: int, stop: Stop | None = None, **facts: Any) -> Moment:
    """Return a boundary after the turn, or a finish where the agent has stopped."""
    return Moment(turn=turn, stop=stop, **facts)


@dataclass(frozen=True, kw_only=True)
class Step:
    """One boundary: what was decided, what became of the notes, and the state afterwards."""

    decision: Decision
    guarded: Guarded
    state: SessionState

    @property
    def called(self) -> list[str]:
        """Return the names of those who were called."""
        return [call.reviewer for call in self.decision.calls]

    @property
    def skipped(self) -> dict[str, SkipReason]:
        """Return why somebody was not."""
        return {skip.reviewer: skip.reason for skip in self.decision.skips}

    @property
    def texts(self) -> list[str]:
        """Return the admitted texts, strongest first."""
        return [record.text for record in self.guarded.records]


def step(
    state: SessionState,
    configs: Sequence[ReviewerConfig],
    turn: int,
    answers: Mapping[str, Answer] | None = None,
    *,
    stop: Stop | None = None,
    limits: Limits = LIMITS,
) -> Step:
    """Return one boundary, decided, charged, answered by the script and settled; quiet where it says nothing."""
    decision = decide(configs, state, moment(turn, stop))
    outcomes = [_outcome(call, (answers or {}).get(call.reviewer, OutcomeKind.QUIET)) for call in decision.calls]
    raised = [Raised(reviewer=o.reviewer, trigger=o.trigger, notes=o.reply.notes) for o in outcomes if o.kind.completed]
    after = reported(started(state, decision.calls), outcomes, configs, turn=turn, read=turn)
    guarded = admitted(configs, after, raised, turn, limits)
    return Step(decision=decision, guarded=guarded, state=replace(noted(after, guarded), turn=turn))


def _outcome(call: Call, answer: Answer) -> Outcome:
    if isinstance(answer, OutcomeKind):
        return Outcome(reviewer=call.reviewer, trigger=call.trigger, kind=answer)
    kind = OutcomeKind.NOTED if answer else OutcomeKind.QUIET
    return Outcome(reviewer=call.reviewer, trigger=call.trigger, kind=kind, reply=Reply(notes=tuple(answer)))


def judged(
    state: SessionState,
    configs: Sequence[ReviewerConfig],
    notes: Mapping[str, Sequence[Note]],
    *,
    turn: int = 1,
    limits: Limits = LIMITS,
) -> tuple[SessionState, Guarded]:
    """Return what the guard makes of the notes of one boundary, and the state with it."""
    raised = [Raised(reviewer=name, trigger=Trigger.PERIODIC, notes=tuple(said)) for name, said in notes.items()]
    guarded = admitted(configs, state, raised, turn, limits)
    return noted(state, guarded), guarded


def dispositions(guarded: Guarded, reviewer: str = "correctness") -> list[Disposition]:
    """Return what became of a reviewer's notes, in the order in which it wrote them."""
    return [one.disposition for one in guarded.judged if one.reviewer == reviewer]


def skip(reason: SkipReason, have: int | None = None, limit: int | None = None, **facts: Any) -> Skipped:
    """Return the skip of the usual reviewer at a boundary."""
    merged: dict[str, Any] = {"reviewer": "correctness", "trigger": Trigger.PERIODIC} | facts
    return Skipped(reason=reason, have=have, limit=limit, **merged)


def called_at(
    configs: list[ReviewerConfig],
    turns: range,
    answers: Mapping[int, Any] | None = None,
    state: SessionState | None = None,
) -> tuple[list[int], SessionState]:
    """Return the turns at which the first reviewer was called, and the state after the last turn."""
    state = state or fresh(*configs)
    called = []
    for turn in turns:
        here = step(state, configs, turn, {configs[0].name: (answers or {}).get(turn, OutcomeKind.QUIET)})
        called += [turn] * (configs[0].name in here.called)
        state = here.state
    return called, state


def one_by_one(notes: list[Note], state: SessionState | None = None) -> list[Disposition]:
    """Return what becomes of notes that come in a review each."""
    reviewer = config()
    state = state or fresh(reviewer)
    found = []
    for turn, said in enumerate(notes, start=1):
        state, guarded = judged(state, [reviewer], {"correctness": [said]}, turn=turn)
        found += dispositions(guarded)
    return found


def together(notes: list[Note], **settings: object) -> list[Disposition]:
    """Return what becomes of notes that come in one review of a new session."""
    reviewer = config(**settings)
    return dispositions(judged(fresh(reviewer), [reviewer], {"correctness": notes}, limits=UNBOUNDED)[1])


def sent_at_once(state: SessionState) -> SessionState:
    """Return the state in which all its notes have been handed over and taken."""
    return taken(offered(state, Offer(id="a1", turn=1, finish=False, notes=tuple(state.notes))))
