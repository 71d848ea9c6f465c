"""Whether a reviewer is fit to be consulted in this process, whatever the session.

After ``pause_after_failures`` failed reviews in a row a reviewer is paused. Every tenth time that it would have been
due it gets one trial: a completed review ends the pause, a failed one renews it. Ten, so that a reviewer that is dead
for good costs a tenth of what it would, and one that recovers is back within ten boundaries.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["TRIAL_AFTER", "Health"]

TRIAL_AFTER = 10
"""Times a paused reviewer is skipped before it gets a trial."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The fitness of one reviewer."""

    failures: int = 0
    """Failed reviews in a row, over all sessions of the process."""
    paused: bool = False
    skipped: int = 0
    """Times it was skipped since it was paused or last tried."""

    @property
    def consulted(self) -> bool:
        """Tell whether the reviewer may be called now: it is not paused, or its trial has come."""
        return not self.paused or self.skipped >= TRIAL_AFTER

    def failed(self, limit: int) -> Health:
        """Return the health after one more failed review; equal to the limit means paused."""
        failures = self.failures + 1
        return Health(failures=failures, paused=self.paused or failures >= limit)

    def tried(self) -> Health:
        """Return the health once the trial of a paused reviewer has begun: the next comes after ten more times."""
        return replace(self, skipped=0)

    def recovered(self) -> Health:
        """Return the health after a completed review, or after an operator resumed the reviewer."""
        return _FIT if self.failures or self.paused else self

    def passed_over(self) -> Health:
        """Return the health after the reviewer was skipped because it is paused."""
        return replace(self, skipped=self.skipped + 1)


_FIT = Health()
