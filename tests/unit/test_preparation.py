"""Evidence that leaves the process is made ready beside the event loop, and inside its reviewer's deadline."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from typing import Any

import anyio
import anyio.to_thread
import pytest

from foureyes.book import Book
from foureyes.core import ledger
from foureyes.core.backend import BudgetConfig
from foureyes.core.changes import Changes
from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import NO_USAGE, Review, Usage
from foureyes.core.guard import Limits
from foureyes.core.state import SessionState
from foureyes.core.text import Redact
from foureyes.core.words import OutcomeKind, Severity, SkipReason
from foureyes.errors import HostError
from foureyes.roster import rostered
from foureyes.runtime import Runtime
from foureyes.session import Session
from foureyes.stores.memory import MemoryStore
from foureyes.tasks import own_tasks
from foureyes.telemetry.events import LeftoverChanged, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink, note

from .shell import every_turn, outcomes, scripted, skips, texts, transcript

pytestmark = pytest.mark.anyio

STEP = [{"role": "assistant", "content": "Step 1."}]
BLOCKER = note("There is an await missing in a.py.", Severity.BLOCKER)


class Sending:
    """A reviewer that sends what it sees somewhere else, and says what that will use."""

    outgoing = True

    def __init__(self, log: list[str] | None = None, guess: Usage = NO_USAGE) -> None:
        self.log = [] if log is None else log
        self.guess = guess
        self.reviews: list[Review] = []

    def estimate(self, review: Review) -> Usage:
        """Return the guess."""
        self.log.append("estimate")
        return self.guess

    async def __call__(self, review: Review) -> list[object]:
        """Keep what was sent."""
        self.log.append("call")
        self.reviews.append(review)
        return []


class Slow:
    """A redactor that takes this many seconds for each text of the agent, by a clock that nobody has to wait for."""

    def __init__(self, clock: FakeClock, seconds: float, times: int = 10**6) -> None:
        self.clock, self.seconds, self.times = clock, seconds, times
        self.texts: list[str] = []

    def __call__(self, text: str) -> str:
        """Let the time pass."""
        if text.startswith("Step"):
            self.texts.append(text)
            if len(self.texts) <= self.times:
                self.clock.advance(self.seconds)
        return text


class Stuck:
    """A redactor that hangs at the first text of the agent until it is let go."""

    def __init__(self) -> None:
        self.entered, self.opened = threading.Event(), threading.Event()

    def __call__(self, text: str) -> str:
        """Hang, but not for ever."""
        if text.startswith("Step"):
            self.entered.set()
            self.opened.wait(10)
        return text

    async def hangs(self) -> None:
        """Return once it hangs. The event loop is free to wait for that."""
        await anyio.to_thread.run_sync(self.entered.wait, 10)


@pytest.fixture
def stuck() -> Iterator[Stuck]:
    """Return a redactor that hangs; it is let go at the end, so that no thread outlives its test."""
    redact = Stuck()
    yield redact
    redact.opened.set()


class Account:
    """What a host keeps of what is set aside for reviews."""

    def __init__(self, log: list[str] | None = None) -> None:
        self.log = [] if log is None else log
        self.held: dict[str, int] = {}
        self.order: list[str] = []

    def reserve(self, reviewer: str, estimate: Usage) -> bool:
        """Set it aside."""
        self.log.append("reserve")
        self.order.append(reviewer)
        self.held[reviewer] = self.held.get(reviewer, 0) + estimate.input_tokens
        return True

    def settle(self, reviewer: str, estimate: Usage, used: Usage) -> None:
        """Take it back."""
        self.held[reviewer] -= estimate.input_tokens


@asynccontextmanager
async def session_of(
    redact: Redact, *configs: ReviewerConfig, state: SessionState | None = None, **options: Any
) -> AsyncIterator[Session]:
    """Return a session whose texts go through this redactor."""
    roster = rostered(configs, Limits(), options.get("budget", BudgetConfig()), None)
    sinks, clock = options.get("sinks", ()), options.get("clock", FakeClock())
    store = options.get("store", MemoryStore())
    runtime = Runtime(roster, store, sinks, clock, None, options.get("account"), redact)
    runtime.tasks = own_tasks()
    saved = state or SessionState(id="s", nonce="0" * 32)
    try:
        yield Session(Book(runtime, ledger.fitted(saved, configs), state))
    finally:
        await runtime.tasks.close()
        runtime.tasks = None


def tokens(number: int) -> Usage:
    """Return a usage."""
    return Usage(input_tokens=number, cost_usd=0.0)


# --- the deadline ---


async def test_evidence_that_is_not_ready_in_time_is_a_timeout_without_an_attempt() -> None:
    clock, sink, sending = FakeClock(), RecordingSink(), Sending()
    async with session_of(Slow(clock, 31), every_turn(sending), clock=clock, sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
        progress = session.state.reviewer("one")
    [settled] = sink.of(ReviewSettled)
    assert (outcomes(guidance), sending.reviews) == ({"one": OutcomeKind.TIMEOUT}, [])
    assert (settled.attempts, settled.error) == (0, "the evidence was not ready in time")
    assert (progress.periodic_used, progress.failures, progress.started) == (1, 1, None)
    assert progress.cooldown_until == 4


@pytest.mark.parametrize(("seconds", "kind"), [(29.9, OutcomeKind.QUIET), (30.0, OutcomeKind.TIMEOUT)])
async def test_evidence_that_is_ready_just_before_its_deadline_is_sent(seconds: float, kind: OutcomeKind) -> None:
    clock = FakeClock()
    async with session_of(Slow(clock, seconds, times=1), every_turn(Sending()), clock=clock) as session:
        guidance = await session.boundary(STEP)
    assert outcomes(guidance) == {"one": kind}


async def test_no_further_text_is_looked_at_once_the_deadline_has_passed() -> None:
    clock = FakeClock()
    slow = Slow(clock, 31)
    async with session_of(slow, every_turn(Sending()), clock=clock) as session:
        await session.boundary(transcript(9))
    assert len(slow.texts) == 1


async def test_beside_evidence_that_is_late_the_notes_of_the_others_arrive() -> None:
    clock, near = FakeClock(), scripted(BLOCKER)
    configs = [every_turn(Sending(), "far"), every_turn(near, "near")]
    async with session_of(Slow(clock, 31), *configs, clock=clock) as session:
        guidance = await session.boundary(transcript())
    assert texts(guidance) == [BLOCKER.text]
    assert outcomes(guidance) == {"far": OutcomeKind.TIMEOUT, "near": OutcomeKind.NOTED}


@pytest.mark.parametrize("patient", ["a", "b"])
async def test_late_evidence_of_one_costs_another_with_more_time_nothing(patient: str) -> None:
    clock, sending = FakeClock(), Sending()
    hasty = "b" if patient == "a" else "a"
    configs = [every_turn(sending, patient, timeout_seconds=600), every_turn(Sending(), hasty, timeout_seconds=1)]
    async with session_of(Slow(clock, 2, times=2), *configs, clock=clock) as session:
        guidance = await session.boundary(transcript())
    assert outcomes(guidance)[patient] is OutcomeKind.QUIET
    assert [review.reviewer for review in sending.reviews] == [patient]


async def test_a_redactor_that_hangs_holds_neither_the_loop_nor_the_boundary(stuck: Stuck) -> None:
    near, sending = scripted(BLOCKER), Sending()
    configs = [every_turn(sending, "far", timeout_seconds=0.05), every_turn(near, "near")]
    async with session_of(stuck, *configs) as session:
        guidance = await session.boundary(STEP)
    assert outcomes(guidance) == {"far": OutcomeKind.TIMEOUT, "near": OutcomeKind.NOTED}
    assert sending.reviews == []


async def test_a_redactor_that_raises_fails_its_review_and_not_the_boundary() -> None:
    def broken(text: str) -> str:
        if "hunter2" in text:
            raise LookupError(f"cannot read {text}")
        return text

    sink, near = RecordingSink(), scripted(BLOCKER)
    configs = [every_turn(Sending(), "far"), every_turn(near, "near")]
    async with session_of(broken, *configs, sinks=[sink]) as session:
        guidance = await session.boundary([{"role": "assistant", "content": "The key is hunter2."}])
    assert texts(guidance) == [BLOCKER.text]
    [failed] = [one for one in sink.of(ReviewSettled) if one.reviewer == "far"]
    assert (failed.outcome, failed.error) == (OutcomeKind.ERROR, "the evidence cannot be made ready (LookupError)")


@pytest.mark.parametrize("failure", [LookupError(), KeyboardInterrupt()], ids=repr)
async def test_a_redactor_that_raises_for_an_answer_fails_its_review_and_does_not_end_the_loop(
    failure: BaseException,
) -> None:
    def broken(text: str) -> str:
        if "await" in text or type(failure).__name__ in text:
            raise failure
        return text

    sink = RecordingSink()
    async with session_of(broken, every_turn(scripted(BLOCKER), "near"), sinks=[sink]) as session:
        with anyio.fail_after(5), suppress(KeyboardInterrupt):
            await session.boundary(transcript())
    [failed] = sink.of(ReviewSettled)
    assert (failed.outcome, failed.error) == (OutcomeKind.ERROR, type(failure).__name__)


@pytest.mark.parametrize("made", [None, 7, b"text", ["text"]], ids=repr)
async def test_a_redactor_that_makes_no_text_of_an_answer_fails_its_review_and_not_the_boundary(made: Any) -> None:
    def broken(text: str) -> Any:
        return made if "await" in text else text

    sink = RecordingSink()
    async with session_of(broken, every_turn(scripted(BLOCKER), "near"), sinks=[sink]) as session:
        guidance = await session.boundary(transcript())
    [failed] = sink.of(ReviewSettled)
    assert (failed.outcome, texts(guidance)) == (OutcomeKind.ERROR, [])
    assert failed.error == f"TypeError: the redactor returned {type(made).__name__} in place of a text"


# --- what is looked at ---


async def test_reviewers_with_the_same_bounds_have_each_text_redacted_once() -> None:
    counts = []
    for names in (["a"], ["a", "b", "c"]):
        slow = Slow(FakeClock(), 0)
        async with session_of(slow, *(every_turn(Sending(), name) for name in names)) as session:
            await session.boundary(transcript(3))
        counts.append(len(slow.texts))
    assert counts[0] == counts[1] > 0


async def test_what_the_host_does_to_its_messages_meanwhile_is_not_sent(stuck: Stuck) -> None:
    sending, messages = Sending(), transcript(2)
    async with session_of(stuck, every_turn(sending)) as session, anyio.create_task_group() as tasks:
        tasks.start_soon(session.boundary, messages)
        await stuck.hangs()
        messages[1]["content"] = "changed"
        messages[1]["tool_calls"].clear()
        messages.append({"role": "assistant", "content": "later"})
        del messages[3:]
        stuck.opened.set()
    [sent] = sending.reviews
    assert [message.text for message in sent.messages] == [
        "Do the work.", "Step 1.", "result 1", "Step 2.", "result 2"
    ]  # fmt: skip
    assert (len(sent.tools), sent.elided) == (2, 0)


@pytest.mark.parametrize("wrong", [7, {"content": "x"}, {"role": "user", "parts": ["x"]}])
async def test_what_is_no_message_is_the_hosts_error_before_anything_is_charged(wrong: object) -> None:
    slow = Slow(FakeClock(), 0)
    async with session_of(slow, every_turn(Sending())) as session:
        with pytest.raises(HostError):
            await session.boundary([*transcript(), wrong])
        assert session.state.reviewer("one").periodic_used == 0


# --- the budget ---


BOUND = BudgetConfig(tokens_per_request=100)


async def test_the_budget_is_set_aside_once_the_evidence_is_ready_and_before_the_call() -> None:
    log: list[str] = []

    def redact(text: str) -> str:
        log.append("redact")
        return text

    sending = Sending(log, tokens(10))
    async with session_of(redact, every_turn(sending), account=Account(log)) as session:
        await session.new_request("Do the work.")
        log.clear()
        await session.boundary(transcript())
    assert list(dict.fromkeys(log)) == ["redact", "estimate", "reserve", "call"]


async def test_of_a_review_whose_evidence_was_late_nothing_stays_set_aside() -> None:
    clock, account = FakeClock(), Account()
    configs = [every_turn(Sending(guess=tokens(10)), "far"), every_turn(scripted(), "near")]
    async with session_of(Slow(clock, 31), *configs, clock=clock, account=account) as session:
        guidance = await session.boundary(transcript())
        spent = session.state.reviewer("far").spent
    assert outcomes(guidance) == {"far": OutcomeKind.TIMEOUT, "near": OutcomeKind.QUIET}
    assert (account.order, set(account.held.values())) == (["near"], {0})
    assert (spent.input_tokens, spent.output_tokens) == (0, 0)


async def test_a_review_beyond_the_budget_is_skipped_and_not_charged() -> None:
    sending = Sending(guess=tokens(101))
    async with session_of(str, every_turn(sending), budget=BOUND) as session:
        guidance = await session.boundary(transcript())
        progress = session.state.reviewer("one")
    assert (outcomes(guidance), skips(guidance)) == ({}, {"one": SkipReason.BUDGET})
    assert (progress.periodic_used, progress.last_review, progress.started) == (0, 0, None)
    assert (progress.failures, sending.reviews) == (0, [])


async def test_a_trial_of_a_paused_reviewer_that_the_budget_has_no_room_for_is_still_to_come() -> None:
    sending = Sending(guess=tokens(101))
    async with session_of(str, every_turn(sending), budget=BOUND) as session:
        health = session._runtime.health
        health["one"] = before = replace(health["one"], paused=True, skipped=10)
        assert skips(await session.boundary(transcript())) == {"one": SkipReason.BUDGET}
        assert health["one"] == before


async def test_budgets_are_given_out_in_the_order_of_the_reviewers() -> None:
    account = Account()
    reviewers = {name: Sending(guess=tokens(40)) for name in "abc"}
    configs = [
        every_turn(function, name, evidence={"max_messages": 30 - place})
        for place, (name, function) in enumerate(reviewers.items())
    ]
    async with session_of(str, *configs, budget=BOUND, account=account) as session:
        guidance = await session.boundary(transcript(9))
    assert (set(outcomes(guidance)), skips(guidance)) == ({"a", "b"}, {"c": SkipReason.BUDGET})
    assert (account.order, account.held) == (["a", "b"], {"a": 0, "b": 0})


# --- interruptions ---


async def test_a_host_that_is_cancelled_meanwhile_is_refunded_and_leaves_nobody_busy(stuck: Stuck) -> None:
    sink, sending, account = RecordingSink(), Sending(guess=tokens(10)), Account()
    async with session_of(stuck, every_turn(sending), sinks=[sink], account=account) as session:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(session.boundary, STEP)
            await stuck.hangs()
            tasks.cancel_scope.cancel()
        progress = session.state.reviewer("one")
        stuck.opened.set()
        guidance = await session.boundary(STEP)
    assert (progress.periodic_used, progress.last_review, progress.started) == (0, 0, None)
    assert outcomes(guidance) == {"one": OutcomeKind.QUIET}
    assert (sink.of(LeftoverChanged), account.held) == ([], {"one": 0})


Interruption = Callable[[Session], Any]


@pytest.mark.parametrize(
    ("interrupt", "kind"),
    [
        (lambda session: session.abort(), OutcomeKind.CANCELLED),
        (lambda session: session.new_request("2"), OutcomeKind.STALE),
    ],
    ids=["abort", "new_request"],
)
async def test_an_interruption_meanwhile_ends_the_boundary_at_once(
    stuck: Stuck, interrupt: Interruption, kind: OutcomeKind
) -> None:
    guidances, sending = [], Sending(guess=tokens(10))

    async def boundary() -> None:
        guidances.append(await session.boundary(STEP))

    async with session_of(stuck, every_turn(sending), budget=BOUND) as session:
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(boundary)
            await stuck.hangs()
            await interrupt(session)
        progress = session.state.reviewer("one")
    assert [outcomes(guidance) for guidance in guidances] == [{"one": kind}]
    assert (progress.periodic_used, progress.started, sending.reviews) == (0, None, [])


async def killed(stuck: Stuck) -> tuple[MemoryStore, SessionState]:
    """Return what a store holds, and the state in it, where the process was killed while evidence was made ready."""
    store, left = MemoryStore(), MemoryStore()
    async with session_of(stuck, every_turn(Sending()), store=store) as session, anyio.create_task_group() as tasks:
        tasks.start_soon(session.boundary, STEP)
        await stuck.hangs()
        saved = await store.load("s")
        tasks.cancel_scope.cancel()
    assert saved is not None
    assert saved.reviewer("one").started is not None
    await left.save(saved, Changes(None, saved))
    return left, saved


async def test_after_a_crash_meanwhile_the_review_is_made_once_under_its_charge(stuck: Stuck) -> None:
    store, saved = await killed(stuck)
    sending = Sending()
    async with session_of(str, every_turn(sending), state=saved, store=store) as session:
        await session.boundary(STEP)
        progress = session.state.reviewer("one")
    assert [review.attempt for review in sending.reviews] == [2]
    assert (progress.periodic_used, progress.started) == (1, None)


async def test_after_a_crash_a_review_that_the_budget_no_longer_covers_is_given_back(stuck: Stuck) -> None:
    store, saved = await killed(stuck)
    config = every_turn(Sending(guess=tokens(101)))
    async with session_of(str, config, state=saved, store=store, budget=BOUND) as session:
        guidance = await session.boundary(STEP)
        progress = session.state.reviewer("one")
    assert skips(guidance) == {"one": SkipReason.BUDGET}
    assert (progress.periodic_used, progress.started) == (0, None)


class Vandal(Sending):
    """A reviewer that changes what it was told."""

    async def __call__(self, review: Review) -> list[object]:
        """Change it."""
        review.__dict__["messages"] = ()
        return []


async def test_what_a_reviewer_does_to_its_evidence_is_not_told_to_the_next() -> None:
    sending = Sending()
    async with session_of(str, every_turn(Vandal(), "a"), every_turn(sending, "b")) as session:
        await session.boundary(STEP)
    assert [message.text for message in sending.reviews[0].messages] == ["Step 1."]
