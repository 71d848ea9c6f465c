"""What the emission guard costs for a note: as much with a long history as with a short one."""

from __future__ import annotations

from dataclasses import replace

import pytest

from foureyes.core.config import GuardConfig, ReviewerConfig
from foureyes.core.facts import Note
from foureyes.core.guard import Limits, Raised, admitted
from foureyes.core.history import Entry, History
from foureyes.core.ledger import fitted
from foureyes.core.state import NoteRecord, NoteStatus, SessionState
from foureyes.core.words import Severity, Trigger

from .ratios import ratio

pytestmark = pytest.mark.benchmark

CONFIG = ReviewerConfig(name="one", use="checks", guard=GuardConfig(max_notes=32))
LIMITS = Limits(notes_per_boundary=1_000_000, notes_per_request=1_000_000)
SUBJECTS = "lock index cache token query schema header socket buffer cursor pool log queue batch label sheet"
FAULTS = "leaks doubles drifts hangs overflows expires repeats vanishes"
SAID = [
    f"The {subject} {fault} after the restart of service {subject[0]}."
    for subject in SUBJECTS.split()
    for fault in FAULTS.split()
]
NEW = {
    "short": "The retry loop never sleeps.",
    "300": "The migration drops a column that the report still reads. " * 5,
    "2,000": "Two threads write to the same temporary file without a lock. " * 33,
    "not Latin": "Нет проверки ошибки после вызова save(): при сбое данные теряются.",
}


def state(remembered: int, told: int = 128) -> SessionState:
    """Return a state whose history remembers so many keys, and that keeps so many sent notes."""
    history = History(capacity=4_096)
    for key in range(remembered):
        history = history.remembered(Entry(key * 2_654_435_761 % 2**62, 2, f"n{key}"))
    notes = {
        f"n{place}": NoteRecord(
            id=f"n{place}",
            reviewers=("one",),
            severity=Severity.CONCERN,
            text=text,
            turn=1,
            request=1,
            trigger=Trigger.PERIODIC,
            status=NoteStatus.SENT,
        )
        for place, text in enumerate(SAID[:told], start=1)
    }
    before = SessionState(id="s", nonce="0" * 32, request=1, serial=5_000, notes=notes)
    after = fitted(before, [CONFIG])
    return replace(after, reviewers={"one": replace(after.reviewers["one"], history=history)})


@pytest.mark.parametrize("kind", NEW)
def test_a_note_costs_as_much_with_4096_remembered_keys_as_with_32(kind: str) -> None:
    note = Note(text=NEW[kind], severity=Severity.CONCERN)
    raised = [Raised(reviewer="one", trigger=Trigger.PERIODIC, notes=(note,))]
    long, short = state(4_096), state(32)
    found = ratio(
        lambda: admitted([CONFIG], long, raised, 2, LIMITS), lambda: admitted([CONFIG], short, raised, 2, LIMITS)
    )
    print(f"{kind}: {found:.2f} times the cost (limit 1.3)")
    assert found <= 1.3
