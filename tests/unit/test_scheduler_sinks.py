"""Sinks get every event in the order in which things happened, and one that fails hurts nobody."""

from __future__ import annotations

import logging

import pytest

from foureyes.core.words import Disposition, FinishResult, OutcomeKind, Severity, SkipReason, Trigger, Verdict
from foureyes.telemetry import events as happened
from foureyes.telemetry.events import Event
from foureyes.testing import FakeClock, RecordingSink, note, run_turns

from .shell import answering, every_turn, outcomes, reviewer, scripted, session_of, texts, transcript

pytestmark = pytest.mark.anyio

CONCERN = note("The lock is kept.")


class Failing(RecordingSink):
    """A sink that keeps every event and then fails."""

    def emit(self, event: Event) -> None:
        """Keep it, and fail."""
        super().emit(event)
        raise RuntimeError("the disk is full")

    def quiet(self, finish: bool) -> None:
        """Count it, and fail."""
        super().quiet(finish)
        raise RuntimeError("the disk is full")


async def test_a_boundary_is_told_from_the_charge_to_the_settlement() -> None:
    sink = RecordingSink()
    configs = [every_turn(scripted([CONCERN, note("LGTM"), 7]), "alpha"), every_turn(scripted(), "beta", enabled=False)]
    async with session_of(*configs, sinks=[sink], clock=FakeClock()) as session:
        (await session.boundary(transcript())).taken()
    assert [type(event) for event in sink.events] == [
        happened.Checkpointed,
        happened.Checkpointed,
        happened.ReviewSettled,
        happened.NoteJudged,
        happened.NoteJudged,
        happened.NoteJudged,
        happened.ReviewSkipped,
        happened.BoundarySettled,
        happened.NoteSent,
        happened.Checkpointed,
    ]
    assert {event.session for event in sink.events} == {"s"}
    [settled] = sink.of(happened.ReviewSettled)
    assert (settled.reviewer, settled.trigger, settled.turn) == ("alpha", Trigger.PERIODIC, 1)
    assert (settled.outcome, settled.attempts) == (OutcomeKind.NOTED, 1)
    assert [(event.disposition, event.note) for event in sink.of(happened.NoteJudged)] == [
        (Disposition.ADMITTED, "n1"),
        (Disposition.NOISE, None),
        (Disposition.MALFORMED, None),
    ]
    assert [(event.reviewer, event.reason) for event in sink.of(happened.ReviewSkipped)] == [
        ("beta", SkipReason.DISABLED)
    ]
    [boundary] = sink.of(happened.BoundarySettled)
    assert (boundary.turn, boundary.finish, str(boundary.advisory)[:3]) == (1, False, "a1-")


async def test_a_finish_is_told_with_its_result_and_what_was_never_sent() -> None:
    sink = RecordingSink()
    async with session_of(reviewer(scripted(note("Rename it.", Severity.NIT))), sinks=[sink]) as session:
        await session.finish(answering("done"), answer="done")
    assert sink.of(happened.FinishSettled) == [
        happened.FinishSettled(session="s", turn=1, result=FinishResult.CLEAN, verdict=Verdict.APPROVED, unsent=1)
    ]
    assert [event.finish for event in sink.of(happened.BoundarySettled)] == [True]


async def test_a_spent_allowance_is_told_once_for_each_kind() -> None:
    sink = RecordingSink()
    config = reviewer(scripted(), interval_turns=1, max_periodic_reviews=2, max_rounds=1)
    async with session_of(config, sinks=[sink]) as session:
        await run_turns(session, 4, answers=["done"])
    assert [(event.turn, event.trigger) for event in sink.of(happened.QuotaExhausted)] == [
        (2, Trigger.PERIODIC),
        (5, Trigger.FINISH),
    ]


async def test_a_cap_is_told_with_its_numbers() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(), max_periodic_reviews=1), sinks=[sink]) as session:
        await run_turns(session, 2)
    assert [(event.reason, event.have, event.limit) for event in sink.of(happened.ReviewSkipped)] == [
        (SkipReason.CAP, 1, 1)
    ]


async def test_a_cooldown_is_told_with_its_turns() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(ValueError()), cooldown_turns=3), sinks=[sink]) as session:
        await run_turns(session, 4)
    assert [(event.reason, event.have, event.limit) for event in sink.of(happened.ReviewSkipped)] == [
        (SkipReason.COOLDOWN, 2, 4),
        (SkipReason.COOLDOWN, 3, 4),
    ]


async def test_a_sink_that_fails_hurts_no_review_and_no_other_sink() -> None:
    before, failing, after = RecordingSink(), Failing(), RecordingSink()
    async with session_of(every_turn(scripted(CONCERN)), sinks=[before, failing, after]) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == [CONCERN.text]
    told = [event for event in failing.events if not isinstance(event, happened.SinkFailed)]
    for sink in (before, after):
        assert [event for event in sink.events if not isinstance(event, happened.SinkFailed)] == told
        failures = sink.of(happened.SinkFailed)
        assert {(event.sink, event.error) for event in failures} == {("Failing", "RuntimeError: the disk is full")}
        assert len(failures) == len(told)
    assert failing.of(happened.SinkFailed) == [], "nobody is told of its own failure"


async def test_a_sink_that_cannot_count_quiet_boundaries_is_told_to_the_others() -> None:
    failing, other = Failing(), RecordingSink()
    async with session_of(reviewer(scripted(), interval_turns=9), sinks=[failing, other]) as session:
        await run_turns(session, 3)
    assert (failing.quiet_boundaries, other.quiet_boundaries) == (3, 3)
    assert len(other.of(happened.SinkFailed)) >= 3


async def test_a_failing_sink_is_logged_without_a_word_of_the_transcript(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "foureyes"):
        async with session_of(every_turn(scripted(CONCERN)), sinks=[Failing()]) as session:
            await session.boundary(transcript())
    assert caplog.records
    assert {record.getMessage() for record in caplog.records} == {"Failing failed: RuntimeError: the disk is full"}


async def test_two_sinks_of_one_kind_are_told_apart() -> None:
    first, second = Failing(), RecordingSink()

    class Other(Failing):
        pass

    third = Other()
    async with session_of(every_turn(scripted()), sinks=[first, second, third]) as session:
        await session.boundary(transcript())
    assert {event.sink for event in second.of(happened.SinkFailed)} == {"Failing", "Other"}
    assert {event.sink for event in first.of(happened.SinkFailed)} == {"Other"}


async def test_without_sinks_everything_works() -> None:
    async with session_of(every_turn(scripted(CONCERN))) as session:
        guidance = await session.boundary(transcript())
    assert outcomes(guidance) == {"one": OutcomeKind.NOTED}


async def test_the_durations_are_those_of_the_clock() -> None:
    sink, clock = RecordingSink(), FakeClock()

    async def takes_its_time(review: object) -> list[object]:
        clock.advance(2.5)
        return []

    async with session_of(every_turn(takes_its_time), sinks=[sink], clock=clock) as session:
        await session.boundary(transcript())
    assert [event.seconds for event in sink.of(happened.ReviewSettled)] == [2.5]
    assert [event.seconds for event in sink.of(happened.BoundarySettled)] == [2.5]


async def test_an_event_keeps_a_bounded_part_of_a_note() -> None:
    sink = RecordingSink()
    async with session_of(every_turn(scripted(note("x" * 7_000))), sinks=[sink]) as session:
        await session.boundary(transcript())
    assert [len(event.text) for event in sink.of(happened.NoteJudged)] == [2_000]


async def test_an_error_is_told_on_one_bounded_line() -> None:
    sink = RecordingSink()
    error = ValueError("first line\nsecond\tline " + "x" * 900)
    async with session_of(every_turn(scripted(error)), sinks=[sink]) as session:
        await session.boundary(transcript())
    [settled] = sink.of(happened.ReviewSettled)
    assert settled.error.startswith("ValueError: first line second line xxx")
    assert len(settled.error) <= 200
