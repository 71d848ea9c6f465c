"""What all prompts of a run cost together, and how much of it a provider has cached."""

from __future__ import annotations

from itertools import pairwise

import pytest

from foureyes.core.config import EvidenceConfig

from .reviewed_runs import prompts, shared, written

pytestmark = pytest.mark.anyio

LONGER = EvidenceConfig(max_messages=128, max_tools=128, max_chars=64_000)


async def test_all_prompts_of_a_run_together_grow_with_its_length_and_not_with_its_square() -> None:
    totals = {turns: sum(prompt.chars for prompt in await prompts(turns)) for turns in (20, 60, 180)}
    full = max(prompt.chars for prompt in await prompts(60))
    assert all(total <= turns * full * 1.01 for turns, total in totals.items())  # longer numbers take more digits
    assert totals[180] - totals[60] < 3.3 * (totals[60] - totals[20])  # 120 turns against 40; of squares it is 9


@pytest.mark.parametrize("turns", [20, 60, 180])
async def test_most_of_a_prompt_is_the_beginning_of_the_one_before(turns: int) -> None:
    assert shared(await prompts(turns)).share > 0.8


@pytest.mark.parametrize("every", [2, 5])
async def test_a_longer_window_is_found_in_the_cache_for_longer(every: int) -> None:
    usual, longer = shared(await prompts(180, every)), shared(await prompts(180, every, evidence=LONGER))
    assert longer.share > max(0.78, usual.share)


async def test_the_start_of_the_transcript_moves_once_in_sixteen_messages() -> None:
    found = await prompts(100)
    starts = [next(text for text in prompt.messages if " #" in text) for prompt in found[40:]]
    moves = sum(one != other for one, other in pairwise(starts))
    assert moves <= 2 * len(starts) / 16 + 1


async def test_between_two_moves_only_messages_are_added() -> None:
    found = await prompts(100)
    for one, other in pairwise(found[40:]):
        if other.lasting > one.lasting:
            assert written(other).startswith("\n\n".join((one.system, *one.messages[: one.lasting])))
