"""Whether a reviewer is fit to be consulted in this process, whatever the session.

After ``pause_after_failures`` failed reviews in a row a reviewer is paused. Every tenth time that it would have been
due it gets one trial: a completed review ends the pause, a failed one renews it. Ten, so that a reviewer that is dead
for good costs a tenth of what it would, and one that recovers is back within ten boundaries.

A reviewer that says that it is of no use (no credit, a wrong key) is paused at once, and tried like the others. Where
it says for how long, it is tried after that time instead, an hour at most: https://github.com/can1357/oh-my-pi/issues/1253
tells of hints that held up a session for long after they had become false.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

__all__ = ["MAX_PAUSE_SECONDS", "TRIAL_AFTER", "Health"]

TRIAL_AFTER = 10
"""Times a paused reviewer is skipped before it gets a trial."""
MAX_PAUSE_SECONDS = 3_600.0
"""The longest time to wait for that a reviewer may name; equal to it still counts. Beyond it skips are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Health:
    """The fitness of one reviewer."""

    failures: int = 0
    """Failed reviews in a row, over all sessions of the process."""
    paused: bool = False
    skipped: int = 0
    """Times it was skipped since it was paused or last tried."""
    until: float | None = None
    """When its trial comes, in seconds of the process's clock; None = after ten skips."""

    def consulted(self, now: float) -> bool:
        """Tell whether the reviewer may be called now: it is not paused, or its trial has come."""
        if not self.paused:
            return True
        return self.skipped >= TRIAL_AFTER if self.until is None else now >= self.until

    def failed(self, limit: int, *, now: float = 0.0, pause_seconds: float | None = None) -> Health:
        """Return the health after one more failed review; equal to the limit means paused.

        ``pause_seconds`` is for how long the reviewer says to be of no use, infinite where it does not know.
        """
        failures, told = self.failures + 1, pause_seconds is not None
        until = now + pause_seconds if pause_seconds is not None and pause_seconds <= MAX_PAUSE_SECONDS else None
        return Health(failures=failures, paused=self.paused or told or failures >= limit, until=until)

    def tried(self) -> Health:
        """Return the health once the trial of a paused reviewer has begun: the next comes after ten more times."""
        return replace(self, skipped=0, until=None)

    def recovered(self) -> Health:
        """Return the health after a completed review, or after an operator resumed the reviewer."""
        return _FIT if self.failures or self.paused else self

    def passed_over(self) -> Health:
        """Return the health after the reviewer was skipped because it is paused."""
        return replace(self, skipped=self.skipped + 1)


_FIT = Health()
