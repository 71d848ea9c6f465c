"""What strict type checkers must refuse: every line here is wrong, and an ignore that is not needed fails the test."""

from __future__ import annotations

from foureyes import FinishResult, Guidance, Limits, Note, ReviewScheduler, Session, Severity, Stop


async def wrong(session: Session, guidance: Guidance) -> None:
    """Break the contract in every way that a type can tell."""
    await session.boundary(7)  # type: ignore[arg-type]
    await session.boundary([], turn="3")  # type: ignore[arg-type]
    await session.finish([], answer=None)  # type: ignore[arg-type]
    await session.finish([], answer="x", stop="enough")  # type: ignore[arg-type]
    await session.new_request(None)  # type: ignore[arg-type]
    print(session.boundary([]).messages)  # type: ignore[attr-defined]
    guidance.turn = 3  # type: ignore[misc]
    print(guidance.notes)  # type: ignore[attr-defined]
    Note("positional")  # type: ignore[call-arg]
    Note(text=7)  # type: ignore[arg-type]
    Note(text="x", severity="concern")  # type: ignore[arg-type]
    Limits(notes=3)  # type: ignore[call-arg]
    ReviewScheduler([], sinks=[print])  # type: ignore[list-item]
    ReviewScheduler([], on_notes=lambda notes: None)  # type: ignore[arg-type, misc]
    print(FinishResult.DONE)  # type: ignore[attr-defined]
    print(Stop.ANSWER.rank)  # type: ignore[attr-defined]
    Severity.NIT.rank.upper()  # type: ignore[attr-defined]
