"""What a reviewer is told of how much is new, of how much it may say, and of what the agent may do."""

from __future__ import annotations

import pytest

from foureyes.core.config import GuardConfig
from foureyes.core.facts import Review
from foureyes.errors import HostError
from foureyes.scheduler import ReviewScheduler
from foureyes.sync import SyncReviewScheduler

from .shell import answering, every_turn, reviewer, session_of, transcript

pytestmark = pytest.mark.anyio


class Reader:
    """A reviewer that keeps what it is shown."""

    def __init__(self, *, outgoing: bool = False) -> None:
        self.seen: list[Review] = []
        self.outgoing = outgoing

    async def __call__(self, review: Review) -> list[str]:
        """Say nothing."""
        self.seen.append(review)
        return []


async def test_a_reviewer_is_told_how_many_messages_are_new_to_it() -> None:
    often, seldom = Reader(), Reader()
    async with session_of(every_turn(often), every_turn(seldom, "two", interval_turns=3)) as session:
        for turn in range(1, 7):
            await session.boundary(transcript(turn))
    first, later = len(transcript(1)), len(transcript(2)) - len(transcript(1))
    assert [review.new for review in often.seen] == [first, *[later] * 5]
    assert [review.new for review in seldom.seen] == [first + 2 * later, 3 * later]


async def test_of_a_transcript_that_the_host_rewrote_everything_is_new() -> None:
    reader = Reader()
    async with session_of(every_turn(reader)) as session:
        await session.boundary(transcript(5))
        await session.boundary([*transcript(1), {"role": "assistant", "content": "I summed the refunds of March."}])
    assert reader.seen[1].new == len(transcript(1)) + 1


async def test_a_reviewer_is_told_how_many_notes_the_agent_reads() -> None:
    usual, strict = Reader(), Reader()
    async with session_of(reviewer(usual), reviewer(strict, "two", guard=GuardConfig(max_notes=1))) as session:
        await session.finish(answering("Done."), answer="Done.")
    assert [usual.seen[0].max_notes, strict.seen[0].max_notes] == [3, 1]


async def test_a_reviewer_is_told_what_the_agent_may_do_as_the_host_said_it_last() -> None:
    reader = Reader()
    async with ReviewScheduler([every_turn(reader)]) as scheduler:
        session = await scheduler.session("s")
        await session.boundary(transcript(1))
        same = await scheduler.session("s", permitted="May write files.")
        await session.boundary(transcript(2))
        session.permitted = "May read files."
        await session.boundary(transcript(3))
        await scheduler.session("s")
        await session.boundary(transcript(4))
    assert same is session
    expected = ["", "May write files.", "May read files.", "May read files."]
    assert [review.permitted for review in reader.seen] == expected


def test_a_host_without_an_event_loop_says_it_too() -> None:
    reader = Reader()
    with SyncReviewScheduler(ReviewScheduler([every_turn(reader)])) as scheduler:
        session = scheduler.session("s", permitted="May write files.")
        session.boundary(transcript(1))
        assert session.permitted == "May write files."
        session.permitted = "May read files."
        session.boundary(transcript(2))
    assert [review.permitted for review in reader.seen] == ["May write files.", "May read files."]


async def test_what_the_agent_may_do_is_cut_and_leaves_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "Zq7-vB3xK9mT2w")
    reader = Reader(outgoing=True)
    async with ReviewScheduler([every_turn(reader)]) as scheduler:
        session = await scheduler.session("s", permitted="May use Zq7-vB3xK9mT2w. " + "And more. " * 1_000)
        await session.boundary(transcript(1))
    assert len(reader.seen[0].permitted) <= 2_000
    assert "Zq7" not in reader.seen[0].permitted
    assert "shortened for review" in reader.seen[0].permitted


async def test_permissions_that_are_no_text_are_refused() -> None:
    async with session_of(every_turn(Reader())) as session:
        with pytest.raises(HostError, match="permitted must be text: got list"):
            session.permitted = ["read"]  # type: ignore[assignment]
        assert session.permitted == ""
