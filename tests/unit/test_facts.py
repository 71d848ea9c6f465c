"""The plain values between host, core and reviewer: frozen, detached, and honest about what is unknown."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields, is_dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

from foureyes.core import facts
from foureyes.core.facts import Message, Moment, Note, Outcome, Reply, Usage
from foureyes.core.words import OutcomeKind, Severity, Stop, Trigger

VALUES = [getattr(facts, name) for name in facts.__all__ if is_dataclass(getattr(facts, name))]


@pytest.mark.parametrize("kind", [kind for kind in VALUES if isinstance(kind, type)], ids=lambda kind: kind.__name__)
def test_a_fact_is_frozen_and_its_parts_are_named(kind: type) -> None:
    parts = {one.name for one in fields(kind)}
    assert parts == {one.name for one in fields(kind) if one.kw_only}
    value = object.__new__(kind)
    with pytest.raises(FrozenInstanceError):
        setattr(value, next(iter(parts)), "other")


@pytest.mark.parametrize(
    ("role", "human", "by_human"),
    [
        ("user", None, True),
        ("user", True, True),
        ("user", False, False),
        ("assistant", None, False),
        ("tool", None, False),
        ("system", None, False),
        ("developer", True, True),
    ],
)
def test_a_user_message_is_the_human_s_own_unless_the_host_says_otherwise(
    role: str, human: bool | None, by_human: bool
) -> None:
    assert Message(role=role, human=human).by_human == by_human


@pytest.mark.parametrize("stop", [None, *Stop])
def test_a_moment_at_which_the_agent_has_stopped_is_a_finish(stop: Stop | None) -> None:
    assert Moment(turn=1, stop=stop).finish == (stop is not None)


@pytest.mark.parametrize(
    ("one", "other", "cost"),
    [
        (Usage(cost_usd=0.5), Usage(cost_usd=0.25), 0.75),
        (Usage(input_tokens=5, cost_usd=0.5), Usage(), 0.5),
        (Usage(), Usage(input_tokens=5, cost_usd=0.5), 0.5),
        (Usage(cost_usd=0.0), Usage(), 0.0),
        (Usage(cost_usd=0.5), Usage(input_tokens=5), None),
        (Usage(output_tokens=1), Usage(cost_usd=0.5), None),
        (Usage(), Usage(), None),
        (Usage(cost_usd=0.0), Usage(output_tokens=1), None),
    ],
)
def test_an_unknown_cost_makes_the_sum_unknown_unless_nothing_was_used(
    one: Usage, other: Usage, cost: float | None
) -> None:
    assert (one + other).cost_usd == cost


COUNTS = st.integers(0, 10**9)
USAGES = st.builds(Usage, input_tokens=COUNTS, cached_tokens=COUNTS, output_tokens=COUNTS)


@given(USAGES, USAGES)
def test_tokens_add_up(one: Usage, other: Usage) -> None:
    both = one + other
    for kind in ("input_tokens", "cached_tokens", "output_tokens"):
        assert getattr(both, kind) == getattr(one, kind) + getattr(other, kind)


def test_a_note_is_a_nit_about_the_work_unless_it_says_more() -> None:
    said = Note(text="The lock leaks.")
    assert (said.severity, said.key, said.subject, said.anchor) == (Severity.NIT, None, "work", None)


def test_an_outcome_says_nothing_that_was_not_said() -> None:
    ended = Outcome(reviewer="correctness", trigger=Trigger.FINISH, kind=OutcomeKind.TIMEOUT)
    assert ended.reply == Reply(notes=(), malformed=0, usage=Usage())
    assert (ended.attempts, ended.hops, ended.error) == (0, (), "")
