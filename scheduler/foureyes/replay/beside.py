"""What lies beside a file of recorded runs: how they were judged, and which turn was decisive.

A run's reward may stand in ``reward.txt``, and the labels of AgentRx in ``labels.json``, in the folder of the run.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path

from foureyes.replay.recording import RecordingError

__all__ = ["Beside", "is_labels"]

_REWARD, _LABELS = "reward.txt", "labels.json"
_MAX_REWARD = 64
"""Characters; a longer file is no number."""


class Beside:
    """The judgements on the runs of one file, read once and only when they are asked for.

    ``source`` is the file with the runs, or "" where there is no such file. ``given`` are files with labels that hold
    for any run.
    """

    def __init__(self, source: str = "", given: Sequence[str] = ()) -> None:
        self._folder = Path(source).parent if source else None
        self._given = tuple(given)
        self._steps: Mapping[str, int] | None = None
        self.problems: list[RecordingError] = []
        """What could not be read so far, with its file; to be taken from here by whoever reports it."""

    def reward(self) -> float | None:
        """Return the number in the file with the reward, None where there is none."""
        path = self._folder / _REWARD if self._folder else None
        if path is None or not path.is_file():
            return None
        try:
            with path.open(encoding="utf-8-sig", errors="replace") as file:
                return float(file.read(_MAX_REWARD))
        except (OSError, ValueError):
            self.problems.append(RecordingError("no reward: not a number", source=str(path), cure="write 0 or 1"))
            return None

    def decisive(self, run: str) -> int | None:
        """Return which message of the run, from 0, is labelled as the decisive error; None without a label."""
        if self._steps is None:
            beside = [str(self._folder / _LABELS)] if self._folder and (self._folder / _LABELS).is_file() else []
            self._steps = {name: step for path in (*beside, *self._given) for name, step in self._read(path).items()}
        return self._steps.get(run)

    def _read(self, path: str) -> dict[str, int]:
        try:
            value = json.loads(Path(path).read_bytes())
        except OSError as error:
            self._refuse(path, (error.strerror or type(error).__name__).lower())
        except (ValueError, RecursionError):
            self._refuse(path, "not JSON")
        else:
            if is_labels(value):
                return dict(step for label in value for step in _step(label))
            self._refuse(path, "no labels of AgentRx")
        return {}

    def _refuse(self, path: str, problem: str) -> None:
        self.problems.append(RecordingError(f"no labels: {problem}", source=path, cure="the runs stay unlabelled"))


def is_labels(value: object) -> bool:
    """Tell whether the value is a list of AgentRx labels, or one of them."""
    if isinstance(value, list):
        return bool(value) and is_labels(value[0])
    return isinstance(value, dict) and "trajectory_id" in value and isinstance(value.get("failures"), list)


def _step(label: object) -> list[tuple[str, int]]:
    if not isinstance(label, dict) or not isinstance(label.get("failures"), list):
        return []
    failures = [failure for failure in label["failures"] if isinstance(failure, dict)]
    root = label.get("root_cause")
    cause = root.get("failure_id") if isinstance(root, dict) else None
    chosen = [failure for failure in failures if failure.get("failure_id") == cause] or failures
    steps = [failure["step_number"] for failure in chosen if type(failure.get("step_number")) is int]
    return [(str(label.get("trajectory_id")), max(0, steps[0]))] if steps else []
