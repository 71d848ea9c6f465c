"""Events as Prometheus metrics.

Every number is the sum of the events, exactly. Each known series is there from the start at zero, so the first
failure is seen by ``rate`` and ``increase``, and a dead reviewer cannot be taken for one that was never asked.

With several worker processes, set ``PROMETHEUS_MULTIPROC_DIR`` to an empty folder before Python starts, build the
scheduler inside each worker (after the fork), and call ``prometheus_client.multiprocess.mark_process_dead(pid)`` in
the server's hook for a worker that has ended: counters of dead workers stay, their states and leftovers go.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise, product
from typing import Any, TypeVar

from prometheus_client import REGISTRY, CollectorRegistry, generate_latest
from prometheus_client.metrics import MetricWrapperBase

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import (
    FAILURES,
    Disposition,
    FinishResult,
    MuteReason,
    OutcomeKind,
    Severity,
    SkipReason,
    Trigger,
)
from foureyes.telemetry.events import (
    BoundarySettled,
    Checkpointed,
    CheckpointFailed,
    Event,
    FellBack,
    FinishSettled,
    LeftoverChanged,
    LoopFrozen,
    NoteJudged,
    NoteSent,
    QuotaExhausted,
    ReviewerMuted,
    ReviewerPaused,
    ReviewerResumed,
    ReviewSettled,
    ReviewSkipped,
    SinkFailed,
)
from foureyes.telemetry.series import readable, series_in

__all__ = ["OTHER", "PrometheusSink", "text"]

OTHER = "other"
"""The label of a reviewer or a fallback that is not declared, such as one that a saved session still names."""

_Metric = TypeVar("_Metric", bound=MetricWrapperBase)
_Labels = tuple[str, ...]
_ACTIVE, _PAUSED = "active", "paused"
_TURN, _FINISH = "turn", "finish"
_TOKENS = ("input", "cached", "output")


class _Children(dict[_Labels, _Metric]):
    """The children of one family, bound once: those that are known at the start, any other when it first occurs."""

    def __init__(self, family: _Metric, known: Iterable[_Labels] = ()) -> None:
        super().__init__((labels, family.labels(*labels)) for labels in known)
        self._family = family

    def __missing__(self, labels: _Labels) -> _Metric:
        child = self[labels] = self._family.labels(*labels)
        return child


class PrometheusSink:
    """Counts the events of one scheduler.

    Several sinks may share a registry: what they count adds up, and the state of a reviewer is what the last of
    them said; a new one says that its reviewers are active. Reviewers that are not among ``configs`` are counted as
    ``other``.
    """

    def __init__(self, configs: Sequence[ReviewerConfig], registry: CollectorRegistry = REGISTRY) -> None:
        self._series = series_in(registry)
        self._names = dict.fromkeys(config.name for config in configs)
        self._uses = {config.name: frozenset(config.uses) for config in configs}
        self._models = {config.name: config.models for config in configs}
        self._running: dict[str, int] = {}
        self._bind_reviews(configs)
        self._bind_notes()
        self._bind_reviewers(configs)
        self._bind_boundaries()
        for name in self._names:
            self._set_state(name, _ACTIVE)
        self._counts: dict[type, Callable[[Any], None]] = self._by_type()

    def emit(self, event: Event) -> None:
        """Count one event. Takes a few microseconds, and raises nothing for an event of this version."""
        self._counts[type(event)](event)

    def quiet(self, finish: bool) -> None:
        """Count one boundary at which nobody was due."""
        (self._finish if finish else self._turn).inc()

    def _bind_reviews(self, configs: Sequence[ReviewerConfig]) -> None:
        s, triggers = self._series, [(config.name, trigger) for config in configs for trigger in _triggers(config)]
        self._reviews = _Children(s.reviews, ((*pair, kind) for pair, kind in product(triggers, OutcomeKind)))
        self._skips = _Children(s.skips, ((*pair, reason) for pair, reason in product(triggers, SkipReason)))
        self._quotas = _Children(s.quotas, triggers)
        self._fallbacks = _Children(s.fallbacks, (hop for config in configs for hop in _hops(config)))

    def _bind_notes(self) -> None:
        s = self._series
        self._notes = _Children(s.notes, product(self._names, Severity, Disposition))
        self._sent = _Children(s.sent, product(self._names, Severity))
        self._similar = _Children(s.similar, product(self._names))
        self._mutes = _Children(s.mutes, product(self._names, MuteReason))

    def _bind_reviewers(self, configs: Sequence[ReviewerConfig]) -> None:
        s, names = self._series, [(config.name,) for config in configs]
        self._attempts = _Children(s.attempts, names)
        self._durations = _Children(s.durations, names)
        self._leftovers = _Children(s.leftovers, names)
        models = [(name, model) for name in self._names for model in (*self._models.get(name, ()), OTHER)]
        self._tokens = _Children(s.tokens, ((*pair, kind) for pair, kind in product(models, _TOKENS)))
        self._states = _Children(s.states, product(self._names, (_ACTIVE, _PAUSED)))
        self._cost = _Children(s.cost)
        self._successes = _Children(s.successes)

    def _bind_boundaries(self) -> None:
        self._turn = self._series.boundaries.labels(_TURN)
        self._finish = self._series.boundaries.labels(_FINISH)
        self._finishes = _Children(self._series.finishes, ((result,) for result in FinishResult))

    def _by_type(self) -> dict[type, Callable[[Any], None]]:
        return {
            ReviewSettled: self._review_settled,
            ReviewSkipped: self._review_skipped,
            FellBack: self._fell_back,
            NoteJudged: self._note_judged,
            NoteSent: self._note_sent,
            QuotaExhausted: self._quota_exhausted,
            ReviewerMuted: self._reviewer_muted,
            ReviewerPaused: self._reviewer_paused,
            ReviewerResumed: self._reviewer_resumed,
            LeftoverChanged: self._leftover_changed,
            LoopFrozen: self._loop_frozen,
            BoundarySettled: self._boundary_settled,
            FinishSettled: self._finish_settled,
            Checkpointed: self._checkpointed,
            CheckpointFailed: self._checkpoint_failed,
            SinkFailed: self._sink_failed,
        }

    def _named(self, reviewer: str) -> str:
        return reviewer if reviewer in self._names else OTHER

    def _review_settled(self, event: ReviewSettled) -> None:
        name = self._named(event.reviewer)
        self._reviews[name, event.trigger, event.outcome].inc()
        self._attempts[name,].inc(event.attempts)
        self._durations[name,].observe(event.seconds)
        self._used(name, event)
        if event.outcome.completed:
            self._successes[name,].set_to_current_time()

    def _used(self, name: str, event: ReviewSettled) -> None:
        declared = self._models.get(name, ())
        for spend in event.spent:
            model, usage = spend.model if spend.model in declared else OTHER, spend.usage
            used = usage.input_tokens, usage.cached_tokens, usage.output_tokens
            for kind, tokens in zip(_TOKENS, used, strict=True):
                if tokens:
                    self._tokens[name, model, kind].inc(tokens)
            if usage.cost_usd is not None:
                self._cost[name, model].inc(usage.cost_usd)

    def _review_skipped(self, event: ReviewSkipped) -> None:
        self._skips[self._named(event.reviewer), event.trigger, event.reason].inc()

    def _fell_back(self, event: FellBack) -> None:
        declared, hop = self._uses.get(event.reviewer, frozenset()), event.hop
        source, target = (use if use in declared else OTHER for use in (hop.source, hop.target))
        self._fallbacks[self._named(event.reviewer), source, target, hop.reason].inc()

    def _note_judged(self, event: NoteJudged) -> None:
        self._notes[self._named(event.reviewer), event.severity, event.disposition].inc()
        if event.similar is not None:
            self._similar[self._named(event.reviewer),].inc()

    def _note_sent(self, event: NoteSent) -> None:
        self._sent[self._named(event.reviewer), event.severity].inc()

    def _quota_exhausted(self, event: QuotaExhausted) -> None:
        self._quotas[self._named(event.reviewer), event.trigger].inc()

    def _reviewer_muted(self, event: ReviewerMuted) -> None:
        self._mutes[self._named(event.reviewer), event.reason].inc()

    def _reviewer_paused(self, event: ReviewerPaused) -> None:
        self._set_state(self._named(event.reviewer), _PAUSED)

    def _reviewer_resumed(self, event: ReviewerResumed) -> None:
        self._set_state(self._named(event.reviewer), _ACTIVE)

    def _set_state(self, name: str, current: str) -> None:
        for state in (_ACTIVE, _PAUSED):
            self._states[name, state].set(state == current)

    def _loop_frozen(self, event: LoopFrozen) -> None:
        self._series.frozen.inc(event.seconds)

    def _leftover_changed(self, event: LeftoverChanged) -> None:
        before = self._running.pop(event.reviewer, 0)
        if event.running:
            self._running[event.reviewer] = event.running
        self._leftovers[self._named(event.reviewer),].inc(event.running - before)

    def _boundary_settled(self, event: BoundarySettled) -> None:
        self.quiet(event.finish)
        self._series.boundary_durations.observe(event.seconds)

    def _finish_settled(self, event: FinishSettled) -> None:
        self._finishes[event.result,].inc()

    def _checkpointed(self, event: Checkpointed) -> None:
        self._series.checkpoints.observe(event.seconds)

    def _checkpoint_failed(self, event: CheckpointFailed) -> None:
        self._series.checkpoint_failures.inc()

    def _sink_failed(self, event: SinkFailed) -> None:
        self._series.sink_failures.inc()


def _triggers(config: ReviewerConfig) -> list[Trigger]:
    possible = {Trigger.PERIODIC: config.periodic, Trigger.FINISH: config.at_finish}
    return [trigger for trigger, is_possible in possible.items() if is_possible]


def _hops(config: ReviewerConfig) -> Iterable[_Labels]:
    return ((config.name, *hop, reason) for hop, reason in product(pairwise(config.uses), sorted(FAILURES)))


def text(registry: CollectorRegistry = REGISTRY) -> str:
    """Return what a scrape would, in Prometheus' text format; over all workers where they share a folder."""
    return generate_latest(readable(registry)).decode()
