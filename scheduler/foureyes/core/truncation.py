"""Whether one note is the beginning of another, cut between two words, as a reviewer that runs dry writes it."""

from __future__ import annotations

import re

from foureyes.core.wordlists import words_of

__all__ = ["cut_inside", "cut_short"]

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


def cut_inside(fold: str, text: str, earlier: str) -> bool:
    """Tell whether a text breaks off inside a word of a much longer one whose beginning it repeats.

    ``fold`` is the text's own. That takes a long text, and a word that is none without its end: not a name, a number,
    or the plural of a word that stands there.
    """
    if not _LONG <= len(fold) < len(earlier) or not earlier.startswith(fold) or not text[-1:].islower():
        return False
    rest = earlier[len(fold) :].split(" ", 2)
    last = text.split()[-1]
    return len(rest) > _WORDS_LEFT and last.isalpha() and last.islower() and rest[0].isalpha() and len(rest[0]) >= _LEFT


_LONG = 48
"""Characters of a text that is hardly repeated by chance."""
_WORDS_LEFT, _LEFT = 1, 2
