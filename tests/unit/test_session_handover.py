"""A note is sent once the host has taken it: until then it is offered again, and never two at a time under one id."""

from __future__ import annotations

import gc
from typing import Any

import pytest

from foureyes.core.state import NoteStatus
from foureyes.core.words import Severity, Stop
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import NoteSent
from foureyes.testing import RecordingSink, note, turn_messages

from .shell import TASK, answering, every_turn, reviewer, scripted, session_of, texts, transcript

pytestmark = pytest.mark.anyio

CONCERN = note("The lock is never released.")
OTHER = note("The file is read twice.")
NIT = note("The name is long.", Severity.NIT)


def statuses(session: Session) -> list[NoteStatus]:
    """Return where the admitted notes of the session are on their road."""
    return [record.status for record in session.state.notes.values()]


class Host:
    """A host's loop that decides for itself what becomes of an advisory."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.messages: list[Any] = [TASK]

    async def turn(self, *, keeps: bool = True) -> Guidance:
        """Settle one more turn, and put the advisory into the transcript, or lose it."""
        self.messages += turn_messages(self.session.state.turn + 1)
        guidance = await self.session.boundary(self.messages)
        self.messages += guidance.messages if keeps else []
        return guidance

    async def finish(self, answer: str = "done", stop: Stop = Stop.ANSWER) -> Guidance:
        """Settle an answer, and put the advisory into the transcript."""
        self.messages.append({"role": "assistant", "content": answer})
        guidance = await self.session.finish(self.messages, answer=answer, stop=stop)
        self.messages += guidance.messages
        return guidance

    def say(self, text: str) -> None:
        """Let the human speak."""
        self.messages.append({"role": "user", "content": text})


# --- taking ---


async def test_handed_over_is_not_yet_sent() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN)), sinks=[sink]) as session:
        await session.boundary(transcript())
        assert statuses(session) == [NoteStatus.HANDED_OVER]
    assert sink.of(NoteSent) == []


async def test_a_confirmed_advisory_is_sent_and_not_offered_again() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN)), sinks=[sink]) as session:
        host = Host(session)
        (await host.turn(keeps=False)).taken()
        assert statuses(session) == [NoteStatus.SENT]
        assert (await host.turn()).messages == []
    assert [(event.reviewer, event.severity, event.note) for event in sink.of(NoteSent)] == [
        ("one", Severity.CONCERN, "n1")
    ]


async def test_an_advisory_seen_in_the_transcript_is_sent() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN)), sinks=[sink]) as session:
        host = Host(session)
        await host.turn()
        assert (await host.turn()).messages == []
        assert statuses(session) == [NoteStatus.SENT]
    assert len(sink.of(NoteSent)) == 1


async def test_a_host_may_wrap_the_advisory_in_a_message_of_its_own() -> None:
    async with session_of(every_turn(scripted(CONCERN))) as session:
        first = await session.boundary(transcript())
        wrapped = {"role": "user", "content": [{"type": "text", "text": f"note:\n{first.messages[0]['content']}"}]}
        second = await session.boundary([*transcript(), wrapped, *turn_messages(2)])
    assert second.messages == []


async def test_an_advisory_that_the_host_lost_is_offered_again_under_the_same_id() -> None:
    async with session_of(every_turn(scripted(CONCERN))) as session:
        host = Host(session)
        first, second, third = [await host.turn(keeps=False) for _ in range(3)]
    assert first.advisory is not None
    assert first.advisory == second.advisory == third.advisory


async def test_a_first_delivery_that_fails_is_made_good_by_the_second() -> None:
    async with session_of(every_turn(scripted(CONCERN))) as session:
        host = Host(session)
        lost, kept, after = await host.turn(keeps=False), await host.turn(), await host.turn()
    assert [texts(guidance) for guidance in (lost, kept, after)] == [[CONCERN.text], [CONCERN.text], []]


async def test_an_offer_survives_a_restart_under_its_id() -> None:
    store, offered = MemoryStore(), []
    for _ in range(2):
        async with ReviewScheduler([every_turn(scripted(CONCERN))], store=store) as scheduler:
            host = Host(await scheduler.session("s"))
            offered.append((await host.turn(keeps=False)).advisory)
    assert offered[0] == offered[1] is not None


async def test_what_was_taken_is_not_offered_again_although_the_session_was_dropped() -> None:
    store = MemoryStore()
    async with ReviewScheduler([every_turn(scripted(CONCERN))], store=store) as scheduler:
        (await Host(await scheduler.session("s")).turn(keeps=False)).taken()
        gc.collect()
        assert (await Host(await scheduler.session("s")).turn(keeps=False)).advisory is None


async def test_what_was_taken_is_kept_when_the_scheduler_closes() -> None:
    store, offered = MemoryStore(), []
    for _ in range(2):
        async with ReviewScheduler([every_turn(scripted(CONCERN))], store=store) as scheduler:
            guidance = await Host(await scheduler.session("s")).turn(keeps=False)
            guidance.taken()
            offered.append(guidance.advisory)
    assert offered[0] is not None
    assert offered[1] is None


async def test_confirming_twice_or_late_changes_nothing() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(CONCERN, OTHER)), sinks=[sink]) as session:
        host = Host(session)
        first = await host.turn()
        second = await host.turn(keeps=False)
        first.taken()
        assert statuses(session) == [NoteStatus.SENT, NoteStatus.HANDED_OVER]
        second.taken()
        second.taken()
    assert [event.note for event in sink.of(NoteSent)] == ["n1", "n2"]


async def test_a_guidance_without_an_advisory_has_nothing_to_confirm() -> None:
    async with session_of(every_turn(scripted())) as session:
        guidance = await session.boundary(transcript())
        before = session.state
        guidance.taken()
        assert session.state == before


async def test_an_old_reference_in_the_transcript_does_not_confirm_a_new_advisory() -> None:
    async with session_of(every_turn(scripted(CONCERN, OTHER))) as session:
        host = Host(session)
        first = await host.turn()
        await host.turn(keeps=False)
        host.say(f"What does this mean? {first.messages[0]['content']}")
        third = await host.turn(keeps=False)
    assert texts(third) == [OTHER.text]


async def test_a_note_of_two_reviewers_is_sent_for_both() -> None:
    sink = RecordingSink()
    configs = [every_turn(scripted(CONCERN), name) for name in ("alpha", "beta")]
    async with session_of(*configs, sinks=[sink]) as session:
        (await session.boundary(transcript())).taken()
    assert [(event.reviewer, event.note) for event in sink.of(NoteSent)] == [("alpha", "n1"), ("beta", "n1")]


async def test_at_a_finish_an_unconfirmed_note_travels_with_the_new_ones() -> None:
    async with session_of(reviewer(scripted(CONCERN, OTHER), interval_turns=1)) as session:
        host = Host(session)
        lost = await host.turn(keeps=False)
        guidance = await host.finish()
    assert sorted(texts(guidance)) == sorted([CONCERN.text, OTHER.text])
    assert guidance.advisory is not None
    assert lost.advisory is not None
    assert guidance.advisory.id != lost.advisory.id


# --- after the end ---


async def test_nothing_is_offered_after_an_accepted_finish() -> None:
    async with session_of(reviewer(scripted([], CONCERN, OTHER), interval_turns=1)) as session:
        host = Host(session)
        assert (await host.finish()).reopen is False
        assert [texts(await host.turn()) for _ in range(2)] == [[], []]


async def test_nothing_is_offered_after_an_abort() -> None:
    said = scripted(CONCERN, OTHER)
    async with session_of(every_turn(said)) as session:
        host = Host(session)
        await host.turn(keeps=False)
        await session.abort()
        assert [texts(await host.turn()) for _ in range(2)] == [[], []]
    assert said.turns == [1]


@pytest.mark.parametrize("how", ["finish", "abort"])
@pytest.mark.parametrize("words", ["Go on.", TASK["content"]], ids=["other words", "the same words"])
async def test_when_the_human_speaks_again_offers_go_on(how: str, words: str) -> None:
    async with session_of(every_turn(scripted([], CONCERN))) as session:
        host = Host(session)
        await host.turn()
        await (host.finish() if how == "finish" else session.abort())
        host.say(words)
        assert texts(await host.turn()) == [CONCERN.text]


@pytest.mark.parametrize("how", ["finish", "abort"])
async def test_a_human_who_has_not_spoken_since_the_host_compacted_is_not_heard_again(how: str) -> None:
    async with session_of(every_turn(scripted([], CONCERN))) as session:
        host = Host(session)
        for _ in range(3):
            await host.turn()
        await (host.finish() if how == "finish" else session.abort())
        host.messages = [{"role": "system", "content": "Summary: work was done."}, TASK]
        await session.compacted()
        assert texts(await host.turn()) == []


@pytest.mark.parametrize("how", ["finish", "abort"])
async def test_after_a_compaction_a_human_with_new_words_is_heard(how: str) -> None:
    async with session_of(every_turn(scripted([], [], [], CONCERN))) as session:
        host = Host(session)
        for _ in range(3):
            await host.turn()
        await (host.finish() if how == "finish" else session.abort())
        host.messages = [{"role": "system", "content": "Summary: work was done."}]
        await session.compacted()
        host.say("Now the other file.")
        assert texts(await host.turn()) == [CONCERN.text]


async def test_our_own_advisory_is_not_the_human_speaking() -> None:
    async with session_of(every_turn(scripted(CONCERN, [], OTHER))) as session:
        host = Host(session)
        advisory = (await host.turn(keeps=False)).messages
        await host.finish()
        host.messages += advisory
        assert texts(await host.turn()) == []


async def test_a_pause_for_the_human_ends_nothing() -> None:
    async with session_of(every_turn(scripted(CONCERN))) as session:
        host = Host(session)
        await host.turn(keeps=False)
        paused = await host.finish(stop=Stop.PAUSED_FOR_HUMAN)
        assert (paused.messages, paused.unsent) == ([], ())
        host.say("Yes, go on.")
        assert texts(await host.turn()) == [CONCERN.text]


async def test_a_host_that_announces_the_request_need_not_show_it_in_the_transcript() -> None:
    said = scripted([], CONCERN)
    async with session_of(every_turn(said), request="Do the work.") as session:
        host = Host(session)
        await host.turn()
        await host.finish()
        await session.new_request("Do the work.")
        assert texts(await host.turn()) == [CONCERN.text]
    assert said.reviews[1].request == "Do the work."


# --- what a compaction forgets ---


async def test_after_a_compaction_a_reviewer_may_say_again_what_the_agent_no_longer_sees() -> None:
    async with session_of(every_turn(scripted(CONCERN, CONCERN, CONCERN))) as session:
        host = Host(session)
        first, second = await host.turn(), await host.turn()
        host.messages = host.messages[-2:]
        await session.compacted()
        third = await host.turn()
    assert [texts(guidance) for guidance in (first, second, third)] == [[CONCERN.text], [], [CONCERN.text]]


async def test_a_compaction_refills_nothing_and_keeps_what_was_sent() -> None:
    said = scripted(CONCERN)
    async with session_of(every_turn(said, max_periodic_reviews=2)) as session:
        host = Host(session)
        await host.turn()
        await session.compacted()
        await host.turn()
        await session.compacted()
        await host.turn()
    assert said.turns == [1, 2]
    assert [earlier.text for earlier in said.reviews[1].earlier] == [CONCERN.text]


async def test_a_nit_never_addresses_the_agent_by_itself_and_rides_along_later() -> None:
    async with session_of(every_turn(scripted(NIT, CONCERN))) as session:
        host = Host(session)
        assert texts(await host.turn()) == []
        assert texts(await host.turn()) == [CONCERN.text, NIT.text]


async def test_an_accepted_answer_lists_what_the_host_never_confirmed() -> None:
    async with session_of(reviewer(scripted(CONCERN), interval_turns=1)) as session:
        host = Host(session)
        await host.turn(keeps=False)
        guidance = await host.finish()
        assert [left.text for left in guidance.unsent] == [CONCERN.text]
        assert session.state.notes == {}


async def test_an_accepted_answer_lists_nothing_that_was_sent() -> None:
    async with session_of(reviewer(scripted(CONCERN), interval_turns=1)) as session:
        host = Host(session)
        await host.turn()
        assert (await host.finish()).unsent == ()


async def test_answering_again_with_the_advisory_in_the_transcript_confirms_it() -> None:
    async with session_of(reviewer(scripted(CONCERN))) as session:
        reopened = await session.finish(answering("done"), answer="done")
        messages = [*answering("done"), *reopened.messages, {"role": "assistant", "content": "done again"}]
        guidance = await session.finish(messages, answer="done again")
        assert statuses(session) == [NoteStatus.SENT]
    assert (guidance.reopen, guidance.unsent) == (False, ())
