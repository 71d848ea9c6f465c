"""The metrics say what the events say: no more, no less, and from the start."""

from __future__ import annotations

import importlib.util
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import MISSING, fields, replace
from itertools import cycle
from typing import Any, get_args

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from prometheus_client import REGISTRY, CollectorRegistry

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Hop, Spend, Usage
from foureyes.core.words import (
    FAILURES,
    Disposition,
    FinishResult,
    MuteReason,
    OutcomeKind,
    Severity,
    SkipReason,
    Trigger,
    Verdict,
)
from foureyes.telemetry import events as happened
from foureyes.telemetry import series
from foureyes.telemetry.prometheus import PrometheusSink, text

SEC = ReviewerConfig(
    name="sec", use="checks", fallbacks=("remote", "mine:review"), base_url="http://host", interval_turns=1
)
PERF = ReviewerConfig(name="perf", reviewer=lambda review: None, model="small", fallback_models=("large",))

Key = tuple[str, frozenset[tuple[str, str]]]


def sampled(registry: CollectorRegistry) -> dict[Key, float]:
    found = [sample for metric in registry.collect() for sample in metric.samples]
    samples = {_key(sample.name, **sample.labels): sample.value for sample in found}
    assert len(samples) == len(found), "the same series twice"
    return samples


def _key(name: str, /, **labels: str) -> Key:
    return name, frozenset((label, str(value)) for label, value in labels.items())


def value(registry: CollectorRegistry, name: str, /, **labels: str) -> float | None:
    return registry.get_sample_value(name, {label: str(word) for label, word in labels.items()})


# Every event, at random. Reviewers and fallbacks that nobody declared are among them. Numbers are exact in binary.

reviewers = st.sampled_from(["sec", "perf", "gone", "gone too"])
exact = st.integers(0, 4_000).map(lambda n: n / 4)
small = st.integers(0, 99)
usages = st.builds(Usage, input_tokens=small, cached_tokens=small, output_tokens=small, cost_usd=st.none() | exact)
spends = st.builds(Spend, model=st.sampled_from(["", "small", "large", "unheard of"]), usage=usages)
hops = st.builds(
    Hop,
    source=st.sampled_from(["checks", "remote", "callable", "elsewhere"]),
    target=st.sampled_from(["remote", "mine:review", "elsewhere"]),
    reason=st.sampled_from(OutcomeKind),
)
FACTS: dict[str, st.SearchStrategy[Any]] = (
    {
        "session": st.just("session-1"),
        "reviewer": reviewers,
        "trigger": st.sampled_from(Trigger),
        "outcome": st.sampled_from(OutcomeKind),
        "reason": st.sampled_from(SkipReason),
        "severity": st.sampled_from(Severity),
        "disposition": st.sampled_from(Disposition),
        "result": st.sampled_from(FinishResult),
        "verdict": st.sampled_from(Verdict),
        "spent": st.lists(spends, max_size=3).map(tuple),
        "hop": hops,
        "seconds": exact,
        "finish": st.booleans(),
    }
    | dict.fromkeys(["turn", "attempts", "failures", "running", "have", "limit"], small)
    | dict.fromkeys(["note", "error", "sink", "reviewers"], st.just("x"))
)


def at_random(event: type[Any]) -> st.SearchStrategy[Any]:
    needed = [field.name for field in fields(event) if field.default is MISSING]
    given_ = {name: FACTS[name] for name in needed}
    if event is happened.NoteJudged:
        given_["similar"] = st.sampled_from([None, "n1"])
    if event is happened.ReviewerMuted:
        given_["reason"] = st.sampled_from(MuteReason)
    if event is happened.QuotaExhausted:
        given_["trigger"] = st.sampled_from([Trigger.PERIODIC, Trigger.FINISH])
    return st.builds(event, **given_)


events = st.one_of(*(at_random(event) for event in get_args(happened.Event)))
quiets = st.lists(st.booleans(), max_size=10)


def named(reviewer: str) -> str:
    return reviewer if reviewer in ("sec", "perf") else "other"


def declared(reviewer: str, use: str) -> str:
    uses = {"sec": ("checks", "remote", "mine:review"), "perf": ("callable",)}
    return use if use in uses.get(reviewer, ()) else "other"


def model_of(reviewer: str, model: str) -> str:
    return model if reviewer == "perf" and model in ("small", "large") else "other"


Counts = Iterable[tuple[Key, float]]


def of_a_review(event: happened.ReviewSettled) -> Counts:
    name = named(event.reviewer)
    yield _key("foureyes_reviews_total", reviewer=name, trigger=event.trigger, outcome=event.outcome), 1
    yield _key("foureyes_review_attempts_total", reviewer=name), event.attempts
    yield _key("foureyes_review_duration_seconds_count", reviewer=name), 1
    yield _key("foureyes_review_duration_seconds_sum", reviewer=name), event.seconds
    for spend in event.spent:
        usage, labels = spend.usage, {"reviewer": name, "model": model_of(name, spend.model)}
        yield _key("foureyes_tokens_total", **labels, kind="input"), usage.input_tokens
        yield _key("foureyes_tokens_total", **labels, kind="cached"), usage.cached_tokens
        yield _key("foureyes_tokens_total", **labels, kind="output"), usage.output_tokens
        if usage.cost_usd is not None:
            yield _key("foureyes_cost_usd_total", **labels), usage.cost_usd


def of_a_skip(event: happened.ReviewSkipped) -> Counts:
    labels = {"reviewer": named(event.reviewer), "trigger": event.trigger, "reason": event.reason}
    yield _key("foureyes_review_skips_total", **labels), 1


def of_a_hop(event: happened.FellBack) -> Counts:
    uses = {"from": declared(event.reviewer, event.hop.source), "to": declared(event.reviewer, event.hop.target)}
    yield _key("foureyes_fallbacks_total", reviewer=named(event.reviewer), reason=event.hop.reason, **uses), 1


def of_a_note(event: happened.NoteJudged) -> Counts:
    labels = {"severity": event.severity, "disposition": event.disposition}
    yield _key("foureyes_notes_total", reviewer=named(event.reviewer), **labels), 1
    yield _key("foureyes_similar_notes_total", reviewer=named(event.reviewer)), event.similar is not None


def of_a_boundary(event: happened.BoundarySettled) -> Counts:
    yield boundary(event.finish), 1
    yield _key("foureyes_boundary_duration_seconds_count"), 1
    yield _key("foureyes_boundary_duration_seconds_sum"), event.seconds


def of_a_checkpoint(event: happened.Checkpointed) -> Counts:
    yield _key("foureyes_checkpoint_duration_seconds_count"), 1
    yield _key("foureyes_checkpoint_duration_seconds_sum"), event.seconds


COUNTED: dict[type, Callable[[Any], Counts]] = {
    happened.ReviewSettled: of_a_review,
    happened.ReviewSkipped: of_a_skip,
    happened.FellBack: of_a_hop,
    happened.NoteJudged: of_a_note,
    happened.NoteSent: lambda event: [
        (_key("foureyes_notes_sent_total", reviewer=named(event.reviewer), severity=event.severity), 1)
    ],
    happened.QuotaExhausted: lambda event: [
        (_key("foureyes_quota_exhausted_total", reviewer=named(event.reviewer), kind=event.trigger), 1)
    ],
    happened.ReviewerMuted: lambda event: [
        (_key("foureyes_mutes_total", reviewer=named(event.reviewer), reason=event.reason), 1)
    ],
    happened.BoundarySettled: of_a_boundary,
    happened.FinishSettled: lambda event: [(_key("foureyes_finishes_total", result=event.result), 1)],
    happened.Checkpointed: of_a_checkpoint,
    happened.CheckpointFailed: lambda event: [(_key("foureyes_checkpoint_failures_total"), 1)],
    happened.LoopFrozen: lambda event: [(_key("foureyes_loop_frozen_seconds_total"), event.seconds)],
    happened.SinkFailed: lambda event: [(_key("foureyes_sink_failures_total"), 1)],
}
"""What one event adds to which counter. The others move gauges, which have tests of their own."""


def boundary(finish: bool) -> Key:
    return _key("foureyes_boundaries_total", kind="finish" if finish else "turn")


def totals(happenings: Sequence[happened.Event], silent: Sequence[bool]) -> dict[Key, float]:
    sums: dict[Key, float] = {}
    for event in happenings:
        for key, amount in COUNTED.get(type(event), lambda _: ())(event):
            sums[key] = sums.get(key, 0) + amount
    for finish in silent:
        sums[boundary(finish)] = sums.get(boundary(finish), 0) + 1
    return sums


def counters(registry: CollectorRegistry) -> dict[Key, float]:
    return {key: amount for key, amount in sampled(registry).items() if amount and key[0].endswith(SUMS)}


SUMS = ("_total", "_count", "_sum")


@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(events, max_size=40), quiets)
def test_every_counter_is_the_sum_of_the_events(happenings: list[happened.Event], silent: list[bool]) -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink([SEC, PERF], registry)
    for event in happenings:
        sink.emit(event)
    for finish in silent:
        sink.quiet(finish)
    expected = totals(happenings, silent)
    assert counters(registry) == {key: amount for key, amount in expected.items() if amount}


@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(events, max_size=30), st.lists(events, max_size=30), quiets)
def test_two_schedulers_on_one_registry_add_up(
    mine: list[happened.Event], yours: list[happened.Event], silent: list[bool]
) -> None:
    registry = CollectorRegistry()
    first = PrometheusSink([SEC, PERF], registry)
    for event in mine:
        first.emit(event)
    second = PrometheusSink([SEC, PERF], registry)
    for event in yours:
        second.emit(event)
    for finish in silent:
        second.quiet(finish)
    expected = totals([*mine, *yours], silent)
    assert counters(registry) == {key: amount for key, amount in expected.items() if amount}


@settings(max_examples=5, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(events, min_size=40, max_size=60))
def test_a_thousand_sessions_make_no_more_series_than_one(happenings: list[happened.Event]) -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink([SEC, PERF], registry)
    for event in happenings:
        sink.emit(event)
    before = set(sampled(registry))
    for number, event in zip(range(1_000), cycle(happenings), strict=False):
        sink.emit(elsewhere(event, number))
    assert set(sampled(registry)) == before


def elsewhere(event: Any, number: int) -> happened.Event:
    free = {"session", "error", "note", "text", "sink"} & {field.name for field in fields(event)}
    changed: happened.Event = replace(event, **dict.fromkeys(free, f"something-{number}"))
    return changed


KNOWN: list[tuple[str, dict[str, str]]] = [
    *(
        ("foureyes_reviews_total", {"reviewer": name, "trigger": trigger, "outcome": outcome})
        for name, trigger in [("sec", "periodic"), ("sec", "finish"), ("perf", "finish")]
        for outcome in OutcomeKind
    ),
    *(
        ("foureyes_review_skips_total", {"reviewer": name, "trigger": trigger, "reason": reason})
        for name, trigger in [("sec", "periodic"), ("sec", "finish"), ("perf", "finish")]
        for reason in SkipReason
    ),
    *(
        ("foureyes_notes_total", {"reviewer": name, "severity": severity, "disposition": disposition})
        for name in ("sec", "perf")
        for severity in Severity
        for disposition in Disposition
    ),
    *(
        ("foureyes_notes_sent_total", {"reviewer": name, "severity": severity})
        for name in ("sec", "perf")
        for severity in Severity
    ),
    *(
        ("foureyes_fallbacks_total", {"reviewer": "sec", "from": source, "to": target, "reason": reason})
        for source, target in [("checks", "remote"), ("remote", "mine:review")]
        for reason in FAILURES
    ),
    *(
        ("foureyes_quota_exhausted_total", {"reviewer": name, "kind": kind})
        for name, kind in [("sec", "periodic"), ("sec", "finish"), ("perf", "finish")]
    ),
    *(
        ("foureyes_tokens_total", {"reviewer": name, "model": model, "kind": kind})
        for name, model in [("sec", "other"), ("perf", "other"), ("perf", "small"), ("perf", "large")]
        for kind in ("input", "cached", "output")
    ),
    *(
        (metric, {"reviewer": name})
        for name in ("sec", "perf")
        for metric in (
            "foureyes_review_attempts_total",
            "foureyes_review_duration_seconds_count",
            "foureyes_leftovers",
            "foureyes_similar_notes_total",
        )
    ),
    *(
        ("foureyes_mutes_total", {"reviewer": name, "reason": str(reason)})
        for name in ("sec", "perf")
        for reason in MuteReason
    ),
    *(("foureyes_finishes_total", {"result": str(result)}) for result in FinishResult),
    *(("foureyes_boundaries_total", {"kind": kind}) for kind in ("turn", "finish")),
    ("foureyes_boundary_duration_seconds_count", {}),
    ("foureyes_checkpoint_duration_seconds_count", {}),
    ("foureyes_checkpoint_failures_total", {}),
    ("foureyes_loop_frozen_seconds_total", {}),
    ("foureyes_sink_failures_total", {}),
]


def test_every_known_series_is_there_at_zero_before_anything_happens() -> None:
    registry = CollectorRegistry()
    PrometheusSink([SEC, PERF], registry)
    found = sampled(registry)
    assert {(name, tuple(labels.items())): found.get(_key(name, **labels)) for name, labels in KNOWN} == {
        (name, tuple(labels.items())): 0 for name, labels in KNOWN
    }


def test_no_other_counter_is_there_before_it_happens() -> None:
    registry = CollectorRegistry()
    PrometheusSink([SEC, PERF], registry)
    counters = {key for key in sampled(registry) if key[0].endswith("_total")}
    assert counters == {_key(name, **labels) for name, labels in KNOWN if name.endswith("_total")}


def test_a_reviewer_that_only_reviews_finishes_has_no_periodic_series() -> None:
    registry = CollectorRegistry()
    PrometheusSink([PERF], registry)
    assert not [key for key in sampled(registry) if ("trigger", "periodic") in key[1]]


NOTHING = Usage()


def settled(outcome: OutcomeKind, usage: Usage = NOTHING) -> happened.ReviewSettled:
    return happened.ReviewSettled(
        session="s",
        reviewer="sec",
        trigger=Trigger.PERIODIC,
        turn=1,
        outcome=outcome,
        seconds=0.5,
        attempts=1,
        spent=(Spend(model="", usage=usage),),
    )


@pytest.mark.parametrize("outcome", OutcomeKind)
def test_a_last_success_is_absent_until_a_review_completes(outcome: OutcomeKind) -> None:
    registry = CollectorRegistry()
    sink, before = PrometheusSink([SEC], registry), time.time()
    assert value(registry, "foureyes_last_success_timestamp_seconds", reviewer="sec") is None
    sink.emit(settled(outcome))
    found = value(registry, "foureyes_last_success_timestamp_seconds", reviewer="sec")
    if outcome in (OutcomeKind.NOTED, OutcomeKind.QUIET):
        assert found is not None
        assert before <= found <= time.time()
    else:
        assert found is None


def test_an_unknown_cost_is_absent_and_a_known_cost_of_nothing_is_zero() -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink([SEC], registry)
    sink.emit(settled(OutcomeKind.QUIET, Usage(input_tokens=5)))
    assert value(registry, "foureyes_cost_usd_total", reviewer="sec", model="other") is None
    sink.emit(settled(OutcomeKind.QUIET, Usage(cost_usd=0.0)))
    assert value(registry, "foureyes_cost_usd_total", reviewer="sec", model="other") == 0


def states(registry: CollectorRegistry) -> dict[str, float | None]:
    return {s: value(registry, "foureyes_reviewer_state", reviewer="sec", state=s) for s in ("active", "paused")}


def test_a_reviewer_is_in_exactly_one_state() -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink([SEC], registry)
    assert states(registry) == {"active": 1, "paused": 0}
    sink.emit(happened.ReviewerPaused(session="s", reviewer="sec", failures=3))
    assert states(registry) == {"active": 0, "paused": 1}
    sink.emit(happened.ReviewerResumed(session="s", reviewer="sec"))
    assert states(registry) == {"active": 1, "paused": 0}


def test_the_state_of_a_shared_reviewer_is_what_was_said_last() -> None:
    registry = CollectorRegistry()
    first, second = PrometheusSink([SEC], registry), PrometheusSink([SEC], registry)
    first.emit(happened.ReviewerPaused(session="s", reviewer="sec", failures=3))
    assert states(registry) == {"active": 0, "paused": 1}
    second.emit(happened.ReviewerResumed(session="s", reviewer="sec"))
    assert states(registry) == {"active": 1, "paused": 0}


def test_a_pause_does_not_outlive_its_scheduler() -> None:
    registry = CollectorRegistry()
    PrometheusSink([SEC], registry).emit(happened.ReviewerPaused(session="s", reviewer="sec", failures=3))
    PrometheusSink([SEC], registry)
    assert states(registry) == {"active": 1, "paused": 0}


def leftover(running: int, reviewer: str = "sec") -> happened.LeftoverChanged:
    return happened.LeftoverChanged(session="s", reviewer=reviewer, running=running)


def test_leftovers_of_two_schedulers_add_up_and_go_away() -> None:
    registry = CollectorRegistry()
    first, second = PrometheusSink([SEC], registry), PrometheusSink([SEC], registry)
    seen = []
    for sink, running in [(first, 1), (second, 2), (first, 2), (second, 0), (first, 1), (first, 0)]:
        sink.emit(leftover(running))
        seen.append(value(registry, "foureyes_leftovers", reviewer="sec"))
    assert seen == [1, 3, 4, 2, 1, 0]


def test_leftovers_of_undeclared_reviewers_are_counted_together() -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink([SEC], registry)
    for event in [leftover(2, "gone"), leftover(1, "gone too"), leftover(0, "gone")]:
        sink.emit(event)
    assert value(registry, "foureyes_leftovers", reviewer="other") == 1


def test_two_schedulers_may_share_the_default_registry() -> None:
    PrometheusSink([SEC])
    PrometheusSink([SEC, PERF])
    assert value(REGISTRY, "foureyes_notes_sent_total", reviewer="perf", severity="nit") is not None


def test_a_second_import_of_the_module_finds_the_series_of_the_first() -> None:
    registry = CollectorRegistry()
    first = series.series_in(registry)
    spec = importlib.util.spec_from_file_location("series_again", series.__file__)
    assert spec is not None
    assert spec.loader is not None
    again = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(again)
    assert again.series_in(registry) is first


def test_a_name_of_ours_that_is_already_taken_is_refused_by_the_registry() -> None:
    registry = CollectorRegistry()
    PrometheusSink([SEC], registry)
    with pytest.raises(ValueError, match="Duplicated timeseries"):
        registry.register(series.Series())


def test_the_version_and_the_start_are_there() -> None:
    registry, before = CollectorRegistry(), time.time()
    PrometheusSink([], registry)
    builds = [
        sample for metric in registry.collect() for sample in metric.samples if metric.name == "foureyes_build_info"
    ]
    start = value(registry, "foureyes_start_timestamp_seconds")
    assert [(sample.value, bool(sample.labels["version"])) for sample in builds] == [(1, True)]
    assert start is not None
    assert before <= start <= time.time()


def test_no_series_says_when_another_was_created() -> None:
    registry = CollectorRegistry()
    PrometheusSink([SEC], registry)
    assert not [name for name, _ in sampled(registry) if name.endswith("_created")]


@pytest.mark.parametrize(("seconds", "bound"), [(0.004, "0.005"), (30.02, "31.0"), (599.0, "600.0"), (601.0, "+Inf")])
def test_durations_from_five_milliseconds_to_ten_minutes_have_buckets(seconds: float, bound: str) -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink([SEC], registry)
    sink.emit(happened.BoundarySettled(session="s", turn=1, finish=False, seconds=seconds))
    buckets = {
        dict(labels)["le"]: amount
        for (name, labels), amount in sampled(registry).items()
        if name == "foureyes_boundary_duration_seconds_bucket"
    }
    assert min((le for le in buckets if buckets[le]), key=float) == bound


def test_the_text_is_what_prometheus_reads() -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink([SEC], registry)
    sink.emit(
        happened.FinishSettled(session="s", turn=1, result=FinishResult.CAPPED, verdict=Verdict.CHANGES_REQUESTED)
    )
    assert 'foureyes_finishes_total{result="capped"} 1.0' in text(registry).splitlines()
