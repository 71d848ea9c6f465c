"""How two sequences of words lie to each other: what is left of each, what is turned round, what is exchanged."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from foureyes.core.contrasts import OPENERS, PASSIVE
from foureyes.core.wordlists import words_of

__all__ = [
    "MOST_COMPARED",
    "is_inverted",
    "is_rotated",
    "middles",
    "roles_are_exchanged",
    "spelling",
    "turns_on_a_word",
]

MOST_COMPARED = 16
"""Shared words, of which every two are compared."""
_BOTH_WAYS = words_of("and or und oder et ou y o e и или the der die das le la les")


def middles(one: Sequence[str], other: Sequence[str]) -> tuple[Sequence[str], Sequence[str]]:
    """Return what is left of each once the beginning and the end that they share are gone."""
    start, least = 0, min(len(one), len(other))
    while start < least and one[start] == other[start]:
        start += 1
    end = 0
    while end < least - start and one[-1 - end] == other[-1 - end]:
        end += 1
    return one[start : len(one) - end], other[start : len(other) - end]


def is_rotated(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether one begins where the other breaks off: "because x, y" and "y, because x"."""
    return any(one[at:] == other[: len(one) - at] and one[:at] == other[len(one) - at :] for at in range(1, len(one)))


def roles_are_exchanged(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell "x causes y" from "y causes x", the words being the same; "x and y" may be said either way.

    So may what is said of "x" at the front or at the end: "if x, y, as z", "as z, y if x".
    """
    size = len(one)
    for first in range(1, size - 1):
        if one[:first] != other[size - first :]:
            continue
        for last in range(1, size - first):
            between = one[first : size - last]
            if one[size - last :] == other[:last] and between == other[last : size - first]:
                if one[0] in OPENERS and other[0] in OPENERS:
                    return False
                return not (_BOTH_WAYS | PASSIVE).issuperset(between)
    return False


def turns_on_a_word(one: Sequence[str], other: Sequence[str]) -> bool:
    """Tell whether around some word what is before it in one is behind it in the other, and the other way round.

    So it is in "a patch breaks the linter" and "the linter breaks a patch".
    """
    places = {found: place for place, found in enumerate(other)}
    for turn, found in enumerate(one):
        if found in places:
            behind = any(places.get(before, -1) > places[found] for before in one[:turn])
            ahead = any(places.get(after, len(other)) < places[found] for after in one[turn + 1 :])
            if behind and ahead:
                return True
    return False


def is_inverted(common: list[str], order: Sequence[str]) -> bool:
    """Tell whether words come in about the opposite order in the other sequence, which has all of them."""
    places = [order.index(found) for found in common]
    pairs = [first > second for first, second in combinations(places, 2)]
    return sum(pairs) > 0.4 * len(pairs)


def spelling(tokens: Sequence[str]) -> str:
    """Return the words in one piece and one spelling.

    "time-out" and "timeout", "colour" and "color", "normalise" and "normalize", "5 %" and "5 percent" are equal in it.
    """
    return "".join(tokens).replace("ou", "o").replace("is", "iz").replace("%", "percent")
