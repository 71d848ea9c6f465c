"""Whether the human has spoken since a request ended, read from nothing but the transcript."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from foureyes.core.facts import Message
from foureyes.core.ledger import closed, new_request
from foureyes.core.render import advisory
from foureyes.core.requests import closed_at, spoken_since
from foureyes.core.state import SessionState

from .builders import record

STATE = SessionState(id="s", nonce="0" * 32)
ASK = {"role": "user", "content": "Do it."}
WORK = {"role": "assistant", "content": "Done."}
OURS = {"role": "user", "content": advisory(STATE.nonce, "a1", [record("n1")], finish=True).text}
NUDGE = {"role": "user", "content": "Go on.", "human": False}


def after(ended: Sequence[Any], now: Sequence[Any]) -> str | None:
    """Return what the human has said since the request ended with one transcript, in another."""
    return spoken_since(closed(STATE, closed_at(STATE, ended)), now)


def user(text: Any) -> dict[str, Any]:
    """Return a message of the human."""
    return {"role": "user", "content": text}


@pytest.mark.parametrize(
    ("added", "heard"),
    [
        ([], None),
        ([WORK], None),
        ([OURS], None),
        ([NUDGE], None),
        ([user("")], None),
        ([user(None)], None),
        ([user("And the taxes?")], "And the taxes?"),
        ([user("Do it.")], "Do it."),
        ([OURS, user("Why?"), WORK], "Why?"),
        ([user("One."), user("Two.")], "Two."),
        ([user([{"type": "text", "text": "See:"}, {"type": "image"}])], "See:\n[image]"),
        ([{"role": "system", "content": "x", "human": True}], "x"),
        ([Message(role="user", text="Why?")], "Why?"),
        ([Message(role="user", text="Go on.", human=False)], None),
    ],
    ids=repr,
)
def test_only_what_a_human_added_is_heard(added: list[Any], heard: str | None) -> None:
    assert after([ASK, WORK], [ASK, WORK, *added]) == heard


def test_a_request_that_has_not_ended_is_not_begun_again() -> None:
    assert spoken_since(STATE, [ASK, WORK, user("And the taxes?")]) is None


@pytest.mark.parametrize(
    ("now", "heard"),
    [
        ([ASK], None),
        ([user("Summary of the work.")], "Summary of the work."),
        ([], None),
        ([WORK], None),
        ([OURS, ASK], None),
    ],
)
def test_in_a_transcript_that_has_become_shorter_only_other_words_count(now: list[Any], heard: str | None) -> None:
    assert after([ASK, WORK, WORK], now) == heard


def test_our_own_advisory_is_not_the_newest_human_words() -> None:
    assert after([ASK, WORK, OURS], [ASK]) is None


def test_an_ended_request_without_any_human_words_hears_the_first() -> None:
    assert after([WORK, WORK], [user("Do it.")]) == "Do it."


def test_the_mark_says_how_it_ended() -> None:
    assert closed_at(STATE, [ASK, WORK]).messages == 2
    assert closed_at(STATE, [ASK]).aborted is False
    assert closed_at(STATE, [ASK], aborted=True).aborted is True
    assert closed_at(STATE, [WORK]).humans == closed_at(STATE, []).humans
    assert closed_at(STATE, [ASK]).humans == closed_at(STATE, [ASK, WORK]).humans != ()


@pytest.mark.parametrize(
    ("now", "heard"),
    [
        ([ASK, WORK], None),
        ([user("Earlier."), WORK, ASK, WORK], None),
        ([ASK, WORK, user("And the taxes?"), WORK], "And the taxes?"),
    ],
)
def test_an_abort_without_a_transcript_does_not_hear_the_words_that_began_the_request(
    now: list[Any], heard: str | None
) -> None:
    state = new_request(STATE, "Do it.")
    assert spoken_since(closed(state, closed_at(state, [], aborted=True)), now) == heard


@pytest.mark.parametrize("how", ["aborted", "answered"])
def test_a_run_that_was_left_over_cannot_lift_the_end_of_its_request(how: str) -> None:
    ended = closed(STATE, closed_at(STATE, [ASK, WORK], **{how: True}))
    wound_up = closed(ended, closed_at(ended, [ASK, WORK, WORK]))
    assert wound_up.closed is not None
    assert (wound_up.closed.messages, wound_up.closed.rests) == (3, True)


class Long(Sequence[Any]):
    """A transcript of a million messages of the agent that counts how often it is looked into."""

    def __init__(self) -> None:
        self.touched = 0

    def __len__(self) -> int:
        return 10**6

    def __getitem__(self, place: Any) -> Any:
        assert isinstance(place, int), "no copies"
        self.touched += 1
        return WORK


def test_of_a_million_messages_few_are_read() -> None:
    transcript = Long()
    assert spoken_since(closed(STATE, closed_at(STATE, [ASK, WORK])), transcript) is None
    assert closed_at(STATE, transcript).humans == closed_at(STATE, []).humans
    assert transcript.touched <= 4 * 256 + 4, "the newest, and the last message for its digest"


@pytest.mark.parametrize("work", [0, 1, 255, 256, 300, 5_000])
def test_a_human_is_heard_however_long_the_agent_has_worked_since(work: int) -> None:
    ended = [ASK, WORK]
    assert after(ended, [*ended, user("And the taxes?"), *[WORK] * work]) == "And the taxes?"
