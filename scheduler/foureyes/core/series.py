"""Series: notes that are nothing but a counter, in letters, figures or words."""

from __future__ import annotations

import re

from foureyes.core.numerals import is_roman
from foureyes.core.reminders import kinds
from foureyes.core.stretches import LONGEST, nags
from foureyes.core.wordlists import words_of

__all__ = ["series"]


def series(fold: str) -> bool:
    """Tell whether a folded text is nothing but a counter or a reminder: "ajb", "xlvi", "12", "third reminder"."""
    if len(fold) > LONGEST:
        return False
    words = fold.split()
    if len(words) == 1 and _counter(fold):
        return True
    found = kinds(words)
    return found is not None and nags(found, words)


def _counter(word: str) -> bool:
    # Up to three letters count to 18,278; a figure may be of any base. Capitals are folded, so the few names of a
    # defect that are as short are named.
    if word.isascii() and word.isalpha() and len(word) <= 3:
        return word not in _DEFECTS
    return is_roman(word) or _ANY_BASE.fullmatch(word) is not None


_DEFECTS = words_of("oom xss npe rce sql dos uaf")
_ANY_BASE = re.compile(r"0[xbo][0-9a-f]+|(?=\w*\d)[0-9a-z]{1,4}|\d+")
