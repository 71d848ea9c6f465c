"""``foureyes replay --score``: how often the checks flag runs that failed, and runs that did not."""

from __future__ import annotations

import json
import sys
import time
from argparse import Namespace
from collections.abc import Callable, Iterable

from foureyes.commands.unlogged import unlogged
from foureyes.replay.checklist import checklist, checks
from foureyes.replay.pool import in_order
from foureyes.replay.progress import progress
from foureyes.replay.reading import recordings
from foureyes.replay.recording import LeftOut, RecordingError
from foureyes.replay.score import Score
from foureyes.replay.score_document import document
from foureyes.replay.score_markdown import table
from foureyes.replay.scoring import scored
from foureyes.replay.screen import score_page

__all__ = ["HELP", "run"]


HELP = (
    "ask every check of the built-in reviewer, whatever is configured: how many failed runs does it flag from the "
    "decisive step on, and how many good ones (reward 1)?"
)
"""What a score is, for the command's help."""


def run(args: Namespace) -> int:
    """Score every run in the files, and write the score to standard output.

    Returns 0 if everything could be read and every review was made, else 1; the score is then that of the others.
    Standard error has one line for each file or record that could not be read, at most four for a file, and one for
    all failed reviews.
    """
    show = _shown(args)
    work = _Work(args)
    work.do()
    show(work)
    if work.score.failures:
        sys.stderr.write(f"foureyes: {work.score.failures:,} reviews failed, the first with: {work.score.error}\n")
    return 1 if work.unread or work.score.failures else 0


class _Work:
    """The scoring that was asked for; what cannot be read is told of when its turn comes, and counted."""

    def __init__(self, args: Namespace) -> None:
        self._paths: list[str] = args.runs
        self._jobs: int | None = args.jobs
        self.score = Score(checks=tuple(check.name for check in checklist()))
        self.unread = 0
        self.left_out = 0
        self.seconds = 0.0
        """Wall time of reading and scoring."""

    def do(self) -> None:
        began = time.perf_counter()
        with unlogged(), progress(self._paths) as meter:
            for item in in_order(recordings(self._paths, read=meter.read), scored, jobs=self._jobs):
                if isinstance(item, tuple):
                    self.score.add(item[1])
                    meter.done()
                else:
                    self._tell(item)
        self.seconds = time.perf_counter() - began

    def _tell(self, item: RecordingError | LeftOut) -> None:
        if isinstance(item, LeftOut):
            self.left_out += item.files
        else:
            self.unread += 1
        sys.stderr.write(f"foureyes: {item}\n")


def _shown(args: Namespace) -> Callable[[_Work], None]:
    # Asked for before the work: that rich is missing, or there is no reviewer, is better known at once.
    checks()
    if args.json:
        return _as_json
    if args.markdown:
        return lambda work: _write(table(work.score))
    page = score_page(otherwise="ask for --json or --markdown")
    page.roster(checklist())
    return lambda work: page.score(work.score, unread=work.unread, left_out=work.left_out, seconds=work.seconds)


def _as_json(work: _Work) -> None:
    value = document(work.score, checklist(), unread=work.unread, left_out=work.left_out, seconds=work.seconds)
    _write([json.dumps(value, indent=2)])


def _write(lines: Iterable[str]) -> None:
    for line in lines:
        sys.stdout.write(f"{line}\n")
