"""The user stops the run, or asks for something else, while reviews are under way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial
from typing import Any

import anyio
import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.guard import Limits
from foureyes.core.state import NoteStatus
from foureyes.core.words import Disposition, FinishResult, OutcomeKind, Severity, SkipReason, Stop, Verdict
from foureyes.errors import HostError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import (
    BoundarySettled,
    FinishSettled,
    NoteJudged,
    NoteSent,
    ReviewSettled,
    ReviewSkipped,
)
from foureyes.testing import RecordingSink, note, run_turns, turn_messages

from .shell import (
    TASK,
    Deaf,
    Gate,
    GatedStore,
    answering,
    every_turn,
    outcomes,
    reviewer,
    scripted,
    session_of,
    skips,
    texts,
    transcript,
)

pytestmark = pytest.mark.anyio

BLOCKER = note("There is an await missing in a.py.", Severity.BLOCKER)
CONCERN = note("The file is read twice.")
OTHER = note("Nobody closes the socket.")

Interruption = Callable[[Session], Coroutine[Any, Any, None]]
INTERRUPTIONS: list[tuple[Interruption, OutcomeKind]] = [
    (lambda session: session.abort(), OutcomeKind.CANCELLED),
    (lambda session: session.new_request("Something else."), OutcomeKind.STALE),
]
interrupted = pytest.mark.parametrize(("interrupt", "kind"), INTERRUPTIONS, ids=["abort", "new_request"])


@asynccontextmanager
async def under_way(call: Callable[[], Awaitable[Guidance]], entered: anyio.Event) -> AsyncIterator[list[Guidance]]:
    """Make a call of the host, and go on once a reviewer has been entered; afterwards the call has returned."""
    guidances: list[Guidance] = []

    async def host() -> None:
        guidances.append(await call())

    with anyio.fail_after(5):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(host)
            await entered.wait()
            yield guidances


def settling(session: Session, entered: anyio.Event) -> AbstractAsyncContextManager[list[Guidance]]:
    """Settle the first turn, and go on once a reviewer, or the store, has been entered."""
    return under_way(partial(session.boundary, transcript()), entered)


@interrupted
async def test_reviews_under_way_are_given_up_and_nothing_is_handed_over(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/11845: eleven notes came after the user had pressed stop."""
    first, second = Gate(BLOCKER), Gate(CONCERN)
    async with session_of(every_turn(first, "alpha"), every_turn(second, "beta")) as session:
        async with settling(session, second.entered) as guidances:
            await interrupt(session)
        assert [(first.cancelled, second.cancelled), session.state.notes] == [(1, 1), {}]
    [guidance] = guidances
    assert outcomes(guidance) == {"alpha": kind, "beta": kind}
    assert (guidance.messages, guidance.progress, guidance.reopen) == ([], "", False)


@interrupted
async def test_a_review_that_was_given_up_is_refunded(interrupt: Interruption, kind: OutcomeKind) -> None:
    gate = Gate()
    async with session_of(every_turn(gate, max_periodic_reviews=1)) as session:
        async with settling(session, gate.entered):
            await interrupt(session)
        progress = session.state.reviewer("one")
        assert (progress.periodic_used, progress.last_review, progress.started) == (0, 0, None)
        assert (progress.failures, progress.cooldown_until) == (0, 0)


@interrupted
async def test_the_turn_was_settled_and_the_next_one_is_reviewed_with_it(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    """As in https://github.com/NousResearch/hermes-agent/issues/30817: the next review was an interval away."""
    gate = Gate()
    said = scripted([], gate, CONCERN)
    messages = transcript(0)
    async with session_of(reviewer(said, interval_turns=3, max_rounds=0)) as session:
        await run_turns(session, 5, messages=messages)
        messages += turn_messages(6)
        async with under_way(lambda: session.boundary(messages), gate.entered) as guidances:
            await interrupt(session)
        assert (guidances[0].turn, session.state.turn) == (6, 6)
        messages += [{"role": "user", "content": "Go on."}, *turn_messages(7)]
        guidance = await session.boundary(messages)
    assert (guidance.turn, texts(guidance)) == (7, [CONCERN.text])
    assert [(review.since, review.turn) for review in said.reviews] == [(0, 3), (3, 6), (3, 7)]


@interrupted
async def test_a_repeat_of_the_interrupted_turn_calls_nobody(interrupt: Interruption, kind: OutcomeKind) -> None:
    gate = Gate(BLOCKER)
    said = scripted(gate, BLOCKER)
    async with session_of(every_turn(said)) as session:
        async with under_way(lambda: session.boundary(transcript(), turn=1), gate.entered):
            await interrupt(session)
        again = await session.boundary(transcript(), turn=1)
    assert (outcomes(again), texts(again), len(said.reviews)) == ({"one": kind}, [], 1)


@interrupted
async def test_a_finish_review_of_the_last_request_forces_no_turn_in_the_next(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    """As in https://github.com/anthropics/claude-code/issues/8615: the send-back landed after the new message."""
    gate, sink = Gate(BLOCKER), RecordingSink()
    async with session_of(reviewer(gate), sinks=[sink]) as session:
        async with under_way(lambda: session.finish(answering("done"), answer="done"), gate.entered) as guidances:
            await interrupt(session)
        assert session.state.reviewer("one").rounds_used == 0
    [guidance] = guidances
    assert (guidance.reopen, guidance.result, guidance.verdict) == (False, FinishResult.ABORTED, Verdict.UNREVIEWED)
    assert [event.result for event in sink.of(FinishSettled)] == [FinishResult.ABORTED]


@interrupted
async def test_an_answer_that_came_before_the_interruption_is_late(interrupt: Interruption, kind: OutcomeKind) -> None:
    sink, gate = RecordingSink(), Gate()
    configs = [every_turn(scripted(BLOCKER), "alpha"), every_turn(gate, "beta")]
    async with session_of(*configs, sinks=[sink]) as session:
        async with settling(session, gate.entered) as guidances:
            await anyio.wait_all_tasks_blocked()
            await interrupt(session)
        assert session.state.notes == {}
    assert (outcomes(guidances[0]), texts(guidances[0])) == ({"alpha": kind, "beta": kind}, [])
    assert [(event.text, event.disposition) for event in sink.of(NoteJudged)] == [(BLOCKER.text, Disposition.LATE)]


@interrupted
async def test_every_due_reviewer_has_one_outcome_or_one_skip_all_the_same(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    gate, sink = Gate(), RecordingSink()
    configs = [every_turn(gate, "alpha"), every_turn(scripted(), "beta", enabled=False)]
    async with session_of(*configs, sinks=[sink]) as session, settling(session, gate.entered) as guidances:
        await interrupt(session)
    assert [(event.reviewer, event.outcome) for event in sink.of(ReviewSettled)] == [("alpha", kind)]
    assert [(event.reviewer, event.reason) for event in sink.of(ReviewSkipped)] == [("beta", SkipReason.DISABLED)]
    assert skips(guidances[0]) == {"beta": SkipReason.DISABLED}
    assert [(event.turn, event.advisory) for event in sink.of(BoundarySettled)] == [(1, None)]


@interrupted
async def test_a_reviewer_that_does_not_let_go_holds_nobody(interrupt: Interruption, kind: OutcomeKind) -> None:
    deaf, sink = Deaf(BLOCKER), RecordingSink()
    async with session_of(every_turn(deaf), sinks=[sink]) as session:
        async with settling(session, deaf.entered) as guidances:
            await interrupt(session)
        assert outcomes(guidances[0]) == {"one": kind}
        busy = await session.boundary([TASK, *turn_messages(1), TASK, *turn_messages(2)])
        deaf.opened.set()
        await deaf.left.wait()
        await anyio.wait_all_tasks_blocked()
        assert session.state.notes == {}
    if kind is OutcomeKind.STALE:
        assert skips(busy) == {"one": SkipReason.BUSY}
    assert [event.disposition for event in sink.of(NoteJudged)] == [Disposition.LATE]


@interrupted
async def test_an_interruption_while_the_charge_is_being_saved_is_refunded_too(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    store, asked = GatedStore(), scripted(BLOCKER)
    store.waits_at_save = 1
    async with session_of(every_turn(asked), store=store) as session:
        async with anyio.create_task_group() as tasks, settling(session, store.entered) as guidances:
            tasks.start_soon(interrupt, session)
            await anyio.wait_all_tasks_blocked()
            store.opened.set()
        progress = session.state.reviewer("one")
    assert (progress.started, progress.periodic_used, progress.last_review) == (None, 0, 0)
    assert (outcomes(guidances[0]), asked.reviews) == ({"one": kind}, [])


@interrupted
async def test_an_interruption_while_the_notes_are_being_saved_withdraws_them(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    store, asked = GatedStore(), scripted(BLOCKER)
    store.waits_at_save = 2
    async with session_of(every_turn(asked), store=store) as session:
        async with anyio.create_task_group() as tasks, settling(session, store.entered) as guidances:
            tasks.start_soon(interrupt, session)
            await anyio.wait_all_tasks_blocked()
            store.opened.set()
        assert [(left.text, left.host_only) for left in session.state.notes.values()] == [(BLOCKER.text, True)]
    assert outcomes(guidances[0]) == {"one": OutcomeKind.NOTED}
    assert (guidances[0].messages, guidances[0].progress) == ([], "")


@interrupted
async def test_an_interruption_while_a_send_back_is_being_saved_sends_nobody_back(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    store = GatedStore()
    store.waits_at_save = 2
    async with session_of(reviewer(scripted(BLOCKER)), store=store) as session, anyio.create_task_group() as tasks:
        call = partial(session.finish, answering("done"), answer="done")
        async with under_way(call, store.entered) as guidances:
            tasks.start_soon(interrupt, session)
            await anyio.wait_all_tasks_blocked()
            store.opened.set()
    [guidance] = guidances
    assert (guidance.reopen, guidance.messages, guidance.result) == (False, [], FinishResult.ABORTED)


@interrupted
async def test_what_was_not_sent_is_listed_at_the_next_finish_and_never_offered(
    interrupt: Interruption, kind: OutcomeKind
) -> None:
    said = scripted([CONCERN, BLOCKER, OTHER])
    async with session_of(every_turn(said), limits=Limits(notes_per_boundary=2)) as session:
        guidance = await session.boundary(transcript())
        await interrupt(session)
        later = await session.boundary(transcript(2))
        ended = await session.finish(answering("done", 2), stop=Stop.ABORTED)
        again = await session.finish(answering("done", 2), stop=Stop.ABORTED)
    assert (texts(guidance), texts(later)) == ([BLOCKER.text, CONCERN.text], [])
    assert {left.text for left in ended.unsent} == {CONCERN.text, BLOCKER.text, OTHER.text}
    assert again.unsent == ()


@interrupted
@pytest.mark.parametrize("how", ["taken", "shown"])
async def test_what_the_agent_has_read_by_then_is_sent_and_not_listed(
    interrupt: Interruption, kind: OutcomeKind, how: str
) -> None:
    sink, messages = RecordingSink(), transcript()
    async with session_of(every_turn(scripted([CONCERN, BLOCKER])), sinks=[sink]) as session:
        guidance = await session.boundary(messages)
        await interrupt(session)
        if how == "taken":
            guidance.taken()
        else:
            messages += guidance.messages
        ended = await session.finish(messages, stop=Stop.ABORTED)
    assert ended.unsent == ()
    assert len(sink.of(NoteSent)) == 2


async def test_what_an_abort_left_over_outlives_the_process_and_the_request() -> None:
    config = every_turn(scripted(CONCERN))
    async with session_of(config) as session:
        await session.boundary(transcript())
        await session.abort()
        kept = session.snapshot()
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s", snapshot=kept)
        await session.new_request("Something else.")
        guidance = await session.finish(answering("done"), answer="done")
    assert [left.text for left in guidance.unsent] == [CONCERN.text]


async def test_notes_that_were_sent_are_still_known_after_an_abort() -> None:
    said = scripted(CONCERN, CONCERN)
    async with session_of(every_turn(said)) as session:
        messages = transcript(1)
        (await session.boundary(messages)).taken()
        await session.abort()
        messages += [{"role": "user", "content": "Again, please."}, *turn_messages(2)]
        guidance = await session.boundary(messages)
        assert [record.status for record in session.state.notes.values()] == [NoteStatus.SENT]
    assert texts(guidance) == []
    assert [earlier.text for earlier in said.reviews[1].earlier] == [CONCERN.text]


async def test_after_an_abort_nobody_is_called_until_the_human_speaks() -> None:
    said = scripted([], CONCERN)
    async with session_of(reviewer(said, interval_turns=1)) as session:
        messages = transcript(1)
        await session.boundary(messages)
        await session.abort()
        messages += turn_messages(2)
        quiet = await session.boundary(messages)
        ended = await session.finish(messages, answer="stopped")
        messages += [{"role": "user", "content": "Go on."}, *turn_messages(3)]
        guidance = await session.boundary(messages)
    assert (skips(quiet), skips(ended)) == ({"one": SkipReason.ABORTED}, {"one": SkipReason.ABORTED})
    assert ended.verdict is not Verdict.APPROVED
    assert texts(guidance) == [CONCERN.text]


async def test_a_finish_of_an_aborted_run_is_aborted_and_listed_as_such() -> None:
    sink = RecordingSink()
    async with session_of(reviewer(scripted(BLOCKER)), sinks=[sink]) as session:
        guidance = await session.finish(answering("stop"), answer="stop", stop="aborted")  # type: ignore[arg-type]
        assert session.state.closed is not None
        assert session.state.closed.aborted
    assert guidance.result is FinishResult.ABORTED
    assert [event.verdict for event in sink.of(FinishSettled)] == [Verdict.UNREVIEWED]


async def test_an_abort_before_anything_happened_waits_for_the_human_as_well() -> None:
    said = scripted(CONCERN)
    async with session_of(every_turn(said)) as session:
        await session.abort()
        await session.abort()
        guidance = await session.boundary(transcript())
    assert texts(guidance) == [CONCERN.text]


async def test_an_abort_right_after_a_restart_does_not_take_the_old_request_for_a_new_one() -> None:
    store, messages, said = MemoryStore(), transcript(1), scripted([], CONCERN)
    async with ReviewScheduler([every_turn(said)], store=store) as scheduler:
        await (await scheduler.session("s")).boundary(messages)
    async with ReviewScheduler([every_turn(said)], store=store) as scheduler:
        session = await scheduler.session("s")
        await session.abort()
        messages += turn_messages(2)
        quiet = await session.boundary(messages)
        messages += [{"role": "user", "content": "Go on."}, *turn_messages(3)]
        guidance = await session.boundary(messages)
    assert skips(quiet) == {"one": SkipReason.ABORTED}
    assert texts(guidance) == [CONCERN.text]


async def test_an_abort_right_after_a_request_does_not_take_its_words_for_a_new_one() -> None:
    said = scripted([], CONCERN)
    async with session_of(every_turn(said)) as session:
        await session.boundary(transcript(1))
        await session.new_request("Go on.")
        await session.abort()
        messages = [*transcript(1), {"role": "user", "content": "Go on."}, *turn_messages(2)]
        quiet = await session.boundary(messages)
        messages += [{"role": "user", "content": "Now do it."}, *turn_messages(3)]
        guidance = await session.boundary(messages)
    assert skips(quiet) == {"one": SkipReason.ABORTED}
    assert texts(guidance) == [CONCERN.text]


@interrupted
@pytest.mark.parametrize("taken", [True, False])
async def test_what_was_handed_over_is_not_offered_again_once_the_run_was_interrupted(
    interrupt: Interruption, kind: OutcomeKind, taken: bool
) -> None:
    async with session_of(reviewer(scripted(BLOCKER))) as session:
        guidance = await session.finish(answering("done"), answer="done")
        if taken:
            guidance.taken()
        await interrupt(session)
        again = await session.finish(answering("done"), answer="done", turn=1)
    assert guidance.reopen
    assert (again.advisory, again.reopen, again.progress) == (None, False, "")
    assert (again.result, again.verdict) == (FinishResult.ABORTED, Verdict.UNREVIEWED)
    assert again.outcomes == guidance.outcomes


async def test_two_interruptions_at_once_are_both_carried_out() -> None:
    gate = Gate(BLOCKER)
    async with session_of(every_turn(gate)) as session:
        async with anyio.create_task_group() as tasks, settling(session, gate.entered):
            tasks.start_soon(session.abort)
            tasks.start_soon(session.new_request, "Something else.")
        assert session.state.request_text == "Something else."
    assert gate.cancelled == 1


async def test_interrupting_after_the_scheduler_is_closed_is_refused() -> None:
    async with ReviewScheduler([every_turn(scripted())]) as scheduler:
        session = await scheduler.session("s")
    with pytest.raises(HostError, match="closed"):
        await session.abort()
    with pytest.raises(HostError, match="closed"):
        await session.new_request("Something else.")


async def test_a_new_request_refills_what_the_interrupted_one_had_spent() -> None:
    gate = Gate()
    said: Any = scripted([], gate, CONCERN)
    config: ReviewerConfig = every_turn(said, max_periodic_reviews=2)
    async with session_of(config) as session:
        messages = transcript(1)
        await session.boundary(messages)
        messages += turn_messages(2)
        async with under_way(lambda: session.boundary(messages), gate.entered):
            await session.new_request("Something else.")
        assert session.state.reviewer("one").periodic_used == 0
        messages += turn_messages(3)
        assert texts(await session.boundary(messages)) == [CONCERN.text]
