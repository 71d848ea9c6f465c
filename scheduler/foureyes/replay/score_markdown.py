"""A score as a table in Markdown, for a README."""

from __future__ import annotations

from collections.abc import Iterator

from foureyes.replay.score import Score
from foureyes.replay.score_phrases import rated
from foureyes.replay.scoring import Group
from foureyes.replay.wilson import Rate

__all__ = ["table"]


def table(score: Score) -> Iterator[str]:
    """Yield the lines of the table: each check in its order, then all of them together.

    A group without a run has no column. Nothing in it differs from one time to the next.
    """
    groups = [group for group in Group if score.flagged(group).of]
    yield _row("check", *(_head(score, group) for group in groups))
    yield _row(*["---"] * (1 + len(groups)))
    for check in score.checks:
        yield _row(f"`{check}`", *(_cell(score.flagged(group, (check,))) for group in groups))
    yield _row("all together", *(_cell(score.flagged(group)) for group in groups))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _head(score: Score, group: Group) -> str:
    name = {Group.LABELLED: "labelled failed", Group.FAILED: "all failed", Group.GOOD: "good"}[group]
    return f"flagged of {score.flagged(group).of:,} {name} runs"


def _cell(rate: Rate) -> str:
    return f"{rate.hits:,}: {rated(rate)}"
