"""A review that did not happen approves nothing, blocks nothing, and tells the agent nothing."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from foureyes.core.facts import Reply, Review
from foureyes.core.words import FinishResult, OutcomeKind, Severity, Stop, Verdict
from foureyes.errors import (
    ContextOverflowError,
    QuotaExhaustedError,
    RateLimitedError,
    RefusedError,
    ReviewerError,
    TransientReviewerError,
)
from foureyes.guidance import Guidance
from foureyes.telemetry.events import ReviewSettled
from foureyes.testing import RecordingSink, note, run_turns

from .shell import TASK, answering, outcomes, reviewer, scripted, session_of, skips, sleep_forever, texts

pytestmark = pytest.mark.anyio

SECRET = "connection to judge.internal refused"
BLOCKER = note("The migration has no way back.", Severity.BLOCKER)

FAILURES = [
    (ValueError(SECRET), OutcomeKind.ERROR),
    (ReviewerError(SECRET), OutcomeKind.ERROR),
    (TransientReviewerError(SECRET), OutcomeKind.ERROR),
    (RateLimitedError(SECRET), OutcomeKind.RATE_LIMITED),
    (QuotaExhaustedError(SECRET), OutcomeKind.QUOTA_EXHAUSTED),
    (RefusedError(SECRET), OutcomeKind.REFUSED),
    (ContextOverflowError(SECRET), OutcomeKind.OVERFLOW),
]
NOTHING: list[object] = [None, "", {}, "LGTM", 0, True, b"", object(), {"notes": None}, {"verdict": "ok"}]


async def finished(function: Callable[..., Any], **settings: Any) -> Guidance:
    """Return the guidance of a finish with one reviewer, which is asked once."""
    async with session_of(reviewer(function, max_attempts=1, **settings)) as session:
        return await session.finish(answering("done"), answer="done")


def all_that_the_agent_reads(guidance: Guidance) -> str:
    """Return every word of the guidance that is meant for the agent."""
    return "\n".join(message["content"] for message in guidance.messages)


@pytest.mark.parametrize(("failure", "kind"), FAILURES, ids=lambda value: getattr(type(value), "__name__", ""))
async def test_a_failing_reviewer_lets_the_answer_go_and_is_no_approval(failure: Exception, kind: OutcomeKind) -> None:
    """As in https://github.com/NousResearch/hermes-agent/issues/108469: the judge's error became a finding."""
    guidance = await finished(scripted(failure))
    assert outcomes(guidance) == {"one": kind}
    assert (guidance.result, guidance.verdict) == (FinishResult.UNAVAILABLE, Verdict.UNAVAILABLE)
    assert (guidance.reopen, all_that_the_agent_reads(guidance)) == (False, "")
    assert guidance.progress == f"the answer goes out without the review of one ({kind})"


@pytest.mark.parametrize("nothing", NOTHING, ids=repr)
async def test_no_reply_is_unavailable_and_not_silence(nothing: object) -> None:
    """As in https://github.com/openai/codex-plugin-cc/issues/611: an exit code of 0 and no output opened the gate."""
    guidance = await finished(scripted(nothing))
    assert outcomes(guidance) == {"one": OutcomeKind.UNPARSED}
    assert (guidance.result, guidance.verdict) == (FinishResult.UNAVAILABLE, Verdict.UNAVAILABLE)


@pytest.mark.parametrize("silence", [[], (), {"notes": []}, Reply()], ids=repr)
async def test_explicit_silence_is_an_approval(silence: object) -> None:
    guidance = await finished(scripted(silence))
    assert outcomes(guidance) == {"one": OutcomeKind.QUIET}
    assert (guidance.result, guidance.verdict) == (FinishResult.CLEAN, Verdict.APPROVED)


async def test_an_exhausted_quota_sends_nobody_back_however_often_the_agent_answers() -> None:
    """As in https://github.com/openai/codex-plugin-cc/issues/695: it blocked twenty times."""
    broke = scripted(*[QuotaExhaustedError("the account is empty")] * 3)
    async with session_of(reviewer(broke)) as session:
        guidances = await run_turns(session, 0, answers=["done"])
    assert [guidance.reopen for guidance in guidances] == [False]


async def test_a_timeout_at_a_finish_is_never_said_to_be_a_refusal() -> None:
    """As in https://github.com/openai/codex/issues/15667: a guardian that was late had "denied" the plan."""
    guidance = await finished(sleep_forever, timeout_seconds=0.05)
    assert outcomes(guidance) == {"one": OutcomeKind.TIMEOUT}
    assert guidance.verdict is Verdict.UNAVAILABLE
    assert all_that_the_agent_reads(guidance) == ""


async def test_the_operator_is_told_what_the_agent_is_not() -> None:
    sink = RecordingSink()
    async with session_of(reviewer(scripted(ReviewerError(SECRET))), sinks=[sink]) as session:
        await session.finish(answering("done"), answer="done")
    assert [event.error for event in sink.of(ReviewSettled)] == [SECRET]


async def test_one_that_fails_beside_one_that_approves_is_no_approval() -> None:
    async with session_of(reviewer(scripted(), "alpha"), reviewer(scripted(ValueError()), "beta")) as session:
        guidance = await session.finish(answering("done"), answer="done")
    assert (guidance.result, guidance.verdict) == (FinishResult.UNAVAILABLE, Verdict.UNAVAILABLE)


async def test_one_that_fails_beside_one_that_blocks_does_not_silence_it() -> None:
    async with session_of(reviewer(scripted(BLOCKER), "alpha"), reviewer(scripted(ValueError(SECRET)), "beta")) as s:
        guidance = await s.finish(answering("done"), answer="done")
    assert (guidance.result, texts(guidance)) == (FinishResult.REOPENED, [BLOCKER.text])
    assert SECRET not in all_that_the_agent_reads(guidance)


async def test_a_paused_reviewer_makes_the_review_unavailable() -> None:
    failing = scripted(*[ValueError()] * 3)
    async with session_of(reviewer(failing, pause_after_failures=1, max_rounds=9)) as session:
        messages = answering("done")
        await session.finish(messages, answer="done")
        guidance = await session.finish([*messages, TASK], answer="done")
    assert skips(guidance) == {"one": "paused"}
    assert guidance.verdict is Verdict.UNAVAILABLE


async def test_a_disabled_reviewer_leaves_the_answer_merely_unreviewed() -> None:
    async with session_of(reviewer(scripted(), enabled=False)) as session:
        guidance = await session.finish(answering("done"), answer="done")
    assert skips(guidance) == {"one": "disabled"}
    assert (guidance.result, guidance.verdict) == (FinishResult.CLEAN, Verdict.UNREVIEWED)


# --- every kind of reviewer is heard ---


def sync_reviewer(said: object) -> Callable[[Review], object]:
    """Return a plain function."""
    return lambda review: said


def async_reviewer(said: object) -> Callable[[Review], Awaitable[object]]:
    """Return a coroutine function."""

    async def review_it(review: Review) -> object:
        return said

    return review_it


def callable_reviewer(said: object) -> Callable[[Review], object]:
    """Return an object that can be called."""

    class Reviewer:
        def __call__(self, review: Review) -> object:
            return said

    return Reviewer()


def dictionary_reviewer(said: object) -> Callable[[Review], Awaitable[object]]:
    """Return a reviewer that answers in plain data."""
    assert isinstance(said, list)
    return async_reviewer({"notes": [{"text": one.text, "severity": str(one.severity).upper()} for one in said]})


KINDS = [sync_reviewer, async_reviewer, callable_reviewer, dictionary_reviewer]


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
async def test_every_kind_of_reviewer_blocks(kind: Callable[[object], Callable[..., Any]]) -> None:
    """As in https://github.com/anthropics/claude-code/issues/32608: a no that was read on one path only."""
    guidance = await finished(kind([BLOCKER]))
    assert (guidance.result, texts(guidance)) == (FinishResult.REOPENED, [BLOCKER.text])


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
async def test_every_kind_of_reviewer_approves(kind: Callable[[object], Callable[..., Any]]) -> None:
    guidance = await finished(kind([]))
    assert (guidance.result, guidance.verdict) == (FinishResult.CLEAN, Verdict.APPROVED)


# --- how the run ended ---


async def test_the_agents_objection_is_what_the_next_round_judges() -> None:
    """As in https://github.com/NousResearch/hermes-agent/issues/93521: a demand that nobody could meet."""
    demanding = scripted(note("Attach the deploy log."), note("Attach the deploy log."))
    objection = "I cannot attach it: there is no access to the deployment."
    async with session_of(reviewer(demanding)) as session:
        guidances = await run_turns(session, 0, answers=["Deployed.", objection])
    assert demanding.reviews[1].answer == objection
    assert "Attach the deploy log." in guidances[0].messages[0]["content"]
    assert guidances[1].reopen is False


async def test_words_of_approval_in_the_task_approve_nothing() -> None:
    """As in https://github.com/microsoft/autogen/issues/6826: the task itself held the word that means done."""
    messages: list[Any] = [{"role": "user", "content": "Write APPROVED, LGTM and done into status.txt."}]
    async with session_of(reviewer(scripted(BLOCKER))) as session:
        guidances = await run_turns(session, 0, messages=messages, answers=["APPROVED. LGTM. All done."])
    assert guidances[0].result is FinishResult.REOPENED


@pytest.mark.parametrize(
    ("stop", "reviewed"),
    [(Stop.ANSWER, True), (Stop.TERMINAL_TOOL, False), (Stop.MAX_TURNS, False), (Stop.ERROR, False)],
)
async def test_every_ending_says_whether_it_was_reviewed(stop: Stop, reviewed: bool) -> None:
    """As in https://github.com/OpenHands/software-agent-sdk/issues/3569: one way to finish was never reviewed."""
    async with session_of(reviewer(scripted())) as session:
        guidance = await session.finish(answering("done"), answer="done", stop=stop)
    assert guidance.verdict is (Verdict.APPROVED if reviewed else Verdict.UNREVIEWED)
    assert bool(guidance.outcomes) is reviewed
    assert skips(guidance) == ({} if reviewed else {"one": "stop_reason"})


async def test_the_last_revision_is_never_returned_as_reviewed() -> None:
    async with session_of(reviewer(scripted(BLOCKER), max_rounds=1)) as session:
        guidances = await run_turns(session, 0, answers=["done", "done again"])
    assert guidances[-1].verdict is Verdict.CHANGES_REQUESTED


async def test_a_small_remark_after_the_answer_wakes_nobody() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/4840: a nit made the agent print its answer twice."""
    nits = [note("Rename x to index.", Severity.NIT), note("The log level is debug.", Severity.NIT)]
    async with session_of(reviewer(scripted(nits))) as session:
        [guidance] = await run_turns(session, 0, answers=["done"])
    assert (guidance.reopen, guidance.messages) == (False, [])
    assert [left.text for left in guidance.unsent] == [one.text for one in nits]
