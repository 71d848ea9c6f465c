"""A scheduler may be told how many reviews run at the same time, all its sessions together."""

from __future__ import annotations

from functools import partial
from typing import Any

import anyio
import anyio.lowlevel
import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Review
from foureyes.core.health import TRIAL_AFTER
from foureyes.core.words import OutcomeKind, SkipReason, Stop, Verdict
from foureyes.errors import ConfigError
from foureyes.scheduler import ReviewScheduler
from foureyes.settings import Settings

from .shell import answering, every_turn, outcomes, scripted, session_of, skips, transcript

pytestmark = pytest.mark.anyio


class Counting:
    """A reviewer that knows how many of its reviews run at the same time, and refuses where there are too many."""

    def __init__(self, most: int) -> None:
        self.most, self.now, self.highest, self.calls = most, 0, 0, 0

    async def __call__(self, review: Review) -> list[object]:
        """Take some turns of the event loop."""
        self.now, self.calls = self.now + 1, self.calls + 1
        self.highest = max(self.highest, self.now)
        try:
            for _ in range(20):
                await anyio.lowlevel.checkpoint()
        finally:
            self.now -= 1
        if self.highest > self.most:
            raise ValueError("concurrency limit exceeded")
        return []


async def hanging(review: Review) -> None:
    """Never answer."""
    await anyio.sleep_forever()


@pytest.mark.parametrize(("places", "highest"), [(1, 1), (2, 2), (5, 5), (0, 6), (100, 6)])
async def test_no_more_reviews_run_at_the_same_time_than_there_are_places(places: int, highest: int) -> None:
    counting = Counting(highest)
    found: list[OutcomeKind] = []

    async def run(scheduler: ReviewScheduler, name: str) -> None:
        guidance = await (await scheduler.session(name)).boundary(transcript())
        found.extend(outcomes(guidance).values())

    configs = [every_turn(counting, name) for name in ("one", "two")]
    async with ReviewScheduler(configs, max_parallel_reviews=places) as scheduler, anyio.create_task_group() as tasks:
        for name in ("a", "b", "c"):
            tasks.start_soon(run, scheduler, name)
    assert (counting.calls, counting.highest) == (6, highest)
    assert found == [OutcomeKind.QUIET] * 6


async def test_whoever_waits_in_vain_is_skipped_as_busy_and_neither_charged_nor_paused_nor_taken_for_approval() -> None:
    taken, over = anyio.Event(), anyio.Event()

    async def holding(review: Review) -> list[object]:
        taken.set()
        await over.wait()
        return []

    counting = Counting(1)
    holds = ReviewerConfig(name="holds", reviewer=holding, interval_turns=1, max_rounds=0)
    waits = ReviewerConfig(name="waits", reviewer=counting, max_rounds=1, timeout_seconds=0.02, pause_after_failures=1)
    async with ReviewScheduler([holds, waits], max_parallel_reviews=1) as scheduler:
        first, second = await scheduler.session("a"), await scheduler.session("b")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(first.boundary, transcript())
            await taken.wait()
            crowded = await second.finish(answering("Done."), answer="Done.", stop=Stop.ANSWER)
            over.set()
        assert (skips(crowded), outcomes(crowded), counting.calls) == ({"waits": SkipReason.BUSY}, {}, 0)
        assert (crowded.verdict, crowded.reopen) == (Verdict.UNAVAILABLE, False)
        alone = await second.finish(answering("Done."), answer="Done.", stop=Stop.ANSWER)
        assert (outcomes(alone), alone.verdict) == ({"waits": OutcomeKind.QUIET}, Verdict.APPROVED)


@pytest.mark.timing
@pytest.mark.parametrize(("held", "pauses"), [(0.0, True), (0.15, False)])
async def test_a_timeout_is_no_sign_of_being_unfit_where_others_took_most_of_the_time(
    held: float, pauses: bool
) -> None:
    taken = anyio.Event()

    async def holding(review: Review) -> list[object]:
        taken.set()
        await anyio.sleep(held)
        return []

    holds = every_turn(holding, "holds")
    waits = ReviewerConfig(name="waits", reviewer=hanging, max_rounds=2, timeout_seconds=0.2, pause_after_failures=1)
    async with ReviewScheduler([holds, waits], max_parallel_reviews=1) as scheduler:
        first, second = await scheduler.session("a"), await scheduler.session("b")
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(first.boundary, transcript())
            await taken.wait()
            hurried = await second.finish(answering("Done."), answer="Done.")
        assert (outcomes(hurried), second.state.reviewer("waits").rounds_used) == ({"waits": OutcomeKind.TIMEOUT}, 1)
        again = await second.finish(answering("Done now."), answer="Done now.")
    assert (skips(again).get("waits") is SkipReason.PAUSED) is pauses


async def test_a_trial_for_which_there_is_no_place_is_still_to_come() -> None:
    taken, over = anyio.Event(), anyio.Event()

    async def holding(review: Review) -> list[object]:
        taken.set()
        await over.wait()
        return []

    sick = every_turn(
        scripted(ValueError("down")), "sick", timeout_seconds=0.02, pause_after_failures=1, cooldown_turns=0
    )
    holds = ReviewerConfig(name="holds", reviewer=holding)
    async with ReviewScheduler([sick, holds], max_parallel_reviews=1) as scheduler:
        first, second = await scheduler.session("a"), await scheduler.session("b")
        for turn in range(1, 2 + TRIAL_AFTER):
            await first.boundary(transcript(turn))
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(partial(second.finish, answering("Done."), answer="Done."))
            await taken.wait()
            crowded = await first.boundary(transcript(2 + TRIAL_AFTER))
            over.set()
        tried = await first.boundary(transcript(3 + TRIAL_AFTER))
    assert skips(crowded) == {"sick": SkipReason.BUSY}
    assert outcomes(tried) == {"sick": OutcomeKind.QUIET}


async def test_a_place_is_given_back_whatever_ended_the_review() -> None:
    async def failing(review: Review) -> None:
        raise ValueError("down")

    slow = every_turn(hanging, "slow", order=1, timeout_seconds=0.02, cooldown_turns=0, pause_after_failures=99)
    bad = every_turn(failing, "bad", order=2, cooldown_turns=0, pause_after_failures=99)
    async with session_of(slow, bad, max_parallel_reviews=1) as session:
        for turn in (1, 2, 3):
            found = outcomes(await session.boundary(transcript(turn), turn=turn))
            assert found == {"slow": OutcomeKind.TIMEOUT, "bad": OutcomeKind.ERROR}


@pytest.mark.parametrize("places", [-1, True, 1.5, "2", None])
def test_what_is_no_number_of_places_is_refused(places: Any) -> None:
    with pytest.raises(ConfigError, match="max_parallel_reviews"):
        ReviewScheduler([], max_parallel_reviews=places)


def test_a_scheduler_with_places_may_be_opened_on_another_event_loop() -> None:
    scheduler = ReviewScheduler([every_turn(Counting(1))], max_parallel_reviews=1)

    async def once(name: str) -> dict[str, OutcomeKind]:
        async with scheduler:
            return outcomes(await (await scheduler.session(name)).boundary(transcript()))

    for backend, name in (("asyncio", "a"), ("trio", "b"), ("asyncio", "c")):
        assert anyio.run(once, name, backend=backend) == {"one": OutcomeKind.QUIET}


def test_the_setting_is_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Settings().max_parallel_reviews == 0
    monkeypatch.setenv("FOUREYES_MAX_PARALLEL_REVIEWS", "2")
    assert Settings().max_parallel_reviews == 2
