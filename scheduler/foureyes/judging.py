"""Asking a judge whether two notes in other words tell the same finding.

A judge is the host's own: a model, embeddings, a rule. It is asked only about notes that were flagged as similar, and
only for so long as the boundary would wait for its reviewers anyway. One that fails, is late, or does not know changes
nothing: notes are then treated as without it.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeAlias

from foureyes.core.judged import Opinion, Question
from foureyes.core.words import Answer
from foureyes.tasks import Tasks

__all__ = ["JUDGE_SECONDS", "Hearing", "Judge"]

logger = logging.getLogger("foureyes")

Judge: TypeAlias = Callable[[str, str], Awaitable[bool | None]]
"""``await judge(note, earlier)``: whether both tell the same finding, None where it cannot say."""

JUDGE_SECONDS = 5.0
"""How long all questions of one boundary may take together."""


class Hearing:
    """The questions of one boundary, put one after another."""

    def __init__(self, judge: Judge, questions: Sequence[Question], tasks: Tasks) -> None:
        self._judge, self._questions, self._tasks = judge, questions, tasks
        self._opinions: list[Opinion] = []
        self._done = tasks.gate()

    async def hold(self, until: float) -> tuple[Opinion, ...]:
        """Return what the judge has said when it has answered everything, or at this time of the event loop."""
        until = min(until, self._tasks.now() + JUDGE_SECONDS)
        cancel = self._tasks.start(self._ask)
        try:
            await self._done.wait(until)
        finally:
            cancel()
        return tuple(self._opinions)

    def cut(self) -> None:
        """Wait no longer."""
        self._done.open()

    async def _ask(self) -> None:
        try:
            for question in self._questions:
                said: object = await self._judge(question.text, question.earlier)
                if isinstance(said, bool):
                    answer = Answer.SAME if said else Answer.DIFFERENT
                    self._opinions.append(Opinion(question=question, answer=answer))
        except Exception as error:  # noqa: BLE001 - foreign code, and the run goes on without it
            logger.warning("the judge of similar notes failed: %s", type(error).__name__)
        finally:
            self._done.open()
