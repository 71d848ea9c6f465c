"""Which words are used for one another, and which are about the same thing.

Two authors tell one finding in other words, and what is left in common is often a pair of these. They only ever help to
flag and to rank a note. The lists are read when the first note is compared, not when they are imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from foureyes.core.kindred import KINDRED
from foureyes.core.synonyms import SYNONYMS
from foureyes.core.topics import TOPICS

__all__ = ["groups", "kin", "topics"]

_KEPT = 2_048
_ENDINGS = (
    *("s", "es", "d", "ed", "ing", "er", "or", "ly", "ment", "n"),
    *("ion", "ation", "able", "al", "ance", "ity", "ness"),
)
_NOT = "un"
_LONG = 6


@lru_cache(maxsize=_KEPT)
def groups(word: str) -> tuple[int, ...]:
    """Return the numbers of the groups that a folded word is in, whatever its inflection; none for most words.

    The words of one group may stand for one another wherever they are.
    """
    return tuple(number for number in kin(word) if number < _synonyms())


@lru_cache(maxsize=_KEPT)
def kin(word: str) -> dict[int, float]:
    """Return the numbers of all the groups and topics that a folded word is in, with what sharing one of them counts.

    What counts most comes first. A word that is denied by its beginning ("unchecked") is with the word that it denies.
    """
    found = {number for base in _bases(word) for number in _index().get(base, ())}
    return {number: _shares()[number] for number in sorted(found, key=lambda number: (-_shares()[number], number))}


def topics(word: str) -> frozenset[int]:
    """Return the numbers of the topics that a folded word is in."""
    return frozenset(number for number in kin(word) if number >= _topics())


def _bases(word: str) -> list[str]:
    found = [word]
    for ending in _ENDINGS:
        if len(word) >= len(ending) + 3 and word.endswith(ending):
            base = word[: -len(ending)]
            found += [base, base + "e"]
            if base[-1] == "i":
                found.append(base[:-1] + "y")
            if len(base) > 3 and base[-1] == base[-2]:
                found.append(base[:-1])
    if word.startswith(_NOT) and len(word) > _LONG:
        found += _bases(word[len(_NOT) :])
    return found


def _lists() -> Iterator[tuple[float, str]]:
    for share, text in (*SYNONYMS, *KINDRED, *TOPICS):
        for group in text.split(";"):
            yield share, group


@cache
def _synonyms() -> int:
    return _count(SYNONYMS)


@cache
def _topics() -> int:
    return _synonyms() + _count(KINDRED)


def _count(lists: Iterable[tuple[float, str]]) -> int:
    return sum(text.count(";") + 1 for _, text in lists)


@cache
def _shares() -> tuple[float, ...]:
    return tuple(share for share, _ in _lists())


@cache
def _index() -> dict[str, tuple[int, ...]]:
    index: dict[str, tuple[int, ...]] = {}
    for number, (_, group) in enumerate(_lists()):
        for word in group.split():
            index[word] = (*index.get(word, ()), number)
    return index
