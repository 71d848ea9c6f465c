"""Whether one note is the beginning of another, cut between two words, as a reviewer that runs dry writes it."""

from __future__ import annotations

import re

from foureyes.core.wordlists import words_of

__all__ = ["cut_short"]

_NUMBER_END = re.compile(r".*\d%?")
_LIMITS = words_of("unless except but if when while only until without though although than instead")
"""What follows one of these narrows or turns round what stands before it, which is then a claim of its own."""


def cut_short(fold: str, earlier: str) -> bool:
    """Tell whether a folded text is the beginning of an earlier one, cut between words, and claims nothing else.

    It is no cut where the earlier text goes on to narrow it ("the cache is stale unless …") or ends in a number that
    may go on ("the limit is 5" and "the limit is 5 million"), and a text is never a cut of itself or of a shorter one.
    """
    if not fold or len(earlier) <= len(fold) or not earlier.startswith(fold) or earlier[len(fold)] != " ":
        return False
    following = earlier[len(fold) + 1 :].split(" ", 1)[0]
    return following not in _LIMITS and _NUMBER_END.fullmatch(fold.rpartition(" ")[2]) is None
