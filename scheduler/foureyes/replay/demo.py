"""The run that ships with foureyes, so that it can be seen at work without a key, a network or a file."""

from __future__ import annotations

from importlib.resources import files

from foureyes.replay.reading import recordings
from foureyes.replay.recording import Recording

__all__ = ["ABOUT", "demo_recording"]

ABOUT = (
    "An invented run, written as a demonstration: no agent produced it. It goes wrong twice on purpose; "
    "the reviews are real."
)
"""What is said on screen, so that nobody takes the run for evidence."""


def demo_recording() -> Recording:
    """Return the demonstration run. Nothing is written anywhere."""
    data = files("foureyes.replay").joinpath("demo_run.json").read_bytes()
    return recordings(data, source="demo_run.json")[0]
