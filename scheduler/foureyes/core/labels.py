"""Labels: what stands before a colon or a dash at the head of a note, and names the note rather than its finding.

"Attempt 5:", "FYI:", "Security reviewer:". A row, a step or a turn before a colon belongs to the finding, and so does
whatever is not named here.
"""

from __future__ import annotations

from collections.abc import Sequence

from foureyes.core.numerals import is_numeral
from foureyes.core.reminders import CALL, kinds
from foureyes.core.wordlists import words_of

__all__ = ["LABELLING", "is_label"]

_COUNTED = words_of("attempt try round take note update remark comment item entry iteration msg ping bump part")
_PHRASES = frozenset(
    (
        *("fyi", "psa", "nb", "n b", "ping", "pinging", "bump", "bumping", "bumping this", "heads up", "last call"),
        *("follow up", "following up", "following up on this", "followup", "note", "please note", "for the record"),
        *("i insist", "i must insist", "i repeat myself", "quick note", "final call", "circling back", "to repeat"),
    )
)
_REVIEWERS = words_of("reviewer auditor advisor adviser critic inspector prüfer gutachter relecteur ревьюер рецензент")
_OF_WHAT = words_of(
    """security data code quality style test tests testing correctness performance ux legal compliance privacy senior
    lead expert main safety api database frontend backend design product finance medical general"""
)
LABELLING = frozenset(phrase.split()[0] for phrase in _PHRASES) | _COUNTED | _REVIEWERS | _OF_WHAT
"""What a note with a label begins with."""


def is_label(words: Sequence[str]) -> bool:
    """Tell whether the folded words before a colon name the note: "attempt 5", "fyi", "security reviewer 2"."""
    if not words:
        return False
    *lead, last = words
    return " ".join(words) in _PHRASES or _is_counted(lead, last) or _is_reviewer(words)


def _is_counted(lead: Sequence[str], last: str) -> bool:
    if len(lead) == 1 and lead[0] in _COUNTED:
        return is_numeral(last) or _is_figure(last)
    return _is_figure(last) and CALL in (kinds(lead) or ())


def _is_figure(word: str) -> bool:
    return len(word) <= _DIGITS and word.isascii() and word.isalnum() and any(char.isdigit() for char in word)


_DIGITS = 4
"""Of a figure in whatever base."""


def _is_reviewer(words: Sequence[str]) -> bool:
    names = words[:-1] if is_numeral(words[-1]) else words
    return bool(names) and names[-1] in _REVIEWERS and _OF_WHAT.issuperset(names[:-1])
