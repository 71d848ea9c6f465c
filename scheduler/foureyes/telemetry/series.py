"""The metric series of foureyes: names, labels and help texts, and their place in a registry.

Labels come from closed sets only: the configured reviewers, the words of :mod:`foureyes.core.words`, and the declared
names of fallbacks. No session, no text and no error is ever a label, so the number of series does not grow with use.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from threading import Lock
from typing import Literal, TypeAlias

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, Metric
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

__all__ = ["Series", "is_shared", "readable", "series_in"]

_Family: TypeAlias = Counter | Gauge | Histogram
_Mode: TypeAlias = Literal["max", "livemax", "livesum"]

_CALLS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 20.0, 30.0, 31.0, 60.0, 120.0, 300.0, 600.0)
# 31: a review that the default deadline of 30 s ended took a little longer, and must not be read as up to 60 s.
_SAVES = (0.00005, 0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 1.0)


def _version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # half as slow to import as the rest of foureyes

    try:
        return version("foureyes")
    except PackageNotFoundError:  # copied into another program, or not readable for this user
        return "unknown"


class Series(Collector):
    """All families of foureyes, as one collector.

    Samples named ``…_created`` are left out: they would double the number of series and the time of a scrape, and
    nothing reads them.
    """

    def __init__(self) -> None:
        self._of_reviews()
        self._of_notes()
        self._of_reviewers()
        self._of_boundaries()
        self._of_the_process()

    def _of_reviews(self) -> None:
        self.reviews = _counter(
            "reviews", "Reviews that ended, by why they were held and how they ended.", "reviewer trigger outcome"
        )
        self.skips = _counter(
            "review_skips", "Reviews that were due and were not held, by the reason.", "reviewer trigger reason"
        )
        self.attempts = _counter(
            "review_attempts", "Calls made for reviews, retries and fallbacks included.", "reviewer"
        )
        self.fallbacks = _counter(
            "fallbacks", "Reviews that went on with the next of the fallbacks.", "reviewer from to reason"
        )
        self.durations = _histogram(
            "review_duration", "Wall time of a review, all attempts together.", _CALLS, "reviewer"
        )
        self.tokens = _counter(
            "tokens",
            "Tokens used by reviews. Kind input includes the cached ones; cached is a part of it.",
            "reviewer model kind",
        )
        self.cost = _counter(
            "cost_usd",
            "Money spent on reviews in US dollars. Absent until a cost is known; unknown is not 0.",
            "reviewer model",
        )

    def _of_notes(self) -> None:
        self.notes = _counter(
            "notes", "Notes that reviewers wrote, by what the guard made of them.", "reviewer severity disposition"
        )
        self.similar = _counter(
            "similar_notes", "Notes that were flagged for resembling what the agent had been told.", "reviewer"
        )
        self.mutes = _counter(
            "mutes", "Times a flood silenced a reviewer for the rest of a request, by its kind.", "reviewer reason"
        )
        self.sent = _counter(
            "notes_sent", "Notes that the host has taken for the agent, once for every reviewer.", "reviewer severity"
        )

    def _of_reviewers(self) -> None:
        self.quotas = _counter("quota_exhausted", "Times a reviewer spent its allowance of a request.", "reviewer kind")
        self.states = _gauge(
            "reviewer_state",
            "1 for the state a reviewer is in, 0 for the other; summed over workers.",
            "livesum",
            "reviewer state",
        )
        self.leftovers = _gauge(
            "leftovers", "Reviews that were given up and have not let go yet.", "livesum", "reviewer"
        )
        self.successes = _gauge(
            "last_success_timestamp_seconds",
            "When a review last ended as noted or quiet. Absent until one did.",
            "max",
            "reviewer",
        )

    def _of_boundaries(self) -> None:
        self.boundaries = _counter("boundaries", "Boundaries that are over, quiet ones included.", "kind")
        self.boundary_durations = _histogram(
            "boundary_duration",
            "How long the agent waited at a boundary at which a reviewer was due, or a finish.",
            _CALLS,
        )
        self.finishes = _counter("finishes", "Finishes that were decided, by what became of the run.", "result")

    def _of_the_process(self) -> None:
        self.checkpoints = _histogram("checkpoint_duration", "How long it took to save a session's state.", _SAVES)
        self.checkpoint_failures = _counter("checkpoint_failures", "States that could not be saved.")
        self.sink_failures = _counter("sink_failures", "Exceptions of sinks and of the host's hook for notes.")
        self.frozen = _counter("loop_frozen_seconds", "Time that the event loop stood still while reviews were held.")
        self.start = _gauge("start_timestamp_seconds", "When the first scheduler of the process was made.", "livemax")
        self.start.set_to_current_time()
        self.build = _gauge("build_info", "Always 1; the version of foureyes is in the label.", "max", "version")
        self.build.labels(_version()).set(1)

    def describe(self) -> Iterable[Metric]:
        """Return every family without samples; their names are what the registry keeps apart."""
        return [metric for family in self._families() for metric in family.describe()]

    def collect(self) -> Iterable[Metric]:
        """Return every family with the samples of this process."""
        for family in self._families():
            for metric in family.collect():
                metric.samples = [sample for sample in metric.samples if not sample.name.endswith("_created")]
                yield metric

    def _families(self) -> Iterator[_Family]:
        return (family for family in vars(self).values() if isinstance(family, _Family))


def _counter(name: str, about: str, labels: str = "") -> Counter:
    return Counter(f"foureyes_{name}_total", about, labels.split(), registry=None)


def _gauge(name: str, about: str, mode: _Mode, labels: str = "") -> Gauge:
    return Gauge(f"foureyes_{name}", about, labels.split(), registry=None, multiprocess_mode=mode)


def _histogram(name: str, about: str, buckets: tuple[float, ...], labels: str = "") -> Histogram:
    return Histogram(f"foureyes_{name}_seconds", about, labels.split(), registry=None, buckets=buckets)


_KEPT = "_foureyes_series"
_lock = Lock()


def series_in(registry: CollectorRegistry) -> Series:
    """Return the series of the registry, registered the first time they are asked for.

    They are kept on the registry itself: they live as long as it does, and another scheduler, or a second import of
    this module, finds them instead of registering the same names again.
    """
    with _lock:
        kept: Series | None = vars(registry).get(_KEPT)
        if kept is None:
            kept = vars(registry)[_KEPT] = Series()
            registry.register(kept)
        return kept


def readable(registry: CollectorRegistry) -> CollectorRegistry:
    """Return the registry to scrape: this one, or a sum over all workers where prometheus_client shares a folder.

    That folder is named by ``PROMETHEUS_MULTIPROC_DIR``, which has to be set before prometheus_client is imported.
    """
    if not is_shared():
        return registry
    merged = CollectorRegistry()
    MultiProcessCollector(merged)  # type: ignore[no-untyped-call]
    return merged


def is_shared() -> bool:
    """Tell whether the processes of this program write their metrics into one folder, so that any page shows all."""
    return bool({"PROMETHEUS_MULTIPROC_DIR", "prometheus_multiproc_dir"} & os.environ.keys())
