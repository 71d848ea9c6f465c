"""The sums over scored runs, and what follows from them: rates, precision, and the curve by check."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from foureyes.core.words import FAILURES, OutcomeKind, Severity, SkipReason
from foureyes.replay.scoring import Group, RunScore
from foureyes.replay.wilson import Rate

__all__ = ["Rung", "Score"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """A point of the curve by check: what all checks up to this one flag together."""

    check: str
    precision: Rate
    """Of the runs that this check flags and of which the end is known: how many failed. See :meth:`Score.precision`."""
    flagged: Mapping[Group, Rate]


@dataclass(slots=True, kw_only=True)
class Score:
    """The sums over runs. What it keeps grows with the checks, never with the number of runs."""

    checks: tuple[str, ...] = ()
    """Every check by name, in the order in which it is shown; those that nobody listed come last."""
    runs: int = 0
    turns: int = 0
    calls: Counter[OutcomeKind] = field(default_factory=Counter)
    skips: Counter[SkipReason] = field(default_factory=Counter)
    notes: Counter[tuple[str, Severity]] = field(default_factory=Counter)
    early: int = 0
    """Labelled runs with a flag before the decisive turn."""
    error: str = ""
    """Why the first failed review failed; empty where none did."""
    _alike: Counter[tuple[str, frozenset[Group], frozenset[str]]] = field(default_factory=Counter)

    def add(self, run: RunScore) -> None:
        """Count one more run."""
        strangers = {check for check, _ in run.notes}.difference(self.checks)
        self.checks += tuple(sorted(strangers))
        self.runs += 1
        self.turns += run.turns
        self.calls.update(run.calls)
        self.skips.update(run.skips)
        self.notes.update(run.notes)
        self.early += run.early
        self.error = self.error or run.error
        self._alike[run.format, run.groups, run.flagged] += 1

    @property
    def unjudged(self) -> int:
        """Return how many runs belong to no group."""
        return sum(count for (_, belongs, _), count in self._alike.items() if not belongs)

    @property
    def failures(self) -> int:
        """Return how many reviews failed, so that what the checks would have said is not known."""
        return sum(count for outcome, count in self.calls.items() if outcome in FAILURES)

    @property
    def formats(self) -> tuple[str, ...]:
        """Return the formats in which the runs were recorded, by name."""
        return tuple(sorted({format_ for format_, _, _ in self._alike}))

    def flagged(self, group: Group, checks: Collection[str] | None = None, *, format_: str | None = None) -> Rate:
        """Return how many runs of the group any of the checks flags; None for any check, and for runs of any format."""
        hits = of = 0
        for (recorded, belongs, flagged), count in self._alike.items():
            if group in belongs and format_ in (None, recorded):
                of += count
                hits += count * bool(flagged if checks is None else flagged.intersection(checks))
        return Rate(hits=hits, of=of)

    @property
    def severities(self) -> Mapping[Severity, int]:
        """Return how many notes there are of each severity, weakest first; what did not occur is absent."""
        found = Counter(dict.fromkeys(Severity, 0))
        for (_, severity), number in self.notes.items():
            found[severity] += number
        return {level: number for level, number in found.items() if number}

    def notes_of(self, check: str) -> int:
        """Return how many notes the check raised, nits and early ones too."""
        return sum(count for (name, _), count in self.notes.items() if name == check)

    def precision(self, check: str) -> Rate:
        """Return how many of the runs with a known end that the check flags have failed.

        Of nothing where no run is good, or none failed: then every flag is right, or wrong, whatever the check finds.
        """
        comparable = all(self.flagged(group).of for group in (Group.FAILED, Group.GOOD))
        return self._judged(check) if comparable else Rate(hits=0, of=0)

    def _judged(self, check: str) -> Rate:
        failed, good = (self.flagged(group, (check,)).hits for group in (Group.FAILED, Group.GOOD))
        return Rate(hits=failed, of=failed + good)

    def curve(self) -> tuple[Rung, ...]:
        """Return what is flagged as checks are added in the order of their precision.

        Of equal ones the check with more failed runs comes first, then the name decides. A check that flags no run
        with a known end is not on the curve.
        """
        flagged = {check: self._judged(check) for check in self.checks}
        order = sorted(filter(lambda check: flagged[check].of, flagged), key=lambda check: _rank(check, flagged[check]))
        return tuple(
            Rung(
                check=check,
                precision=self.precision(check),
                flagged={group: self.flagged(group, order[: place + 1]) for group in Group},
            )
            for place, check in enumerate(order)
        )


def _rank(check: str, precision: Rate) -> tuple[float, int, str]:
    return -(precision.share or 0.0), -precision.hits, check
