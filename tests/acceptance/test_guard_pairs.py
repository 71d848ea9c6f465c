"""Labelled pairs of notes through the guard itself: two findings are never taken for one."""

from __future__ import annotations

import pytest
from tests.pairs.pairs import Pair, load

from foureyes.core.config import GuardConfig, ReviewerConfig
from foureyes.core.facts import Anchor, Note
from foureyes.core.guard import Guarded, Limits, Raised, admitted
from foureyes.core.ledger import fitted, noted
from foureyes.core.state import SessionState
from foureyes.core.words import Disposition, Severity, Trigger

CONFIGS = [ReviewerConfig(name=name, use="checks", guard=GuardConfig(max_notes=32)) for name in ("one", "two")]
LIMITS = Limits(notes_per_boundary=1_000_000, notes_per_request=1_000_000)
DIFFERENT = [pair for pair in load() if not pair.same]


def heard(state: SessionState, turn: int, **notes: Note) -> tuple[SessionState, Guarded]:
    """Return the state after one note of each of these reviewers, and what became of them."""
    raised = [Raised(reviewer=name, trigger=Trigger.PERIODIC, notes=(note,)) for name, note in notes.items()]
    guarded = admitted(CONFIGS, state, raised, turn, LIMITS)
    return noted(state, guarded), guarded


def note(text: str, key: str | None, anchor: str | None) -> Note:
    where = Anchor(path=anchor) if anchor else None
    return Note(text=text, severity=Severity.CONCERN, key=key, anchor=where)


def both(pair: Pair) -> tuple[Note, Note]:
    """Return the two notes of the pair, as they were declared."""
    first = note(pair.first, pair.first_key, pair.first_anchor)
    return first, note(pair.second, pair.second_key, pair.second_anchor)


@pytest.mark.parametrize("turned", [False, True], ids=["as written", "turned round"])
def test_a_second_finding_in_nearly_the_same_words_is_never_dropped(turned: bool) -> None:
    lost = []
    for pair in DIFFERENT:
        first, second = reversed(both(pair)) if turned else both(pair)
        state, _ = heard(fitted(SessionState(id="s", nonce="0" * 32, request=1), CONFIGS), 1, one=first)
        _, guarded = heard(state, 2, one=second)
        if [one.disposition for one in guarded.judged] != [Disposition.ADMITTED]:
            lost.append((pair.kind, pair.second, guarded.judged[0].explain()))
    assert len(DIFFERENT) > 200
    assert lost == []


def test_two_findings_of_two_reviewers_are_never_merged_not_even_at_one_place() -> None:
    here, merged = Anchor(turn=3, path="here"), []
    for pair in DIFFERENT:
        first, second = (Note(text=text, severity=Severity.CONCERN, anchor=here) for text in (pair.first, pair.second))
        _, guarded = heard(fitted(SessionState(id="s", nonce="0" * 32, request=1), CONFIGS), 1, one=first, two=second)
        if len(guarded.records) != 2:
            merged.append((pair.kind, pair.first, pair.second))
    assert merged == []
