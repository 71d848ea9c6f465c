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

    Nothing in it differs from one time to the next.
    """
    yield f"| check | {_head(score, Group.LABELLED)} | {_head(score, Group.FAILED)} | {_head(score, Group.GOOD)} |"
    yield "| --- | --- | --- | --- |"
    for check in score.checks:
        yield f"| `{check}` | {' | '.join(_cell(score.flagged(group, (check,))) for group in Group)} |"
    yield f"| all together | {' | '.join(_cell(score.flagged(group)) for group in Group)} |"


def _head(score: Score, group: Group) -> str:
    name = {Group.LABELLED: "labelled failed", Group.FAILED: "all failed", Group.GOOD: "good"}[group]
    return f"flagged of {score.flagged(group).of:,} {name} runs"


def _cell(rate: Rate) -> str:
    return f"{rate.hits:,}: {rated(rate)}" if rate.of else "-"
