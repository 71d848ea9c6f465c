"""A page of user code, which strict type checkers must accept as it stands."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, assert_never, assert_type

import anyio
from prometheus_client import CollectorRegistry

import foureyes
from foureyes import (
    Advisory,
    Called,
    ConfigError,
    Event,
    FinishResult,
    GuardConfig,
    Guidance,
    HostError,
    Judged,
    Limits,
    MemoryStore,
    Message,
    Note,
    NoteRecord,
    RateLimitedError,
    Reply,
    Review,
    ReviewerConfig,
    ReviewScheduler,
    Session,
    Settings,
    Severity,
    Sink,
    Skipped,
    SQLiteStore,
    Stop,
    Store,
    SyncReviewScheduler,
    SyncSession,
    Usage,
    Verdict,
)
from foureyes.testing import FakeClock, RecordingSink, ScriptedReviewer, note, run_turns


async def correctness(review: Review) -> list[Note]:
    """Review with a coroutine: a list of notes."""
    assert_type(review.turn, int)
    assert_type(review.answer, str | None)
    if any(tool.error for tool in review.tools):
        return [Note(text="A tool failed and nobody looked.", severity=Severity.CONCERN, key="tool-failed")]
    return []


def scope(review: Review) -> dict[str, Any]:
    """Review with a plain function, which gets a thread: plain data."""
    return {"notes": [{"text": message.text, "severity": "nit"} for message in review.messages if message.by_human]}


class Security:
    """Review with an object that keeps its own count."""

    def __init__(self) -> None:
        self.reviews = 0

    async def __call__(self, review: Review) -> Reply:
        """Return a reply with what it has cost."""
        self.reviews += 1
        if self.reviews > 100:
            raise RateLimitedError("slow down", retry_after=2.0)
        return Reply(usage=Usage(input_tokens=900, output_tokens=40, cost_usd=0.002))


class Printing:
    """A sink of the user's own."""

    def emit(self, event: Event) -> None:
        """Print the event."""
        print(event.action, event.session)

    def quiet(self, finish: bool) -> None:
        """Ignore quiet boundaries."""


def record(reviewer: str, notes: tuple[Judged, ...], sent: bool) -> None:
    """Keep the notes of one review."""
    for one in notes:
        print(reviewer, one.severity, one.note.text, one.explain(), sent)


REVIEWERS = [
    ReviewerConfig(name="correctness", reviewer=correctness, interval_turns=5, timeout_seconds=10),
    ReviewerConfig(name="scope", reviewer=scope, max_rounds=1, guard=GuardConfig(max_notes=2)),
    ReviewerConfig(name="security", reviewer=Security(), order=1),
]


async def agent(messages: list[dict[str, Any]]) -> str:
    """Stand for the user's own agent: add a turn to the transcript, and return the answer, or "" for none yet."""
    messages.append({"role": "assistant", "content": "The totals are in euros now."})
    return "The totals are in euros now."


async def main(store: Store, sinks: Sequence[Sink]) -> Verdict | None:
    """Drive an agent with reviewers."""
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Move the totals to euros."}]
    limits = Limits(notes_per_boundary=4, reopen_severity=Severity.BLOCKER)
    scheduler = ReviewScheduler(
        REVIEWERS, limits=limits, store=store, registry=CollectorRegistry(), sinks=sinks, on_notes=record
    )
    async with scheduler:
        session = await scheduler.session("conversation-7", request="Move the totals to euros.")
        assert_type(session, Session)
        while True:
            answer = await agent(messages)
            if not answer:
                guidance = await session.boundary(messages)
                messages += guidance.messages
                continue
            guidance = await session.finish(messages, answer=answer)
            assert_type(guidance, Guidance)
            if not guidance.reopen:
                break
            messages += guidance.messages
            guidance.taken()
        return guidance.verdict


def told(guidance: Guidance) -> str:
    """Say how a finish ended: every case, and the type checker knows that there are no more."""
    assert_type(guidance.advisory, Advisory | None)
    assert_type(guidance.outcomes, tuple[Called, ...])
    assert_type(guidance.skips, tuple[Skipped, ...])
    assert_type(guidance.unsent, tuple[NoteRecord, ...])
    match guidance.result:
        case None | FinishResult.CLEAN:
            return "done"
        case FinishResult.REOPENED | FinishResult.CAPPED:
            return "open: " + ", ".join(left.text for left in guidance.unsent)
        case FinishResult.UNAVAILABLE | FinishResult.INCOMPLETE | FinishResult.ABORTED:
            return str(guidance.verdict)
        case _ as never:
            assert_never(never)


async def interrupted(session: Session) -> dict[str, Any]:
    """Use the rest of a session."""
    await session.boundary([Message(role="assistant", text="Working.")], turn=3)
    await session.new_request("Something else.")
    await session.rewound(0)
    await session.compacted()
    await session.abort()
    assert_type(session.state.turn, int)
    return session.snapshot()


def without_an_event_loop() -> None:
    """Use the blocking calls."""
    with SyncReviewScheduler(ReviewScheduler(REVIEWERS, store=SQLiteStore("sessions.sqlite"))) as scheduler:
        session = scheduler.session("conversation-8")
        assert_type(session, SyncSession)
        guidance = session.finish([{"role": "user", "content": "Hi."}], answer="Hello.", stop=Stop.ANSWER)
        assert_type(guidance.messages, list[dict[str, Any]])


def from_settings() -> ReviewScheduler:
    """Let the environment and files declare everything."""
    try:
        return ReviewScheduler.from_settings(Settings())
    except ConfigError as error:
        assert_type(error.problems, tuple[str, ...])
        raise HostError("no reviewers") from error


async def tested() -> list[Guidance]:
    """Test a host or a reviewer with the public fakes."""
    scripted, sink = ScriptedReviewer([note("Look again.", Severity.BLOCKER)]), RecordingSink()
    config = ReviewerConfig(name="scripted", reviewer=scripted, interval_turns=1)
    async with ReviewScheduler([config], sinks=[sink], clock=FakeClock(), nonce=lambda: "0" * 32) as scheduler:
        return await run_turns(await scheduler.session("s"), 3, answers=["Done."])


if __name__ == "__main__":
    print(foureyes.__all__)
    print(anyio.run(main, MemoryStore(), [Printing()]))
