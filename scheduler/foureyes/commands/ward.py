"""What ``foureyes doctor`` found, as a page for people; nothing on it depends on colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from foureyes.commands.examination import Finding
from foureyes.core.facts import Outcome
from foureyes.core.words import OutcomeKind
from foureyes.replay.page import Page, console

__all__ = ["show"]

_WORDS = {
    OutcomeKind.TIMEOUT: "did not answer in time",
    OutcomeKind.UNPARSED: "answered, but not in a form that can be read",
    OutcomeKind.RATE_LIMITED: "is asked to slow down by its provider",
    OutcomeKind.QUOTA_EXHAUSTED: "has no credit left with its provider",
    OutcomeKind.REFUSED: "declined",
    OutcomeKind.OVERFLOW: "cannot read so much, however little it was",
}


def show(findings: Sequence[Finding], warnings: Iterable[str]) -> None:
    """Write the findings to standard output, reviewer by reviewer, and then what the settings warn of."""
    page = Page(console(), max((len(finding.use) for finding in findings), default=0) + 4)
    for reviewer, found in groupby(findings, key=lambda finding: finding.reviewer):
        page.heading(f"reviewer {reviewer}")
        for finding in found:
            page.row(f"  {finding.use}", _said(finding))
        page.blank()
    for warning in warnings:
        page.row("warning", warning)
    unwell = sum(not finding.well for finding in findings)
    page.heading(_summary(len(findings), unwell))


def _said(finding: Finding) -> str:
    where = f" at {finding.to}" if finding.to else ""
    if finding.outcome is None:
        return f"unwell{where}: {finding.error}"
    if finding.well:
        return f"well{where}: answered in {finding.outcome.seconds:.2f} s{_used(finding.outcome)}"
    what = _WORDS.get(finding.outcome.kind, "failed")
    return f"unwell{where}: {what}: {finding.error}" if finding.error else f"unwell{where}: {what}"


def _used(outcome: Outcome) -> str:
    used = outcome.usage
    if not used.input_tokens and not used.output_tokens:
        return ""
    cost = "cost unknown" if used.cost_usd is None else f"{used.cost_usd:.6f} USD"
    return f", {used.input_tokens} + {used.output_tokens} tokens, {cost}"


def _summary(number: int, unwell: int) -> str:
    if not number:
        return "nobody to call: no reviewer is declared"
    return f"{unwell} of {number} unwell" if unwell else "all well"
