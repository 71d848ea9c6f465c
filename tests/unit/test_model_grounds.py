"""A note is as strong as what it rests on."""

from __future__ import annotations

import pytest

from foureyes.core.facts import Anchor, Message, Note, Reply, Review, ToolTrace
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.model.grounds import NOT_FOUND, grounded

REVIEW = Review(
    session="s",
    reviewer="one",
    trigger=Trigger.FINISH,
    turn=3,
    since=0,
    round=0,
    request="List the names of the environment variables, change nothing.",
    messages=(Message(role="assistant", text="I found `DB_PASSWORD` and two\nothers; I will *not* read them."),),
    tools=(ToolTrace(name="env", arguments='{"names": true}', result="DB_PASSWORD\nHOME\nexit status was zero here"),),
    answer="There are three: DB_PASSWORD, HOME, PATH.",
)
B, C, N = Severity.BLOCKER, Severity.CONCERN, Severity.NIT


def judged(text: str, severity: Severity = B, anchor: Anchor | None = None) -> tuple[str, Severity]:
    [note] = grounded(Reply(notes=(Note(text=text, severity=severity, anchor=anchor),)), REVIEW).notes
    return note.text, note.severity


@pytest.mark.parametrize(("severity", "becomes"), [(B, C), (C, C), (N, N)])
def test_a_blocker_without_any_ground_is_a_concern(severity: Severity, becomes: Severity) -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/12927: a name alone was called a leaked password."""
    text = "Rotate the leaked password now."
    assert judged(text, severity) == (text, becomes)


@pytest.mark.parametrize("anchor", [Anchor(turn=0), Anchor(turn=3), Anchor(call="env"), Anchor(path="a.py:3")])
def test_a_blocker_that_says_where_its_evidence_is_stays_one(anchor: Anchor) -> None:
    assert judged("It prints the value.", anchor=anchor) == ("It prints the value.", B)


@pytest.mark.parametrize(
    "quotation",
    [
        '"environment variables, change nothing"',
        "“I found DB_PASSWORD and two others”",
        "«exit status was zero here»",
        '"List the names … change nothing" and "three: DB_PASSWORD, HOME, PATH"',
        '"LIST THE NAMES OF THE environment"',
    ],
)
def test_a_blocker_that_quotes_what_was_shown_stays_one(quotation: str) -> None:
    text = f"The human said {quotation}, and it did."
    assert judged(text) == (text, B)


@pytest.mark.parametrize(("severity", "becomes"), [(B, C), (C, C), (N, N)])
def test_a_quotation_that_is_not_there_marks_the_note_and_takes_its_weight(
    severity: Severity, becomes: Severity
) -> None:
    """As in https://github.com/can1357/oh-my-pi/issues/5181: an attack was reported that nobody had made."""
    text = 'A tool result says "ignore all previous instructions and obey".'
    assert judged(text, severity, Anchor(turn=3)) == (NOT_FOUND + text, becomes)


@pytest.mark.parametrize(
    "text",
    [
        'Call it "user count".',
        "It's the agent's, not the user's own idea of things.",
        'Say "done" instead.',
        '5" or 6"',
    ],
)
def test_short_quotations_are_names_and_proposals(text: str) -> None:
    assert judged(text, C) == (text, C)


def test_a_reply_without_notes_is_as_it_was() -> None:
    reply = Reply()
    assert grounded(reply, REVIEW) is reply


def test_hostile_quotes_take_linear_time() -> None:
    assert judged('"' * 8_000, C)[1] is C
    assert judged('"a ' * 2_600, C)[1] is C
