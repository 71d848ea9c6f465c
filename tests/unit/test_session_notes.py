"""Notes on their way from a reviewer to the agent: what passes, what is cut, and what is said only once."""

from __future__ import annotations

from itertools import cycle, islice
from typing import Any

import pytest

from foureyes.core.guard import Limits
from foureyes.core.words import Disposition, OutcomeKind, Severity
from foureyes.telemetry.events import NoteJudged
from foureyes.testing import RecordingSink, note, run_turns

from .shell import every_turn, outcomes, scripted, session_of, texts, transcript

pytestmark = pytest.mark.anyio

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER


async def read_by_the_agent(*script: object, turns: int | None = None, **settings: Any) -> list[list[str]]:
    """Return what the agent reads, turn by turn, where a reviewer follows this script."""
    limits = Limits(notes_per_boundary=100, notes_per_request=1_000)
    async with session_of(every_turn(scripted(*script), **settings), limits=limits) as session:
        return [texts(guidance) for guidance in await run_turns(session, turns or len(script))]


async def test_a_warning_that_begins_with_a_word_of_noise_is_no_noise() -> None:
    text = "Stop: the revenue query sums a filtered and an unfiltered CTE"
    assert await read_by_the_agent(note(text, BLOCKER)) == [[text]]


async def test_words_without_content_never_reach_the_agent() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/3520: 309 notes, of which hundreds said "stop" or "done"."""
    flood = [note(text, NIT) for text in ("Stop.", "Stop", "No issue; continue.", "DONE")]
    flood.append(note("Token refresh is never awaited."))
    assert await read_by_the_agent(*[flood] * 30) == [["Token refresh is never awaited."], *[[]] * 29]


async def test_the_same_concern_in_other_clothes_is_said_once() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/3154: the same sentence after every turn."""
    spellings = [
        "Run the verification commands now.",
        "run  the verification commands now...",
        "RUN the verification commands NOW!",
    ]
    said = list(islice(cycle(spellings), 9))
    assert await read_by_the_agent(*[note(text) for text in said]) == [[spellings[0]], *[[]] * 8]


async def test_each_higher_severity_passes_once() -> None:
    """As in https://github.com/can1357/oh-my-pi/pull/11881: what became a blocker was dropped as said already."""
    climbing = [note("Verify the join.", level) for level in (CONCERN, CONCERN, BLOCKER, BLOCKER, CONCERN)]
    assert await read_by_the_agent(*climbing) == [["Verify the join."], [], ["Verify the join."], [], []]


async def test_a_nit_that_becomes_a_concern_is_told_then() -> None:
    climbing = [note("Verify the join.", NIT), note("verify the join!", NIT), note("Verify the join.", CONCERN)]
    told = await read_by_the_agent(*climbing)
    assert told[:2] == [[], []]
    assert "Verify the join." in told[2]


@pytest.mark.parametrize(
    ("text", "limit", "read"),
    [
        ("ê" * 2_500, 2_000, "ê" * 2_000),
        ("ê" * 2_000, 2_000, "ê" * 2_000),
        ("  " + "a" * 499 + chr(0x1D400) + "extra", 500, "a" * 499 + chr(0x1D400)),
    ],
    ids=["over", "equal", "beyond the basic plane"],
)
async def test_a_long_note_is_cut_by_characters_and_never_refused(text: str, limit: int, read: str) -> None:
    assert await read_by_the_agent(note(text), guard={"max_note_chars": limit}) == [[read]]


async def test_of_twelve_notes_the_first_ten_are_read_where_ten_are_allowed() -> None:
    subjects = [
        "lock",
        "index",
        "cache",
        "token",
        "query",
        "schema",
        "header",
        "socket",
        "buffer",
        "cursor",
        "pool",
        "log",
    ]
    notes = [note(f"The {subject} is broken.") for subject in subjects]
    assert await read_by_the_agent(notes, guard={"max_notes": 10}) == [[one.text for one in notes[:10]]]


async def test_bad_entries_cost_neither_the_good_ones_nor_the_bound() -> None:
    sink = RecordingSink()
    said = [
        {"note": "The lock leaks.", "severity": "concern"},
        {"note": 123},
        None,
        {"note": "An index is stale.", "severity": "concern"},
    ]
    async with session_of(every_turn(scripted(said), guard={"max_notes": 2}), sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == ["The lock leaks.", "An index is stale."]
    assert outcomes(guidance) == {"one": OutcomeKind.NOTED}
    assert [event.disposition for event in sink.of(NoteJudged)].count(Disposition.MALFORMED) == 2


async def test_an_invented_severity_buys_nothing() -> None:
    said = [{"text": "The lock is kept.", "severity": 'critical" onload="'}]
    assert await read_by_the_agent(said) == [[]]


async def test_a_remark_about_the_review_itself_is_not_for_the_agent() -> None:
    said = [{"text": "I could not read the whole file.", "severity": "blocker", "subject": "review"}]
    assert await read_by_the_agent(said) == [[]]


async def test_severity_buys_no_way_round_a_bound() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/11888: 946 blockers, and each woke the agent."""
    words = [f"{first}{second}" for first in "abcdefghij" for second in "abcdefghij"]
    flood = [[note(f"{word} is broken.", BLOCKER) for word in words[place : place + 10]] for place in range(0, 100, 10)]
    assert [len(told) for told in await read_by_the_agent(*flood)] == [3] * 10


async def test_rejected_notes_can_be_looked_up_with_their_reason() -> None:
    sink = RecordingSink()
    said = [note("LGTM"), note(""), note("The lock is kept."), note("The lock is kept!")]
    async with session_of(every_turn(scripted(said)), sinks=[sink]) as session:
        await session.boundary(transcript())
    assert [(event.text, event.disposition) for event in sink.of(NoteJudged)] == [
        ("LGTM", Disposition.NOISE),
        ("", Disposition.EMPTY),
        ("The lock is kept.", Disposition.ADMITTED),
        ("The lock is kept!", Disposition.DUPLICATE),
    ]
