"""The host's own record of notes: told once a review, of what was sent and of what was not, and never in the way."""

from __future__ import annotations

from typing import Any

import pytest

from foureyes.core.guard import Judged, Limits
from foureyes.core.words import Disposition, Severity
from foureyes.telemetry.events import BoundarySettled, SinkFailed
from foureyes.testing import RecordingSink, note, run_turns

from .shell import answering, every_turn, reviewer, scripted, session_of, texts, transcript

pytestmark = pytest.mark.anyio

NIT = note("Rename it.", Severity.NIT)
CONCERN = note("The lock is kept.")
OTHER = note("The file is read twice.")


class Record:
    """A host's record."""

    def __init__(self) -> None:
        self.told: list[tuple[str, list[str], bool]] = []
        self.judged: list[Judged] = []

    def __call__(self, reviewer: str, notes: tuple[Judged, ...], sent: bool) -> None:
        """Keep what was told."""
        self.told.append((reviewer, [one.note.text for one in notes], sent))
        self.judged += notes


async def test_a_review_that_was_handed_over_is_told_as_sent_with_all_its_notes() -> None:
    record = Record()
    async with session_of(every_turn(scripted([NIT, CONCERN])), on_notes=record) as session:
        await session.boundary(transcript())
    assert record.told == [("one", [NIT.text, CONCERN.text], True)]


async def test_a_nit_alone_is_told_as_not_sent() -> None:
    record = Record()
    async with session_of(reviewer(scripted(NIT)), on_notes=record) as session:
        await session.finish(answering("done"), answer="done")
    assert record.told == [("one", [NIT.text], False)]


async def test_what_has_to_wait_is_told_apart_from_what_was_sent() -> None:
    record = Record()
    config = every_turn(scripted([CONCERN, OTHER]))
    async with session_of(config, on_notes=record, limits=Limits(notes_per_boundary=1)) as session:
        await session.boundary(transcript())
    assert record.told == [("one", [CONCERN.text], True), ("one", [OTHER.text], False)]


async def test_each_reviewer_is_told_by_its_name_and_a_common_note_for_both() -> None:
    record = Record()
    configs = [every_turn(scripted([CONCERN]), "alpha"), every_turn(scripted([CONCERN, OTHER]), "beta")]
    async with session_of(*configs, on_notes=record) as session:
        await session.boundary(transcript())
    assert record.told == [("alpha", [CONCERN.text], True), ("beta", [CONCERN.text, OTHER.text], True)]


async def test_notes_below_the_floor_are_for_the_host() -> None:
    record = Record()
    async with session_of(every_turn(scripted([NIT]), guard={"min_severity": "concern"}), on_notes=record) as session:
        await session.boundary(transcript())
    assert record.told == [("one", [NIT.text], False)]
    assert [one.disposition for one in record.judged] == [Disposition.RECORDED]


@pytest.mark.parametrize("said", [[], [note("LGTM")], [note("")]])
async def test_where_nothing_is_left_nothing_is_told(said: list[Any]) -> None:
    record = Record()
    async with session_of(every_turn(scripted(said)), on_notes=record) as session:
        await session.boundary(transcript())
    assert record.told == []


async def test_a_repeat_is_told_once() -> None:
    record = Record()
    async with session_of(every_turn(scripted(CONCERN, CONCERN)), on_notes=record) as session:
        await run_turns(session, 2)
    assert record.told == [("one", [CONCERN.text], True)]


async def test_a_hook_that_fails_hurts_nobody_and_is_told() -> None:
    def fails(reviewer: str, notes: tuple[Judged, ...], sent: bool) -> None:
        raise RuntimeError("the database is gone")

    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN, OTHER)), on_notes=fails, sinks=[sink]) as session:
        guidances = await run_turns(session, 2)
    assert [texts(guidance) for guidance in guidances] == [[CONCERN.text], [OTHER.text]]
    assert [(event.sink, event.error) for event in sink.of(SinkFailed)] == [
        ("on_notes", "RuntimeError: the database is gone")
    ] * 2
    assert len(sink.of(BoundarySettled)) == 2


async def test_what_exceeds_a_review_s_notes_is_neither_told_nor_listed_and_may_be_read_in_the_guidance() -> None:
    record = Record()
    config = reviewer(scripted([NIT, CONCERN, OTHER]), guard={"max_notes": 2}, max_rounds=1)
    async with session_of(config, on_notes=record, limits=Limits(notes_per_boundary=1)) as session:
        first = await session.finish(answering("done"), answer="done")
        ended = await session.finish(answering("done again", 2), answer="done again")
    assert record.told == [("one", [CONCERN.text], True), ("one", [OTHER.text], False)]
    assert {left.text for left in ended.unsent} == {CONCERN.text, OTHER.text}
    assert [one.note.text for one in first.judged if one.disposition is Disposition.OVER_REVIEW] == [NIT.text]
