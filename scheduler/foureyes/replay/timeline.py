"""A replayed run as a time line to read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import TypeVar

from rich.console import Console

from foureyes.core.config import ReviewerConfig
from foureyes.core.guard import Judged
from foureyes.core.state import NoteRecord
from foureyes.core.words import FAILURES, FinishResult, OutcomeKind, Severity
from foureyes.replay import phrases
from foureyes.replay.fates import alike, fate, strongest, weight
from foureyes.replay.page import Page
from foureyes.replay.run import Consulted, ReplayedRun, Step, Totals
from foureyes.replay.spans import Span, spans
from foureyes.replay.visible import cut, one_line

__all__ = ["TimeLine"]

_Word = TypeVar("_Word", bound=StrEnum)
_LABEL = len("reviewers")
"""Columns of the longest label that is always there."""
_MAX_REQUEST = 240
_MAX_NOTE = 240
_MAX_READ_NOTE = 60
"""Of a note that stands in the advisory below it, word for word."""
_RESULT_STYLES = {FinishResult.REOPENED: "yellow", FinishResult.CLEAN: "green"}
_STYLES = {Severity.BLOCKER: "bold red", Severity.CONCERN: "yellow", Severity.NIT: ""}


class TimeLine:
    """Writes replays to one console, in the order in which they are given."""

    def __init__(self, out: Console) -> None:
        self._out = out

    def say(self, text: str) -> None:
        """Write a remark of our own, wrapped at the width of the console."""
        Page(self._out, 0).row("", text)

    def blank(self) -> None:
        """Write an empty line."""
        Page(self._out, 0).blank()

    def roster(self, reviewers: Sequence[ReviewerConfig]) -> None:
        """Write who reviews, and how often."""
        page = Page(self._out, _LABEL + 2)
        rows = [
            f"{config.name} (uses {', then '.join(config.uses)}): {phrases.cadence(config)}" for config in reviewers
        ]
        _each(page, "reviewers", rows, "")
        page.blank()

    def run(self, run: ReplayedRun) -> None:
        """Write one run: what was read, every turn that mattered, and the counters."""
        rows = spans(run.steps)
        page = Page(self._out, max([len(row.label) for row in rows] + [_LABEL]) + 2)
        page.heading(f"{run.name}: {phrases.count(len(run.steps), 'turn')}, {phrases.count(run.messages, 'message')}")
        if not rows:
            page.row("", "the agent never spoke, so there was nothing to review")
        for row in rows:
            _span(page, row)
        page.blank()
        _counters(page, run.totals)

    def quiet(self, first: str, last: str, sums: Totals) -> None:
        """Write one line for runs in which nobody had anything to say, from the first to the last."""
        named = first if sums.runs == 1 else f"{first} to {last}: {phrases.count(sums.runs, 'run')}"
        turns, reviews = phrases.count(sums.turns, "turn"), phrases.count(sum(sums.calls.values()), "review")
        Page(self._out, _LABEL + 2).row("quiet", f"{named}, {turns}, {reviews} without a note", "dim")

    def summary(self, sums: Totals) -> None:
        """Write the sums over several runs."""
        page = Page(self._out, _LABEL + 2)
        page.heading(f"all {phrases.count(sums.runs, 'run')}")
        _counters(page, sums)


def _span(page: Page, span: Span) -> None:
    step = span.first
    if step.request is not None:
        page.blank()
        page.row("human", f'"{cut(one_line(step.request), _MAX_REQUEST)}"')
    if step.quiet:
        page.row(span.label, "nobody due", "dim")
    elif _uneventful(step):
        page.row(span.label, f"{_quietly(step)}, after {one_line(step.did)}", "dim")
    elif _accepted(step):
        page.row(span.label, one_line(step.did))
        page.row("", f"{_quietly(step)}: {step.result}, verdict {step.verdict}", "dim")
    elif span.first is span.last:
        _step(page, span.label, step)
    else:
        _each(page, span.label, [f"{skip.reviewer} {phrases.skip(skip)}" for skip in step.skips], "dim")


def _uneventful(step: Step) -> bool:
    said_nothing = all(call.outcome is OutcomeKind.QUIET for call in step.calls)
    return said_nothing and not (step.finish or step.skips or step.notes or step.advisory or step.unsent)


def _accepted(step: Step) -> bool:
    return step.result is FinishResult.CLEAN and bool(step.calls) and _uneventful(replace(step, finish=False))


def _quietly(step: Step) -> str:
    return ", ".join(f"{call.reviewer} {call.outcome} in {call.seconds:.3f} s" for call in step.calls)


def _step(page: Page, label: str, step: Step) -> None:
    page.row(label, one_line(step.did))
    for call in step.calls:
        page.row("", f"{call.reviewer} {phrases.outcome(call)}", _weight(call))
        if lost := phrases.unread(call):
            page.row("", lost, "yellow", depth=2)
        _notes(page, [note for note in step.notes if note.reviewer == call.reviewer], step)
    called = {call.reviewer for call in step.calls}
    _notes(page, [note for note in step.notes if note.reviewer not in called], step)
    _each(page, "", [f"{skip.reviewer} {phrases.skip(skip)}" for skip in step.skips], "dim")
    if step.advisory is not None:
        page.row("", "the agent would have read:")
        page.quote(step.advisory)
    if step.result is not None:
        page.row("", phrases.result(step.result, step.verdict), _RESULT_STYLES.get(step.result, ""))
    _each(page, "", [_unsent(note) for note in step.unsent], "")


def _each(page: Page, label: str, texts: Sequence[str], style: str) -> None:
    for text in texts:
        page.row(label, text, style)
        label = ""


def _weight(call: Consulted) -> str:
    return "yellow" if call.outcome in FAILURES else ""


def _notes(page: Page, notes: Sequence[Judged], step: Step) -> None:
    read = {note.id for note in step.sent}
    for row in alike(notes):
        text = cut(one_line(row[0].note.text), _MAX_READ_NOTE if row[0].record in read else _MAX_NOTE)
        such_as = ", such as" if len({note.note.text for note in row}) > 1 else ""
        page.row("", f"{weight(row)}, {fate(row)}{such_as}: {text}", _STYLES[strongest(row)], depth=2)


def _unsent(note: NoteRecord) -> str:
    return f"not read by the agent: {note.id}, {note.severity}: {cut(one_line(note.text), _MAX_NOTE)}"


def _counters(page: Page, sums: Totals) -> None:
    page.row("in all", f"{phrases.count(sums.turns, 'turn')} in {phrases.count(sums.requests, 'request')}")
    page.row("answers", _sums(sums.finishes))
    page.row("reviews", _sums(sums.calls))
    page.row("skips", _sums(sums.skips))
    page.row("notes", _sums(sums.notes))
    page.row("to agent", f"{phrases.count(sums.sent, 'note')}, at {phrases.count(sums.addressed, 'turn')}")
    if used := phrases.spent(sums.spent):
        page.row("spent", used)


def _sums(parts: Mapping[_Word, int]) -> str:
    listed = ", ".join(f"{number:,} {name}" for name, number in parts.items())
    return f"{sum(parts.values()):,}{f': {listed}' if listed else ''}"
