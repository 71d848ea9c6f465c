"""A secret that is planted anywhere in a run is found nowhere outside the process, whatever the provider does with it.

Outside is: what is sent, the database, the log, the metrics, the events, and what the agent and the host are told.
"""

from __future__ import annotations

import json
import logging
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.logs import LogSink
from foureyes.testing import RecordingSink

from .model_server import Act, Exchange, ModelServer, answer, fault

pytestmark = pytest.mark.anyio

KEY, SECRET = "sk-planted-0123456789abcdef", "Zq7-vB3xK9mT-planted"
"""The key of the provider, and a secret of the process's own environment."""
CUT = 4_000
"""Characters of a message that are shown: of a longer one two thirds of them from its start, one from its end."""


def told(secret: str) -> list[dict[str, Any]]:
    """Return a run that has the secret in it wherever one can be."""
    call = {"id": f"call-{secret}", "type": "function"}
    call |= {
        "function": {"name": f"get-{secret}", "arguments": json.dumps({"path": f"/srv/{secret}/x", "key": secret})}
    }
    room = CUT - 64  # for the marker
    start, end = "x" * (room - room // 3 - len(secret) // 2), "z" * (room // 3 - len(secret) // 2)
    long = f"{start}{secret}{'y' * CUT}{secret}{end}"
    return [
        {"role": "user", "content": f"Deploy with {secret}."},
        {"role": "assistant", "content": f"I use {secret}.", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": f"call-{secret}", "content": long},
        {"role": "tool", "tool_call_id": "other", "content": f"APP_PASSWORD={secret}\nHOME=/root\n"},
        {"role": "tool", "tool_call_id": "third", "content": f"denied for {secret}", "is_error": True},
        {"role": "assistant", "content": [{"type": "text", "text": f'{{"secret": "{secret}"}}'}]},
    ]


def quotes(exchange: Exchange) -> None:
    """Answer with an error that quotes the key and all that was sent."""
    sent = f"{KEY} {SECRET} {exchange.request.key} {exchange.request.text}"
    fault(400, SECRET, sent)(exchange)


def tells(exchange: Exchange) -> None:
    """Answer with a note that holds secrets the model can have from nowhere."""
    note = {"severity": "concern", "text": f"The key {KEY} and {SECRET} are in use.", "key": f"leak/{SECRET}"}
    answer(json.dumps({"notes": [note], "resolved": [SECRET]}))(exchange)


def kept(folder: Path) -> list[str]:
    """Return what the files of the folder hold."""
    return [path.read_bytes().decode("utf-8", "replace") for path in folder.iterdir()]


@pytest.mark.parametrize("protocol", list(ApiProtocol))
@pytest.mark.parametrize(
    "act", [answer(), answer(f"Hm, {SECRET}."), quotes, tells, fault(401, "invalid_api_key", f"Bad key {KEY}")]
)
async def test_a_planted_secret_is_found_nowhere_outside_of_the_process(
    act: Act,
    protocol: ApiProtocol,
    server: ModelServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setenv("APP_PASSWORD", SECRET)
    server.plays(act)
    instructions = f"Mind the key {SECRET}."
    config = ReviewerConfig(
        name="one",
        use="model",
        model="small",
        base_url=server.url,
        api_key=KEY,
        protocol=protocol,
        interval_turns=1,
        instructions=instructions,
    )
    registry, sink, database = CollectorRegistry(), RecordingSink(), tmp_path / "foureyes.db"
    outside: list[str] = []
    with caplog.at_level(logging.DEBUG):
        async with ReviewScheduler(
            [config], store=SQLiteStore(database), registry=registry, sinks=[sink, LogSink()]
        ) as scheduler:
            session = await scheduler.session("s", request=f"Deploy with {SECRET}.")
            for guidance in (
                await session.boundary(told(SECRET)),
                await session.finish(told(SECRET), answer=f"Deployed with {SECRET}."),
            ):
                outside += [json.dumps(guidance.messages), repr(guidance)]
        outside += [generate_latest(registry).decode(), repr(sink.events), caplog.text]
        outside += [json.dumps(record.__dict__, default=repr) for record in caplog.records]
    outside += kept(tmp_path)
    outside += [request.text for request in server.requests]
    assert all("shortened for review: " in request.text for request in server.requests)
    assert server.requests
    for text in outside:
        assert [secret for secret in (SECRET, KEY, "planted") if secret in text] == []
