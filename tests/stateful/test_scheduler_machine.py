"""The life of a scheduler as a state machine: whatever happens in whatever order, its promises hold.

Each step is done in two worlds, in which reviewers take their time differently; both must stay in the same state.
Set ``FOUREYES_TEST_EXAMPLES`` to look longer than the tests usually do.
"""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable
from typing import Any

import anyio.from_thread
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from foureyes.core.facts import Note
from foureyes.core.words import Severity, Stop
from foureyes.errors import (
    ContextOverflowError,
    HostError,
    QuotaExhaustedError,
    RateLimitedError,
    RefusedError,
    TransientReviewerError,
)

from .world import Acts, World

EXAMPLES = int(os.environ.get("FOUREYES_TEST_EXAMPLES", "100"))
STEPS = 40

NAMES = ("alpha", "beta", "gamma")
TEXTS = ("The lock is kept.", "the LOCK is kept!", "The data is gone.", "The sum is wrong.", "Rename it.", "LGTM", "")
NOTES = st.builds(
    Note,
    text=st.sampled_from(TEXTS) | st.integers(1, 60).map("The query of table {} has no bound.".format),
    severity=st.sampled_from(list(Severity)),
    key=st.sampled_from([None, None, "lock", "sum"]),
    subject=st.sampled_from(["work", "work", "work", "review"]),
)
SOME = [[Note(text=f"Row {number} is lost.", severity=level)] for number in range(3) for level in Severity]
FAULTS = st.sampled_from(
    [
        ValueError("x"),
        TimeoutError("x"),
        TransientReviewerError("x"),
        RateLimitedError("x"),
        QuotaExhaustedError("x"),
        RefusedError("x"),
        ContextOverflowError("x"),
        "prose",
        None,
        42,
    ]
)
ACTS: st.SearchStrategy[Acts] = st.fixed_dictionaries(
    {name: st.sampled_from([[], [], *SOME]) | st.lists(NOTES, min_size=1, max_size=5) | FAULTS for name in NAMES}
)
TAKES = st.sampled_from(["reference", "taken", "neither"])
WORDS = st.sampled_from(["Do the work.", "Go on.", "Something else."])


def reviewers() -> st.SearchStrategy[list[dict[str, Any]]]:
    """Return settings for some reviewers."""
    one = {
        "interval_turns": st.integers(0, 3),
        "max_periodic_reviews": st.integers(1, 4),
        "max_rounds": st.integers(0, 2),
        "cooldown_turns": st.integers(0, 3),
        "pause_after_failures": st.integers(1, 3),
        "enabled": st.sampled_from([True, True, True, False]),
        "guard": st.builds(lambda notes: {"max_notes": notes}, st.integers(1, 3)),
    }
    some = st.sampled_from([NAMES, NAMES[:2], NAMES[:1]])
    return some.flatmap(
        lambda names: st.tuples(*(st.fixed_dictionaries({"name": st.just(n), **one}) for n in names))
    ).map(list)


class Life(RuleBasedStateMachine):
    """Everything that may happen to a session, in any order."""

    backend = "asyncio"

    def __init__(self) -> None:
        super().__init__()
        self._running = anyio.from_thread.start_blocking_portal(self.backend)
        self._portal = self._running.__enter__()
        self.worlds: list[World] = []

    @initialize(settings=reviewers())
    def born(self, settings: list[dict[str, Any]]) -> None:
        """Begin."""
        self.worlds = [self._portal.call(_world, settings, pauses) for pauses in (0, 2)]

    @rule(acts=ACTS, takes=TAKES, works=st.booleans(), gap=st.sampled_from([0, 0, 0, 0, 1]))
    def boundary(self, acts: Acts, takes: str, works: bool, gap: int) -> None:
        """Come to a boundary."""
        self.both(lambda world: world.settle(acts, stop=None, takes=takes, works=works, gap=gap))

    @rule(acts=ACTS, takes=TAKES)
    def turn(self, acts: Acts, takes: str) -> None:
        """Come to a boundary as most are."""
        self._turn(acts, takes)

    @rule(days=st.lists(ACTS, min_size=2, max_size=6), takes=TAKES)
    def turns(self, days: list[Acts], takes: str) -> None:
        """Work for a while, as most runs do."""
        self._turns(days, takes)

    @rule(text=WORDS, days=st.lists(ACTS, max_size=4), answers=st.lists(ACTS, min_size=1, max_size=3), takes=TAKES)
    def task(self, text: str, days: list[Acts], answers: list[Acts], takes: str) -> None:
        """Be asked, work, and answer until an answer is accepted, as whole runs do."""
        self.both(lambda world: world.ask(text))
        self._turns(days, takes)
        for acts in answers:
            self._answer(acts, takes)
            self.promises_hold()

    @rule(acts=ACTS, takes=TAKES)
    def answer(self, acts: Acts, takes: str) -> None:
        """Come to a finish as most are."""
        self._answer(acts, takes)

    @rule(acts=ACTS, stop=st.sampled_from(list(Stop)), takes=TAKES)
    def finish(self, acts: Acts, stop: Stop, takes: str) -> None:
        """Come to a finish."""
        self.both(lambda world: world.settle(acts, stop=stop, takes=takes, works=False, gap=0))

    @rule()
    def repeat(self) -> None:
        """Come to the last boundary again."""
        self.both(World.repeat)

    @rule(text=WORDS)
    def request(self, text: str) -> None:
        """Begin a request."""
        self.both(lambda world: world.ask(text))

    @rule(text=WORDS)
    def human(self, text: str) -> None:
        """Let the human speak in the transcript only."""
        for world in self.worlds:
            world.speak(text)

    @rule(back=st.integers(0, 3))
    def rewind(self, back: int) -> None:
        """Go back."""
        self.both(lambda world: world.rewind(back))

    @rule()
    def compact(self) -> None:
        """Make the transcript shorter."""
        self.both(World.compact)

    @rule()
    def abort(self) -> None:
        """Stop."""
        self.both(World.abort)

    @rule(text=WORDS)
    def request_during_a_review(self, text: str) -> None:
        """Begin a request while reviewers are at work."""
        self.both(lambda world: world.interrupted(lambda: world.ask(text)))

    @rule()
    def abort_during_a_review(self) -> None:
        """Stop while reviewers are at work."""
        self.both(lambda world: world.interrupted(world.abort))

    @rule()
    def cancel_during_a_review(self) -> None:
        """Cancel the host while reviewers are at work."""
        self.both(lambda world: world.interrupted(world.cancel))

    @rule()
    def kill_during_a_review(self) -> None:
        """Die while reviewers are at work."""
        self.both(_killed)

    @rule()
    def restart(self) -> None:
        """End well and begin again."""
        self.both(World.restart)

    @rule()
    def store_fails(self) -> None:
        """Let the store fail from now on."""
        for world in self.worlds:
            world.store.fails = True

    @precondition(lambda self: any(world.store.fails for world in self.worlds))
    @rule()
    def store_recovers(self) -> None:
        """Let the store work again."""
        for world in self.worlds:
            world.store.fails = False

    @rule(turn=st.sampled_from([0, -1, True, 1.5, "2"]))
    def illegal_turn(self, turn: Any) -> None:
        """Come to a boundary that cannot be."""
        self.both(lambda world: _refused(world, turn))

    @invariant()
    def promises_hold(self) -> None:
        """Check the model of each world."""
        for world in self.worlds:
            world.check()

    @invariant()
    def worlds_are_alike(self) -> None:
        """Check that time makes no difference."""
        if self.worlds:
            one, other = self.worlds
            assert one.state == other.state

    def _turns(self, days: list[Acts], takes: str) -> None:
        for acts in days:
            self._turn(acts, takes)
            self.promises_hold()

    def _answer(self, acts: Acts, takes: str) -> None:
        self.both(lambda world: world.settle(acts, stop=Stop.ANSWER, takes=takes, works=False, gap=0))

    def _turn(self, acts: Acts, takes: str) -> None:
        self.both(lambda world: world.settle(acts, stop=None, takes=takes, works=True, gap=0))

    def both(self, deed: Callable[[World], Awaitable[Any]]) -> None:
        """Do something in both worlds."""
        for world in self.worlds:
            self._portal.call(deed, world)

    def teardown(self) -> None:
        """End."""
        self.both(World.close)
        self._running.__exit__(None, None, None)


async def _world(settings: list[dict[str, Any]], pauses: int) -> World:
    world = World(settings, pauses=pauses)
    await world.open()
    world.begin_era()
    return world


async def _killed(world: World) -> None:
    if await world.interrupted(world.die):
        await world.rise()


async def _refused(world: World, turn: Any) -> None:
    state = await world.read_at_last()
    with pytest.raises(HostError):
        await world.session.boundary(world.messages, turn=turn)
    assert world.state is state


class LifeOnTrio(Life):
    """The same on the other event loop."""

    backend = "trio"


LONG = [HealthCheck.too_slow, HealthCheck.filter_too_much, HealthCheck.data_too_large]


def test_the_promises_hold_whatever_happens() -> None:
    bounds = settings(max_examples=EXAMPLES, stateful_step_count=STEPS, deadline=None, suppress_health_check=LONG)
    run_state_machine_as_test(Life, settings=bounds)


def test_the_promises_hold_on_trio() -> None:
    few = settings(
        max_examples=max(1, EXAMPLES // 6), stateful_step_count=STEPS, deadline=None, suppress_health_check=LONG
    )
    run_state_machine_as_test(LifeOnTrio, settings=few)
