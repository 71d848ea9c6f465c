"""A stream of labelled notes through one session, a note a review: what is genuine passes, and the rest does not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from foureyes.core.facts import Note
from foureyes.core.guard import Judged
from foureyes.core.words import Disposition, Severity

from .guarded import Watched, reviews

pytestmark = [pytest.mark.anyio, pytest.mark.shared]

GENUINE = ("genuine", "escalation")


class Line(NamedTuple):
    """One note of the stream, and what became of it."""

    id: str
    label: str
    hard: bool
    judged: Judged

    @property
    def suppressed(self) -> bool:
        return self.judged.disposition is not Disposition.ADMITTED


def noted(line: Mapping[str, Any]) -> Note:
    """Return the note as a reviewer with a schema writes it: remarks about the review declare their subject."""
    subject = "review" if line["label"] == "meta" else "work"
    return Note(text=line["note"], severity=Severity(line["severity"]), subject=subject)


async def streamed(shared: Path) -> tuple[list[Line], Watched]:
    rows = [json.loads(row) for row in (shared / "cases" / "notes-stream.jsonl").read_text("utf-8").splitlines()]
    saw = await reviews([[noted(row)] for row in rows])
    assert len(saw.judged) == len(rows) > 150, "every note was heard: nobody was muted on the way"
    lines = zip(rows, saw.judged, strict=True)
    return [Line(row["id"], row["label"], "[hard]" in row["why"], judged) for row, judged in lines], saw


async def test_no_finding_and_no_rise_in_severity_is_suppressed_or_held(shared: Path) -> None:
    lines, _ = await streamed(shared)
    genuine = [line for line in lines if line.label in GENUINE]
    assert len(genuine) > 60
    assert [(line.id, line.judged.explain()) for line in genuine if line.suppressed] == []


async def test_all_noise_is_suppressed(shared: Path) -> None:
    lines, _ = await streamed(shared)
    passed = [line.id for line in lines if line.label == "noise" and not line.suppressed]
    assert passed == []


async def test_every_duplicate_that_is_not_hard_is_suppressed(shared: Path) -> None:
    lines, _ = await streamed(shared)
    repeats = [line for line in lines if line.label.startswith("duplicate") and not line.hard]
    assert len(repeats) > 30
    assert [line.id for line in repeats if not line.suppressed] == []


async def test_every_remark_about_the_review_is_suppressed_where_its_subject_is_declared(shared: Path) -> None:
    lines, _ = await streamed(shared)
    remarks = [line.judged.disposition for line in lines if line.label == "meta"]
    assert set(remarks) == {Disposition.ABOUT_REVIEWER}


async def test_what_is_genuine_has_been_read_by_the_agent_or_is_listed_in_the_end(shared: Path) -> None:
    lines, saw = await streamed(shared)
    seen = [text for texts in saw.read for text in texts] + saw.listed
    assert sorted(seen) == sorted(line.judged.note.text for line in lines if line.judged.record is not None)


async def test_the_hard_ones_lose_nothing(shared: Path) -> None:
    """Paraphrases may pass, be flagged or be held; what only looks like one may not be held. Printed with ``-rP``."""
    lines, _ = await streamed(shared)
    hard = [line for line in lines if line.hard]
    for line in hard:
        print(f"{line.id} ({line.label}): {line.judged.explain()}")
    allowed = {Disposition.ADMITTED, Disposition.HELD_SIMILAR, Disposition.DUPLICATE}
    assert {line.judged.disposition for line in hard} <= allowed
    assert [line.id for line in hard if line.label in GENUINE and line.suppressed] == []
