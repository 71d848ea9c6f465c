"""A planted secret never leaves the session: not in a review that is sent, a note, a log, a checkpoint, a metric."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from prometheus_client import CollectorRegistry, generate_latest

from foureyes.core.config import ReviewerConfig
from foureyes.core.evidence import MAX_ANSWER, MAX_MESSAGE, MAX_TRACE
from foureyes.core.facts import Anchor, Message, Note, Review, ToolCall
from foureyes.core.words import Severity
from foureyes.errors import ReviewerError
from foureyes.scheduler import ReviewScheduler
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.logs import LogSink
from foureyes.testing import RecordingSink

from .shell import reviewer, session_of

pytestmark = pytest.mark.anyio

SECRET = "AKIAIOSFODNN7QXZPLMT"
OWN = "hunter2-very-own-passphrase"


class Sending:
    """A reviewer that sends what it sees somewhere else."""

    outgoing = True

    def __init__(self, *notes: Note, error: BaseException | None = None) -> None:
        self.seen: list[Review] = []
        self.notes, self.error = notes, error

    async def __call__(self, review: Review) -> list[Note]:
        """Keep the review as it would be sent."""
        self.seen.append(review)
        if self.error is not None:
            raise self.error
        return list(self.notes)


def filled(length: int, at: int) -> str:
    """Return a text of this length with the secret at this place."""
    return ("word " * (length // 5 + 1))[:at] + f" {SECRET} " + ("more " * (length // 5 + 1))[: max(length - at, 0)]


def pieces() -> list[str]:
    """Return every piece of the secret that would be worth something."""
    return [SECRET[start : start + 10] for start in range(len(SECRET) - 9)]


CUTS = [*range(2_560, 2_700, 3), *range(MAX_MESSAGE - 60, MAX_MESSAGE + 40, 7)]


@pytest.mark.parametrize("at", CUTS)
async def test_a_secret_is_found_wherever_a_message_is_cut(at: int) -> None:
    sending = Sending()
    async with session_of(reviewer(sending)) as session:
        messages = [{"role": "user", "content": "Do it."}, {"role": "assistant", "content": filled(40_000, at)}]
        await session.finish(messages, answer=filled(40_000, MAX_ANSWER * 2 // 3 + at - 2_600))
    sent = repr(sending.seen)
    assert [piece for piece in pieces() if piece in sent] == []


PLACES: dict[str, list[Any]] = {
    "a message": [{"role": "assistant", "content": f"The key is {SECRET}."}],
    "a message of ours": [Message(role="assistant", text=f"The key is {SECRET}.")],
    "the arguments of a call": [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "function": {"name": "put", "arguments": json.dumps({"key": SECRET})}}],
        },
        {"role": "tool", "tool_call_id": "1", "content": "ok"},
    ],
    "arguments that are no text": [
        {
            "role": "assistant",
            "content": "",
            "tool_calls": [{"id": "1", "function": {"name": "put", "arguments": {"deep": [{"key": SECRET}]}}}],
        }
    ],
    "the id of a call": [
        Message(role="assistant", text="", tool_calls=(ToolCall(id=f"{'x' * 120}-{SECRET}", name="put"),))
    ],
    "the name of a tool": [Message(role="assistant", text="", tool_calls=(ToolCall(id="1", name=SECRET),))],
    "a long result": [
        {"role": "assistant", "content": "", "tool_calls": [{"id": "1", "function": {"name": "cat", "arguments": ""}}]},
        {"role": "tool", "tool_call_id": "1", "content": filled(20_000, MAX_TRACE - 400)},
    ],
    "a file name": [{"role": "assistant", "content": f"I wrote /tmp/{SECRET}/notes.txt"}],
    "blocks of content": [{"role": "assistant", "content": [{"type": "text", "text": f"It is {SECRET}"}]}],
    "an environment": [{"role": "tool", "tool_call_id": "9", "content": f"AWS_KEY={SECRET}\nAPP={OWN}\n"}],
    "what a human said": [{"role": "user", "content": f"Use {SECRET} for it."}],
    "an error text": [{"role": "tool", "tool_call_id": "9", "content": f"denied for {SECRET}", "is_error": True}],
}


@pytest.mark.parametrize("place", PLACES)
async def test_a_secret_in_any_place_of_the_transcript_is_not_sent(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("APP_PASSWORD", OWN)
    sending = Sending()
    async with session_of(reviewer(sending), request=f"Deploy with {SECRET}.") as session:
        await session.finish([{"role": "user", "content": "Go."}, *PLACES[place]], answer=f"Done with {SECRET}, {OWN}")
    sent = repr(sending.seen)
    assert (SECRET in sent, OWN in sent) == (False, False)
    assert "redacted" in sent


async def test_a_reviewer_in_this_process_reads_the_transcript_as_it_is() -> None:
    near = Sending()
    near.outgoing = False  # type: ignore[misc]
    async with session_of(reviewer(near)) as session:
        await session.finish([{"role": "assistant", "content": f"It is {SECRET}"}], answer="Done.")
    assert SECRET in repr(near.seen)


async def test_what_a_reviewer_quotes_is_redacted_in_everything_that_is_kept_or_shown(
    tmp_path: Any, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="foureyes")
    text = f"The key {SECRET} is printed."
    quoting = Sending(
        Note(text=text, severity=Severity.CONCERN, key=f"leak-{SECRET}", anchor=Anchor(path=f"/a/{SECRET}"))
    )
    failing = Sending(error=ReviewerError(f"cannot reach https://u:{SECRET}@host"))
    sink, registry = RecordingSink(), CollectorRegistry()
    shown: list[Any] = []
    store = SQLiteStore(tmp_path / "states.db")
    configs = [reviewer(quoting, "a"), reviewer(failing, "b")]
    async with ReviewScheduler(
        configs,
        store=store,
        sinks=[sink, LogSink()],
        registry=registry,
        on_notes=lambda *told: shown.append(told),
    ) as scheduler:
        session = await scheduler.session("s", request=f"Deploy with {SECRET}.")
        guidance = await session.finish([{"role": "assistant", "content": "It is done."}], answer="Done.")
        snapshot = json.dumps(session.snapshot())
    assert guidance.messages
    everything = [
        repr(guidance.messages) + repr(guidance.judged) + repr(guidance.outcomes),
        repr(shown),
        repr(sink.events),
        caplog.text,
        snapshot,
        generate_latest(registry).decode(),
        *(path.read_bytes().decode("latin-1") for path in tmp_path.iterdir()),
    ]
    assert [number for number, what in enumerate(everything) if SECRET in what] == []


async def test_a_request_with_a_secret_is_still_known_again_after_a_restart() -> None:
    request, config = f"Deploy with {SECRET}.", ReviewerConfig(name="one", use="checks")
    async with ReviewScheduler([config]) as scheduler:
        first = await scheduler.session("s", request=request)
        again = await scheduler.session("s", request=request)
    assert again.state.request == first.state.request == 1
    assert SECRET not in again.state.request_text


@pytest.mark.parametrize("at", [*range(4_060, 4_100, 3), *range(12_270, 12_295, 4)])
async def test_a_secret_in_arguments_that_are_no_text_is_found_wherever_they_are_cut(at: int) -> None:
    sending = Sending()
    call = {"id": "c", "function": {"name": "write", "arguments": {"content": filled(20_000, at)}}}
    async with session_of(reviewer(sending)) as session:
        await session.finish([{"role": "assistant", "content": "", "tool_calls": [call]}], answer="Done.")
    assert [piece for piece in pieces() if piece in repr(sending.seen)] == []


async def test_what_a_reviewer_sends_back_is_redacted_before_it_is_cut() -> None:
    anchor = Anchor(call="c" * 500 + "-" + SECRET, path="p" * 495 + "/" + SECRET)
    said = Note(text="It leaks.", severity=Severity.CONCERN, key="k" * 500 + "-" + SECRET, anchor=anchor)
    failing = Sending(error=ValueError(" " * 8_170 + SECRET))
    sink = RecordingSink()
    async with session_of(reviewer(Sending(said), "a"), reviewer(failing, "b"), sinks=[sink]) as session:
        guidance = await session.finish([{"role": "assistant", "content": "It is done."}], answer="Done.")
        snapshot = json.dumps(session.snapshot())
    everything = repr(guidance.judged) + repr(sink.events) + snapshot
    assert [piece for piece in pieces() if piece in everything] == []


async def test_a_role_is_redacted_before_it_is_cut() -> None:
    sending = Sending()
    async with session_of(reviewer(sending)) as session:
        await session.finish([{"role": "x" * 50 + "-" + SECRET, "content": "Hello."}], answer="Done.")
    assert [piece for piece in pieces() if piece in repr(sending.seen)] == []
