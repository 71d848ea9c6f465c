"""Whether two notes differ in a discriminator: a fact that makes two findings of much the same words.

Two notes differ where each has a number, an identifier or a comparison sign that the other has not, or one number with
two units. Where they share most of their words, much less tells them apart: the two ends of a scale (before and after,
all and some), a negation, an exception, one stretch of other words in the same place, or the same words in exchanged
roles. Notes in other words are given the benefit of the doubt, since a paraphrase has words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise

from foureyes.core.alignment import (
    MOST_COMPARED,
    is_inverted,
    is_rotated,
    middles,
    roles_are_exchanged,
    spelling,
    turns_on_a_word,
)
from foureyes.core.contrasts import (
    ABSENCE,
    ADVICE,
    CONNECTORS,
    CUT_NEGATIONS,
    DOUBLED,
    EXCEPTIONS,
    FILLERS,
    LOOSE,
    NEGATIONS,
    PASSIVE,
    PROHIBITIONS,
    SCALES,
    UNITS,
)
from foureyes.core.gist import Gist, is_unspaced, number, stem
from foureyes.core.thesaurus import groups

__all__ = ["correspond", "differ"]

_SIGNS = frozenset({"<", ">", "<=", ">=", "==", "!=", "=", "<>"})
_TURNED = 2
"""Scales below this number are turned round together with their sentence."""


def differ(one: Gist, other: Gist) -> bool:
    """Tell whether a discriminator says that the two are different findings. The order of the two does not matter."""
    if one.tokens == other.tokens:
        return False
    pair = _Pair(one, other)
    if _figures_differ(pair) or _names_differ(pair) or _units_differ(one, other):
        return True
    if _exclusive(_SIGNS.intersection(one.tokens), _SIGNS.intersection(other.tokens)):
        return True
    texts = "".join(one.tokens), "".join(other.tokens)
    if is_unspaced(texts[0]) and is_unspaced(texts[1]):
        return _characters_differ(*texts)
    return pair.differs()


def correspond(one: Gist, other: Gist) -> bool:
    """Tell whether all that is no filler in either note stands in the other, too.

    The order is the same, but for a clause that has moved to the front or to the end. The words are the same, and not
    merely inflected: "order.csv" and "orders.csv" are two files.
    """
    left, right = _plain(one), _plain(other)
    if is_unspaced("".join(left)) or is_unspaced("".join(right)):
        return one.tokens == other.tokens
    return _denials(one.tokens, ()) == _denials(other.tokens, ()) and (left == right or is_rotated(left, right))


def _plain(note: Gist) -> list[str]:
    return [number(token) or token for token in note.tokens if token not in LOOSE]


def _exclusive(one: frozenset[str], other: frozenset[str]) -> bool:
    return bool(one - other and other - one)


def _figures_differ(pair: _Pair) -> bool:
    one, other = (note.numbers for note in pair.notes)
    return _exclusive(one, other) and (one.isdisjoint(other) or pair.is_parallel)


def _names_differ(pair: _Pair) -> bool:
    one, other = (note.names for note in pair.notes)
    if not (one and other) or not (one.isdisjoint(other) or pair.is_parallel):
        return False
    first, second = (note.tokens for note in pair.notes)
    return any(_absent(name, second) for name in one - other) and any(_absent(name, first) for name in other - one)


def _absent(name: str, tokens: Sequence[str]) -> bool:
    # Whole words only: "fetch_user" does not stand in a note on "fetch_users".
    if name.startswith("(") or name not in "".join(tokens):
        return True
    return not any(_begin_with(name, tokens[at:]) for at, token in enumerate(tokens) if name.startswith(token))


def _begin_with(name: str, tokens: Sequence[str]) -> bool:
    for token in tokens:
        if not token or not name.startswith(token):
            return False
        if not (name := name[len(token) :]):
            return True
    return False


def _units_differ(one: Gist, other: Gist) -> bool:
    if one.numbers.isdisjoint(other.numbers):
        return False
    first, second = _units(one.tokens), _units(other.tokens)
    return any(not first[value] & second[value] for value in first.keys() & second.keys())


def _units(tokens: Sequence[str]) -> dict[str, set[int]]:
    found: dict[str, set[int]] = {}
    for token, following in pairwise(tokens):
        if following in UNITS and (value := number(token)):
            found.setdefault(value, set()).add(UNITS[following])
    return found


_DENYING_CHARACTERS = frozenset("不没沒無无未非")
_KANA = re.compile("[\u3041-\u309f]+")
_PARTICLES = re.compile("[的了着有被这那该該在是里中把将會会就也都而与和并]")
_FEW_CHARACTERS = 5


def _characters_differ(one: str, other: str) -> bool:
    left, right = middles(one, other)
    denials = [sum(char in _DENYING_CHARACTERS for char in text) for text in (one, other)]
    if denials[0] != denials[1]:
        return len(left) <= _FEW_CHARACTERS and len(right) <= _FEW_CHARACTERS
    if _KANA.fullmatch(f"{left}{right}"):
        return ("ない" in one or "ません" in one) != ("ない" in other or "ません" in other)
    if len(left) <= _FEW_CHARACTERS and len(right) <= _FEW_CHARACTERS:
        return _exchange(_telling(left), _telling(right))
    return sorted(one) == sorted(other) and not is_rotated(left, right)


def _exchange(one: str, other: str) -> bool:
    if not one or not other or one == other:
        return False
    return sorted(one) != sorted(other) or _FIGURE.search(one) is not None


_FIGURE = re.compile(r"[\d一二三四五六七八九十百千万]")


def _telling(text: Sequence[str]) -> str:
    bare = _PARTICLES.sub("", "".join(text))
    return "".join(char for char in bare if char not in _DENYING_CHARACTERS)


class _Pair:
    """Two notes that have blanks between words, compared word by word."""

    def __init__(self, one: Gist, other: Gist) -> None:
        self.notes = one, other
        self.content = one.content, other.content
        self.stems = one.stems, other.stems
        self.sets = frozenset(one.stems), frozenset(other.stems)
        self.common = self.sets[0] & self.sets[1]
        self.shared = len(self.common) / max(1, min(map(len, self.sets)))

    @cached_property
    def own(self) -> tuple[list[str], list[str]]:
        """The content of each that the other has not."""
        (one, other), (stems, others) = self.content, self.sets
        return _own(one, other, stems, others), _own(other, one, others, stems)

    @cached_property
    def inverted(self) -> bool:
        """Whether the words that the two share come in about the opposite order."""
        in_order = dict.fromkeys(found for found in self.stems[0] if found in self.common)
        return is_inverted([*in_order][:MOST_COMPARED], self.stems[1])

    @property
    def is_parallel(self) -> bool:
        """Whether the two are much the same sentence, so that a single word may tell them apart."""
        return self.shared >= 0.5

    def differs(self) -> bool:
        if not self.is_parallel:
            return False
        left, right = middles(self.notes[0].tokens, self.notes[1].tokens)
        if spelling(left) == spelling(right):
            return False
        return (
            self._ends_differ()
            or self._one_denies()
            or self._one_excepts(left, right)
            or self._is_replaced(left, right)
            or self._is_swapped()
        )

    def _ends_differ(self) -> bool:
        one, other = (note.tokens for note in self.notes)
        return any(
            scale == other_scale and end != other_end and not (scale < _TURNED and self.inverted)
            for scale, end in _ends(one, other)
            for other_scale, other_end in _ends(other, one)
        )

    def _one_denies(self) -> bool:
        one, other = self.notes
        denials = _denials(one.tokens, self.stems[1]), _denials(other.tokens, self.stems[0])
        if denials[0] % 2 == denials[1] % 2:
            return False
        if self.shared < 0.7 and not (self._one_is_un() or self._one_forbids()):
            return False
        if _asks(one.tokens, other.tokens) if denials[0] < denials[1] else _asks(other.tokens, one.tokens):
            return False
        return ABSENCE.isdisjoint(self.own[0] if denials[0] < denials[1] else self.own[1])

    def _one_is_un(self) -> bool:
        # "safe" and "unsafe": opposites, and not another wording.
        one, other = self.own
        return any(_is_denied(token, map(stem, other)) for token in one) or any(
            _is_denied(token, map(stem, one)) for token in other
        )

    def _one_forbids(self) -> bool:
        return any(note.tokens[0] in PROHIBITIONS for note in self.notes)

    def _one_excepts(self, left: Sequence[str], right: Sequence[str]) -> bool:
        only = left or right if not (left and right) else ()
        if self.shared >= 0.8 and only and (("but" in only and len(only) > 1) or self._lengthens(only)):
            return True
        if self.shared < 0.6:
            return False
        one, other = (note.tokens for note in self.notes)
        return any(words.isdisjoint(one) != words.isdisjoint(other) for words in EXCEPTIONS) and not self.inverted

    def _lengthens(self, only: Sequence[str]) -> bool:
        # "Dockerfile" and "Dockerfile.worker".
        names = self.notes[0].names | self.notes[1].names
        return len(only) == 1 and any(only[0] in name and only[0] != name for name in names)

    def _is_replaced(self, left: Sequence[str], right: Sequence[str]) -> bool:
        first, second = (
            [token for token in own if token in part and token not in _JUDGED_ELSEWHERE]
            for own, part in zip(self.own, (left, right), strict=True)
        )
        if not first or not second or max(len(left), len(right)) > _ONE_PLACE:
            return False
        if self.shared < 0.6 and not len(left) == len(right) == 1:
            return False
        return self._one_is_a_name(first, second) or not _are_related(first, second)

    def _one_is_a_name(self, first: Sequence[str], second: Sequence[str]) -> bool:
        # "Cart" and "CartItem".
        names = self.notes[0].names | self.notes[1].names
        return len(first) == len(second) == 1 and not names.isdisjoint((*first, *second))

    def _is_swapped(self) -> bool:
        one, other = self.content
        if one == other:
            return False
        tokens = self.notes[0].tokens, self.notes[1].tokens
        if sorted(tokens[0]) == sorted(tokens[1]):
            return roles_are_exchanged(*middles(*tokens))
        return self._two_change_places() or self._roles_change()

    def _two_change_places(self) -> bool:
        one, other = self.stems
        if sorted(one) != sorted(other) or not self._fillers_match():
            return False
        places = [place for place, found in enumerate(one) if found != other[place]]
        if len(places) != 2:
            return False
        return not self._neighbours(self.content[0][places[0]], self.content[0][places[1]])

    def _fillers_match(self) -> bool:
        one, other = ([token for token in note.tokens if token in FILLERS] for note in self.notes)
        return one == other

    def _neighbours(self, token: str, following: str) -> bool:
        tokens = self.notes[0].tokens
        return (token, following) in pairwise(tokens)  # "3 March" and "March 3"

    def _roles_change(self) -> bool:
        if self.shared < 0.75 or max(map(len, self.stems)) > _SHORT_SENTENCE or not self.inverted:
            return False
        one, other = (note.tokens for note in self.notes)
        if not (CONNECTORS.isdisjoint(one) and CONNECTORS.isdisjoint(other)):
            return False
        return PASSIVE.isdisjoint(one) == PASSIVE.isdisjoint(other) and turns_on_a_word(*self.stems)


_JUDGED_ELSEWHERE = NEGATIONS.union(ABSENCE, *EXCEPTIONS)
_ONE_PLACE = 5
"""Words, fillers included. Where more are exchanged the whole sentence is worded anew."""
_SHORT_SENTENCE = 8


def _asks(tokens: Sequence[str], denying: Sequence[str]) -> bool:
    # "Please cite a source" beside "no source is cited".
    return not ADVICE.intersection(tokens).issubset(denying) and denying[0] not in PROHIBITIONS


def _ends(tokens: Sequence[str], others: Sequence[str]) -> list[tuple[int, int]]:
    # The ends of the scales that one note's words are at, where the other note has not the same word.
    scaled = [token for token in tokens if token in SCALES]
    stems = {stem(token) for token in others} if scaled else set()
    return [found for token in scaled if stem(token) not in stems for found in SCALES[token]]


def _own(content: Sequence[str], other: Sequence[str], stems: frozenset[str], others: frozenset[str]) -> list[str]:
    # What the other note has not, be it as one word or as two: "hard-coded" and "hardcoded".
    if stems <= others:
        return []
    joined = {left + right for left, right in pairwise(other)}
    halves = {half for pair in pairwise(content) if "".join(pair) in other for half in pair}
    return [token for token in content if stem(token) not in others and token not in joined and token not in halves]


def _denials(tokens: Sequence[str], others: Iterable[str]) -> int:
    found = [token for token in tokens if token in NEGATIONS or (token[:2] in _UNS and _is_denied(token, others))]
    doubled = len(found) > 1 and not DOUBLED.isdisjoint(found)
    cut = sum(word == "t" and before in CUT_NEGATIONS for before, word in pairwise(tokens)) if "t" in tokens else 0
    return len(found) + cut - doubled


def _is_denied(token: str, others: Iterable[str]) -> bool:
    # "unescaped" beside "without escaping".
    return token.startswith(_UN) and any(token.startswith(other, 2) for other in others if len(other) > _STEM_AT_LEAST)


_UN = ("un", "in", "im", "ir", "il", "не")
_UNS = frozenset(_UN)
_STEM_AT_LEAST = 3


def _are_related(first: Sequence[str], second: Sequence[str]) -> bool:
    return _each_has_one(first, second) or _each_has_one(second, first)


def _is_short_for(one: str, other: str) -> bool:
    # "config" and "configuration", "centre" and "center", "recieve" and "receive".
    shorter, longer = sorted((one, other), key=len)
    if len(shorter) < 3 or not (one.isalpha() and other.isalpha()):
        return False
    return longer.startswith(shorter) or (len(shorter) >= _LONG and sorted(one) == sorted(other))


_LONG = 6


def _each_has_one(some: Sequence[str], others: Sequence[str]) -> bool:
    return all(any(_mean_the_same(one, other) for other in others) for one in some)


def _mean_the_same(one: str, other: str) -> bool:
    if stem(one) == stem(other) or _is_short_for(one, other):
        return True
    if not set(groups(one)).isdisjoint(groups(other)):
        return True
    return _is_denied(one, (stem(other),)) or _is_denied(other, (stem(one),))
