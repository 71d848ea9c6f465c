"""The check for a call that was made with a placeholder in its arguments."""

from __future__ import annotations

import re

from foureyes.core.facts import Note, Review, ToolTrace
from foureyes.core.words import Severity
from foureyes_reviewers.checks.calls import calls_since_human, fingerprint, name_words
from foureyes_reviewers.checks.quoting import anchored, called
from foureyes_reviewers.checks.tool_errors import failed

__all__ = ["placeholder_call"]

_PLACEHOLDER = re.compile(
    r"\bYOUR[_ -][A-Z]{2,20}(?:[_ -][A-Z]{2,20}){0,4}\b|<(?:YOUR|your|INSERT|insert|REPLACE|replace)[ _-][^<>\n]{1,40}>"
    r"|\[(?:YOUR|your|INSERT|insert|REPLACE|replace)[ _-][^\[\]\n]{1,40}\]|<URL>|<FILE(?:NAME)?>|<PATH>"
    r"|/?path/to/(?:your|the)\b|\b(?:your|actual)[-_](?:api[-_]key|token|password|domain|username)\b"
    r"|\b\d{2,4}[.-]X{3,8}\b|\bREPLACE_?ME\b|\bCHANGE_?ME\b"
)
_TO_DO = re.compile(
    r"(?:#|//)[^\n]{0,80}\b(?:replace (?:\w+ ){0,4}with (?:the |your |an? )?(?:actual|correct|real|valid|own)"
    r"|placeholder (?:for|value|url|id|key|path)|insert (?:\w+ ){0,3}here)\b",
    re.IGNORECASE,
)
_WRITES = frozenset(
    ["append", "create", "draft", "edit", "insert", "patch", "replace", "save", "update", "upsert", "write"]
)
_WRITES_FILE = re.compile(
    r"<<-?\s?['\"]?\w+|\bcat\s*>|\btee\s|\becho\b[^\n]{0,200}>|\.env\.example|\bgrep\b|\bsed\b|\brg\b"
)


def placeholder_call(review: Review) -> tuple[Note, ...]:
    """Return a note for the newest call, if it was run with a placeholder where a real value belongs.

    The severity is concern. The key is ``placeholder-call:<tool>:<digest of the arguments>``.

    Good: a script that is run with key="YOUR_API_KEY"; download "<URL>"; arguments with the comment "# Replace with the
    actual id". Bad: a template that is written to a file; a search for the word; a call that the request gives itself.
    """
    calls = calls_since_human(review)[-max(1, review.turn - review.since) :]
    return tuple(note for trace in calls if (note := _judged(review, trace)) is not None)


def _judged(review: Review, trace: ToolTrace) -> Note | None:
    if not _WRITES.isdisjoint(name_words(trace)) or _WRITES_FILE.search(trace.arguments):
        return None
    found = _PLACEHOLDER.search(trace.arguments) or _TO_DO.search(trace.arguments)
    if found is None or trace.result is None or found[0] in review.request:
        return None
    quote = failed(trace)
    outcome = f'and failed with "{quote}"' if quote else "and what it gave cannot be relied on"
    return Note(
        text=(
            f"{called(trace)} was called with a placeholder, `{found[0].strip()[:80]}`, {outcome}. "
            "Find the real value first, or say that it is missing."
        ),
        severity=Severity.CONCERN,
        key=f"placeholder-call:{trace.name}:{fingerprint(trace)}",
        anchor=anchored(trace),
    )
