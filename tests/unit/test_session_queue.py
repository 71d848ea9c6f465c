"""Notes that have to wait: none is lost, the strongest go first, and the rest is listed at the end."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from foureyes.core.facts import Note
from foureyes.core.guard import Limits
from foureyes.core.words import Disposition, Severity, Stop
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.telemetry.events import NoteJudged, NoteSent
from foureyes.testing import RecordingSink, note, run_turns, turn_messages

from .shell import TASK, every_turn, reviewer, scripted, session_of, texts, transcript

pytestmark = pytest.mark.anyio

NIT, CONCERN, BLOCKER = Severity.NIT, Severity.CONCERN, Severity.BLOCKER
SUBJECTS = ["lock", "index", "cache", "token", "query", "schema", "header", "socket", "buffer", "cursor"]
CONCERNS = [note(f"The {subject} is broken.") for subject in SUBJECTS]


def dispositions(sink: RecordingSink) -> list[Disposition]:
    """Return what became of every note, in the order in which it was told."""
    return [event.disposition for event in sink.of(NoteJudged)]


async def test_three_concerns_for_one_place_go_out_one_after_another() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/11062: a note said to be deferred never came."""
    sink = RecordingSink()
    config = every_turn(scripted(CONCERNS[:3]))
    async with session_of(config, limits=Limits(notes_per_boundary=1), sinks=[sink]) as session:
        guidances = await run_turns(session, 4)
    assert [texts(guidance) for guidance in guidances] == [*([one.text] for one in CONCERNS[:3]), []]
    assert dispositions(sink) == [Disposition.ADMITTED, Disposition.OVER_BOUNDARY, Disposition.OVER_BOUNDARY]


async def test_the_strongest_wait_least_and_then_the_oldest() -> None:
    early = [note("Rename the index.", NIT), CONCERNS[0], CONCERNS[1]]
    late = [note("The data is gone.", BLOCKER), CONCERNS[2]]
    async with session_of(every_turn(scripted(early, late)), limits=Limits(notes_per_boundary=1)) as session:
        guidances = await run_turns(session, 6)
    assert [texts(guidance) for guidance in guidances] == [
        [CONCERNS[0].text],
        ["The data is gone."],
        [CONCERNS[1].text],
        [CONCERNS[2].text],
        [],
        [],
    ]


async def test_a_backlog_is_flushed_whole_in_chunks_with_blockers_first() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/10271: of eight piled-up concerns seven were dropped."""
    notes = [*CONCERNS[:7], note("The data is gone.", BLOCKER)]
    async with session_of(every_turn(scripted(*notes)), limits=Limits(notes_per_boundary=3)) as session:
        messages = transcript(0)
        held: list[Guidance] = []
        for turn in range(1, 9):
            messages += turn_messages(turn)
            held.append(await session.boundary(messages))
        messages += held[-1].messages
        opened = await run_turns(session, 4, messages=messages)
    assert {tuple(texts(guidance)) for guidance in held} == {(CONCERNS[0].text,)}
    assert [texts(guidance) for guidance in opened] == [
        ["The data is gone.", CONCERNS[1].text, CONCERNS[2].text],
        [one.text for one in CONCERNS[3:6]],
        [CONCERNS[6].text],
        [],
    ]


async def test_more_notes_than_a_review_may_raise_keep_the_strongest() -> None:
    """As in https://github.com/can1357/oh-my-pi/pull/11881: three nits filled the cap, and the blocker was cut."""
    sink = RecordingSink()
    said = [*(note(f"Rename the {subject}.", NIT) for subject in SUBJECTS[:3]), note("The data is gone.", BLOCKER)]
    async with session_of(every_turn(scripted(said)), sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == ["The data is gone.", "Rename the lock.", "Rename the index."]
    assert guidance.progress == "one: 1 blocker, 2 nits; passed on to the agent; 1 more withheld"
    assert Counter(dispositions(sink)) == {Disposition.ADMITTED: 3, Disposition.OVER_REVIEW: 1}


async def test_what_is_pushed_out_of_a_review_at_a_finish_is_counted_for_the_user_and_not_listed() -> None:
    config = reviewer(scripted(CONCERNS[:5]), interval_turns=0)
    async with session_of(config) as session:
        reopened, ended = await run_turns(session, 0, answers=["done", "done again"])
    assert reopened.progress == "one: 3 concerns; the answer is being revised; 2 more withheld"
    assert [one.note for one in reopened.judged if one.disposition is Disposition.OVER_REVIEW] == CONCERNS[3:5]
    assert ended.unsent == ()


async def test_a_note_pushed_out_of_a_review_may_be_raised_again() -> None:
    said = scripted(CONCERNS[:3], CONCERNS[:3])
    async with session_of(every_turn(said, guard={"max_notes": 2})) as session:
        guidances = await run_turns(session, 2)
    assert [texts(guidance) for guidance in guidances] == [
        [one.text for one in CONCERNS[:2]],
        [CONCERNS[2].text],
    ]


async def test_notes_beyond_the_request_are_for_the_host_alone_and_listed_at_the_end() -> None:
    config = reviewer(scripted(CONCERNS[:3]), interval_turns=1)
    async with session_of(config, limits=Limits(notes_per_request=2)) as session:
        guidances = await run_turns(session, 3, answers=["done"])
    assert [texts(guidance) for guidance in guidances] == [[one.text for one in CONCERNS[:2]], [], [], []]
    assert [left.text for left in guidances[-1].unsent] == [CONCERNS[2].text]
    assert guidances[0].judged[-1].disposition is Disposition.OVER_REQUEST


async def test_the_next_request_may_be_told_as_many_notes_as_the_last() -> None:
    said = scripted(CONCERNS[:3], CONCERNS[3:6])
    async with session_of(every_turn(said), limits=Limits(notes_per_request=2)) as session:
        messages: list[Any] = [TASK]
        await run_turns(session, 1, messages=messages)
        await session.new_request("Next.")
        [guidance] = await run_turns(session, 1, messages=messages)
    assert texts(guidance) == [one.text for one in CONCERNS[3:5]]


async def test_a_note_waiting_from_the_last_request_is_not_told_in_the_next() -> None:
    """As in https://github.com/PyModel/pythinker-code/issues/59: advice on what the user had left behind."""
    async with session_of(every_turn(scripted(CONCERNS[:2])), limits=Limits(notes_per_boundary=1)) as session:
        messages: list[Any] = [TASK]
        await run_turns(session, 1, messages=messages)
        await session.new_request("Something else.")
        [guidance] = await run_turns(session, 1, messages=messages)
    assert texts(guidance) == []


async def test_what_a_request_left_over_is_listed_at_the_next_finish_and_never_sent() -> None:
    limits = Limits(notes_per_boundary=1, notes_per_request=3)
    async with session_of(every_turn(scripted(CONCERNS[:4]), guard={"max_notes": 4}), limits=limits) as session:
        messages: list[Any] = [TASK]
        [first] = await run_turns(session, 1, messages=messages)
        await session.new_request("Something else.")
        guidances = await run_turns(session, 2, messages=messages, answers=["done", "done again"])
    assert texts(first) == [CONCERNS[0].text]
    assert [texts(guidance) for guidance in guidances] == [[], [], []]
    assert [left.text for left in guidances[-1].unsent] == [one.text for one in CONCERNS[1:4]]


async def test_what_a_request_left_over_is_listed_once_the_human_has_answered() -> None:
    async with session_of(every_turn(scripted(CONCERNS[:2])), limits=Limits(notes_per_boundary=1)) as session:
        messages: list[Any] = [TASK]
        await run_turns(session, 1, messages=messages)
        await session.new_request("Something else.")
        paused = await session.finish(messages, stop=Stop.PAUSED_FOR_HUMAN)
        ended, again = [await session.finish(messages, answer=answer) for answer in ("done", "done again")]
    assert (paused.unsent, again.unsent) == ((), ())
    assert [left.text for left in ended.unsent] == [CONCERNS[1].text]


async def test_what_a_request_left_over_may_be_raised_again_in_the_next() -> None:
    limits = Limits(notes_per_boundary=1)
    async with session_of(every_turn(scripted(CONCERNS[:2], [CONCERNS[1]])), limits=limits) as session:
        messages: list[Any] = [TASK]
        await run_turns(session, 1, messages=messages)
        await session.new_request("Something else.")
        [guidance] = await run_turns(session, 1, messages=messages)
    assert texts(guidance) == [CONCERNS[1].text]


async def test_what_a_request_left_over_outlives_the_process() -> None:
    config, limits = every_turn(scripted(CONCERNS[:2])), Limits(notes_per_boundary=1)
    messages: list[Any] = [TASK]
    async with session_of(config, limits=limits) as session:
        await run_turns(session, 1, messages=messages)
        await session.new_request("Something else.")
        kept = session.snapshot()
    async with ReviewScheduler([config], limits=limits) as scheduler:
        guidance = await (await scheduler.session("s", snapshot=kept)).finish(messages, answer="done")
    assert [left.text for left in guidance.unsent] == [CONCERNS[1].text]


async def test_what_still_waits_when_an_answer_is_accepted_is_listed() -> None:
    config = reviewer(scripted(CONCERNS[:3]), interval_turns=9)
    async with session_of(config, limits=Limits(notes_per_boundary=1)) as session:
        guidances = await run_turns(session, 0, answers=["done", "done again"])
    assert texts(guidances[0]) == [CONCERNS[0].text]
    assert [left.text for left in guidances[1].unsent] == [one.text for one in CONCERNS[1:3]]


# --- no note is lost, whatever happens ---

SCRIPTS = st.lists(
    st.lists(
        st.builds(note, st.sampled_from([one.text for one in CONCERNS]), st.sampled_from(list(Severity))), max_size=6
    ),
    max_size=8,
)


@settings(max_examples=60)
@given(script=SCRIPTS, keeps=st.lists(st.booleans(), min_size=8, max_size=8), size=st.integers(1, 3))
@pytest.mark.parametrize("anyio_backend", ["asyncio"])
async def test_admitted_notes_are_sent_or_listed_and_nothing_else(
    script: list[list[Note]], keeps: list[bool], size: int
) -> None:
    sink = RecordingSink()
    limits = Limits(notes_per_boundary=size, notes_per_request=7)
    async with session_of(reviewer(scripted(*script), interval_turns=1), limits=limits, sinks=[sink]) as session:
        last = await driven(session, keeps)
    admitted = {Disposition.ADMITTED, Disposition.OVER_BOUNDARY, Disposition.OVER_REQUEST}
    raised = [str(event.note) for event in sink.of(NoteJudged) if event.disposition in admitted]
    sent = [event.note for event in sink.of(NoteSent)]
    assert len(sent) == len(set(sent)), "no note is sent twice"
    assert sorted(raised) == sorted([*sent, *(left.id for left in last.unsent)])


async def driven(session: Session, keeps: list[bool]) -> Guidance:
    """Drive a run in which the host loses some advisories, until an answer is accepted."""
    messages: list[Any] = [TASK]
    for turn, kept in enumerate(keeps, start=1):
        messages += turn_messages(turn)
        guidance = await session.boundary(messages)
        messages += guidance.messages if kept else []
        assert len(texts(guidance)) <= 3
    while True:
        messages.append({"role": "assistant", "content": "done"})
        guidance = await session.finish(messages, answer="done")
        messages += guidance.messages
        if not guidance.reopen:
            return guidance
