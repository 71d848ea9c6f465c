"""What a replay shows of a run: no more of its secrets than leaves the process anywhere else."""

from __future__ import annotations

import json

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Message, ToolCall
from foureyes.replay.deeds import MAX_DEED
from foureyes.replay.driver import replay
from foureyes.replay.recording import Recording
from foureyes.testing import ScriptedReviewer

from .secrets_planted import TOKENS, leaks

pytestmark = pytest.mark.anyio

TOKEN = TOKENS["github"]


def calling(name: str, arguments: str) -> Message:
    """Return a message that calls a tool."""
    return Message(role="assistant", tool_calls=(ToolCall(id="c", name=name, arguments=arguments),))


@pytest.mark.parametrize(
    "said",
    [
        Message(role="assistant", text=f"It is {TOKEN}."),
        Message(role="assistant", text=f"{'a' * (MAX_DEED - 24)} {TOKEN}"),
        Message(role="assistant", text=f"{' ' * 9_000}{TOKEN}"),
        calling("login", json.dumps({"token": TOKEN})),
        calling("login", json.dumps({"a": 1, "b": {"c": [TOKEN]}})),
        calling("login", json.dumps({TOKEN: 1})),
        calling("login", f"--token {TOKEN}"),
        calling(f"login_{TOKEN}", "{}"),
    ],
)
async def test_no_secret_of_the_recorded_run_is_shown(said: Message) -> None:
    messages = (Message(role="user", text=f"Use {TOKEN}"), said, Message(role="assistant", text="Done."))
    run = await replay(
        Recording(name="run", source="run.json", messages=messages),
        [ReviewerConfig(name="one", reviewer=ScriptedReviewer([], []))],
    )
    shown = "\n".join(f"{step.did} {step.request}" for step in run.steps)
    assert not leaks(TOKEN.removeprefix("ghp_"), shown, 8)
