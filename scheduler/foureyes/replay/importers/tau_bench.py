"""Results of tau-bench and of AgentRx: chat messages under ``traj``, with a reward, and perhaps labels beside them."""

from __future__ import annotations

from dataclasses import replace

from foureyes.core.facts import Message
from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Importer, Run, mapping, never, number
from foureyes.replay.importers.conversation import raw_messages, read_log, read_messages

__all__ = ["TAU_BENCH"]


def _is_run(value: object) -> bool:
    found = mapping(value)
    return "task_id" in found and "reward" in found and bool(raw_messages({"traj": found.get("traj")}))


def _run(entry: Entry, place: str, beside: Beside) -> Run:
    value = mapping(entry.value)
    task, trial = str(value["task_id"]), value.get("trial")
    messages = read_messages(raw_messages({"traj": value["traj"]}), f"{place}, message " if place else "message ")
    return Run(
        messages=tuple(map(_flagged, messages)),
        id=task if trial is None else f"{task}, trial {trial}",
        reward=number(value["reward"]),
        decisive=beside.decisive(task),
    )


def _flagged(said: Message) -> Message:
    # What a tool raised reaches the agent as a text with this beginning: the benchmark's own sign of a failure.
    failed = said.role == "tool" and said.text.startswith("Error:")
    return replace(said, error=True) if failed else said


TAU_BENCH = Importer(
    format="tau-bench or AgentRx results",
    shapes='[{"task_id": 1, "reward": 0.0, "traj": [{"role": ..., "content": ...}, ...]}, ...], '
    "labels of AgentRx in labels.json beside the file",
    is_run=_is_run,
    is_record=never,
    run=_run,
    log=read_log,
)
"""Reads results with their reward. A label counts messages of ``traj`` from 0."""
