"""The run that ships with foureyes, so that it can be seen at work without a key, a network or a file."""

from __future__ import annotations

from importlib.resources import files

from foureyes.replay.reading import parsed
from foureyes.replay.recording import Recording

__all__ = ["ABOUT", "MORAL", "demo_recording"]

ABOUT = (
    "An invented run, written as a demonstration: no agent produced it. It goes wrong twice on purpose; "
    "the reviews are real. Watch turn 6, where the agent repeats a failing call, and turn 12, where it claims that "
    "failing tests pass."
)
"""What is said on screen before the run, so that nobody takes it for evidence, and everybody knows where to look."""

MORAL = (
    "foureyes spoke twice: at turn 6 about the call that failed three times, and at turn 12 to send back an answer "
    "that was not true. The rerun of the tests after that was recorded like all the rest: no agent read the two notes."
)
"""What is said on screen after the run: what was to be seen, and what was not."""


def demo_recording() -> Recording:
    """Return the demonstration run. Nothing is written anywhere."""
    data = files("foureyes.replay").joinpath("demo_run.json").read_bytes()
    return parsed(data, source="demo_run.json")[0]
