"""Which turn a review falls on: turns are counted per session, whatever the runs and requests."""

from __future__ import annotations

from typing import Any

import pytest

from foureyes.core.facts import Review
from foureyes.core.words import FinishResult, OutcomeKind, SkipReason, Stop
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import Checkpointed
from foureyes.testing import RecordingSink, ScriptedReviewer, note, run_turns, turn_messages

from .shell import TASK, every_turn, outcomes, reviewer, scripted, session_of, skips, transcript

pytestmark = pytest.mark.anyio


async def boundaries(session: Session, turns: int, messages: list[Any]) -> None:
    """Settle some turns in which the agent works."""
    await run_turns(session, turns, messages=messages)


async def test_an_interval_counts_over_all_runs_of_a_session() -> None:
    """As in https://github.com/vstorm-co/agenticos/issues/806: every 10 turns never came in runs of three."""
    asked, store, messages = scripted(), MemoryStore(), [TASK]
    for _ in range(8):
        async with ReviewScheduler([reviewer(asked, interval_turns=10, max_rounds=0)], store=store) as scheduler:
            await boundaries(await scheduler.session("chat"), 3, messages)
    assert asked.turns == [10, 20]


async def test_a_turn_is_a_step_of_the_model_and_not_a_message_of_the_human() -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/10600: 300 tool calls for one user message, and no review."""
    asked = scripted()
    async with session_of(reviewer(asked, interval_turns=5)) as session:
        await run_turns(session, 12, answers=["done"])
    assert asked.turns == [5, 10, 13]


@pytest.mark.parametrize("interval", [1, 2, 3, 7])
async def test_the_first_review_comes_after_as_many_turns_as_the_interval(interval: int) -> None:
    asked = scripted()
    async with session_of(reviewer(asked, interval_turns=interval, max_rounds=0)) as session:
        await run_turns(session, 8)
    assert asked.turns == list(range(interval, 9, interval))


async def test_reviewers_keep_to_their_own_intervals_and_see_the_newest_tool_result() -> None:
    correctness, scope = scripted(), scripted()
    async with session_of(
        every_turn(correctness, "correctness"), reviewer(scope, "scope", interval_turns=2, max_rounds=0)
    ) as session:
        await run_turns(session, 3)
    assert (correctness.turns, scope.turns) == ([1, 2, 3], [2])
    assert scope.reviews[0].messages[-1].text == "result 2"


async def test_each_review_knows_which_turns_it_covers() -> None:
    asked = scripted()
    async with session_of(reviewer(asked, interval_turns=3, max_rounds=0)) as session:
        await run_turns(session, 6)
    assert [(review.since, review.turn) for review in asked.reviews] == [(0, 3), (3, 6)]


async def test_everything_since_the_last_review_is_shown_and_not_the_last_message_only() -> None:
    """As in https://github.com/NVIDIA-NeMo/Guardrails/issues/1413: only ``messages[-1]`` was checked."""
    asked = scripted()
    said = [{"role": "assistant", "content": text} for text in ("I dropped the table.", "Next.", "And next.")]
    async with session_of(every_turn(asked)) as session:
        await session.boundary([TASK, *said])
    assert [message.text for message in asked.reviews[0].messages] == [
        "Do the work.",
        "I dropped the table.",
        "Next.",
        "And next.",
    ]


async def test_a_failing_reviewer_rests_and_its_next_run_knows_what_it_said() -> None:
    """The reference's script: fail, rest three turns, say one thing; in a new run say it again, and be capped."""
    blocker = note("The total is in the wrong currency.")
    said: ScriptedReviewer = scripted(ValueError("down"), blocker, blocker)
    config, store = (
        reviewer(said, interval_turns=2, max_periodic_reviews=4, cooldown_turns=3, max_rounds=0),
        MemoryStore(),
    )
    messages = transcript(0)
    async with ReviewScheduler([config], store=store) as scheduler:
        first = await run_turns(await scheduler.session("s"), 5, messages=messages)
    assert said.turns == [2, 5]
    assert [guidance.advisory is not None for guidance in first] == [False, False, False, False, True]
    async with ReviewScheduler([config], store=store) as scheduler:
        later = await run_turns(await scheduler.session("s"), 49, messages=messages)
    assert said.turns == [2, 5, 7, 9]
    assert [guidance.turn for guidance in later if guidance.advisory] == []


# --- nothing new ---


async def test_a_start_with_only_a_human_message_is_not_reviewed() -> None:
    """As in https://github.com/anthropics/claude-code/issues/10463: a review of the system prompt."""
    asked = scripted()
    async with session_of(every_turn(asked)) as session:
        guidance = await session.boundary([{"role": "system", "content": "Be brief."}, TASK])
    assert (asked.reviews, skips(guidance)) == ([], {"one": SkipReason.NOTHING_NEW})


async def test_a_resumed_session_in_which_nothing_happened_is_not_reviewed() -> None:
    asked, store, messages = scripted(), MemoryStore(), transcript(1)
    for _ in range(2):
        async with ReviewScheduler([every_turn(asked)], store=store) as scheduler:
            await (await scheduler.session("s")).boundary(messages)
    assert asked.turns == [1]


async def test_thanks_are_nothing_new() -> None:
    """As in https://github.com/Rustam-Z/hamroh/issues/48: a review after each turn, whatever was in it."""
    asked, messages = scripted(), transcript(1)
    async with session_of(every_turn(asked)) as session:
        await session.boundary(messages)
        seen = [
            await session.boundary(messages := [*messages, {"role": "assistant", "content": "OK."}]) for _ in range(2)
        ]
    assert asked.turns == [1]
    assert [skips(guidance) for guidance in seen] == [{"one": SkipReason.NOTHING_NEW}] * 2


async def test_a_reviewer_does_not_review_its_own_advice() -> None:
    """As in https://github.com/omdsh-dev/dsh-advisor/issues/6: the note was a new message, and made a new review."""

    async def echo(review: Review) -> list[Any]:
        return [note(f"I see {len(review.messages)} messages.")]

    messages = transcript(1)
    async with session_of(every_turn(echo)) as session:
        first = await session.boundary(messages)
        messages += first.messages
        second = await session.boundary(messages)
    assert outcomes(first) == {"one": OutcomeKind.NOTED}
    assert skips(second) == {"one": SkipReason.NOTHING_NEW}


async def test_a_review_with_nothing_new_is_due_again_as_soon_as_there_is() -> None:
    asked, messages = scripted(), transcript(0)
    async with session_of(every_turn(asked)) as session:
        await session.boundary(messages)
        await session.boundary([*messages, *turn_messages(2)])
    assert asked.turns == [2]


# --- allowances ---


async def three_requests(config: Any, *, ends: Stop) -> Session:
    """Drive three requests of three turns each, all ending the same way."""
    messages: list[Any] = []
    async with session_of(config) as session:
        for request in ("One.", "Two.", "Three."):
            await session.new_request(request)
            messages.append({"role": "user", "content": request})
            await boundaries(session, 3, messages)
            await session.finish([*messages, {"role": "assistant", "content": "Done."}], answer="Done.", stop=ends)
    return session


@pytest.mark.parametrize("ends", list(Stop))
async def test_every_request_has_a_full_allowance_however_the_last_one_ended(ends: Stop) -> None:
    asked = scripted()
    await three_requests(every_turn(asked, max_periodic_reviews=2), ends=ends)
    assert asked.turns == [1, 2, 5, 6, 9, 10]


async def test_an_allowance_is_used_up_within_a_request() -> None:
    asked = scripted()
    async with session_of(every_turn(asked, max_periodic_reviews=2)) as session:
        guidances = await run_turns(session, 4)
    assert asked.turns == [1, 2]
    assert [skips(guidance) for guidance in guidances] == [{}, {}, {"one": SkipReason.CAP}, {"one": SkipReason.CAP}]
    assert (guidances[-1].skips[0].have, guidances[-1].skips[0].limit) == (2, 2)


async def test_what_a_reviewer_said_and_its_cooldown_survive_the_request() -> None:
    concern = note("The query has no index.")
    said = scripted(concern, ValueError("down"), concern, concern)
    config = every_turn(said, cooldown_turns=3)
    async with session_of(config) as session:
        messages = transcript(0)
        guidances = await run_turns(session, 2, messages=messages)
        await session.new_request("Now something else.")
        guidances += await run_turns(session, 4, messages=messages)
    assert said.turns == [1, 2, 5, 6]
    assert [guidance.turn for guidance in guidances if guidance.advisory] == [1]


async def test_the_two_allowances_are_separate() -> None:
    asked = scripted()
    async with session_of(reviewer(asked, interval_turns=1, max_periodic_reviews=2, max_rounds=1)) as session:
        guidances = await run_turns(session, 3, answers=["done"])
    assert asked.turns == [1, 2, 4]
    assert guidances[-1].result is FinishResult.CLEAN


async def test_a_failed_review_spends_its_allowance() -> None:
    failing = scripted(*[ValueError()] * 9)
    config = every_turn(failing, max_periodic_reviews=2, cooldown_turns=0, pause_after_failures=9)
    async with session_of(config) as session:
        await run_turns(session, 5)
    assert failing.turns == [1, 2]


async def test_a_quiet_boundary_tells_the_sinks_one_number_and_nothing_else() -> None:
    sink = RecordingSink()
    async with session_of(reviewer(scripted(), interval_turns=5), sinks=[sink]) as session:
        guidances = await run_turns(session, 4)
    assert [type(event) for event in sink.events] == [Checkpointed], "the new session itself is saved once"
    assert sink.quiet_boundaries == 4
    assert [(guidance.turn, guidance.messages, guidance.skips) for guidance in guidances] == [
        (turn, [], ()) for turn in (1, 2, 3, 4)
    ]
