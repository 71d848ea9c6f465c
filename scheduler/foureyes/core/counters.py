"""What counts a note rather than belonging to its finding: "third reminder", "(7)", "FINAL WARNING", "as I said".

A reviewer in a loop writes one finding forty times and numbers it. Words that plainly count the note are removed
before two notes are compared; numbers of the finding ("row 3", "third argument", "HTTP 429") never are.
"""

from __future__ import annotations

import re

from foureyes.core.similarity import folded

__all__ = ["cut_short", "series", "uncounted"]

_LEAD = re.compile(
    r"^[\s(\[*_#>]*(?:(?:final|ultimate|absolute|maximum|and|last|again|reminder|notice|warning|repeat|time|times|now"
    r"|first|second|third|fourth|fifth|#?\d+(?:st|nd|rd|th)?)[\s,-]*)+[:)\]!]+\s*",
    re.IGNORECASE,
)
_SERIES = re.compile(r"[a-z]{1,3}|[0-9]+")


def uncounted(text: str) -> str:
    """Return the folded text without what counts the note itself.

    Give the text as written where there is one: a colon, a bracket or a line end is what tells "Third reminder: the
    invoice is late" from "Third reminder e-mail is late". A fold is accepted too, and the result is one; doing it
    twice changes nothing. It is empty only where nothing of a finding was there.
    """
    return folded(_LEAD.sub("", text)) or folded(text)


def series(fold: str) -> bool:
    """Tell whether a folded text is nothing but a place in a series: "ajb", "xlvi", "12", "forty five"."""
    return _SERIES.fullmatch(fold) is not None


def cut_short(fold: str, earlier: str) -> bool:
    """Tell whether a folded text is the beginning of an earlier one, cut between words, and says nothing else."""
    return len(fold) < len(earlier) and earlier.startswith(fold + " ")
