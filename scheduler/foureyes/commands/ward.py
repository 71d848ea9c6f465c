"""What ``foureyes doctor`` found, as a page for people; nothing on it depends on colour."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from math import ceil, isfinite

from foureyes.commands.examination import Finding
from foureyes.core.facts import Outcome
from foureyes.core.words import OutcomeKind
from foureyes.replay.page import Page, console

__all__ = ["show"]

_WORDS = {
    OutcomeKind.UNPARSED: "answered, but not in a form that can be read",
    OutcomeKind.RATE_LIMITED: "is asked to slow down by its provider",
    OutcomeKind.QUOTA_EXHAUSTED: "has no credit left with its provider",
    OutcomeKind.REFUSED: "declined",
    OutcomeKind.OVERFLOW: "cannot read so much, however little it was",
}
_SAID = {
    OutcomeKind.RATE_LIMITED: "slow down",
    OutcomeKind.QUOTA_EXHAUSTED: "used up",
    OutcomeKind.REFUSED: "declined",
    OutcomeKind.OVERFLOW: "does not fit",
}
"""Words of an error that says it all by itself."""
_LABEL = "warning"


def show(findings: Sequence[Finding], warnings: Iterable[str]) -> None:
    """Write the findings to standard output, reviewer by reviewer, and then what the settings warn of."""
    page = Page(console(), max((*(len(finding.use) + 4 for finding in findings), len(_LABEL) + 2)))
    for reviewer, found in groupby(findings, key=lambda finding: finding.reviewer):
        page.heading(f"reviewer {reviewer}")
        for finding in found:
            page.row(f"  {finding.use}", _said(finding))
        page.blank()
    for warning in warnings:
        page.row(_LABEL, warning)
    page.heading(_summary(findings))


def _said(finding: Finding) -> str:
    where = f" at {finding.to}" if finding.to else ""
    if not finding.enabled:
        return finding.error
    if finding.outcome is None:
        return f"unwell{where}: {finding.error}"
    if finding.well:
        return f"well{where}: answered in {finding.outcome.seconds:.2f} s{_used(finding.outcome)}"
    return f"unwell{where}: {_ill(finding.outcome, finding.error)}"


def _ill(outcome: Outcome, error: str) -> str:
    what, seconds = _WORDS.get(outcome.kind, ""), outcome.pause_seconds
    if not error or not what:
        return error or what or "failed"
    if (said := _SAID.get(outcome.kind)) and said in error:
        return error
    time = f" for {ceil(seconds)} s" if seconds is not None and isfinite(seconds) else ""
    return f"{what}{time}: {error}"


def _used(outcome: Outcome) -> str:
    used = outcome.usage
    if not used.input_tokens and not used.output_tokens:
        return ""
    cost = "cost unknown" if used.cost_usd is None else f"{used.cost_usd:.6f} USD"
    return f", {used.input_tokens} + {used.output_tokens} tokens, {cost}"


def _summary(findings: Sequence[Finding]) -> str:
    if not findings:
        return "nobody to call: no reviewer is declared"
    called = [finding for finding in findings if finding.enabled]
    unwell = sum(not finding.well for finding in called)
    if not called:
        return "nobody to call: no reviewer is enabled"
    return f"{unwell} of {len(called)} unwell" if unwell else "all well"
