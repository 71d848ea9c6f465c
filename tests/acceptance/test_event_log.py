"""The event log, the metrics and what the host was told are one and the same, whatever happens in a session."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import anyio
import anyio.lowlevel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import CollectorRegistry

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Note, Reply, Review, Usage
from foureyes.core.guard import Limits
from foureyes.core.words import Disposition, FinishResult, OutcomeKind, Severity, SkipReason, Stop, Trigger
from foureyes.errors import QuotaExhaustedError, RateLimitedError, RefusedError
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.session import Session
from foureyes.telemetry import events as happened
from foureyes.testing import FakeClock, RecordingSink, note, turn_messages

pytestmark = pytest.mark.anyio

Sums: TypeAlias = dict[tuple[str, frozenset[tuple[str, str]]], float]
"""Numbers by the name of a series and its labels."""


# --- what reviewers do ---


async def fallback(review: Review) -> list[Note]:
    """Find something where the first one could not."""
    return [note(f"The fallback saw turn {review.turn}.")]


class Anything:
    """A reviewer that does what it is told, review by review."""

    def __init__(self, script: Sequence[object]) -> None:
        self._script = list(script)

    async def __call__(self, review: Review) -> object:
        """Do the next thing, and nothing once there is nothing left to do."""
        act = self._script.pop(0) if self._script else []
        if act == "hang":
            await anyio.sleep_forever()
        if isinstance(act, Exception):
            raise act
        return act


NOTES = st.builds(
    Note,
    text=st.sampled_from(
        [
            *("", "LGTM", "The lock is kept.", "the LOCK is kept!", "The data is gone.", "Rename it."),
            *("After logout the token cache is never cleared.", "The token cache is never cleared after logout."),
            *("Never cleared after logout: the token cache.", "The cache of tokens is never cleared after logout."),
        ]
    ),
    severity=st.sampled_from(list(Severity)),
    key=st.none() | st.just("lock"),
    subject=st.sampled_from(["work", "work", "review"]),
)
USAGE = st.builds(
    Usage, input_tokens=st.integers(0, 99), output_tokens=st.integers(0, 9), cost_usd=st.none() | st.just(0.25)
)
ACTS: st.SearchStrategy[object] = st.one_of(
    st.lists(NOTES | st.sampled_from([None, {"text": 7}]), max_size=6),
    st.builds(Reply, notes=st.lists(NOTES, max_size=3).map(tuple), usage=USAGE),
    st.just([Note(text="Stop.", severity=Severity.BLOCKER)] * 40),
    st.sampled_from([None, "prose", {}, "hang"]),
    st.sampled_from(
        [ValueError("x"), RateLimitedError("x", retry_after=0.0), QuotaExhaustedError("x"), RefusedError("x")]
    ),
)


@st.composite
def reviewers(draw: st.DrawFn) -> list[ReviewerConfig]:
    """Return some reviewers of all kinds."""
    return [
        ReviewerConfig(
            name=name,
            reviewer=Anything(draw(st.lists(ACTS, max_size=8))),
            enabled=draw(st.sampled_from([True, True, True, False])),
            fallbacks=draw(st.sampled_from([(), (), (f"{__name__}:fallback",)])),
            interval_turns=draw(st.integers(0, 3)),
            max_periodic_reviews=draw(st.integers(1, 3)),
            max_rounds=draw(st.integers(0, 2)),
            cooldown_turns=draw(st.integers(0, 2)),
            pause_after_failures=draw(st.integers(1, 3)),
            timeout_seconds=0.01,
            guard={"max_notes": draw(st.integers(1, 3)), "min_severity": draw(st.sampled_from(["nit", "concern"]))},
        )
        for name in draw(st.sampled_from([["alpha"], ["alpha", "beta"], ["alpha", "beta", "gamma", "delta"]]))
    ]


HISTORIES = st.lists(
    st.sampled_from(
        ["turn"] * 12
        + ["answer"] * 5
        + ["human"] * 4
        + ["lost turn", "idle turn", "repeat", "new request", "abort", "abort during", "rewind", "compact", "taken"]
        + ["max_turns", "aborted", "paused_for_human"]
    ),
    max_size=24,
)


# --- what hosts do ---


class Host:
    """A host that does what it is told, and keeps what it was told in return."""

    def __init__(self, session: Session, configs: Sequence[ReviewerConfig]) -> None:
        self.session, self.configs = session, configs
        self.messages: list[Any] = [{"role": "user", "content": "Do the work."}]
        self.guidances: list[Guidance] = []
        self.due: list[tuple[int, str]] = []
        """The turn and the name of everybody who was due, one entry each time."""

    async def act(self, what: str) -> None:
        """Do one thing."""
        if what in ("turn", "lost turn", "abort during"):
            self.messages += turn_messages(self.session.state.turn + 1)
        if what in ("turn", "lost turn", "idle turn"):
            await self._settle(None, keeps=what != "lost turn")
        elif what in set(Stop):
            self.messages.append({"role": "assistant", "content": f"Answer {len(self.messages)}."})
            await self._settle(Stop(what), keeps=True)
        elif what == "abort during":
            await self._aborted()
        else:
            await self._otherwise(what)

    async def _otherwise(self, what: str) -> None:
        if what == "repeat" and self.guidances and self.session.state.turn == self.guidances[-1].turn:
            await self._again()
        elif what == "human":
            self.messages.append({"role": "user", "content": f"And then? {len(self.messages)}"})
        elif what == "new request":
            await self.session.new_request("Something else.")
        elif what == "abort":
            await self.session.abort()
        elif what == "rewind":
            await self.session.rewound(max(0, self.session.state.turn - 2))
        elif what == "compact":
            self.messages = self.messages[-2:]
            await self.session.compacted()
        elif what == "taken" and self.guidances:
            self.guidances[-1].taken()

    async def _settle(self, stop: Stop | None, *, keeps: bool) -> None:
        self._expect(finish=stop is not None)
        if stop is None:
            self._keep(await self.session.boundary(self.messages))
        else:
            self._keep(await self.session.finish(self.messages, answer="Answer.", stop=stop))
        self.messages += self.guidances[-1].messages if keeps else []

    async def _aborted(self) -> None:
        self._expect(finish=False)

        async def boundary() -> None:
            self._keep(await self.session.boundary(self.messages))

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(boundary)
            await anyio.lowlevel.checkpoint()
            await self.session.abort()

    async def _again(self) -> None:
        finish = self.guidances[-1].result is not None
        call = self.session.finish(self.messages, answer="x", turn=self.session.state.turn) if finish else (
            self.session.boundary(self.messages, turn=self.session.state.turn)
        )  # fmt: skip
        assert (await call).outcomes == self.guidances[-1].outcomes

    def _keep(self, guidance: Guidance) -> None:
        self.guidances.append(guidance)

    def _expect(self, *, finish: bool) -> None:
        turn = self.session.state.turn + 1
        for config in self.configs:
            since = turn - self.session.state.reviewer(config.name).last_review
            due = config.max_rounds > 0 if finish else 0 < config.interval_turns <= since
            self.due += [(turn, config.name)] if due else []


# --- the sums ---


def counted(sink: RecordingSink) -> Sums:
    """Return what the counters have to say, by nothing but the event log."""
    sums: Sums = defaultdict(float)
    for event in sink.events:
        for name, labels, amount in _of(event):
            sums[f"foureyes_{name}_total", frozenset((key, str(value)) for key, value in labels.items())] += amount
    quiet = ("foureyes_boundaries_total", frozenset({("kind", "turn")}))
    sums[quiet] += sink.quiet_boundaries
    return {key: value for key, value in sums.items() if value}


def _of(event: happened.Event) -> list[tuple[str, Mapping[str, object], float]]:
    match event:
        case happened.ReviewSettled():
            return _of_review(event)
        case happened.NoteJudged():
            similar = ("similar_notes", {"reviewer": event.reviewer}, event.similar is not None)
            return [("notes", _labels(event, "reviewer severity disposition"), 1), similar]
        case happened.FellBack():
            hop = event.hop
            names = {"from": hop.source, "to": hop.target, "reason": hop.reason}
            return [("fallbacks", {"reviewer": event.reviewer} | names, 1)]
        case happened.QuotaExhausted():
            return [("quota_exhausted", {"reviewer": event.reviewer, "kind": event.trigger}, 1)]
        case happened.BoundarySettled():
            return [("boundaries", {"kind": "finish" if event.finish else "turn"}, 1)]
        case _ if type(event) in PLAIN:
            name, labels = PLAIN[type(event)]
            return [(name, _labels(event, labels), 1)]
        case _:
            return []


PLAIN: dict[type, tuple[str, str]] = {
    happened.ReviewSkipped: ("review_skips", "reviewer trigger reason"),
    happened.ReviewerMuted: ("mutes", "reviewer reason"),
    happened.NoteSent: ("notes_sent", "reviewer severity"),
    happened.FinishSettled: ("finishes", "result"),
    happened.CheckpointFailed: ("checkpoint_failures", ""),
    happened.SinkFailed: ("sink_failures", ""),
}
"""Events that are one count, whose labels are fields."""


def _of_review(event: happened.ReviewSettled) -> list[tuple[str, Mapping[str, object], float]]:
    usage, who = event.usage, {"reviewer": event.reviewer}
    tokens = {"input": usage.input_tokens, "cached": usage.cached_tokens, "output": usage.output_tokens}
    return [
        ("reviews", _labels(event, "reviewer trigger outcome"), 1),
        ("review_attempts", who, event.attempts),
        *(("tokens", who | {"model": "other", "kind": kind}, amount) for kind, amount in tokens.items()),
        ("cost_usd", who | {"model": "other"}, usage.cost_usd or 0),
    ]


def _labels(event: object, names: str) -> dict[str, object]:
    return {name: getattr(event, name) for name in names.split()}


def scraped(registry: CollectorRegistry) -> Sums:
    """Return what every counter says that is not zero."""
    samples = [sample for family in registry.collect() for sample in family.samples]
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for sample in samples
        if sample.name.endswith("_total") and sample.value
    }


def sample(registry: CollectorRegistry, name: str) -> float:
    """Return a number of a series without labels."""
    return registry.get_sample_value(name) or 0.0


# --- the promises ---


@pytest.mark.parametrize("anyio_backend", ["asyncio", "trio"])
@settings(max_examples=80, deadline=None)
@given(configs=reviewers(), history=HISTORIES)
async def test_metrics_events_and_guidance_agree_whatever_happens(
    configs: list[ReviewerConfig], history: list[str]
) -> None:
    sink, registry = RecordingSink(), CollectorRegistry()
    limits = Limits(notes_per_boundary=2, notes_per_request=5)
    scheduler = ReviewScheduler(configs, limits=limits, sinks=[sink], registry=registry, clock=FakeClock())
    async with scheduler:
        host = Host(await scheduler.session("s"), configs)
        for what in history:
            await host.act(what)
    assert scraped(registry) == counted(sink)
    settled, skipped = sink.of(happened.ReviewSettled), sink.of(happened.ReviewSkipped)
    had = [(event.turn, event.reviewer) for event in settled] + [(event.turn, event.reviewer) for event in skipped]
    assert Counter(had) == Counter(host.due)
    assert Counter((event.reviewer, event.outcome) for event in settled) == Counter(
        (called.reviewer, called.outcome) for guidance in host.guidances for called in guidance.outcomes
    )
    assert Counter((event.reviewer, event.reason) for event in skipped) == Counter(
        (skip.reviewer, skip.reason) for guidance in host.guidances for skip in guidance.skips
    )
    judged = [event.disposition for event in sink.of(happened.NoteJudged)]
    told = [one.disposition for guidance in host.guidances for one in guidance.judged]
    uncounted = {Disposition.MALFORMED, Disposition.LATE}
    assert Counter(one for one in judged if one not in uncounted) == Counter(told)
    assert len(sink.of(happened.BoundarySettled)) + sink.quiet_boundaries == len(host.guidances)
    assert [event.result for event in sink.of(happened.FinishSettled)] == [
        guidance.result for guidance in host.guidances if guidance.result
    ]
    assert sample(registry, "foureyes_boundary_duration_seconds_count") == len(sink.of(happened.BoundarySettled))
    assert sample(registry, "foureyes_checkpoint_duration_seconds_count") == len(sink.of(happened.Checkpointed))


async def test_every_known_series_is_there_at_zero_before_the_first_boundary() -> None:
    """As in https://github.com/prometheus/client_js/issues/118: the very first failure was invisible."""
    registry = CollectorRegistry()
    config = ReviewerConfig(name="one", reviewer=fallback, interval_turns=3, fallbacks=(f"{__name__}:fallback",))
    async with ReviewScheduler([config], registry=registry):
        zero = {
            (sample.name, frozenset(sample.labels.items()))
            for family in registry.collect()
            for sample in family.samples
            if sample.name.endswith("_total") and sample.value == 0
        }

    def series(name: str, **labels: str) -> tuple[str, frozenset[tuple[str, str]]]:
        return f"foureyes_{name}_total", frozenset({"reviewer": "one", **labels}.items())

    triggers = (Trigger.PERIODIC, Trigger.FINISH)
    known = {series("reviews", trigger=trigger, outcome=kind) for trigger in triggers for kind in OutcomeKind}
    known |= {series("review_skips", trigger=trigger, reason=why) for trigger in triggers for why in SkipReason}
    known |= {series("notes", severity=level, disposition=one) for level in Severity for one in Disposition}
    known |= {series("notes_sent", severity=level) for level in Severity}
    known |= {series("quota_exhausted", kind=trigger) for trigger in triggers}
    known |= {("foureyes_finishes_total", frozenset({("result", str(result))})) for result in FinishResult}
    known |= {("foureyes_boundaries_total", frozenset({("kind", kind)})) for kind in ("turn", "finish")}
    known |= {("foureyes_checkpoint_failures_total", frozenset())}
    assert known <= zero


async def test_two_schedulers_on_one_registry_add_up() -> None:
    registry, sinks = CollectorRegistry(), [RecordingSink(), RecordingSink()]
    for sink, said in zip(sinks, [[note("One leak.")], [note("Two leaks."), note("Three leaks.")]], strict=True):
        config = ReviewerConfig(name="one", reviewer=Anything([said, ValueError("down")]), interval_turns=1)
        async with ReviewScheduler([config], registry=registry, sinks=[sink]) as scheduler:
            host = Host(await scheduler.session("s"), [config])
            for what in ("turn", "turn", "answer"):
                await host.act(what)
    both = [counted(sink) for sink in sinks]
    assert scraped(registry) == {key: both[0].get(key, 0) + both[1].get(key, 0) for key in both[0] | both[1]}
    labels = {"reviewer": "one", "trigger": "periodic", "outcome": "noted"}
    assert registry.get_sample_value("foureyes_reviews_total", labels) == 2


async def test_no_series_carries_a_session_or_a_text() -> None:
    registry = CollectorRegistry()
    config = ReviewerConfig(name="one", reviewer=Anything([[note("The secret is hunter2.")]]), interval_turns=1)
    async with ReviewScheduler([config], registry=registry) as scheduler:
        await Host(await scheduler.session("a-session-of-hunter2"), [config]).act("turn")
    values = {value for family in registry.collect() for one in family.samples for value in one.labels.values()}
    assert not any("hunter2" in value for value in values)
