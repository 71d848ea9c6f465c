"""``foureyes replay``: what the reviewers would have said to recorded runs."""

from __future__ import annotations

import json
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import anyio

from foureyes.commands.unlogged import unlogged
from foureyes.core.config import ReviewerConfig
from foureyes.core.guard import Limits
from foureyes.replay.document import document
from foureyes.replay.driver import replay
from foureyes.replay.importers import accepted
from foureyes.replay.reading import read
from foureyes.replay.recording import Recording, RecordingError
from foureyes.replay.roster import BUILT_IN
from foureyes.replay.run import ReplayedRun
from foureyes.replay.screen import time_line
from foureyes.settings import Settings

__all__ = ["add_arguments", "run"]

_UNCONFIGURED = "No reviewers are configured: replaying with the built-in one."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the files to replay, and the choice of JSON."""
    parser.epilog = f"A file holds {accepted()}. What it is called does not matter."
    parser.add_argument(
        "runs", nargs="+", metavar="RUN", help="a file with recorded runs: chat messages, JSON or JSONL"
    )
    parser.add_argument("--json", action="store_true", help="write one JSON object instead of a time line")


def run(args: Namespace) -> int:
    """Replay every run in the files with the configured reviewers, or with the built-in one where there are none.

    Returns 0 if all files could be read, else 1; the others are replayed all the same. Standard output has the
    result and nothing else, standard error one line for each file that could not be read.
    """
    return (_as_json if args.json else _as_time_line)(_Files(args.runs), _roster())


@dataclass(frozen=True, slots=True, kw_only=True)
class _Roster:
    reviewers: tuple[ReviewerConfig, ...]
    limits: Limits
    remark: str = ""

    def replayed(self, recording: Recording) -> ReplayedRun:
        return anyio.run(partial(replay, recording, self.reviewers, limits=self.limits))


class _Files:
    """The runs in files; one that cannot be read is told of when its turn comes, and remembered."""

    def __init__(self, paths: Sequence[str]) -> None:
        self._paths = paths
        self.unread = 0

    def recordings(self) -> Iterator[Recording]:
        for path in self._paths:
            try:
                yield from read(path)
            except RecordingError as error:
                self.unread += 1
                sys.stderr.write(f"foureyes: {error}\n")


def _roster() -> _Roster:
    with unlogged():
        settings = Settings()
    for warning in settings.warnings if settings.reviewers else settings.ignored:
        sys.stderr.write(f"foureyes: {warning}\n")
    if settings.reviewers:
        return _Roster(reviewers=settings.reviewers, limits=settings.limits)
    return _Roster(reviewers=BUILT_IN, limits=settings.limits, remark=_UNCONFIGURED)


def _as_json(files: _Files, roster: _Roster) -> int:
    if roster.remark:
        sys.stderr.write(f"{roster.remark}\n")
    runs = [roster.replayed(recording) for recording in files.recordings()]
    sys.stdout.write(json.dumps(document(runs), indent=2) + "\n")
    return 1 if files.unread else 0


def _as_time_line(files: _Files, roster: _Roster) -> int:
    show = time_line(otherwise="ask for --json")
    if roster.remark:
        show.say(roster.remark)
    show.roster(roster.reviewers)
    runs: list[ReplayedRun] = []
    for recording in files.recordings():
        if runs:
            show.blank()
        runs.append(roster.replayed(recording))
        show.run(runs[-1])
    if len(runs) > 1:
        show.blank()
        show.summary(runs)
    return 1 if files.unread else 0
