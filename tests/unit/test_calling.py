"""One review, whatever the reviewer does: attempts, pauses, deadlines, threads, and an outcome in the end."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import anyio
import pytest

from foureyes.core.facts import Note, Reply, Review, Usage
from foureyes.core.words import Disposition, OutcomeKind, Severity, SkipReason
from foureyes.errors import RateLimitedError, RefusedError, TransientReviewerError
from foureyes.guidance import Guidance
from foureyes.telemetry.events import LeftoverChanged, NoteJudged, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, note, turn_messages

from .shell import TASK, Deaf, every_turn, outcomes, scripted, session_of, skips, sleep_forever, texts, transcript

pytestmark = pytest.mark.anyio

BLOCKER = note("There is an await missing in a.py.", Severity.BLOCKER)
SHORT = 0.05


class Called:
    """What became of one review."""

    def __init__(self, guidance: Guidance, sink: RecordingSink, clock: FakeClock) -> None:
        [self.settled] = sink.of(ReviewSettled)
        self.guidance, self.sink, self.clock = guidance, sink, clock

    @property
    def outcome(self) -> OutcomeKind:
        """Return how the review ended."""
        return self.settled.outcome


async def called(function: Callable[..., Any], **settings: Any) -> Called:
    """Return what became of the only review of a session."""
    sink, clock = RecordingSink(), FakeClock()
    async with session_of(every_turn(function, **settings), sinks=[sink], clock=clock) as session:
        guidance = await session.boundary(transcript())
    return Called(guidance, sink, clock)


# --- attempts ---


async def test_a_transient_error_is_tried_again() -> None:
    done = await called(scripted(TransientReviewerError("busy"), BLOCKER))
    assert (done.outcome, done.settled.attempts, texts(done.guidance)) == (OutcomeKind.NOTED, 2, [BLOCKER.text])


@pytest.mark.parametrize("most", [1, 2, 5])
async def test_there_are_at_most_max_attempts(most: int) -> None:
    failing = scripted(*[RateLimitedError("slow down", retry_after=0.0)] * 9)
    done = await called(failing, max_attempts=most)
    assert (done.outcome, done.settled.attempts, len(failing.reviews)) == (OutcomeKind.RATE_LIMITED, most, most)


@pytest.mark.parametrize("error", [PermissionError("not yours"), ValueError("wrong")])
async def test_an_error_that_will_not_pass_is_raised_once_and_named(error: Exception) -> None:
    """As in https://github.com/jd/tenacity/issues/186: the log said ``RetryError`` and nothing else."""
    done = await called(scripted(error, BLOCKER), max_attempts=5)
    assert (done.settled.attempts, done.settled.error) == (1, f"{type(error).__name__}: {error}")


@pytest.mark.parametrize("error", [ValueError(), RefusedError()])
async def test_an_error_without_a_text_is_told_by_its_name_alone(error: Exception) -> None:
    assert (await called(scripted(error))).settled.error == type(error).__name__


async def test_an_error_of_ours_is_told_in_its_own_words_alone() -> None:
    done = await called(scripted(RefusedError("The provider declined.")))
    assert done.settled.error == "The provider declined."


async def test_the_last_of_several_errors_is_the_one_that_is_told() -> None:
    done = await called(scripted(TransientReviewerError("first"), ValueError("second")), max_attempts=5)
    assert (done.outcome, done.settled.error) == (OutcomeKind.ERROR, "ValueError: second")


@pytest.mark.parametrize("most", [2, 3])
async def test_no_attempt_has_the_error_of_the_one_before_below_its_own(most: int) -> None:
    """Who looks for the cause of the last error would find that of the first."""
    below: list[BaseException | None] = []

    async def fails(review: Review) -> None:
        try:
            raise ConnectionResetError("the cause")
        except ConnectionResetError as error:
            below.append(error.__context__)
        raise TransientReviewerError("busy", retry_after=0.0)

    done = await called(fails, max_attempts=most)
    assert (done.settled.attempts, below) == (most, [None] * most)


@pytest.mark.parametrize("hint", [0.0, 2.5, 29.0])
async def test_a_wait_that_fits_into_the_deadline_is_obeyed(hint: float) -> None:
    done = await called(scripted(RateLimitedError("slow down", retry_after=hint), BLOCKER), timeout_seconds=30)
    assert (done.outcome, done.clock.slept) == (OutcomeKind.NOTED, [hint])


@pytest.mark.parametrize("hint", [30.0, 42.0, 3_600.0, float("inf"), float("nan")])
async def test_a_wait_that_does_not_fit_ends_the_attempts_at_once(hint: float) -> None:
    """As in https://github.com/MattJColes/lgtmaybe/issues/378: an hour-long hint held the whole round."""
    failing = scripted(RateLimitedError("slow down", retry_after=hint), BLOCKER)
    done = await called(failing, timeout_seconds=30, max_attempts=5)
    assert (done.outcome, done.settled.attempts, done.clock.slept) == (OutcomeKind.RATE_LIMITED, 1, [])


async def test_waits_are_counted_together() -> None:
    limited = [RateLimitedError("slow down", retry_after=12.0)] * 5
    done = await called(scripted(*limited), timeout_seconds=30, max_attempts=9)
    assert (done.clock.slept, done.settled.attempts) == ([12.0, 12.0], 3)


async def test_a_negative_hint_is_no_wait() -> None:
    done = await called(scripted(RateLimitedError("now", retry_after=-5.0), BLOCKER))
    assert done.clock.slept == [0.0]


async def test_without_a_hint_the_wait_is_short_and_random() -> None:
    pauses = [(await called(scripted(TransientReviewerError("busy"), BLOCKER))).clock.slept for _ in range(8)]
    assert all(0 <= pause <= 0.5 for [pause] in pauses)
    assert len({pause for [pause] in pauses}) > 1


async def test_a_wait_of_our_own_that_does_not_fit_names_the_error_and_not_the_deadline() -> None:
    failing = scripted(*[TransientReviewerError("busy")] * 99)
    done = await called(failing, timeout_seconds=0.6, max_attempts=99)
    assert (done.outcome, done.settled.error) == (OutcomeKind.ERROR, "busy")
    assert sum(done.clock.slept) < 0.6


@pytest.mark.parametrize("hint", ["soon", object(), [1]])
async def test_a_hint_that_is_no_number_is_no_hint(hint: Any) -> None:
    done = await called(scripted(RateLimitedError("slow down", retry_after=hint), BLOCKER))
    assert (done.outcome, done.settled.attempts) == (OutcomeKind.NOTED, 2)


async def test_a_hint_as_a_header_has_it_is_obeyed() -> None:
    done = await called(scripted(RateLimitedError("slow down", retry_after="2"), BLOCKER))
    assert (done.outcome, done.clock.slept) == (OutcomeKind.NOTED, [2.0])


# --- deadlines ---


async def test_a_review_that_does_not_end_is_a_timeout_and_is_not_tried_again() -> None:
    attempts = 0

    async def hang(review: Review) -> None:
        nonlocal attempts
        attempts += 1
        await anyio.sleep_forever()

    done = await called(hang, timeout_seconds=SHORT, max_attempts=5)
    assert (done.outcome, done.settled.attempts, attempts) == (OutcomeKind.TIMEOUT, 1, 1)
    assert done.settled.error == "no answer in time"


async def test_one_deadline_covers_all_attempts() -> None:
    done = await called(scripted(TransientReviewerError(retry_after=0.0), sleep_forever), timeout_seconds=SHORT)
    assert (done.outcome, done.settled.attempts) == (OutcomeKind.TIMEOUT, 2)


async def test_a_reviewer_that_answers_its_own_cancellation_is_late() -> None:
    """As in https://github.com/python/cpython/issues/86296: the late value was taken for a normal result."""

    async def swallows(review: Review) -> list[Note]:
        try:
            await anyio.sleep_forever()
        except BaseException:
            return [BLOCKER]
        return []

    done = await called(swallows, timeout_seconds=SHORT)
    assert (done.outcome, texts(done.guidance)) == (OutcomeKind.TIMEOUT, [])
    assert [event.disposition for event in done.sink.of(NoteJudged)] == [Disposition.LATE]


async def test_a_reviewer_that_retries_its_own_cancellation_is_late() -> None:
    """As in https://github.com/jd/tenacity/issues/529: the wrapper started again, and the timeout was lost."""
    attempts = 0

    async def stubborn(review: Review) -> list[Note]:
        nonlocal attempts
        while attempts < 2:
            attempts += 1
            try:
                await anyio.sleep_forever()
            except BaseException:
                continue
        return [BLOCKER]

    done = await called(stubborn, timeout_seconds=SHORT)
    assert (done.outcome, texts(done.guidance)) == (OutcomeKind.TIMEOUT, [])


async def test_a_reviewer_that_does_not_let_go_is_left_behind_and_its_answer_dropped() -> None:
    deaf, sink = Deaf(BLOCKER), RecordingSink()
    async with session_of(every_turn(deaf, timeout_seconds=SHORT, cooldown_turns=0), sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
        assert [event.running for event in sink.of(LeftoverChanged)] == [1]
        deaf.opened.set()
        await deaf.left.wait()
        await anyio.wait_all_tasks_blocked()
        assert session.state.notes == {}
    assert outcomes(guidance) == {"one": OutcomeKind.TIMEOUT}
    assert [event.running for event in sink.of(LeftoverChanged)] == [1, 0]
    assert [(event.text, event.disposition) for event in sink.of(NoteJudged)] == [(BLOCKER.text, Disposition.LATE)]


async def test_a_hung_reviewer_is_asked_once_however_many_boundaries_pass() -> None:
    """As in https://github.com/openai/codex-plugin-cc/issues/611: each boundary started another review."""
    deaf, messages = Deaf(), [TASK]
    config = every_turn(deaf, timeout_seconds=SHORT, cooldown_turns=0, pause_after_failures=99)
    async with session_of(config) as session:
        seen = []
        for turn in range(1, 51):
            messages += turn_messages(turn)
            seen.append(skips(await session.boundary(messages)))
        deaf.opened.set()
    assert deaf.calls == 1
    assert seen == [{}, *[{"one": SkipReason.BUSY}] * 49]


async def test_a_reviewer_that_freezes_the_loop_is_a_timeout_once_it_lets_go() -> None:
    frozen = threading.Event()

    async def freezes(review: Review) -> list[Note]:
        frozen.wait(SHORT * 3)
        return [BLOCKER]

    done = await called(freezes, timeout_seconds=SHORT)
    assert (done.outcome, texts(done.guidance)) == (OutcomeKind.TIMEOUT, [])
    assert [event.disposition for event in done.sink.of(NoteJudged)] == [Disposition.LATE]


async def test_the_tokens_of_a_late_answer_are_counted() -> None:
    async def late(review: Review) -> Reply:
        try:
            await anyio.sleep_forever()
        except BaseException:
            return Reply(notes=(BLOCKER,), usage=Usage(input_tokens=50))
        return Reply()

    done = await called(late, timeout_seconds=SHORT)
    assert (done.outcome, done.settled.usage.input_tokens) == (OutcomeKind.TIMEOUT, 50)


# --- beside others ---


async def test_one_that_fails_and_one_that_hangs_do_not_take_the_others_notes() -> None:
    """As in https://github.com/ohdearquant/lionagi/issues/1322: one flaky call voided the whole round."""
    configs = [
        every_turn(scripted(ValueError("down")), "broken"),
        every_turn(sleep_forever, "hanging", timeout_seconds=SHORT),
        every_turn(scripted(42), "rubbish"),
        every_turn(scripted(BLOCKER), "sound"),
    ]
    async with session_of(*configs) as session:
        guidance = await session.boundary(transcript())
    assert outcomes(guidance) == {
        "broken": OutcomeKind.ERROR,
        "hanging": OutcomeKind.TIMEOUT,
        "rubbish": OutcomeKind.UNPARSED,
        "sound": OutcomeKind.NOTED,
    }
    assert texts(guidance) == [BLOCKER.text]


async def test_all_due_reviewers_are_under_way_at_the_same_time() -> None:
    entered, together = [], anyio.Event()

    async def meets_the_others(review: Review) -> list[Note]:
        entered.append(review.reviewer)
        if len(entered) == 4:
            together.set()
        with anyio.fail_after(5):
            await together.wait()
        return []

    names = ["a", "b", "c", "d"]
    async with session_of(*(every_turn(meets_the_others, name) for name in names)) as session:
        guidance = await session.boundary(transcript())
    assert outcomes(guidance) == dict.fromkeys(names, OutcomeKind.QUIET)


@pytest.mark.parametrize("order", [(0, 1, 2), (2, 1, 0), (1, 0, 2)])
async def test_the_order_in_which_they_answer_changes_nothing(order: tuple[int, ...]) -> None:
    gates = [anyio.Event() for _ in order]

    async def answers(review: Review) -> list[Note]:
        place = int(review.reviewer[-1])
        await gates[place].wait()
        following = order.index(place) + 1
        if following < len(order):
            gates[order[following]].set()
        return [note(f"Point {review.reviewer}."), note("The same in all.", Severity.BLOCKER)]

    gates[order[0]].set()
    async with session_of(*(every_turn(answers, f"r{place}") for place in range(3))) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == ["The same in all.", "Point r0.", "Point r1.", "Point r2."]
    assert guidance.advisory is not None
    assert guidance.advisory.notes[0].reviewers == ("r0", "r1", "r2")
