"""Work on many runs in several processes: the order, the bounds, and what goes wrong."""

from __future__ import annotations

import os
from collections.abc import Iterator
from operator import attrgetter

import pytest

from foureyes.core.facts import Message
from foureyes.errors import FoureyesError
from foureyes.replay.pool import in_order, processors
from foureyes.replay.recording import LeftOut, Recording, RecordingError

NAME = attrgetter("name")
"""Work that another process can do: it finds the function in the standard library."""
ERROR = RecordingError("not JSON")
OTHERS = LeftOut(folder="f", files=1, example="x")


def recording(number: int) -> Recording:
    return Recording(name=f"run {number}", messages=(Message(role="assistant"),), source="x")


RUNS = [recording(number) for number in range(24)]
MIXED: list[Recording | RecordingError | LeftOut] = [ERROR, *RUNS[:9], ERROR, *RUNS[9:], OTHERS]


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_every_item_comes_in_its_order_with_what_was_made_of_it(jobs: int | None) -> None:
    expected = [(item, item.name) if isinstance(item, Recording) else item for item in MIXED]
    assert list(in_order(MIXED, NAME, jobs=jobs)) == expected


def test_no_more_is_read_ahead_than_the_processes_can_take() -> None:
    taken: list[int] = []

    def counted() -> Iterator[Recording]:
        for number in range(10_000):
            taken.append(number)
            yield recording(number)

    results = in_order(counted(), NAME, jobs=2)
    for _ in range(5):
        next(results)
    results.close()  # type: ignore[attr-defined]
    assert len(taken) <= 5 + 4 * 2 + 1


def test_with_one_process_nothing_is_read_before_it_is_wanted() -> None:
    waiting = iter(RUNS)
    results = in_order(waiting, NAME, jobs=1)
    next(results)
    assert next(waiting) is RUNS[1]


def test_few_runs_are_done_in_this_process_so_that_any_function_will_do() -> None:
    here = os.getpid()
    assert {result for _, result in in_order(RUNS, lambda run: os.getpid())} == {here}  # type: ignore[misc]


@pytest.mark.parametrize("jobs", [1, 2, None])
def test_what_the_work_raises_is_raised_here(jobs: int | None) -> None:
    with pytest.raises(AttributeError):
        list(in_order(RUNS, attrgetter("no_such_field"), jobs=jobs))


class Fatal:
    """Ends the process that receives it."""

    def __reduce__(self) -> tuple[object, ...]:
        """Return what the other process calls in order to build this value."""
        return os._exit, (9,)


def test_a_process_that_dies_is_an_error_with_a_cure() -> None:
    fatal = Recording(name="x", messages=(Fatal(),), source="x")  # type: ignore[arg-type]
    with pytest.raises(FoureyesError, match="--jobs 1"):
        list(in_order([*RUNS[:2], fatal, *RUNS], NAME, jobs=2))


def test_there_is_at_least_one_processor() -> None:
    assert processors() >= 1
