"""What an agent did, in a few words."""

from __future__ import annotations

import pytest

from foureyes.core.facts import Message, ToolCall
from foureyes.replay.deeds import MAX_DEED, deed


def calling(*arguments: str) -> Message:
    return Message(role="assistant", tool_calls=tuple(ToolCall(name="run", arguments=each) for each in arguments))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("", "run()"),
        ("{}", "run()"),
        ('{"path": "a.py", "line": 3, "all": true}', 'run(path="a.py", line=3, all=true)'),
        ('["a", "b"]', 'run(["a", "b"])'),
        ("not json", 'run("not json")'),
        ('{"text": "two\\nlines"}', 'run(text="two\\nlines")'),
    ],
)
def test_a_tool_call_is_told_as_a_call(arguments: str, said: str) -> None:
    assert deed(calling(arguments)) == said


def test_further_calls_are_counted() -> None:
    assert deed(calling("", "", "")) == "run() and 2 more"


def test_an_answer_is_quoted_on_one_line() -> None:
    assert deed(Message(role="assistant", text=" All\ndone. ")) == 'answered "All done."'


def test_an_empty_message_said_nothing() -> None:
    assert deed(Message(role="assistant", text=" \n")) == "said nothing"


@pytest.mark.parametrize(
    "said",
    [
        Message(role="assistant", text="word " * 1_000),
        calling('{"text": "' + "word " * 1_000 + '"}'),
        calling(*['{"a": 1, "b": 2, "c": [' + "1," * 500 + "1]}"] * 8),
        calling("[" * 100_000),
    ],
)
def test_a_deed_is_never_longer_than_its_bound(said: Message) -> None:
    assert len(deed(said)) <= MAX_DEED
    assert "…" in deed(said)
