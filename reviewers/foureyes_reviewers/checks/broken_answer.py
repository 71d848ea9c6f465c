"""The check for an answer that was given because the run broke off."""

from __future__ import annotations

import re

from foureyes.core.facts import Note, Review
from foureyes.core.words import Severity, Trigger
from foureyes_reviewers.checks.quoting import one_line
from foureyes_reviewers.checks.speech import newest_said, place_key

__all__ = ["broken_answer"]

_TRACEBACK = re.compile(r"^[ \t]*Traceback \(most recent call last\):", re.MULTILINE)
_FRAMES = re.compile(r'^[ \t]+File "[^"\n]{1,300}", line \d{1,9}, in ', re.MULTILINE)
_LIMIT = re.compile(
    r"^\W*(?:the |a |error: )?(?:max(?:imum)?(?: number of| allowed)? )?"
    r"(?:agent |conversation |execution |tool |model )?"
    r"(?:rounds?|turns?|steps?|iterations?|attempts?|retries|tokens?|context|time|budget|calls?|recursion)"
    r"(?: limit)?(?: of)? ?(?:\(?\d{1,9} ?\w{0,10}\)?)? ?(?:was |were |has been |have been )?"
    r"(?:reached|exceeded|exhausted|hit)\b"
    r"|^\W*agent stopped due to (?:iteration|time|max)",
    re.IGNORECASE,
)
_MAX_FRAMES = 3
"""Frames of a stack that are no longer a quotation of an error but the error itself."""
_ASKED = re.compile(r"traceback|stack ?trace|exception|error message|debug", re.IGNORECASE)


def broken_answer(review: Review) -> tuple[Note, ...]:
    """Return a note where the answer is, or begins with, the report of a crash or of a limit that ended the run.

    The severity is concern. The key is ``broken-answer:<digest of the speaker and the report>``.

    Good: an answer that begins "Max rounds (30) reached." and still names a result; an answer with the stack of an
    exception in it. Bad: an answer that quotes the one line of an error; a request that asks about a traceback.
    """
    if review.trigger is not Trigger.FINISH or review.answer is None or _ASKED.search(review.request):
        return ()
    said = next((said for said in newest_said(review) if said.final), None)
    report = _report(review.answer) if said is not None else None
    if said is None or report is None:
        return ()
    return (
        Note(
            text=(
                f'The run broke off, "{one_line(report)}", and an answer was given all the same. '
                "Nothing shows that the work was done: finish it, or say that there is no result."
            ),
            severity=Severity.CONCERN,
            key=place_key("broken-answer", said, report),
            anchor=said.anchor,
        ),
    )


def _report(answer: str) -> str | None:
    limit = next((line for line in answer.splitlines()[:8] if _LIMIT.search(line[:300])), None)
    if limit is not None:
        return limit
    if "```" not in answer and len(_FRAMES.findall(answer)) >= _MAX_FRAMES:
        return "Traceback"
    return "Traceback" if "```" not in answer and _TRACEBACK.search(answer) and _FRAMES.search(answer) else None
