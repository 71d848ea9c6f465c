"""Answers of a model, and how they are read."""

from __future__ import annotations

import json

from foureyes.core.facts import Note, Reply, Usage
from foureyes.core.words import Severity
from foureyes_reviewers.model.reading import read

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER
USED = Usage(input_tokens=500, output_tokens=12)
LOSS = {"severity": "blocker", "text": "drops table without backup"}
VERDICT = json.dumps({"notes": [LOSS], "resolved": []})
EXAMPLE = '{"notes": [{"severity": "nit", "text": "example"}]}'
LOSS_NOTE = Note(text="drops table without backup", severity=BLOCKER)


def reply(text: str, finish_reason: str | None = "stop") -> Reply:
    """Return the reply in the text, of a model that used tokens."""
    return read(text, USED, finish_reason)


def texts(text: str, finish_reason: str | None = "stop") -> list[str]:
    """Return the texts of the notes in the text."""
    return [note.text for note in reply(text, finish_reason).notes]


def notes_with(*entries: object) -> str:
    """Return a reply with these entries."""
    return json.dumps({"notes": entries, "resolved": []})
