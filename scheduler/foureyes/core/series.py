"""Series: notes that are nothing but a counter, in letters, figures or words."""

from __future__ import annotations

import re
import unicodedata

from foureyes.core.numerals import is_numeral, is_roman
from foureyes.core.predicates import DENYING, PREDICATES
from foureyes.core.reminders import CALL, SAID, kinds
from foureyes.core.stretches import LONGEST, UNSOLVED, nags
from foureyes.core.wordlists import words_of

__all__ = ["series"]


def series(fold: str) -> bool:
    """Tell whether a folded text is nothing but a counter or a reminder: "ajb", "xlvi", "12", "third reminder".

    A sentence about a reminder is none ("the warning is not raised"), unless the note itself speaks in it ("this is my
    third reminder", "still not fixed").
    """
    if len(fold) > LONGEST:
        return False
    words = fold.split()
    if len(words) == 1 and (fold in _DEFECTS or _counter(fold)):
        return fold not in _DEFECTS
    if len(words) == 2 and words[0] in _ITEMS and (is_numeral(words[1]) or _counter(words[1])):
        return True
    found = kinds(words)
    return found is not None and nags(found, words) and not _claims(found, words)


def _claims(found: frozenset[str], words: list[str]) -> bool:
    if words[0] in _ITSELF or not UNSOLVED.isdisjoint(words):
        return False
    if not (PREDICATES | DENYING).isdisjoint(words):
        return True
    return {CALL, SAID} <= found and _first(words, CALL) < _first(words, SAID)


def _first(words: list[str], kind: str) -> int:
    return next(place for place, word in enumerate(words) if kind in (kinds([word]) or ()))


def _counter(word: str) -> bool:
    # Up to three letters count to 18,278; a figure may be of any base. Capitals are folded, so the few names of a
    # defect that are as short are named.
    if word.isascii() and word.isalpha():
        return len(word) <= 3 or is_roman(word) or _FOUR_LETTERS.fullmatch(word) is not None
    return _ANY_BASE.fullmatch(word) is not None or (len(word) <= 2 and _is_a_letter(word))


def _is_a_letter(word: str) -> bool:
    # One of an alphabet, or two of one with capitals; in Chinese one sign may be all that a note says.
    names = [unicodedata.name(char, "") for char in word]
    if len(word) == 1:
        return "LETTER" in names[0] or "HANGUL SYLLABLE" in names[0]
    return all("LETTER" in name for name in names) and word.upper() != word


_ITSELF = words_of("as i we this it that still wie ich dies как я como comme je")
_ITEMS = words_of("item note remark comment finding entry attempt try round take update msg ping iteration")
"""What a reviewer counts of its own; a row, a step or a line is of the work."""
_DEFECTS = words_of(
    """oom xss npe rce sql dos uaf xxe lfi rfi pii dns ssl tls ddl eof cve idor csrf ssrf md5 sha1 rc4 des utf8 ipv4
    ipv6 dead bad"""
)
_ANY_BASE = re.compile(r"0[xbo][0-9a-f]+|(?=\w*\d)[0-9a-z]{1,4}|\d+|(?=\w*\d)[0-9a-f]{1,8}")
_FOUR_LETTERS = re.compile(r"aa[a-z]{2}|[a-f]{4}")
"""The first that follow "zzz", and a figure in base 16."""
