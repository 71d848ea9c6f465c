"""How many characters a model is asked in a run, and how much of that its provider has seen just before."""

from __future__ import annotations

import pytest

from foureyes.core.config import EvidenceConfig

from ..unit.reviewed_runs import prompts, shared  # noqa: TID252 - the same runs as in the unit tests

pytestmark = [pytest.mark.benchmark, pytest.mark.anyio]

AROUND = 12_000
"""Characters that stand around the record: the rules, the request, and what changes with each review."""
LONGER = EvidenceConfig(max_messages=128, max_tools=128, max_chars=64_000)


@pytest.mark.parametrize("every", [1, 2, 3, 5])
@pytest.mark.parametrize("bounds", [EvidenceConfig(), LONGER], ids=["default", "longer"])
async def test_prompts_of_a_run_grow_linearly_and_begin_alike(every: int, bounds: EvidenceConfig) -> None:
    print(
        f"\nreviewed every {every} turns, at most {bounds.max_messages} messages and {bounds.max_chars:,} characters:"
    )
    for turns in (20, 60, 180):
        found = await prompts(turns, every, evidence=bounds)
        total, (chars, share) = sum(prompt.chars for prompt in found), shared(found)
        print(f"{turns:5} turns, {len(found):3} prompts, {total:9,} characters; mean prefix {chars:6,} ({share:.0%})")
        assert max(prompt.chars for prompt in found) <= bounds.max_chars + AROUND
        assert chars > 6_000
