"""A score as a page for people: the confusion picture, the table by check, and the curve."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from foureyes.replay.checklist import USE, Listed
from foureyes.replay.columns import bar, columns
from foureyes.replay.page import Page
from foureyes.replay.phrases import count
from foureyes.replay.score import Rung, Score
from foureyes.replay.score_phrases import CADENCE, percent, rated
from foureyes.replay.scoring import Group
from foureyes.replay.visible import visible
from foureyes.replay.wilson import Rate

__all__ = ["ScorePage"]

_INDENT = len("failures") + 2
_NARROW, _WIDE = 10, 40
"""Columns inside a field of the picture, at least and at most."""
_BESIDE = 20
"""Columns of the picture that are no field: the groups' names and all lines."""
_SHORT = 12
"""Columns of a bar on the curve."""
_ROWS = {
    Group.LABELLED: ("labelled", "hit", "missed"),
    Group.FAILED: ("all failed", "hit", "missed"),
    Group.GOOD: ("good", "false alarm", "quiet"),
}
_STYLES = {"hit": "green", "missed": "yellow", "false alarm": "red", "quiet": "green"}


class ScorePage:
    """Writes a score to one console."""

    def __init__(self, out: Console) -> None:
        self._out, self._page = out, Page(out, _INDENT)
        self._cell = min(max((out.width - _BESIDE) // 2, _NARROW), _WIDE)
        self._full, self._light = ("#", "=") if out.options.ascii_only else ("█", "░")

    def roster(self, listed: Sequence[Listed]) -> None:
        """Write who reviewed, and how often: the same for every score."""
        self._page.row("roster", f"{USE}: {CADENCE}")
        self._page.row("checks", ", ".join(check.name for check in listed) or "not listed by the reviewer")
        self._page.blank()

    def score(self, score: Score, *, unread: int, left_out: int, seconds: float) -> None:
        """Write the score: how the runs ended and who was flagged, check by check, then what was counted."""
        if not score.runs:
            self._page.heading("no runs to score")
            return
        self._picture(score)
        if len(score.formats) > 1:
            self._formats(score)
        self._table(score)
        self._curve(score.curve(), _hits(score))
        self._counts(score, unread, left_out, seconds)

    def _picture(self, score: Score) -> None:
        self._page.heading(f"{count(score.runs, 'run')}: a flag is a concern or a blocker")
        table = Table(box=box.SQUARE, show_lines=True, show_header=True)
        table.add_column("", no_wrap=True)
        for title in ("flagged", "silent"):
            table.add_column(title, min_width=self._cell, overflow="fold")  # a narrow terminal cuts no number
        for group, (name, yes, no) in _ROWS.items():
            rate = score.flagged(group)
            if rate.of:
                silent = Rate(hits=rate.of - rate.hits, of=rate.of)
                table.add_row(Text(f"{name}\n{rate.of:,}"), self._field(yes, rate), self._field(no, silent))
        if table.row_count:
            self._out.print(table)
        if score.flagged(Group.LABELLED).of:
            self._page.row("labelled", "failed with a known decisive turn; only flags from that turn on count")
        if score.early:
            self._page.row("", f"{count(score.early, 'labelled run')} flagged before it, which counts for nothing")
        if score.unjudged:
            self._page.row("unjudged", f"{count(score.unjudged, 'run')} of which nobody knows how it ended")
        self._page.blank()

    def _field(self, word: str, rate: Rate) -> Text:
        number = f" {rate.hits:,}".rjust(self._cell - len(word))
        drawn = bar(rate.share or 0.0, self._cell, full=self._full)
        return Text.assemble(word, number, "\n", (drawn, _STYLES[word]), "\n", rated(rate))

    def _formats(self, score: Score) -> None:
        self._page.heading("flagged runs by format")
        head = ["format", *(names[0] for names in _ROWS.values())]
        rows = [
            [name or "unknown", *(_of(score.flagged(group, format_=name)) for group in _ROWS)] for name in score.formats
        ]
        self._lines(columns([_dim(head), *rows], right=frozenset({1, 2, 3})))
        self._page.blank()

    def _table(self, score: Score) -> None:
        hits = _hits(score)
        self._page.heading("flagged runs by check, with 95 % intervals")
        head = ["check", _ROWS[hits][0], "hit rate", "good", "false-alarm rate"]
        body = [
            [check, *_counted(score.flagged(hits, (check,))), *_counted(score.flagged(Group.GOOD, (check,)))]
            for check in score.checks
        ]
        total = ["all together", *_counted(score.flagged(hits)), *_counted(score.flagged(Group.GOOD))]
        self._lines(columns([_dim(head), *body, total], right=frozenset({1, 3})))
        self._page.blank()

    def _curve(self, rungs: Sequence[Rung], hits: Group) -> None:
        self._page.heading("the curve: checks added in the order of their precision")
        head = [*_dim(["check", "precision", _ROWS[hits][0], "", "good", ""])]
        if rungs:
            self._lines(columns([head, *(self._rung(rung, hits, rung is rungs[0]) for rung in rungs)], right=_NUMBERS))
        else:
            self._page.row("", "no check flagged a run of which the end is known")
        self._page.blank()

    def _rung(self, rung: Rung, hits: Group, first: bool) -> list[Text | str]:
        hit, alarm = rung.flagged[hits].share or 0.0, rung.flagged[Group.GOOD].share or 0.0
        return [
            rung.check if first else f"+ {rung.check}",
            percent(rung.precision.share),
            percent(rung.flagged[hits].share),
            Text(bar(hit, _SHORT, full=self._full).ljust(_SHORT), style="green"),
            percent(rung.flagged[Group.GOOD].share),
            Text(bar(alarm, _SHORT, full=self._light), style="red"),
        ]

    def _counts(self, score: Score, unread: int, left_out: int, seconds: float) -> None:
        outcomes = _listed(sorted(score.calls.items()))
        self._page.row("calls", f"{score.calls.total():,} at {count(score.turns, 'turn')}{outcomes}")
        self._page.row("skips", f"{score.skips.total():,}{_listed(sorted(score.skips.items()))}")
        self._page.row("notes", f"{score.notes.total():,}{_listed(score.severities.items())}")
        if score.failures:
            self._page.row("failures", f"{count(score.failures, 'review')} failed: {visible(score.error)}", "red")
        self._page.row("unread", f"{count(unread, 'error')}, {count(left_out, 'file')} of other kinds left out")
        self._page.row("took", f"{seconds:.1f} s")

    def _lines(self, lines: Iterable[Text]) -> None:
        for line in lines:
            self._out.print(line, soft_wrap=True)


_NUMBERS = frozenset({1, 2, 4})


def _hits(score: Score) -> Group:
    return Group.LABELLED if score.flagged(Group.LABELLED).of else Group.FAILED


def _of(rate: Rate) -> str:
    return f"{rate.hits:,} of {rate.of:,}" if rate.of else "-"


def _counted(rate: Rate) -> Iterator[str]:
    yield f"{rate.hits:,}" if rate.of else "-"
    yield rated(rate)


def _dim(texts: Sequence[str]) -> list[Text]:
    return [Text(text, style="dim") for text in texts]


def _listed(counts: Iterable[tuple[str, int]]) -> str:
    parts = [f"{number:,} {name}" for name, number in counts]
    return f": {', '.join(parts)}" if parts else ""
