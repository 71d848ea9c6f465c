"""Several replayed runs on one page: those in which nobody had anything to say share a line."""

from __future__ import annotations

from typing import TYPE_CHECKING

from foureyes.core.words import FinishResult, OutcomeKind
from foureyes.replay.run import ReplayedRun, Totals

if TYPE_CHECKING:
    from foureyes.replay.timeline import TimeLine

__all__ = ["Fold", "is_quiet"]


def is_quiet(totals: Totals) -> bool:
    """Tell whether nothing of a run is worth a look: no note, no skip, no failed review, and no answer in doubt."""
    doubts = set(totals.finishes) - {FinishResult.CLEAN}
    return not (totals.notes or totals.skips or totals.sent or doubts or set(totals.calls) - {OutcomeKind.QUIET})


class Fold:
    """Writes runs in the order in which they are given, each in full or several quiet ones as one line."""

    def __init__(self, show: TimeLine, *, everything: bool) -> None:
        self._show, self._everything = show, everything
        """``everything``: whether quiet runs are written in full as well."""
        self._sums = Totals()
        self._first: ReplayedRun | None = None
        self._held = Totals()
        self._last = ""
        self.folded = 0
        """How many runs were not written in full."""

    def add(self, run: ReplayedRun) -> None:
        """Write a run, or keep a quiet one until one comes that is not."""
        here = run.totals
        if not self._everything and is_quiet(here):
            self._first, self._last, self._held = self._first or run, run.name, self._held + here
        else:
            self._write_quiet()
            self._write(run)
        self._sums += here

    def end(self) -> None:
        """Write the quiet runs that are left; a run that is the only one is written in full."""
        if self._first is not None and self._sums.runs == 1:
            self._write(self._first)
        else:
            self._write_quiet()

    def _write(self, run: ReplayedRun) -> None:
        if self._sums.runs:
            self._show.blank()
        self._show.run(run)

    def _write_quiet(self) -> None:
        if self._first is None:
            return
        if self._sums.runs > self._held.runs:
            self._show.blank()
        self._show.quiet(self._first.name, self._last, self._held)
        self.folded += self._held.runs
        self._first, self._held = None, Totals()
