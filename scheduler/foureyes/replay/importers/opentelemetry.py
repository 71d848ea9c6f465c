"""Traces of OpenTelemetry with the conventions for generative AI, as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from foureyes.replay.beside import Beside
from foureyes.replay.decoding import Entry
from foureyes.replay.importers.base import Importer, Run, never, wrong
from foureyes.replay.importers.genai_messages import conversation
from foureyes.replay.importers.genai_spans import Span, is_genai, spans
from foureyes.replay.recording import RecordingError

__all__ = ["OPENTELEMETRY"]

_MODEL = ("chat", "text_completion", "generate_content")
_AGENT = ("invoke_agent", "invoke_workflow", "create_agent")


def _is_record(value: object) -> bool:
    return any(is_genai(span) for span in spans(value))


def _log(entries: Sequence[Entry], beside: Beside) -> Iterator[Run | RecordingError]:
    found = [span for entry in entries for span in spans(entry.value)]
    runs = [(name, conversation(parts)) for name, parts in _grouped(found)]
    told = [(name, messages) for name, messages in runs if any(said.role == "assistant" for said in messages)]
    for name, messages in told:
        yield Run(messages=messages, id=name, narrates=True)
    if not told:
        yield wrong("spans without the content of messages; record them with the capture of content on", "")


def _grouped(found: Sequence[Span]) -> Iterator[tuple[str, list[Span]]]:
    # A conversation may go over several traces, and a trace may hold the conversations of several agents.
    known = {span.id: span for span in found if span.id}
    groups: dict[tuple[str, str], list[Span]] = {}
    for span in sorted(found, key=lambda one: one.start):
        talk = _inherited(span, known, "gen_ai.conversation.id") or span.trace
        groups.setdefault((talk, _inherited(span, known, "gen_ai.agent.name")), []).append(span)
    for (talk, _), parts in groups.items():
        yield talk, _telling(parts)


def _telling(parts: list[Span]) -> list[Span]:
    # What the span of an agent says, those of its model calls have said in more detail.
    if any(span.operation in _MODEL for span in parts):
        return [span for span in parts if span.operation not in _AGENT]
    return parts


def _inherited(span: Span, known: Mapping[str, Span], name: str) -> str:
    seen: set[str] = set()
    at: Span | None = span
    while at is not None and at.id not in seen:
        if isinstance(at.attributes.get(name), str):
            return str(at.attributes[name])
        seen.add(at.id)
        at = known.get(at.parent)
    return ""


def _no_run(entry: Entry, place: str, beside: Beside) -> Run:
    raise wrong("not a whole trace", place)


OPENTELEMETRY = Importer(
    format="OpenTelemetry GenAI spans",
    shapes='OTLP JSON ({"resourceSpans": [...]}) or one span a value, with gen_ai.input.messages and '
    "gen_ai.output.messages",
    is_run=never,
    is_record=_is_record,
    run=_no_run,
    log=_log,
)
"""Reads the conversations in traces: one for each conversation id, or trace, and agent.

A tool failed where its span has the status error or an ``error.type``. All spans of a file are in memory at once,
since those of one trace may stand anywhere in it.
"""
