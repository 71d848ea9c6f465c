"""How a recording is driven through a session: what begins a request, what is a boundary and what a finish."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

import pytest

from foureyes.core.account import account
from foureyes.core.backend import BudgetConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Message, Note, Reply, ToolCall, Usage
from foureyes.core.words import (
    Disposition,
    FinishResult,
    OutcomeKind,
    Severity,
    SkipReason,
    Trigger,
    Verdict,
)
from foureyes.errors import ReviewerError
from foureyes.replay.driver import replay
from foureyes.replay.recording import Recording
from foureyes.replay.run import ReplayedRun
from foureyes.testing import ScriptedReviewer, note

pytestmark = pytest.mark.anyio

CONCERN = note("The tests were not run.")
OTHER = note("The file was not saved.")
NIT = note("The name is long.", Severity.NIT)


def transcript(line: str) -> tuple[Message, ...]:
    """Return a transcript: H a human, s a step with its result, A an answer, . an empty assistant message."""
    messages: list[Message] = []
    for place, letter in enumerate(line):
        messages += {
            "H": [Message(role="user", text=f"Ask {place}.")],
            "s": [
                Message(role="assistant", tool_calls=(ToolCall(id=f"c{place}", name=f"step{place}"),)),
                Message(role="tool", call_id=f"c{place}", text=f"result {place}"),
            ],
            "A": [Message(role="assistant", text=f"Answer {place}.")],
            ".": [Message(role="assistant")],
        }[letter]
    return tuple(messages)


def recording(line: str) -> Recording:
    return Recording(name="run.json", messages=transcript(line), source="run.json")


async def replayed(line: str, reviewer: ScriptedReviewer, **fields: object) -> ReplayedRun:
    return await replay(recording(line), [ReviewerConfig(name="one", reviewer=reviewer, **fields)])


@pytest.mark.parametrize(
    ("line", "kinds"),
    [
        ("", ""),
        ("H", ""),
        ("HA", "f"),
        ("HssA", "bbf"),
        ("Hss", "bb"),
        ("H.A", "bf"),
        ("HsAsA", "bfbf"),
        ("HAHsA", "fbf"),
        ("AHsA", "fbf"),
        ("sA", "bf"),
    ],
)
async def test_a_turn_with_tool_calls_is_a_boundary_and_an_answer_is_a_finish(line: str, kinds: str) -> None:
    run = await replayed(line, ScriptedReviewer())
    assert "".join("f" if step.finish else "b" for step in run.steps) == kinds
    assert [step.turn for step in run.steps] == list(range(1, len(kinds) + 1))


@pytest.mark.parametrize(
    ("line", "requests"),
    [
        ("HsA", {1: "Ask 0."}),
        ("HHsA", {1: "Ask 0."}),
        ("HsHsA", {1: "Ask 0."}),
        ("HsAHsAHA", {1: "Ask 0.", 3: "Ask 3.", 5: "Ask 6."}),
        ("HAHHA", {1: "Ask 0.", 2: "Ask 2."}),
        ("HAsHsA", {1: "Ask 0.", 3: "Ask 3."}),
        ("AHsA", {2: "Ask 1."}),
        ("sHsA", {2: "Ask 1."}),
        ("sA", {}),
    ],
)
async def test_the_first_human_message_and_those_after_an_accepted_finish_start_a_request(
    line: str, requests: dict[int, str]
) -> None:
    run = await replayed(line, ScriptedReviewer())
    assert {step.turn: step.request for step in run.steps if step.request is not None} == requests


async def test_a_human_message_after_a_reopened_finish_starts_no_request() -> None:
    run = await replayed("HAHA", ScriptedReviewer([CONCERN]))
    assert [step.result for step in run.steps] == [FinishResult.REOPENED, FinishResult.CLEAN]
    assert [step.request for step in run.steps] == ["Ask 0.", None]


async def test_the_reviewer_is_told_the_request_that_is_under_way() -> None:
    reviewer = ScriptedReviewer()
    await replayed("HsAHsAAHsHA", reviewer)
    assert [review.request for review in reviewer.reviews] == ["Ask 0.", "Ask 3.", "Ask 3.", "Ask 7."]


async def test_a_new_request_refills_the_allowances() -> None:
    reviewer = ScriptedReviewer()
    run = await replayed("HsssHsAHsss", reviewer, interval_turns=1, max_periodic_reviews=2, max_rounds=0)
    assert reviewer.turns == [1, 2, 6, 7]
    assert [skip.reason for step in run.steps for skip in step.skips].count(SkipReason.CAP) == 3


async def test_every_review_sees_the_transcript_up_to_the_end_of_its_turn() -> None:
    reviewer = ScriptedReviewer()
    whole = transcript("HssHA")
    await replayed("HssHA", reviewer, interval_turns=1)
    assert [review.messages for review in reviewer.reviews] == [whole[:3], whole[:5], whole[:7]]
    assert [review.answer for review in reviewer.reviews] == [None, None, "Answer 4."]


async def test_a_boundary_tells_who_was_called_with_outcome_and_attempts() -> None:
    [step] = (await replayed("Hs", ScriptedReviewer([CONCERN]), interval_turns=1)).steps
    [call] = step.calls
    assert (call.reviewer, call.trigger, call.outcome) == ("one", Trigger.PERIODIC, OutcomeKind.NOTED)
    assert (call.attempts, call.error) == (1, "")
    assert call.seconds >= 0


async def test_a_failed_review_tells_its_error_and_the_run_goes_on() -> None:
    run = await replayed("HsssA", ScriptedReviewer(ReviewerError("no such model")), interval_turns=1)
    [failed] = run.steps[0].calls
    assert failed.outcome is OutcomeKind.ERROR
    assert "no such model" in failed.error
    assert run.steps[-1].finish


async def test_a_cooldown_is_told_with_its_numbers() -> None:
    run = await replayed("Hsssss", ScriptedReviewer(ReviewerError("x")), interval_turns=1, cooldown_turns=3)
    found = [(step.turn, skip.reason, skip.have, skip.limit) for step in run.steps for skip in step.skips]
    assert found == [(2, SkipReason.COOLDOWN, 2, 4), (3, SkipReason.COOLDOWN, 3, 4)]


async def test_the_advisory_is_what_the_agent_would_have_read_and_its_notes_count_as_sent() -> None:
    reviewer = ScriptedReviewer([CONCERN, NIT])
    run = await replayed("Hsss", reviewer, interval_turns=1)
    first, second, third = run.steps
    assert first.advisory is not None
    assert CONCERN.text in first.advisory
    assert [record.text for record in first.sent] == [CONCERN.text, NIT.text]
    assert (second.advisory, third.advisory) == (None, None)
    assert [earlier.text for earlier in reviewer.reviews[1].earlier] == [CONCERN.text, NIT.text]


async def test_the_transcript_is_never_changed_by_an_advisory() -> None:
    reviewer = ScriptedReviewer([CONCERN])
    await replayed("Hsss", reviewer, interval_turns=1)
    assert reviewer.reviews[-1].messages == transcript("Hsss")


async def test_every_note_is_told_with_what_became_of_it() -> None:
    reviewer = ScriptedReviewer([CONCERN, Note(text="Stop."), Note(text="")], [CONCERN])
    run = await replayed("Hss", reviewer, interval_turns=1)
    assert [[judged.disposition for judged in step.notes] for step in run.steps] == [
        [Disposition.ADMITTED, Disposition.NOISE, Disposition.EMPTY],
        [Disposition.DUPLICATE],
    ]


async def test_a_reopened_finish_is_recorded_and_the_recording_goes_on() -> None:
    run = await replayed("HsAsA", ScriptedReviewer([CONCERN]))
    first, second = (step for step in run.steps if step.finish)
    assert (first.result, first.verdict) == (FinishResult.REOPENED, Verdict.CHANGES_REQUESTED)
    assert first.advisory is not None
    assert (second.result, second.verdict) == (FinishResult.CLEAN, Verdict.APPROVED)
    assert second.advisory is None


async def test_a_note_that_the_agent_would_not_have_read_is_listed_at_the_accepted_finish() -> None:
    run = await replayed("HsA", ScriptedReviewer([NIT]), interval_turns=1)
    assert run.steps[0].advisory is None
    assert [record.text for record in run.steps[1].unsent] == [NIT.text]


async def test_without_reviewers_nothing_happens_and_an_answer_is_unreviewed() -> None:
    run = await replay(recording("HsA"), [])
    assert [step.calls for step in run.steps] == [(), ()]
    assert run.steps[-1].verdict is Verdict.UNREVIEWED


async def test_one_replay_does_not_reach_into_the_next() -> None:
    failing = ReviewerConfig(name="one", reviewer=ScriptedReviewer(*[ReviewerError("x")] * 9), pause_after_failures=1)
    for _ in range(3):
        run = await replay(recording("HA"), [failing])
        assert [call.outcome for call in run.steps[0].calls] == [OutcomeKind.ERROR]


def timeless(run: ReplayedRun) -> ReplayedRun:
    steps = [replace(step, calls=tuple(replace(call, seconds=0.0) for call in step.calls)) for step in run.steps]
    return replace(run, steps=tuple(steps))


async def test_two_replays_differ_in_their_seconds_only() -> None:
    runs = [await replayed("HsssAsA", ScriptedReviewer([CONCERN], [OTHER]), interval_turns=2) for _ in range(2)]
    assert timeless(runs[0]) == timeless(runs[1])
    assert any(step.advisory for step in runs[0].steps)


async def test_another_transcript_gets_another_reference() -> None:
    advisories = [(await replayed(line, ScriptedReviewer([CONCERN]))).steps[0].advisory for line in ("HA", "HHA")]
    assert advisories[0] != advisories[1]


async def test_the_totals_are_the_sums_over_the_steps() -> None:
    reviewer = ScriptedReviewer([CONCERN, NIT, NIT], [], [OTHER])
    run = await replayed("HsssAAHA", reviewer, interval_turns=2, max_rounds=1)
    sums = run.totals
    assert (sums.runs, sums.turns, sums.requests) == (1, 6, 2)
    assert sums.calls == {OutcomeKind.NOTED: 2, OutcomeKind.QUIET: 1}
    assert sums.skips == {SkipReason.CAP: 1}
    assert sums.notes == {Disposition.ADMITTED: 3, Disposition.DUPLICATE: 1}
    assert (sums.sent, sums.addressed) == (3, 2)
    assert sum(sums.finishes.values()) == 3


async def test_a_run_without_an_agent_has_no_steps() -> None:
    run = await replayed("HH", ScriptedReviewer())
    assert (run.steps, run.messages, run.totals.turns) == ((), 2, 0)


async def test_the_steps_say_what_the_agent_did() -> None:
    run = await replayed("Hs.A", ScriptedReviewer())
    assert [step.did for step in run.steps] == ["step1()", "said nothing", 'answered "Answer 3."']


async def test_a_turn_at_which_nobody_was_due_is_quiet() -> None:
    run = await replayed("HsssssA", ScriptedReviewer(), interval_turns=2)
    assert [(quiet, len(list(group))) for quiet, group in groupby(step.quiet for step in run.steps)] == [
        (True, 1),
        (False, 1),
        (True, 1),
        (False, 1),
        (True, 1),
        (False, 1),
    ]


class Elsewhere(ScriptedReviewer):
    """A reviewer that sends the transcript to another account than the agent's."""

    account = account("openai", "https://models.example/v1", "sk-other")


async def test_a_reviewer_that_may_not_see_the_transcript_of_the_agent_is_not_called() -> None:
    reviewer = Elsewhere()
    config = ReviewerConfig(name="one", reviewer=reviewer, interval_turns=1)
    agent = account("openai", None, "sk-agent")
    run = await replay(recording("HsA"), [config], agent=agent)
    assert run.totals.skips == {SkipReason.NOT_PERMITTED: 2}
    assert (reviewer.reviews, run.totals.calls) == ([], {})


async def test_a_reviewer_of_the_agents_own_account_is_called() -> None:
    config = ReviewerConfig(name="one", reviewer=Elsewhere(), interval_turns=1)
    run = await replay(recording("HsA"), [config], agent=Elsewhere.account)
    assert run.totals.calls == {OutcomeKind.QUIET: 2}


BOUND = BudgetConfig(tokens_per_session=100)
USED = Usage(input_tokens=90, cached_tokens=20, output_tokens=10, cost_usd=0.5)


@pytest.mark.parametrize(("together", "alone"), [(BOUND, BudgetConfig()), (None, BOUND)])
async def test_a_budget_bounds_a_replay(together: BudgetConfig | None, alone: BudgetConfig) -> None:
    reviewer = ScriptedReviewer(Reply(usage=USED), Reply(usage=USED))
    config = ReviewerConfig(name="one", reviewer=reviewer, interval_turns=1, budget=alone)
    run = await replay(recording("HssA"), [config], budget=together)
    assert len(reviewer.reviews) == 1
    assert run.totals.skips == {SkipReason.BUDGET: 2}
    assert run.totals.spent == {"one": USED}


async def test_each_replay_has_the_whole_budget() -> None:
    config = ReviewerConfig(name="one", reviewer=ScriptedReviewer(Reply(usage=USED), Reply(usage=USED)))
    runs = [await replay(recording("HA"), [config], budget=BOUND) for _ in range(2)]
    assert [run.totals.spent for run in runs] == [{"one": USED}] * 2


async def test_a_call_knows_what_it_used_and_what_of_its_reply_could_not_be_read() -> None:
    reply = {"notes": [{"text": CONCERN.text, "severity": "dire"}, 7, None]}
    run = await replayed("HA", ScriptedReviewer(reply))
    [call] = run.steps[0].calls
    assert (call.malformed, call.unknown_severities, call.usage) == (2, 1, Usage())
