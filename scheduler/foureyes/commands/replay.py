"""``foureyes replay``: what the reviewers would have said to recorded runs."""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import anyio

from foureyes.commands import score
from foureyes.commands.unlogged import unlogged
from foureyes.core.account import Account
from foureyes.core.backend import BudgetConfig
from foureyes.core.config import ReviewerConfig
from foureyes.core.guard import Limits
from foureyes.replay.document import written
from foureyes.replay.driver import replay
from foureyes.replay.files import ENDINGS
from foureyes.replay.folding import Fold
from foureyes.replay.importers import accepted
from foureyes.replay.pool import in_order
from foureyes.replay.progress import progress
from foureyes.replay.reading import recordings
from foureyes.replay.recording import LeftOut, Recording, RecordingError
from foureyes.replay.roster import BUILT_IN
from foureyes.replay.run import ReplayedRun, Totals
from foureyes.replay.screen import time_line
from foureyes.settings import Settings

__all__ = ["add_arguments", "run"]

_FOLDED = "Quiet runs are one line: to see them turn by turn, add --all."
_UNCONFIGURED = "No reviewers are configured: replaying with the built-in one."


def add_arguments(parser: ArgumentParser) -> None:
    """Add the files to replay, the choice of JSON, and how many processes do it."""
    parser.epilog = (
        f"Formats are recognised by their content; in a folder, files that end in {', '.join(ENDINGS)} are read, and "
        f"those that hold no run are left out. A file holds {accepted()}."
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a file with recorded runs, or a folder of such files")
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="write one JSON object instead of a page")
    form.add_argument("--all", action="store_true", help="show runs in which nobody had anything to say in full, too")
    form.add_argument("--markdown", action="store_true", help="with --score: write only the table by check")
    parser.add_argument("--score", action="store_true", help=score.HELP)
    parser.add_argument(
        "--jobs",
        type=_jobs,
        metavar="N",
        help="work in N processes (default: one, and all processors from the 100th run on)",
    )


def run(args: Namespace) -> int:
    """Replay every run in the files with the configured reviewers, or with the built-in one where there are none.

    Returns 0 if everything could be read, else 1; the others are replayed all the same. Standard output has the
    result in the order of the files and nothing else, standard error one line for each file or record that could not
    be read, at most four for a file. With ``--score`` see :func:`foureyes.commands.score.run`; without it,
    ``--markdown`` is a wrong command line, and so is ``--all`` with it.
    """
    if args.score and args.all:
        sys.stderr.write("foureyes: --all is for a time line: leave out --score\n")
        return 2
    if args.score:
        return score.run(args)
    if args.markdown:
        sys.stderr.write("foureyes: --markdown is for a score: add --score\n")
        return 2
    return (_as_json if args.json else _as_time_line)(_Work(args), _roster())


def _jobs(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 256:
        raise ArgumentTypeError("must be a number from 1 to 256")
    return int(text)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Roster:
    """Who reviews and within which bounds, as a scheduler made from the settings has it; each process gets a copy."""

    reviewers: tuple[ReviewerConfig, ...]
    limits: Limits
    budget: BudgetConfig
    agent: Account | None
    remark: str = ""


class _Work:
    """The replays that were asked for; what cannot be read is told of when its turn comes, and remembered."""

    def __init__(self, args: Namespace) -> None:
        self._paths: list[str] = args.runs
        self._jobs: int | None = args.jobs
        self.everything: bool = args.all
        """Whether quiet runs are shown in full, too."""
        self.sums = Totals()
        """The sums over the runs so far."""
        self.unread = 0
        """How many things could not be read."""

    def replays(self, roster: _Roster) -> Iterator[ReplayedRun]:
        """Yield the runs as they are replayed, in order."""
        work = partial(_replayed, roster)
        with unlogged(), progress(self._paths, wanted=not sys.stdout.isatty()) as meter:
            for item in in_order(recordings(self._paths, read=meter.read), work, jobs=self._jobs):
                if isinstance(item, tuple):
                    self.sums += item[1].totals
                    meter.done()
                    yield item[1]
                else:
                    self._tell(item)

    def _tell(self, item: RecordingError | LeftOut) -> None:
        self.unread += isinstance(item, RecordingError)
        sys.stderr.write(f"foureyes: {item}\n")


def _replayed(roster: _Roster, recording: Recording) -> ReplayedRun:
    work = partial(replay, limits=roster.limits, budget=roster.budget, agent=roster.agent)
    return anyio.run(work, recording, roster.reviewers)


def _roster() -> _Roster:
    with unlogged():
        settings = Settings()
    for warning in settings.warnings if settings.reviewers else settings.ignored:
        sys.stderr.write(f"foureyes: {warning}\n")
    return _Roster(
        reviewers=settings.reviewers or BUILT_IN,
        limits=settings.limits,
        budget=settings.budget,
        agent=settings.agent.account(os.environ),
        remark="" if settings.reviewers else _UNCONFIGURED,
    )


def _as_json(work: _Work, roster: _Roster) -> int:
    if roster.remark:
        sys.stderr.write(f"{roster.remark}\n")
    for part in written(work.replays(roster), lambda: work.sums):
        sys.stdout.write(part)
    return 1 if work.unread else 0


def _as_time_line(work: _Work, roster: _Roster) -> int:
    show = time_line(otherwise="ask for --json")
    if roster.remark:
        show.say(roster.remark)
    show.roster(roster.reviewers)
    fold = Fold(show, everything=work.everything)
    for replayed in work.replays(roster):
        fold.add(replayed)
    fold.end()
    if work.sums.runs > 1:
        show.blank()
        show.summary(work.sums)
    if fold.folded:
        show.blank()
        show.say(_FOLDED)
    return 1 if work.unread else 0
