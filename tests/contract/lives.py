"""Lives of sessions: every state that the ledger and the guard can lead to, one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from hypothesis import strategies as st

from foureyes.core import ledger
from foureyes.core.changes import Changes
from foureyes.core.config import GuardConfig, ReviewerConfig
from foureyes.core.delivery import due_offer, unsent
from foureyes.core.facts import Anchor, Note, Outcome, Reply, Usage
from foureyes.core.guard import Limits, Raised, admitted
from foureyes.core.schedule import Call
from foureyes.core.state import Called, Closed, SessionState, Settled, Skipped
from foureyes.core.words import FinishResult, OutcomeKind, Severity, SkipReason, Trigger, Verdict
from foureyes.stores.base import Store

__all__ = ["Step", "born", "configs", "lived", "lives", "moved", "noted", "saved"]

Step: TypeAlias = Callable[[SessionState], Iterator[SessionState]]
"""Something that happens to a session: the states that are saved meanwhile, in order."""

LIMITS = Limits(notes_per_boundary=2, notes_per_request=6)
NAMES = ("one", "two", "three")


def configs(capacity: int = 5) -> tuple[ReviewerConfig, ...]:
    """Return three reviewers whose histories overflow soon."""
    return tuple(
        ReviewerConfig(name=name, use="checks", guard=GuardConfig(history=capacity), cooldown_turns=2) for name in NAMES
    )


def born(identity: str) -> SessionState:
    """Return the first state of a session."""
    return ledger.fitted(SessionState(id=identity, nonce="5e5510", revision=1), configs())


def lived(state: SessionState, steps: list[Step]) -> Iterator[SessionState]:
    """Yield the state after each save of a life, with its revision."""
    for step in steps:
        for after in step(state):
            state = ledger.revised(after, state.revision + 1)
            yield state


async def saved(store: Store, before: SessionState | None, after: SessionState) -> SessionState:
    """Save the state that follows one, and return it."""
    await store.save(after, Changes(before, after))
    return after


def moved(state: SessionState) -> SessionState:
    """Return the state after a quiet boundary, ready to be saved."""
    return ledger.revised(ledger.moved(state, state.turn + 1), state.revision + 1)


def noted(state: SessionState, *texts: str, name: str = "one") -> SessionState:
    """Return the state in which a reviewer's notes have been admitted, ready to be saved."""
    notes = tuple(Note(text=text, severity=Severity.CONCERN) for text in texts)
    raised = [Raised(reviewer=name, trigger=Trigger.PERIODIC, notes=notes)]
    after = ledger.noted(state, admitted(configs(), state, raised, state.turn + 1, LIMITS))
    return ledger.revised(after, state.revision + 1)


def quiet(state: SessionState, *, turns: int) -> Iterator[SessionState]:
    for _ in range(turns):
        state = ledger.moved(state, state.turn + 1)
        yield state


def reviewed(state: SessionState, *, outcomes: dict[str, Outcome], gap: int, finish: bool) -> Iterator[SessionState]:
    turn = state.turn + gap
    trigger = Trigger.FINISH if finish else Trigger.PERIODIC
    cut = [name for name, progress in state.reviewers.items() if progress.started]
    outcomes = {name: outcome for name, outcome in outcomes.items() if name not in cut} | _interrupted(cut)
    calls = [Call(reviewer=name, trigger=trigger, turn=turn, round=0, since=0) for name in outcomes if name not in cut]
    state = ledger.started(state, calls)
    yield state
    state = ledger.reported(state, list(outcomes.values()), configs(), turn=turn, read=turn * 2)
    raised = [Raised(reviewer=name, trigger=trigger, notes=o.reply.notes) for name, o in outcomes.items()]
    state = ledger.noted(state, admitted(configs(), state, raised, turn, LIMITS))
    if offer := due_offer(state, LIMITS, turn, finish=finish):
        state = ledger.offered(state, offer)
    yield ledger.settled(state, _settled(state, turn, trigger, outcomes))


def _interrupted(names: list[str]) -> dict[str, Outcome]:
    kind = OutcomeKind.INTERRUPTED
    return {name: Outcome(reviewer=name, trigger=Trigger.PERIODIC, kind=kind) for name in names}


def _settled(state: SessionState, turn: int, trigger: Trigger, outcomes: dict[str, Outcome]) -> Settled:
    finish = trigger is Trigger.FINISH
    return Settled(
        turn=turn,
        finish=finish,
        advisory=state.offer.id if state.offer else None,
        result=FinishResult.REOPENED if finish else None,
        verdict=Verdict.PENDING if finish else None,
        progress="one is quiet",
        calls=tuple(Called(reviewer=name, trigger=trigger, outcome=o.kind) for name, o in outcomes.items()),
        skips=(Skipped(reviewer="two", trigger=trigger, reason=SkipReason.CAP, have=2, limit=2),),
        unsent=unsent(state),
    )


def taken(state: SessionState) -> Iterator[SessionState]:
    yield ledger.taken(state)


def asked(state: SessionState, *, text: str) -> Iterator[SessionState]:
    yield ledger.new_request(state, text)


def closed(state: SessionState, *, aborted: bool) -> Iterator[SessionState]:
    at = Closed(messages=state.turn, humans=(2**63 - 1,), aborted=aborted)
    yield ledger.aborted(state, at) if aborted else ledger.closed(ledger.listed(state), at)


def rewound(state: SessionState, *, back: int) -> Iterator[SessionState]:
    yield ledger.rewound(state, max(0, state.turn - back))


def compacted(state: SessionState) -> Iterator[SessionState]:
    yield ledger.compacted(state)


def refitted(state: SessionState, *, capacity: int) -> Iterator[SessionState]:
    yield ledger.fitted(state, configs(capacity))


def cut_off(state: SessionState, *, name: str) -> Iterator[SessionState]:
    # The process dies during a review, and dies again where the review is repeated.
    attempt = 2 if state.reviewer(name).started else 1
    call = Call(reviewer=name, trigger=Trigger.PERIODIC, turn=state.turn + 1, round=0, since=0, attempt=attempt)
    yield ledger.started(state, [call])


def harmed(state: SessionState, *, name: str) -> Iterator[SessionState]:
    # Found damaged when it was loaded; that outlives the process.
    progress = replace(state.reviewer(name), damaged="why")
    yield replace(state, reviewers={**state.reviewers, name: progress})


_TEXTS = st.text(min_size=3, max_size=40) | st.integers(1, 40).map("the query of table {} has no bound".format)
_NOTES = st.builds(
    Note,
    text=_TEXTS,
    severity=st.sampled_from(Severity),
    key=st.none() | st.sampled_from(["leak", "race", "nul\0", "Ĳ"]),
    anchor=st.none() | st.builds(Anchor, turn=st.none() | st.integers(-1, 3), path=st.none() | st.just("a.py:3")),
)
_USAGES = st.builds(
    Usage,
    input_tokens=st.integers(0, 10**12),
    output_tokens=st.integers(0, 10**6),
    cost_usd=st.none() | st.floats(0, 100),
)


@st.composite
def _outcomes(draw: st.DrawFn) -> dict[str, Outcome]:
    found = {}
    for name in draw(st.lists(st.sampled_from(NAMES), unique=True, min_size=1)):
        notes = tuple(draw(st.lists(_NOTES, max_size=4)))
        kinds = [OutcomeKind.NOTED] if notes else [kind for kind in OutcomeKind if kind is not OutcomeKind.NOTED]
        reply = Reply(notes=notes, usage=draw(_USAGES))
        kind = draw(st.sampled_from(kinds))
        found[name] = Outcome(reviewer=name, trigger=Trigger.PERIODIC, kind=kind, reply=reply)
    return found


_REVIEWS = st.builds(
    lambda outcomes, gap, finish: partial(reviewed, outcomes=outcomes, gap=gap, finish=finish),
    _outcomes(),
    st.sampled_from([1, 1, 1, 5]),
    st.booleans(),
)
_STEPS: st.SearchStrategy[Step] = st.one_of(
    _REVIEWS,
    _REVIEWS,
    st.integers(1, 3).map(lambda turns: partial(quiet, turns=turns)),
    st.just(taken),
    st.text(max_size=20).map(lambda text: partial(asked, text=text)),
    st.booleans().map(lambda aborted: partial(closed, aborted=aborted)),
    st.integers(1, 3).map(lambda back: partial(rewound, back=back)),
    st.just(compacted),
    st.sampled_from([1, 3, 5, 70]).map(lambda capacity: partial(refitted, capacity=capacity)),
    st.sampled_from(NAMES).map(lambda name: partial(cut_off, name=name)),
    st.sampled_from(NAMES).map(lambda name: partial(harmed, name=name)),
)

lives: st.SearchStrategy[list[Step]] = st.lists(_STEPS, max_size=12)
"""What happens to a session, from its birth on."""
