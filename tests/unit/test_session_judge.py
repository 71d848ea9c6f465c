"""A judge of similar notes: asked about flagged ones only, recorded as such, and never able to hurt."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import anyio
import pytest

from foureyes.core.words import Answer, Disposition, OutcomeKind
from foureyes.guidance import Guidance
from foureyes.testing import note, run_turns, turn_messages

from .shell import TASK, every_turn, outcomes, scripted, session_of, texts

pytestmark = pytest.mark.anyio

ADMITTED, HELD = Disposition.ADMITTED, Disposition.HELD_SIMILAR
WAYS = [
    "The token cache is never cleared after logout.",
    "After logout the token cache is never cleared.",
    "Never cleared after logout: the token cache.",
]
OTHER = "Rounding happens before tax, so totals drift by a cent."


class Judge:
    """A judge that says what it is told, and remembers what it was asked."""

    def __init__(self, *answers: Any) -> None:
        self._answers = list(answers)
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, new: str, earlier: str) -> Any:
        """Give the next answer; raise it where it is an exception, and wait for ever where there is none."""
        self.asked.append((new, earlier))
        await anyio.lowlevel.checkpoint()
        answer = self._answers.pop(0) if self._answers else await anyio.sleep_forever()
        if isinstance(answer, Exception):
            raise answer
        return answer


async def judged(judge: Any, *said: str, **settings: Any) -> list[Guidance]:
    """Return the guidance of a review for each of the notes, with this judge."""
    config = every_turn(scripted(*([note(text)] for text in said)), **settings)
    async with session_of(config, judge=judge) as session:
        return await run_turns(session, len(said))


def fates(guidances: list[Guidance]) -> list[Disposition]:
    return [one.disposition for guidance in guidances for one in guidance.judged]


async def test_a_judge_is_asked_about_a_flagged_note_and_the_one_it_resembles() -> None:
    judge = Judge(True)
    guidances = await judged(judge, WAYS[0], OTHER, WAYS[1])
    assert judge.asked == [(WAYS[1], WAYS[0])]
    [one] = guidances[2].judged
    assert (one.disposition, one.answer, one.similar) == (ADMITTED, Answer.SAME, "n1")
    assert one.explain().endswith("; a judge says same")


async def test_two_notes_that_a_judge_tells_apart_are_not_flagged_and_the_answer_is_kept() -> None:
    judge = Judge(False, False, False)
    guidances = await judged(judge, *WAYS)
    assert fates(guidances) == [ADMITTED] * 3
    [one] = guidances[1].judged
    assert (one.answer, one.similar, one.matched) == (Answer.DIFFERENT, None, "n1")
    assert guidances[2].advisory is not None
    assert guidances[2].advisory.notes[0].similar_to is None


@pytest.mark.parametrize("answers", [(None, None), (ValueError("down"), ValueError("down")), ("yes", 1), ()], ids=str)
async def test_a_judge_that_does_not_know_fails_or_hangs_changes_nothing(answers: tuple[Any, ...]) -> None:
    judge = Judge(*answers)
    guidances = await judged(judge, *WAYS, timeout_seconds=0.05)
    assert fates(guidances) == [ADMITTED, ADMITTED, HELD]
    assert [one.answer for guidance in guidances for one in guidance.judged] == [None] * 3
    assert [outcomes(guidance) for guidance in guidances] == [{"one": OutcomeKind.NOTED}] * 3


async def test_a_judge_that_ignores_its_cancellation_holds_nobody() -> None:
    opened = anyio.Event()

    async def deaf(new: str, earlier: str) -> bool:
        with anyio.CancelScope(shield=True):
            await opened.wait()
        return False

    config = every_turn(scripted(*([note(text)] for text in WAYS[:2])), timeout_seconds=0.05)
    async with session_of(config, judge=deaf) as session:
        guidances = await run_turns(session, 2)
        opened.set()
        await anyio.lowlevel.checkpoint()
    assert [texts(guidance) for guidance in guidances] == [[WAYS[0]], [WAYS[1]]]


@pytest.mark.parametrize("said", [(WAYS[0],), (WAYS[0], OTHER), (WAYS[0], WAYS[0]), (WAYS[0], "LGTM")])
async def test_a_judge_is_not_asked_where_nothing_is_flagged(said: tuple[str, ...]) -> None:
    judge = Judge()
    await judged(judge, *said)
    assert judge.asked == []


async def interrupted(interrupt: Callable[[Any, anyio.CancelScope], Any]) -> tuple[Any, Guidance | None]:
    """Return the session and the guidance of a boundary that something interrupts while its judge is asked."""
    entered, found = anyio.Event(), []

    async def slow(new: str, earlier: str) -> bool:
        entered.set()
        await anyio.sleep_forever()
        raise AssertionError

    config = every_turn(scripted([note(WAYS[0])], [note(WAYS[1])], [note(WAYS[1])]))
    async with session_of(config, judge=slow) as session:
        messages: list[Any] = [TASK]
        await run_turns(session, 1, messages=messages)
        messages += turn_messages(2)

        async def boundary() -> None:
            found.append(await session.boundary(messages))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(boundary)
            await entered.wait()
            await interrupt(session, tasks.cancel_scope)
    return session, found[0] if found else None


async def test_a_cancelled_host_takes_back_the_review_that_a_judge_is_busy_with() -> None:
    async def cancel(session: Any, scope: anyio.CancelScope) -> None:
        scope.cancel()

    session, guidance = await interrupted(cancel)
    progress = session.state.reviewer("one")
    assert (guidance, progress.started, progress.periodic_used) == (None, None, 1)


async def test_an_abort_does_not_wait_for_the_judge() -> None:
    async def abort(session: Any, scope: anyio.CancelScope) -> None:
        with anyio.fail_after(2):
            await session.abort()

    session, guidance = await interrupted(abort)
    assert guidance is not None
    assert (texts(guidance), outcomes(guidance)) == ([], {"one": OutcomeKind.CANCELLED})
    assert session.state.reviewer("one").periodic_used == 1
