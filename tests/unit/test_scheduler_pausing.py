"""A reviewer that fails too often is paused in the whole process, and comes back by itself or by hand."""

from __future__ import annotations

from typing import Any

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import OutcomeKind, SkipReason
from foureyes.errors import (
    HostError,
    MisconfiguredError,
    QuotaExhaustedError,
    RateLimitedError,
    ReviewerError,
)
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewerPaused, ReviewerResumed
from foureyes.testing import FakeClock, RecordingSink, note, run_turns

from .fallback_reviewers import NAME
from .shell import every_turn, outcomes, scripted, session_of, skips, sleep_forever, texts, transcript

pytestmark = pytest.mark.anyio

CONCERN = note("The lock is kept.")


def fragile(function: Any, **settings: Any) -> ReviewerConfig:
    """Return a reviewer of every turn that does not rest after an error."""
    return every_turn(function, cooldown_turns=0, **settings)


async def test_three_failures_in_a_row_pause_it_with_one_word() -> None:
    sink, failing = RecordingSink(), scripted(*[ValueError()] * 9)
    async with session_of(fragile(failing), sinks=[sink]) as session:
        guidances = await run_turns(session, 5)
    assert failing.turns == [1, 2, 3]
    assert [skips(guidance) for guidance in guidances[3:]] == [{"one": SkipReason.PAUSED}] * 2
    [paused] = sink.of(ReviewerPaused)
    assert (paused.reviewer, paused.failures, paused.told) == ("one", 3, False)
    assert (paused.outcome, paused.error) == (OutcomeKind.ERROR, "ValueError")


@pytest.mark.parametrize("rubbish", [None, "text", {}, 42])
async def test_replies_that_are_none_count_as_failures(rubbish: object) -> None:
    mumbling = scripted(*[rubbish] * 9)
    async with session_of(fragile(mumbling)) as session:
        await run_turns(session, 5)
    assert mumbling.turns == [1, 2, 3]


async def test_a_completed_review_starts_the_count_again() -> None:
    mixed = scripted(ValueError(), ValueError(), [], ValueError(), ValueError(), CONCERN)
    async with session_of(fragile(mixed)) as session:
        guidances = await run_turns(session, 6)
    assert mixed.turns == [1, 2, 3, 4, 5, 6]
    assert texts(guidances[-1]) == [CONCERN.text]


async def test_failures_in_different_sessions_add_up() -> None:
    broke = scripted(*[ReviewerError("broken")] * 9)
    async with ReviewScheduler([fragile(broke)]) as scheduler:
        seen = [await (await scheduler.session(name)).boundary(transcript()) for name in "abcd"]
    assert [outcomes(guidance) for guidance in seen[:3]] == [{"one": OutcomeKind.ERROR}] * 3
    assert skips(seen[3]) == {"one": SkipReason.PAUSED}


async def test_a_pause_is_of_one_reviewer_and_not_of_the_others() -> None:
    configs = [fragile(scripted(*[ValueError()] * 9), name="broken"), fragile(scripted(), name="sound")]
    async with session_of(*configs) as session:
        guidances = await run_turns(session, 5)
    assert [outcomes(guidance) for guidance in guidances[3:]] == [{"sound": OutcomeKind.QUIET}] * 2


@pytest.mark.parametrize("works", [True, False], ids=["which works", "which fails"])
async def test_the_eleventh_time_is_a_trial(works: bool) -> None:
    sink = RecordingSink()
    script = [ValueError(), CONCERN if works else ValueError()]
    failing = scripted(*script)
    config = fragile(failing, pause_after_failures=1)
    async with session_of(config, sinks=[sink]) as session:
        await run_turns(session, 13)
    assert failing.turns == ([1, 12, 13] if works else [1, 12])
    assert [event.reviewer for event in sink.of(ReviewerResumed)] == (["one"] if works else [])
    assert len(sink.of(ReviewerPaused)) == 1


async def test_an_operator_may_end_a_pause_at_once() -> None:
    sink, failing = RecordingSink(), scripted(ValueError(), CONCERN)
    async with ReviewScheduler([fragile(failing, pause_after_failures=1)], sinks=[sink]) as scheduler:
        session = await scheduler.session("s")
        await run_turns(session, 2)
        scheduler.resume("one")
        scheduler.resume("one")
        [guidance] = await run_turns(session, 1, messages=transcript(2))
    assert texts(guidance) == [CONCERN.text]
    assert len(sink.of(ReviewerResumed)) == 1


async def test_a_name_that_nobody_has_cannot_be_resumed() -> None:
    async with ReviewScheduler([fragile(scripted())]) as scheduler:
        with pytest.raises(HostError, match="no reviewer is called 'two'"):
            scheduler.resume("two")


async def test_every_way_of_failing_counts_towards_a_pause() -> None:
    failing = scripted(ValueError(), sleep_forever, "text")
    async with session_of(fragile(failing, timeout_seconds=0.05)) as session:
        guidances = await run_turns(session, 4)
    assert [outcomes(guidance) for guidance in guidances[:3]] == [
        {"one": OutcomeKind.ERROR},
        {"one": OutcomeKind.TIMEOUT},
        {"one": OutcomeKind.UNPARSED},
    ]
    assert skips(guidances[3]) == {"one": SkipReason.PAUSED}


@pytest.mark.parametrize("error", [QuotaExhaustedError("no credit"), MisconfiguredError("the key is wrong")])
async def test_one_that_is_of_no_use_until_somebody_sees_to_it_is_paused_at_once(error: ReviewerError) -> None:
    """As in https://github.com/can1357/oh-my-pi/pull/4851: "out of credits" was tried again for hours."""
    sink, failing = RecordingSink(), scripted(*[error] * 9)
    async with session_of(fragile(failing, max_attempts=3), sinks=[sink]) as session:
        guidances = await run_turns(session, 3)
    assert (failing.turns, skips(guidances[1])) == ([1], {"one": SkipReason.PAUSED})
    [paused] = sink.of(ReviewerPaused)
    assert (paused.failures, paused.seconds, paused.told) == (1, None, True)
    assert (paused.outcome, paused.error) == (error.outcome, str(error))


async def test_a_hint_that_does_not_fit_into_the_deadline_becomes_a_pause_until_then() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/11947: one rate limit disabled the reviewer for good."""
    clock, sink = FakeClock(), RecordingSink()
    limited = scripted(RateLimitedError(retry_after=20), CONCERN, CONCERN)
    config = fragile(limited, timeout_seconds=5, max_attempts=2)
    async with session_of(config, clock=clock, sinks=[sink]) as session:
        first = await session.boundary(transcript(1))
        clock.advance(5)
        second = await session.boundary(transcript(2))
        clock.advance(20)
        third = await session.boundary(transcript(3))
    assert (outcomes(first), skips(second)) == ({"one": OutcomeKind.RATE_LIMITED}, {"one": SkipReason.PAUSED})
    assert texts(third) == [CONCERN.text]
    [paused] = sink.of(ReviewerPaused)
    assert paused.seconds is not None
    assert 20 <= paused.seconds <= 22


async def test_a_fallback_that_works_keeps_the_reviewer_from_being_paused() -> None:
    empty = scripted(*[QuotaExhaustedError("no credit")] * 9)
    config = fragile(empty, fallbacks=(f"{NAME}:sound",))
    async with session_of(config) as session:
        guidances = await run_turns(session, 3)
    assert [outcomes(guidance) for guidance in guidances] == [{"one": OutcomeKind.NOTED}] * 3


async def test_a_fallback_that_may_work_the_next_time_keeps_the_reviewer_from_being_paused_at_once() -> None:
    empty = scripted(*[QuotaExhaustedError("no credit")] * 9)
    config = fragile(empty, fallbacks=(f"{NAME}:refusing",))
    async with session_of(config) as session:
        guidances = await run_turns(session, 4)
    assert skips(guidances[2]) == {}
    assert skips(guidances[3]) == {"one": SkipReason.PAUSED}


async def test_a_hint_of_an_hour_still_counts_and_ends_when_it_says() -> None:
    limited, clock, sink = scripted(RateLimitedError(retry_after=3_600), []), FakeClock(), RecordingSink()
    async with session_of(fragile(limited), clock=clock, sinks=[sink]) as session:
        await run_turns(session, 1)
        clock.advance(3_600)
        [guidance] = await run_turns(session, 1, messages=transcript(1))
    assert [event.seconds for event in sink.of(ReviewerPaused)] == [3_600.0]
    assert outcomes(guidance) == {"one": OutcomeKind.QUIET}
