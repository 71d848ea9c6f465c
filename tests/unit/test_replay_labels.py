"""Labels are data about a run: a reviewer is never shown any of them."""

from __future__ import annotations

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.replay.driver import replay
from foureyes.testing import ScriptedReviewer

from .recorded import ANSWER, ASK, SAMPLES, only

pytestmark = pytest.mark.anyio

SAID_LATER = ("the truth", "a reason", "mistake", "reward", "decisive", "is_correct", "ground_truth", "failure_id")


@pytest.mark.parametrize("name", SAMPLES)
async def test_a_reviewer_is_shown_the_run_and_nothing_that_was_said_about_it_afterwards(name: str) -> None:
    reviewer = ScriptedReviewer()
    await replay(only(SAMPLES[name]), [ReviewerConfig(name="one", reviewer=reviewer, interval_turns=1)])
    shown = repr(reviewer.reviews)
    assert len(reviewer.reviews) > 1
    assert ASK in shown
    assert ANSWER in shown
    assert not any(text in shown for text in SAID_LATER)


@pytest.mark.parametrize("name", SAMPLES)
async def test_the_answer_of_a_recorded_run_is_a_finish_and_its_other_turns_are_boundaries(name: str) -> None:
    reviewer = ScriptedReviewer()
    await replay(only(SAMPLES[name]), [ReviewerConfig(name="one", reviewer=reviewer, interval_turns=1)])
    assert [review.answer for review in reviewer.reviews if review.answer is not None] == [ANSWER]


@pytest.mark.parametrize("name", sorted(set(SAMPLES) - {"OpenAI chat messages", "Codex rollout"}))
async def test_what_the_format_calls_a_failure_reaches_the_reviewer_as_the_hosts_own_flag(name: str) -> None:
    reviewer = ScriptedReviewer()
    await replay(only(SAMPLES[name]), [ReviewerConfig(name="one", reviewer=reviewer, interval_turns=1)])
    assert [tool.error for tool in reviewer.reviews[-1].tools] == [True]
