"""What the checks say about runs of which somebody knows how they ended.

Every check is asked after every turn and at every finish, without any cap (:class:`.witness.Witness`). A *flag* is a
concern or a blocker; a nit is none. It counts at any boundary or finish from the turn of the decisive step to the end
of the run, and in a run without such a label anywhere.

- A run is *good* if its reward is 1, whatever else is said of it.
- It is *failed* if its reward is below 1, or if it has a label and no reward.
- It is *labelled* if it failed and the turn is known at which it went wrong.

A run of which nobody knows how it ended is counted and belongs to no group. What somebody said about a run is used
here only, after the reviews: it never reaches a reviewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from math import isnan

import anyio

from foureyes.core.config import ReviewerLike
from foureyes.core.words import FAILURES, OutcomeKind, Severity, SkipReason
from foureyes.replay.checklist import USE, check_of, checks
from foureyes.replay.driver import replay
from foureyes.replay.recording import Recording
from foureyes.replay.run import ReplayedRun
from foureyes.replay.witness import Heard, Witness

__all__ = ["Group", "RunScore", "groups", "scored"]


class Group(StrEnum):
    """What is known of how a run ended."""

    LABELLED = "labelled"
    """Failed, and the decisive turn is known. Every labelled run is a failed one too."""
    FAILED = "failed"
    GOOD = "good"


@dataclass(frozen=True, slots=True, kw_only=True)
class RunScore:
    """What was said about one run: numbers and names, nothing of the run itself."""

    format: str
    """The format in which the run was recorded, as users call it."""
    groups: frozenset[Group]
    flagged: frozenset[str]
    """The checks with a flag that counts."""
    early: bool
    """Whether there was a flag before the decisive turn. It counts for nothing: the run had not gone wrong yet."""
    turns: int
    calls: Mapping[OutcomeKind, int]
    """Reviews by outcome."""
    skips: Mapping[SkipReason, int]
    notes: Mapping[tuple[str, Severity], int]
    """All notes, nits and early ones too, by check and severity."""
    error: str = ""
    """Why a review failed; empty where none did."""


def scored(recording: Recording, reviewer: ReviewerLike | None = None) -> RunScore:
    """Return what the reviewer says about the recording; None is the embedded one, with every check.

    Two scores of one recording are equal. Raises ConfigError where there is no such reviewer.
    """
    witness = Witness(USE, reviewer or checks())
    run = anyio.run(partial(replay, recording, (witness.config,)))
    return _score(recording, run, witness.heard)


def groups(recording: Recording) -> frozenset[Group]:
    """Return the groups to which the run belongs; none where nobody knows how it ended."""
    reward = recording.reward
    if reward is None or isnan(reward):
        return frozenset({Group.FAILED, Group.LABELLED}) if recording.decisive is not None else frozenset()
    if reward >= 1:
        return frozenset({Group.GOOD})
    return frozenset({Group.FAILED, Group.LABELLED} if recording.decisive is not None else {Group.FAILED})


def _score(recording: Recording, run: ReplayedRun, heard: list[Heard]) -> RunScore:
    belongs = groups(recording)
    first = recording.decisive if Group.LABELLED in belongs and recording.decisive else 1
    flags = [one for one in heard if one.note.severity.rank >= Severity.CONCERN.rank]
    errors = (call.error or call.outcome for step in run.steps for call in step.calls if call.outcome in FAILURES)
    return RunScore(
        format=recording.format,
        groups=belongs,
        flagged=frozenset(check_of(one.note) for one in flags if one.turn >= first),
        early=any(one.turn < first for one in flags),
        turns=len(run.steps),
        calls=Counter(_outcomes(run, frozenset(one.turn for one in heard))),
        skips=Counter(skip.reason for step in run.steps for skip in step.skips),
        notes=Counter((check_of(one.note), one.note.severity) for one in heard),
        error=next(errors, ""),
    )


def _outcomes(run: ReplayedRun, spoken: Collection[int]) -> Iterator[OutcomeKind]:
    # The session heard no notes, so to it every review was quiet.
    for step in run.steps:
        for call in step.calls:
            noted = step.turn in spoken and call.outcome is OutcomeKind.QUIET
            yield OutcomeKind.NOTED if noted else call.outcome
