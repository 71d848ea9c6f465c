"""The same calls without await: in a plain thread, in several, and inside a running event loop."""

from __future__ import annotations

import inspect
import threading
from concurrent.futures import ThreadPoolExecutor
from types import FunctionType

import anyio
import pytest

from foureyes.core.facts import Note, Review
from foureyes.core.words import FinishResult, OutcomeKind, Stop, Verdict
from foureyes.errors import HostError
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.sync import SyncReviewScheduler, SyncSession
from foureyes.testing import note, turn_messages

from .shell import answering, every_turn, outcomes, reviewer, scripted, skips, sleep_forever, texts, transcript

CONCERN = note("The lock is kept.")


def test_a_whole_run_without_an_event_loop() -> None:
    said = scripted(CONCERN, [])
    with SyncReviewScheduler(ReviewScheduler([reviewer(said, interval_turns=1, max_rounds=1)])) as scheduler:
        session = scheduler.session("s", request="Do the work.")
        messages = transcript()
        first = session.boundary(messages)
        messages += [*first.messages, {"role": "assistant", "content": "done"}]
        last = session.finish(messages, answer="done")
    assert session.id == "s"
    assert texts(first) == [CONCERN.text]
    assert (last.result, last.verdict) == (FinishResult.CLEAN, Verdict.APPROVED)
    assert [review.request for review in said.reviews] == ["Do the work."] * 2


def test_every_call_has_its_namesake() -> None:
    with SyncReviewScheduler(ReviewScheduler([every_turn(scripted(CONCERN, CONCERN))])) as scheduler:
        session = scheduler.session("s")
        session.boundary(transcript(), turn=1).taken()
        session.compacted()
        session.rewound(0)
        again = session.boundary(transcript(), turn=1)
        session.new_request("Something else.")
        session.abort()
        kept = session.snapshot()
        assert (kept["turn"], kept["request_text"]) == (1, "Something else.")
        restored = scheduler.session("s", snapshot=kept)
        assert restored.snapshot()["turn"] == 1
        ended = restored.finish(answering("stopped"), answer="stopped", stop=Stop.ABORTED)
    assert texts(again) == [CONCERN.text]
    assert ended.result is FinishResult.ABORTED


def public(kind: type) -> dict[str, list[str]]:
    """Return the public methods and properties of a class, and the parameters of the methods."""
    return {
        name: list(inspect.signature(value).parameters) if inspect.isfunction(value) else []
        for name, value in vars(kind).items()
        if not name.startswith("_") and isinstance(value, FunctionType | property)
    }


@pytest.mark.parametrize(("blocking", "awaited"), [(SyncSession, Session), (SyncReviewScheduler, ReviewScheduler)])
def test_no_call_is_missing_and_none_differs(blocking: type, awaited: type) -> None:
    assert public(blocking) == public(awaited)


def test_a_paused_reviewer_is_resumed_by_hand() -> None:
    failing = scripted(ValueError("down"), CONCERN)
    config = every_turn(failing, pause_after_failures=1, cooldown_turns=0)
    with SyncReviewScheduler(ReviewScheduler([config])) as scheduler:
        session = scheduler.session("s")
        session.boundary(transcript(1))
        paused = session.boundary(transcript(2))
        scheduler.resume("one")
        assert texts(session.boundary(transcript(3))) == [CONCERN.text]
        assert session.state.turn == 3
        with pytest.raises(HostError, match="no reviewer is called 'two'"):
            scheduler.resume("two")
    assert skips(paused) == {"one": "paused"}
    assert [one.name for one in scheduler.reviewers] == ["one"]


@pytest.mark.anyio
async def test_it_works_inside_a_running_event_loop() -> None:
    with SyncReviewScheduler(ReviewScheduler([every_turn(scripted(CONCERN))])) as scheduler:
        assert texts(scheduler.session("s").boundary(transcript())) == [CONCERN.text]
    await anyio.lowlevel.checkpoint()


def test_several_threads_may_each_drive_a_session() -> None:
    together = threading.Barrier(4, timeout=5)

    def meets_the_others(review: Review) -> list[Note]:
        together.wait()
        return [note(f"This is {review.session}.")]

    def drive(name: str) -> list[str]:
        return texts(scheduler.session(name).boundary(transcript()))

    with (
        SyncReviewScheduler(ReviewScheduler([every_turn(meets_the_others)])) as scheduler,
        ThreadPoolExecutor(4) as pool,
    ):
        names = ["a", "b", "c", "d"]
        assert list(pool.map(drive, names)) == [[f"This is {name}."] for name in names]


def test_two_threads_on_one_session_are_refused() -> None:
    entered, opened = threading.Event(), threading.Event()

    def waits(review: Review) -> list[Note]:
        entered.set()
        opened.wait(5)
        return [CONCERN]

    with SyncReviewScheduler(ReviewScheduler([every_turn(waits)])) as scheduler, ThreadPoolExecutor(1) as pool:
        session = scheduler.session("s")
        first = pool.submit(session.boundary, transcript())
        assert entered.wait(5)
        with pytest.raises(HostError, match="two calls at once"):
            session.boundary(transcript())
        opened.set()
        assert texts(first.result(5)) == [CONCERN.text]


def test_another_thread_may_abort() -> None:
    entered = threading.Event()

    async def hangs(review: Review) -> None:
        entered.set()
        await sleep_forever(review)

    with SyncReviewScheduler(ReviewScheduler([every_turn(hangs)])) as scheduler, ThreadPoolExecutor(1) as pool:
        session = scheduler.session("s")
        first = pool.submit(session.boundary, transcript())
        assert entered.wait(5)
        session.abort()
        assert outcomes(first.result(5)) == {"one": OutcomeKind.CANCELLED}


def test_a_guidance_may_be_confirmed_from_any_thread() -> None:
    with SyncReviewScheduler(ReviewScheduler([every_turn(scripted(CONCERN))])) as scheduler:
        session = scheduler.session("s")
        guidance = session.boundary(transcript())
        thread = threading.Thread(target=guidance.taken)
        thread.start()
        thread.join()
        assert session.boundary([*transcript(), *turn_messages(2)]).messages == []


def test_errors_of_the_host_reach_it() -> None:
    with SyncReviewScheduler(ReviewScheduler([every_turn(scripted())])) as scheduler:
        with pytest.raises(HostError, match="1 to 256 characters"):
            scheduler.session("")
        with pytest.raises(HostError, match="turn must be"):
            scheduler.session("s").boundary(transcript(), turn=0)


def test_a_closed_scheduler_says_so_and_can_be_opened_again() -> None:
    scheduler = SyncReviewScheduler(ReviewScheduler([every_turn(scripted(CONCERN))]))
    with pytest.raises(HostError, match="closed"):
        scheduler.session("s")
    with scheduler:
        session = scheduler.session("s")
    with pytest.raises(HostError, match="closed"):
        scheduler.session("s")
    with pytest.raises((HostError, RuntimeError)):
        session.boundary(transcript())
    with scheduler:
        assert texts(scheduler.session("s").boundary(transcript())) == [CONCERN.text]


def test_an_error_in_the_block_closes_the_scheduler_and_goes_on() -> None:
    before = threading.enumerate()  # with what earlier tests have left to end
    scheduler = SyncReviewScheduler(ReviewScheduler([]))
    with pytest.raises(ValueError, match="mine"), scheduler:
        raise ValueError("mine")
    assert [thread.name for thread in threading.enumerate() if thread not in before] == []
