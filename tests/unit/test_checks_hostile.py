"""Checks on texts that are made to hurt: nothing is raised, and the time grows no faster than the text."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from foureyes.core.facts import Message, Review, ToolCall, ToolTrace
from foureyes.core.words import Trigger
from foureyes_reviewers.checks import CHECKS

from .growth import cost

PIECES = [
    "a", " ", "\n", '"', "{", "[", "(", ".", "1,", "$1 ", "```", "> ", "- a\n", "\u2019", "\ud800", "\u202e", "|\\/",
    "a. ",
    "i have ", "we will now ", "here is the a b c d ", "assumed a b ", "https://", '"is_in_loop": { "',
    "write a to b/c.d ",
    "a/", "./-~", "git push ", "rm -rf ", "sudo -a ", "the answer is ", "max number of ", "obtain a ", "in the a' ",
    'File "a", line 1, in b\n', "# replace ", "<your ", "YOUR_AAAA_BBBB_", "next, i will ", "to a ", "drop table ",
    "exactly 3 a ", "all tests ", "make ", "has been now also successfully ", "exit code: 0   ", "no code ",
    "based on the ",
]  # fmt: skip
SHORT, LONG = 12_500, 100_000
"""Characters. The longer text is eight times as long: linear work takes 8 times as long, quadratic 64 times."""
FAST = 1.0
"""Seconds of CPU of all checks together below which nothing is compared."""


def review(text: str) -> Review:
    """Return a review in which every text is this one."""
    arguments = json.dumps({"command": text})
    call = ToolCall(name="bash", arguments=arguments)
    roles = ("system", "assistant", "tool", "assistant")
    return Review(
        session="s",
        reviewer="r",
        trigger=Trigger.FINISH,
        turn=2,
        since=0,
        round=0,
        request=text,
        messages=tuple(Message(role=role, text=text, tool_calls=(call,) * (role == "assistant")) for role in roles),
        tools=(ToolTrace(name="bash", arguments=arguments, result=text),),
        answer=text,
    )


def judge(text: str) -> None:
    """Run every check on a finish and on a boundary."""
    finish = review(text)
    boundary = replace(finish, trigger=Trigger.PERIODIC, answer=None, request="According to the website, how much?")
    for check in CHECKS:
        check.find(finish)
        check.find(boundary)


@pytest.mark.parametrize("piece", PIECES)
def test_no_text_makes_the_checks_raise_or_take_more_than_linear_time(piece: str) -> None:
    long = cost(judge, piece * (LONG // len(piece)))
    if long > FAST:
        assert long < 24 * cost(judge, piece * (SHORT // len(piece)))
