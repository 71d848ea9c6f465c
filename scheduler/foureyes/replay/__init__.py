"""Recorded runs, driven through a real session turn by turn."""

from foureyes.replay.driver import replay
from foureyes.replay.reading import read
from foureyes.replay.recording import Recording, RecordingError
from foureyes.replay.run import Consulted, ReplayedRun, Step, Totals, totals

__all__ = [
    "Consulted",
    "Recording",
    "RecordingError",
    "ReplayedRun",
    "Step",
    "Totals",
    "read",
    "replay",
    "totals",
]
