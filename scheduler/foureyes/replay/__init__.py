"""Recorded runs, driven through a real session turn by turn."""

from foureyes.replay.driver import replay
from foureyes.replay.reading import recordings
from foureyes.replay.recording import LeftOut, Recording, RecordingError
from foureyes.replay.run import Consulted, ReplayedRun, Step, Totals, totals

__all__ = [
    "Consulted",
    "LeftOut",
    "Recording",
    "RecordingError",
    "ReplayedRun",
    "Step",
    "Totals",
    "recordings",
    "replay",
    "totals",
]
