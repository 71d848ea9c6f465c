"""Runs that a model reviews every few turns, and the prompts that this takes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any, NamedTuple

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import OutputMode
from foureyes.scheduler import ReviewScheduler
from foureyes_reviewers.model import ModelReviewer
from foureyes_reviewers.model.client import Completion, Form
from foureyes_reviewers.model.problem import Problem
from foureyes_reviewers.model.prompt import Prompt
from foureyes_reviewers.redaction import Redactor

from .model_prompts import TASK, run

__all__ = ["Prefix", "prompts", "shared", "written"]


class Prefix(NamedTuple):
    """What consecutive prompts of a run begin with alike, on the average."""

    chars: int
    share: float
    """Of the later prompt, from 0 to 1."""


class _Listener:
    """A model that has nothing to say, and remembers what it was asked."""

    model = "small"
    form = Form(mode=OutputMode.PROMPTED)

    def __init__(self) -> None:
        self.asked: list[Prompt] = []

    async def complete(self, prompt: Prompt, form: Form) -> Completion:
        """Say nothing."""
        self.asked.append(prompt)
        return Completion(text='{"notes": [], "resolved": []}')

    def adapted(self, form: Form, problem: Problem) -> bool:
        """Return that there is no other form."""
        return False

    async def aclose(self) -> None:
        """Do nothing."""


async def prompts(turns: int, every: int = 1, size: int = 300, **settings: Any) -> list[Prompt]:
    """Return the prompts of a session of so many turns, each of two messages of about ``size`` characters."""
    client, messages = _Listener(), run(turns, size)
    config = ReviewerConfig(
        name="correctness",
        reviewer=ModelReviewer(client, redactor=Redactor(), instructions="Be strict.", policy="Watch the sums."),
        interval_turns=every,
        max_periodic_reviews=1_000,
        **settings,
    )
    async with ReviewScheduler([config]) as scheduler:
        session = await scheduler.session("s", request=TASK)
        for turn in range(1, turns + 1):
            await session.boundary(messages[: 2 + 2 * turn])
    return client.asked


def written(prompt: Prompt) -> str:
    """Return the prompt as a client sends it."""
    return "\n\n".join((prompt.system, *prompt.messages))


def shared(found: list[Prompt]) -> Prefix:
    """Return what consecutive prompts share."""
    texts = [written(prompt) for prompt in found]
    pairs = [(_alike(*pair), len(pair[1])) for pair in pairwise(texts)]
    return Prefix(sum(same for same, _ in pairs) // len(pairs), sum(same / full for same, full in pairs) / len(pairs))


def _alike(one: str, other: str) -> int:
    differ = (place for place, (left, right) in enumerate(zip(one, other, strict=False)) if left != right)
    return next(differ, min(len(one), len(other)))
