"""Pieces of a text that are to go, and the text without them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

__all__ = ["MARK", "Span", "marker", "replaced"]

MARK = "[redacted:"
"""How every marker begins."""


class Span(NamedTuple):
    """A piece of a text that is secret."""

    start: int
    """Where it begins."""
    end: int
    """Where what follows begins; above ``start``."""
    kind: str
    """What the marker calls it."""


def marker(kind: str) -> str:
    """Return what stands in place of a secret."""
    return f"{MARK} {kind}]"


def replaced(text: str, spans: Iterable[Span]) -> str:
    """Return the text with one marker in place of each piece; pieces that overlap are one, of the longest one's kind.

    Of two that are as long, the one given first says the kind.
    """
    kept: list[str] = []
    place = 0
    for span in _joined(sorted(spans, key=lambda span: span.start)):
        kept += [text[place : span.start], marker(span.kind)]
        place = span.end
    return "".join((*kept, text[place:])) if kept else text


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    group: list[Span] = []
    end = 0
    for span in spans:
        if group and span.start >= end:
            yield _one(group, end)
            group = []
        group.append(span)
        end = max(end, span.end)
    if group:
        yield _one(group, end)


def _one(group: list[Span], end: int) -> Span:
    return Span(group[0].start, end, max(group, key=lambda span: span.end - span.start).kind)
