"""What a replay found: one step for each turn, and the sums."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from foureyes.core.facts import NO_USAGE, Usage
from foureyes.core.guard import Judged
from foureyes.core.state import NoteRecord, Skipped
from foureyes.core.words import Disposition, FinishResult, OutcomeKind, SkipReason, Trigger, Verdict

__all__ = ["Consulted", "ReplayedRun", "Step", "Totals", "totals"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Consulted:
    """One review that was made."""

    reviewer: str
    trigger: Trigger
    outcome: OutcomeKind
    seconds: float = 0.0
    """Wall time, the only thing in a replay that differs from one time to the next."""
    attempts: int = 0
    """Calls made, of the reviewer and of its fallbacks."""
    error: str = ""
    """Why it failed, at most 200 characters; empty where it did not."""
    usage: Usage = NO_USAGE
    """Tokens and money, all attempts together; nothing where the reviewer reported nothing."""
    malformed: int = 0
    """Entries of the reply that could not be read as notes."""
    unknown_severities: int = 0
    """Notes whose severity is a word that nobody knows: each counts as a nit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What happened at one turn of the recording."""

    turn: int
    """From 1."""
    finish: bool
    """Whether the agent gave an answer."""
    did: str
    """What the agent did, in a few words on one line."""
    request: str | None = None
    """The human's words, if a request began before this turn."""
    calls: tuple[Consulted, ...] = ()
    skips: tuple[Skipped, ...] = ()
    """Reviewers that were due and were not called."""
    notes: tuple[Judged, ...] = ()
    """Every note that was raised, with what became of it."""
    advisory: str | None = None
    """What the agent would have read, word for word; None for nothing."""
    sent: tuple[NoteRecord, ...] = ()
    """The notes in the advisory."""
    result: FinishResult | None = None
    """How the finish ended; None at a boundary."""
    verdict: Verdict | None = None
    """What may be said of the answer; None at a boundary."""
    unsent: tuple[NoteRecord, ...] = ()
    """At an accepted finish: the notes that the agent would not have read."""

    @property
    def quiet(self) -> bool:
        """Tell whether nobody was due: no call and no skip, and no answer."""
        return not (self.finish or self.calls or self.skips or self.advisory)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The sums over the steps of one run, or of several."""

    runs: int = 0
    turns: int = 0
    requests: int = 0
    calls: Mapping[OutcomeKind, int] = field(default_factory=dict)
    """Reviews by outcome; an outcome that did not occur is absent."""
    skips: Mapping[SkipReason, int] = field(default_factory=dict)
    """Reviewers that were due and were not called, by reason."""
    notes: Mapping[Disposition, int] = field(default_factory=dict)
    """Notes by disposition, entries of replies that could not be read included."""
    sent: int = 0
    """Notes that the agent would have read."""
    addressed: int = 0
    """Turns at which it would have read something."""
    finishes: Mapping[FinishResult, int] = field(default_factory=dict)
    """Answers by how the finish ended."""
    spent: Mapping[str, Usage] = field(default_factory=dict)
    """What was used, by reviewer; one that reported nothing is absent. A cost is unknown where a part of it is."""

    def __add__(self, other: Totals) -> Totals:
        """Return the sums over the runs of both."""
        return Totals(
            runs=self.runs + other.runs,
            turns=self.turns + other.turns,
            requests=self.requests + other.requests,
            calls=Counter(self.calls) + Counter(other.calls),
            skips=Counter(self.skips) + Counter(other.skips),
            notes=Counter(self.notes) + Counter(other.notes),
            sent=self.sent + other.sent,
            addressed=self.addressed + other.addressed,
            finishes=Counter(self.finishes) + Counter(other.finishes),
            spent=_together([*self.spent.items(), *other.spent.items()]),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class ReplayedRun:
    """One recording after its replay."""

    name: str
    source: str
    """The file, as the user named it."""
    messages: int
    """How long the transcript is."""
    steps: tuple[Step, ...]
    """One for each turn of the agent, in order."""

    @property
    def totals(self) -> Totals:
        """Return the sums over this run."""
        return totals([self])


def totals(runs: Iterable[ReplayedRun]) -> Totals:
    """Return the sums over all runs."""
    seen = list(runs)
    steps = [step for run in seen for step in run.steps]
    calls = [call for step in steps for call in step.calls]
    return Totals(
        runs=len(seen),
        turns=len(steps),
        requests=sum(step.request is not None for step in steps),
        calls=Counter(call.outcome for call in calls),
        skips=Counter(skip.reason for step in steps for skip in step.skips),
        notes=Counter(note.disposition for step in steps for note in step.notes)
        + Counter({Disposition.MALFORMED: sum(call.malformed for call in calls)}),
        sent=sum(len(step.sent) for step in steps),
        addressed=sum(step.advisory is not None for step in steps),
        finishes=Counter(step.result for step in steps if step.result is not None),
        spent=_together((call.reviewer, call.usage) for call in calls),
    )


def _together(used: Iterable[tuple[str, Usage]]) -> Mapping[str, Usage]:
    sums: dict[str, Usage] = {}
    for reviewer, usage in used:
        if usage not in (NO_USAGE, Usage(cost_usd=0.0)):
            sums[reviewer] = sums.get(reviewer, NO_USAGE) + usage
    return sums
