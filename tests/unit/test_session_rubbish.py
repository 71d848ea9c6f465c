"""Whatever a reviewer returns or raises, the boundary has an outcome for it and the host gets its guidance."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry

from foureyes.core.facts import Anchor, Note, Reply, Review, Usage
from foureyes.core.words import OutcomeKind, Severity
from foureyes.errors import RateLimitedError, ReviewerError
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.events import ReviewSettled, SinkFailed
from foureyes.telemetry.logs import LogSink
from foureyes.testing import RecordingSink

from .shell import answering, every_turn, outcomes, reviewer, session_of, texts, transcript

pytestmark = pytest.mark.anyio


def generated(review: Review) -> Iterator[Note]:
    """Yield notes instead of returning them."""
    yield Note(text="x")


async def generated_later(review: Review) -> AsyncIterator[Note]:
    """Yield notes asynchronously."""
    yield Note(text="x")


class UnspeakableError(Exception):
    """An exception without a text."""

    def __str__(self) -> str:
        raise RuntimeError("no text")


class Evil(dict[str, Any]):
    """A mapping that fails when it is read."""

    def get(self, *args: Any) -> Any:
        """Fail."""
        raise ValueError("cannot be read")


class EvilList(list[Any]):
    """A list that fails when it is read."""

    def __len__(self) -> int:
        raise ValueError("cannot be read")


NOTE = Note(text="x", severity=Severity.CONCERN)
RETURNED: list[tuple[Any, OutcomeKind]] = [
    (None, OutcomeKind.UNPARSED),
    (42, OutcomeKind.UNPARSED),
    (float("nan"), OutcomeKind.UNPARSED),
    ("I am worried that the retry loop never backs off.", OutcomeKind.UNPARSED),
    ("broken \ud83d", OutcomeKind.UNPARSED),
    (b"\xff\xfe", OutcomeKind.UNPARSED),
    ({}, OutcomeKind.UNPARSED),
    (object(), OutcomeKind.UNPARSED),
    (Exception("returned, not raised"), OutcomeKind.UNPARSED),
    (OutcomeKind.QUIET, OutcomeKind.UNPARSED),
    (NOTE, OutcomeKind.UNPARSED),
    ([], OutcomeKind.QUIET),
    ([None, 7], OutcomeKind.NOTED),
    ([{"text": ["a"]}], OutcomeKind.NOTED),
    ([NOTE, None], OutcomeKind.NOTED),
    (["x" * 5_000_000, {"text": "y" * 5_000_000}], OutcomeKind.NOTED),
    ([{"text": "broken \ud83d emoji \0 end", "severity": "concern"}], OutcomeKind.NOTED),
    (Reply(notes=[NOTE, "x"], malformed="many"), OutcomeKind.NOTED),  # type: ignore[arg-type]
    (Reply(notes=None), OutcomeKind.UNPARSED),  # type: ignore[arg-type]
    (Reply(notes=(NOTE,), usage=Usage(input_tokens="many")), OutcomeKind.NOTED),  # type: ignore[arg-type]
    (Reply(usage=Usage(cost_usd=float("nan"))), OutcomeKind.QUIET),
    (Reply(malformed=10**12), OutcomeKind.NOTED),
    ([Note(text="x", anchor=Anchor(turn="y", call=3, path=b"z"))], OutcomeKind.NOTED),  # type: ignore[arg-type]
    (Evil(), OutcomeKind.ERROR),
    (EvilList(), OutcomeKind.ERROR),
    ([Evil(text="x"), NOTE], OutcomeKind.ERROR),
]
RAISED: list[tuple[BaseException, OutcomeKind]] = [
    (ValueError("x"), OutcomeKind.ERROR),
    (UnspeakableError(), OutcomeKind.ERROR),
    (ReviewerError("broken \ud83d \0"), OutcomeKind.ERROR),
    (ReviewerError(), OutcomeKind.ERROR),
    (RateLimitedError(retry_after=float("nan")), OutcomeKind.RATE_LIMITED),
    (ExceptionGroup("several", [ValueError(), TypeError()]), OutcomeKind.ERROR),
    (StopIteration(3), OutcomeKind.ERROR),
    (StopAsyncIteration(), OutcomeKind.ERROR),
    (RecursionError(), OutcomeKind.ERROR),
    (GeneratorExit(), OutcomeKind.ERROR),
    (AssertionError(), OutcomeKind.ERROR),
]


def synchronous(act: Callable[[], Any]) -> Callable[[Review], Any]:
    """Return a plain function that does it."""
    return lambda review: act()


def asynchronous(act: Callable[[], Any]) -> Callable[[Review], Any]:
    """Return a coroutine function that does it."""

    async def on_the_loop(review: Review) -> Any:
        return act()

    return on_the_loop


kinds = pytest.mark.parametrize("kind", [synchronous, asynchronous], ids=["sync", "async"])


async def the_outcome(function: Callable[..., Any]) -> OutcomeKind:
    """Return how a review ends that is watched by every sink there is."""
    sink = RecordingSink()
    config = reviewer(function, interval_turns=1, max_attempts=1)
    async with session_of(config, sinks=[sink, LogSink()], registry=CollectorRegistry()) as session:
        first = await session.boundary(transcript())
        await session.finish(answering("done"), answer="done")
        json.dumps(session.snapshot(), ensure_ascii=False).encode()
    assert sink.of(SinkFailed) == []
    assert {event.outcome for event in sink.of(ReviewSettled)} == set(outcomes(first).values())
    assert outcomes(first).keys() == {"one"}
    return outcomes(first)["one"]


@kinds
@pytest.mark.parametrize(("returned", "outcome"), RETURNED, ids=lambda value: repr(value)[:50])
async def test_whatever_is_returned_has_its_outcome(kind: Any, returned: Any, outcome: OutcomeKind) -> None:
    assert await the_outcome(kind(lambda: returned)) is outcome


@kinds
@pytest.mark.parametrize(("raised", "outcome"), RAISED, ids=lambda value: type(value).__name__)
async def test_whatever_is_raised_has_its_outcome(
    kind: Any, raised: BaseException, outcome: OutcomeKind, file: Path
) -> None:
    def act() -> None:
        raise raised

    assert await the_outcome(kind(act)) is outcome


@pytest.mark.parametrize("function", [generated, generated_later])
async def test_a_generator_is_no_reply(function: Callable[..., Any]) -> None:
    assert await the_outcome(function) is OutcomeKind.UNPARSED


async def test_a_reviewer_with_the_wrong_signature_is_an_error() -> None:
    def too_many(review: Review, more: int) -> list[Note]:
        return []

    assert await the_outcome(too_many) is OutcomeKind.ERROR


@pytest.mark.parametrize("anyio_backend", ["asyncio"])
@settings(max_examples=60)
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
        lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from(["notes", "text", "severity", "key"]), inner),
        max_leaves=10,
    )
)
async def test_any_plain_data_has_an_outcome(returned: object) -> None:
    async def says(review: Review) -> object:
        return returned

    async with session_of(every_turn(says)) as session:
        guidance = await session.boundary(transcript())
    assert outcomes(guidance)["one"] in (OutcomeKind.NOTED, OutcomeKind.QUIET, OutcomeKind.UNPARSED)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Return where a session is kept: in a real file, which takes no half characters."""
    return tmp_path / "sessions.sqlite"


async def test_half_an_emoji_and_a_null_reach_the_agent_as_replacement_characters(file: Path) -> None:
    """As in https://github.com/HKUDS/nanobot/issues/4952: the whole run died when the note was written."""

    async def says(review: Review) -> object:
        return [{"text": "broken \ud83d emoji \0 end", "severity": "concern"}]

    async with session_of(every_turn(says), store=SQLiteStore(file)) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == ["broken � emoji � end"]
    guidance.messages[0]["content"].encode()


@pytest.mark.parametrize("where", ["request", "transcript", "answer", "tool"])
async def test_half_an_emoji_of_the_hosts_own_hurts_nobody(where: str, file: Path) -> None:
    broken = "half \ud83d \0"
    seen: list[Review] = []

    async def keeps(review: Review) -> list[Note]:
        seen.append(review)
        return []

    call = {"id": broken, "function": {"name": broken, "arguments": {broken: broken}}}
    messages = [
        {"role": "user", "content": broken if where in ("request", "transcript") else "Do it."},
        {"role": "assistant", "content": "", "tool_calls": [call] if where == "tool" else []},
        {"role": "tool", "tool_call_id": broken, "content": broken if where == "tool" else "fine"},
    ]
    config = reviewer(keeps)
    async with session_of(config, store=SQLiteStore(file), request=broken if where == "request" else None) as one:
        await one.finish(messages, answer=broken if where == "answer" else "done")
    [review] = seen
    repr((review.request, review.messages, review.tools, review.answer)).encode()
    assert "\\ud83d" not in repr(review)
