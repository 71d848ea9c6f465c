"""What a boundary gives back: plain values a host can use without knowing anything else."""

from __future__ import annotations

from dataclasses import FrozenInstanceError, fields

import pytest

from foureyes.core.render import advisory
from foureyes.core.state import Called, Skipped
from foureyes.core.words import Disposition, OutcomeKind, Severity, SkipReason, Trigger
from foureyes.guidance import Guidance
from foureyes.testing import note

from .builders import record
from .shell import answering, every_turn, reviewer, scripted, session_of, transcript

ADVISORY = advisory("0" * 32, "a1", [record("n1")], finish=False)


def test_an_empty_guidance_has_nothing_for_the_agent() -> None:
    guidance = Guidance(turn=3)
    assert (guidance.turn, guidance.messages, guidance.reopen, guidance.result) == (3, [], False, None)
    guidance.taken()


def test_a_quiet_guidance_is_the_empty_one_in_every_field() -> None:
    quiet, empty = Guidance.quiet(3), Guidance(turn=3)
    assert quiet == empty
    assert {one.name: getattr(quiet, one.name) for one in fields(quiet)} == {
        one.name: getattr(empty, one.name) for one in fields(empty)
    }
    assert repr(quiet) == repr(empty)
    quiet.taken()


def test_an_advisory_is_one_message_of_the_user_role() -> None:
    """The role that every framework has; that it is no human's says the text."""
    assert Guidance(turn=1, advisory=ADVISORY).messages == [{"role": "user", "content": ADVISORY.text}]


def test_messages_are_the_hosts_own_to_change() -> None:
    guidance = Guidance(turn=1, advisory=ADVISORY)
    guidance.messages[0]["content"] = "changed"
    guidance.messages.clear()
    assert guidance.messages == [{"role": "user", "content": ADVISORY.text}]


def test_a_guidance_is_frozen_and_does_not_show_how_it_confirms() -> None:
    guidance = Guidance(turn=1, on_taken=lambda: None)
    with pytest.raises(FrozenInstanceError):
        guidance.turn = 2  # type: ignore[misc]
    assert "on_taken" not in repr(guidance)
    assert guidance == Guidance(turn=1)


def test_taking_tells_whom_it_concerns() -> None:
    told: list[str] = []
    Guidance(turn=1, on_taken=lambda: told.append("taken")).taken()
    assert told == ["taken"]


@pytest.mark.anyio
async def test_a_guidance_says_who_was_called_who_was_not_and_what_became_of_each_note() -> None:
    said = scripted([note("The lock is kept."), note("LGTM"), note("The lock is kept.")])
    configs = [every_turn(said, "alpha"), every_turn(scripted(), "beta", enabled=False)]
    async with session_of(*configs) as session:
        guidance = await session.boundary(transcript())
    assert guidance.outcomes == (Called(reviewer="alpha", trigger=Trigger.PERIODIC, outcome=OutcomeKind.NOTED),)
    assert guidance.skips == (Skipped(reviewer="beta", trigger=Trigger.PERIODIC, reason=SkipReason.DISABLED),)
    assert [(one.note.text, one.disposition) for one in guidance.judged] == [
        ("The lock is kept.", Disposition.ADMITTED),
        ("LGTM", Disposition.NOISE),
        ("The lock is kept.", Disposition.DUPLICATE),
    ]
    assert guidance.progress == "alpha: 1 concern; passed on to the agent"


@pytest.mark.anyio
async def test_a_boundary_has_no_result_and_a_finish_has_one() -> None:
    async with session_of(reviewer(scripted(), interval_turns=1)) as session:
        boundary = await session.boundary(transcript())
        finish = await session.finish(answering("done"), answer="done")
    assert (boundary.result, boundary.verdict, boundary.unsent) == (None, None, ())
    assert (finish.result, finish.verdict) == ("clean", "approved")


@pytest.mark.anyio
async def test_a_nit_alone_is_not_for_the_agent_and_has_no_progress_to_report() -> None:
    async with session_of(every_turn(scripted(note("Rename it.", Severity.NIT)))) as session:
        guidance = await session.boundary(transcript())
    assert (guidance.messages, guidance.progress) == ([], "")
    assert [one.disposition for one in guidance.judged] == [Disposition.ADMITTED]
