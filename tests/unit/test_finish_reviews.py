"""What a finish review may do to the answer: nothing, or have it given again, with reasons."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Message, Reply, Review
from foureyes.core.guard import Judged
from foureyes.core.words import FinishResult, OutcomeKind, Severity, Stop, Trigger, Verdict
from foureyes.errors import ReviewerError
from foureyes.guidance import Guidance
from foureyes.testing import note, run_turns

from .shell import TASK, answering, every_turn, outcomes, reviewer, scripted, session_of, skips, texts

pytestmark = pytest.mark.anyio

FIRST, SECOND, THIRD = "It is 4.2M.", "Corrected: it is 3.1M.", "Corrected again: it is 3.0M."
CONCERN = note("The sum counts the refunds.")
OTHER = note("The currency is missing.")
BLOCKER = note("The sum counts the refunds.", Severity.BLOCKER)
NIT = note("Write the month in full.", Severity.NIT)


class Run:
    """A run of an agent that has these answers ready, as its host saw it."""

    def __init__(self, messages: list[Any], guidances: list[Guidance], hooked: list[tuple[str, list[str], bool]]):
        self.messages, self.guidances, self.hooked = messages, guidances, hooked

    @property
    def answers(self) -> list[str]:
        """Return the answers that the agent was made to give, in order."""
        return [message["content"] for message in self.messages if message["role"] == "assistant"]

    @property
    def last(self) -> Guidance:
        """Return the guidance with which the run ended."""
        return self.guidances[-1]


async def run(*configs: ReviewerConfig, answers: tuple[str, ...] = (FIRST, SECOND, THIRD)) -> Run:
    """Return the run of an agent that answers at once, and again whenever it is told to."""
    hooked: list[tuple[str, list[str], bool]] = []

    def on_notes(name: str, notes: tuple[Judged, ...], sent: bool) -> None:
        hooked.append((name, [one.note.text for one in notes], sent))

    messages: list[Any] = [TASK]
    async with session_of(*configs, on_notes=on_notes) as session:
        guidances = await run_turns(session, 0, messages=messages, answers=answers)
    return Run(messages, guidances, hooked)


async def test_a_concern_has_the_answer_given_again() -> None:
    done = await run(reviewer(scripted(CONCERN)))
    assert done.answers == [FIRST, SECOND]
    assert (done.last.result, done.last.verdict) == (FinishResult.CLEAN, Verdict.APPROVED)


async def test_what_the_agent_reads_holds_the_note_and_asks_for_the_complete_answer() -> None:
    done = await run(reviewer(scripted(CONCERN)))
    [asked] = [message for message in done.messages[1:] if message["role"] == "user"]
    assert asked["content"].count("<advisory ") == asked["content"].count("</advisory>") == 1
    assert 'severity="concern"' in asked["content"]
    assert CONCERN.text in asked["content"]
    assert "COMPLETE answer" in asked["content"]


async def test_a_nit_alone_accepts_the_answer_and_goes_to_the_host() -> None:
    done = await run(reviewer(scripted(NIT)))
    assert done.answers == [FIRST]
    assert done.hooked == [("one", [NIT.text], False)]
    assert (done.last.result, done.last.verdict) == (FinishResult.CLEAN, Verdict.APPROVED)
    assert [left.text for left in done.last.unsent] == [NIT.text]


async def test_a_nit_travels_with_a_blocker_and_the_host_is_told_once() -> None:
    done = await run(reviewer(scripted([NIT, BLOCKER])))
    assert texts(done.guidances[0]) == [BLOCKER.text, NIT.text]
    assert done.hooked == [("one", [NIT.text, BLOCKER.text], True)]


async def test_a_silent_reviewer_is_asked_once_and_leaves_the_answer_alone() -> None:
    silent = scripted()
    done = await run(reviewer(silent))
    assert (len(silent.reviews), done.answers) == (1, [FIRST])
    assert (done.last.messages, done.last.progress, done.last.reopen) == ([], "", False)


async def test_notes_of_a_reviewer_that_then_fails_do_not_count() -> None:
    def note_and_error(review: Review) -> Any:
        raise ReviewerError("the connection broke after the first note", BLOCKER)

    done = await run(reviewer(note_and_error))
    assert done.answers == [FIRST]
    assert done.last.verdict is Verdict.UNAVAILABLE


async def test_two_rounds_are_three_answers_and_the_third_is_returned() -> None:
    never_content = scripted(CONCERN, OTHER, BLOCKER)
    done = await run(reviewer(never_content))
    assert (len(never_content.reviews), done.answers) == (2, [FIRST, SECOND, THIRD])
    assert done.last.result is FinishResult.CAPPED


async def test_the_same_concern_again_does_not_buy_a_second_turn() -> None:
    done = await run(reviewer(scripted(CONCERN, CONCERN)))
    assert done.answers == [FIRST, SECOND]
    assert (done.last.result, done.last.verdict) == (FinishResult.CAPPED, Verdict.CHANGES_REQUESTED)


async def test_the_same_text_at_a_higher_severity_does() -> None:
    done = await run(reviewer(scripted(CONCERN, BLOCKER)))
    assert done.answers == [FIRST, SECOND, THIRD]


async def test_the_second_round_sees_the_new_answer_and_what_was_said_before() -> None:
    seen = scripted(CONCERN)
    await run(reviewer(seen))
    first, second = seen.reviews
    assert (first.round, first.answer, first.earlier) == (0, FIRST, ())
    assert (second.round, second.answer) == (1, SECOND)
    assert [(earlier.text, earlier.severity, earlier.turn) for earlier in second.earlier] == [
        (CONCERN.text, Severity.CONCERN, 1)
    ]
    assert TASK["content"] in [message.text for message in second.messages]


async def test_without_reviewers_the_answer_is_returned_and_nothing_is_claimed() -> None:
    done = await run()
    assert done.answers == [FIRST]
    assert (done.last.result, done.last.verdict) == (FinishResult.CLEAN, Verdict.UNREVIEWED)
    assert (done.last.messages, done.last.outcomes, done.last.skips) == ([], (), ())


@pytest.mark.parametrize("stop", [stop for stop in Stop if stop is not Stop.ANSWER])
async def test_only_an_answer_is_reviewed(stop: Stop) -> None:
    asked = scripted(BLOCKER)
    async with session_of(reviewer(asked)) as session:
        guidance = await session.finish(answering(FIRST), answer=FIRST, stop=stop)
    assert asked.reviews == []
    assert (guidance.reopen, guidance.messages, guidance.verdict) == (False, [], Verdict.UNREVIEWED)
    assert guidance.result is (FinishResult.ABORTED if stop is Stop.ABORTED else FinishResult.INCOMPLETE)
    assert skips(guidance) == {"one": "aborted" if stop is Stop.ABORTED else "stop_reason"}


@pytest.mark.parametrize("kind", ["dictionaries", "objects"])
async def test_a_reviewer_that_changes_what_it_was_shown_changes_no_history(kind: str) -> None:
    def meddle(review: Review) -> Reply:
        for message in review.messages:
            object.__setattr__(message, "text", "changed")
        return Reply()

    messages: list[Any] = answering(FIRST)
    if kind == "objects":
        messages = [Message(role=message["role"], text=message["content"]) for message in messages]
    before = deepcopy(messages)
    async with session_of(reviewer(meddle)) as session:
        guidance = await session.finish(messages, answer=FIRST)
    assert outcomes(guidance) == {"one": OutcomeKind.QUIET}
    assert messages == before


async def test_the_second_review_reads_the_correction_that_the_first_one_asked_for() -> None:
    seen = scripted(CONCERN, OTHER)
    await run(reviewer(seen))
    assert [review.answer for review in seen.reviews] == [FIRST, SECOND]
    assert any(CONCERN.text in message.text for message in seen.reviews[1].messages)


async def test_two_reviewers_with_the_same_finding_are_one_note_with_both_names_at_the_stronger_severity() -> None:
    done = await run(reviewer(scripted(CONCERN), "alpha"), reviewer(scripted(BLOCKER), "beta"))
    assert done.guidances[0].advisory is not None
    [only] = done.guidances[0].advisory.notes
    assert (only.severity, sorted(only.reviewers)) == (Severity.BLOCKER, ["alpha", "beta"])


async def test_notes_of_two_reviewers_arrive_in_one_message_strongest_first() -> None:
    done = await run(reviewer(scripted(OTHER), "alpha"), reviewer(scripted(BLOCKER), "beta"))
    assert texts(done.guidances[0]) == [BLOCKER.text, OTHER.text]
    assert len(done.guidances[0].messages) == 1


async def test_a_reviewer_due_for_both_is_asked_once_as_a_finish_review() -> None:
    both = scripted()
    async with session_of(reviewer(both, interval_turns=1)) as session:
        guidance = await session.finish(answering(FIRST), answer=FIRST)
        progress = session.state.reviewer("one")
    assert [review.trigger for review in both.reviews] == [Trigger.FINISH]
    assert outcomes(guidance) == {"one": OutcomeKind.QUIET}
    assert (progress.rounds_used, progress.periodic_used, progress.last_review) == (1, 0, 1)


async def test_a_reviewer_that_is_only_periodic_waits_for_the_next_boundary() -> None:
    periodic = scripted()
    async with session_of(every_turn(periodic), reviewer(scripted(CONCERN), "two")) as session:
        messages = answering(FIRST)
        guidance = await session.finish(messages, answer=FIRST)
        messages += guidance.messages
        await run_turns(session, 1, messages=messages)
    assert periodic.turns == [2]


async def test_the_line_for_the_user_says_who_spoke_and_never_what() -> None:
    done = await run(reviewer(scripted([NIT, BLOCKER]), "alpha"))
    assert done.guidances[0].progress == "alpha: 1 blocker, 1 nit; the answer is being revised"
