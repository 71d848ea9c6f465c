"""Spans of OpenTelemetry, as OTLP writes them and as the console exporter does."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from foureyes.replay.importers.base import mapping, string

__all__ = ["Span", "is_genai", "is_span", "json_value", "spans"]

_ERRORS = (2, "STATUS_CODE_ERROR", "ERROR")


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """One span, whoever wrote it."""

    trace: str
    id: str
    parent: str
    start: str
    """When it began, as text that sorts by time."""
    attributes: Mapping[str, object]
    events: tuple[tuple[str, Mapping[str, object]], ...]
    """The names and attributes of its events, in order."""
    failed: bool
    """Whether its status is an error, or it has an error's type."""

    @property
    def operation(self) -> str:
        """Return what it is a span of: ``chat``, ``execute_tool`` and so on; "" where it does not say."""
        return string(self.attributes.get("gen_ai.operation.name"))


def is_span(value: object) -> bool:
    """Tell whether the value is one span, in either way of writing it."""
    found = mapping(value)
    return "attributes" in found and ("traceId" in found or "trace_id" in _context(found))


def is_genai(span: Span) -> bool:
    """Tell whether the conventions for generative AI apply to the span."""
    return any(name.startswith("gen_ai.") for name in (*span.attributes, *(name for name, _ in span.events)))


def spans(value: object) -> Iterator[Span]:
    """Yield the spans in a value: an export of OTLP, or one span. None in any other value."""
    if is_span(value):
        yield _span(mapping(value))
    for resource in _list(mapping(value), "resourceSpans", "resource_spans"):
        for scope in _list(mapping(resource), "scopeSpans", "scope_spans", "instrumentationLibrarySpans"):
            yield from (_span(mapping(raw)) for raw in _list(mapping(scope), "spans") if isinstance(raw, dict))


def json_value(value: object) -> object:
    """Return an attribute that holds structure: as it is, or decoded where it was written as text."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _span(raw: Mapping[str, object]) -> Span:
    attributes = _attributes(raw.get("attributes"))
    context = _context(raw)
    status = mapping(raw.get("status"))
    return Span(
        trace=string(raw.get("traceId")) or string(context.get("trace_id")),
        id=string(raw.get("spanId")) or string(context.get("span_id")),
        parent=string(raw.get("parentSpanId")) or string(raw.get("parent_id")) or string(raw.get("parent_span_id")),
        start=_start(raw),
        attributes=attributes,
        events=tuple(_event(mapping(event)) for event in _list(raw, "events")),
        failed=status.get("code", status.get("status_code")) in _ERRORS or "error.type" in attributes,
    )


def _context(raw: Mapping[str, object]) -> Mapping[str, object]:
    return mapping(raw.get("context")) or raw


def _start(raw: Mapping[str, object]) -> str:
    # Nanoseconds since 1970, as text or number, have 19 digits until the year 2286; the other form is ISO 8601.
    found = raw.get("startTimeUnixNano", raw.get("start_time", raw.get("start_time_unix_nano")))
    return f"{found:020d}" if isinstance(found, int) else string(found).rjust(20, "0")


def _event(raw: Mapping[str, object]) -> tuple[str, Mapping[str, object]]:
    return string(raw.get("name")), _attributes(raw.get("attributes"))


def _attributes(raw: object) -> Mapping[str, object]:
    if isinstance(raw, dict):
        return raw
    pairs = (mapping(pair) for pair in (raw if isinstance(raw, list) else []))
    return {string(pair.get("key")): _plain(pair.get("value")) for pair in pairs}


def _plain(value: object) -> object:
    """Return a value of OTLP, which names its type, as the value itself."""
    found = mapping(value)
    if "kvlistValue" in found:
        return _attributes(mapping(found["kvlistValue"]).get("values"))
    if "arrayValue" in found:
        return [_plain(item) for item in _list(mapping(found["arrayValue"]), "values")]
    return next(iter(found.values()), None)


def _list(raw: Mapping[str, object], *names: str) -> list[object]:
    found = next((raw[name] for name in names if isinstance(raw.get(name), list)), None)
    return found if isinstance(found, list) else []
