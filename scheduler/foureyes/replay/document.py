"""A replay as plain JSON values, for programs."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from textwrap import indent

from foureyes.core.facts import NO_USAGE, Usage
from foureyes.core.guard import Judged
from foureyes.core.state import NoteRecord, Skipped
from foureyes.replay.run import Consulted, ReplayedRun, Step, Totals, totals

__all__ = ["document", "written"]


def document(runs: Sequence[ReplayedRun]) -> dict[str, object]:
    """Return ``{"runs": […], "totals": {…}}``, made of dicts, lists and scalars.

    Every step is there, quiet ones too, and every step has every key; what does not apply is null or empty. ``spent``
    has a reviewer only if it reported what it used, and a ``cost_usd`` of null is unknown, not nothing.
    """
    return {"runs": [_run(run) for run in runs], "totals": _totals(totals(runs))}


def written(runs: Iterable[ReplayedRun], sums: Callable[[], Totals]) -> Iterator[str]:
    """Yield the same document as JSON text, part by part as the runs come, so that none of them has to be kept.

    ``sums`` is asked for the totals after the last run. A JSON reader sees no difference to :func:`document`.
    """
    yield '{\n  "runs": ['
    end = "]"
    for number, run in enumerate(runs):
        yield f"{',' if number else ''}\n{_indented(_run(run), 4)}"
        end = "\n  ]"
    yield f'{end},\n  "totals": {_indented(_totals(sums()), 2).lstrip()}\n}}\n'


def _indented(value: object, columns: int) -> str:
    return indent(json.dumps(value, indent=2), " " * columns)


def _run(run: ReplayedRun) -> dict[str, object]:
    return {
        "name": run.name,
        "source": run.source,
        "messages": run.messages,
        "steps": [_step(step) for step in run.steps],
        "totals": _totals(run.totals),
    }


def _step(step: Step) -> dict[str, object]:
    return {
        "turn": step.turn,
        "kind": "finish" if step.finish else "boundary",
        "did": step.did,
        "request": step.request,
        "calls": [_call(call) for call in step.calls],
        "skips": [_skip(skip) for skip in step.skips],
        "notes": [_note(note) for note in step.notes],
        "advisory": step.advisory,
        "sent": [note.id for note in step.sent],
        "result": step.result,
        "verdict": step.verdict,
        "unsent": [_record(note) for note in step.unsent],
    }


def _call(call: Consulted) -> dict[str, object]:
    return {
        "reviewer": call.reviewer,
        "trigger": call.trigger,
        "outcome": call.outcome,
        "seconds": round(call.seconds, 6),
        "attempts": call.attempts,
        "error": call.error,
        "malformed": call.malformed,
        "unknown_severities": call.unknown_severities,
        "usage": None if call.usage == NO_USAGE else _usage(call.usage),
    }


def _skip(skip: Skipped) -> dict[str, object]:
    return {
        "reviewer": skip.reviewer,
        "trigger": skip.trigger,
        "reason": skip.reason,
        "have": skip.have,
        "limit": skip.limit,
    }


def _note(judged: Judged) -> dict[str, object]:
    return {
        "reviewer": judged.reviewer,
        "severity": judged.severity,
        "disposition": judged.disposition,
        "explanation": judged.explain(),
        "text": judged.note.text,
        "key": judged.note.key,
        "id": judged.record or judged.matched,
        "matched": judged.matched,
        "likeness": judged.likeness,
        "overlap": None if judged.overlap is None else round(judged.overlap, 3),
        "answer": judged.answer,
    }


def _record(note: NoteRecord) -> dict[str, object]:
    return {"id": note.id, "reviewers": list(note.reviewers), "severity": note.severity, "text": note.text}


def _totals(sums: Totals) -> dict[str, object]:
    return {
        "runs": sums.runs,
        "turns": sums.turns,
        "requests": sums.requests,
        "calls": dict(sums.calls),
        "skips": dict(sums.skips),
        "notes": dict(sums.notes),
        "sent": sums.sent,
        "addressed": sums.addressed,
        "finishes": dict(sums.finishes),
        "spent": {reviewer: _usage(used) for reviewer, used in sums.spent.items()},
    }


def _usage(used: Usage) -> dict[str, object]:
    return {
        "input_tokens": used.input_tokens,
        "cached_tokens": used.cached_tokens,
        "output_tokens": used.output_tokens,
        "cost_usd": used.cost_usd,
    }
