"""The gist of a note: its content words, and the facts by which it may differ from a note in the same words."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from operator import attrgetter
from typing import NamedTuple, TypeAlias
from zlib import crc32

from foureyes.core.contrasts import COMMON, FILLERS, NEGATIONS, NUMBER_WORDS, UNIT_NAMES, UNITS
from foureyes.core.counters import uncounted
from foureyes.core.folding import folded
from foureyes.core.thesaurus import kin, topics

__all__ = ["Gist", "Kin", "Word", "gist", "is_unspaced", "number", "stem"]

_CHARS, _WORDS, _CACHED = 640, 64, 1_024
_STEM = 5
_LIGHT, _SHORT, _IDEOGRAMS = 0.5, 0.5, 0.5
_SHORTEST = 3
_BITS, _EVEN = 2_039, 10
"""Bits that stand for words and their groups: few notes have one in common by chance."""
_UNSPACED = re.compile("[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
"""Scripts without blanks between words; of these, every two neighbouring characters are a word."""
_NUMBER = re.compile(r"([-+]?)\.?0*(\d[\d.]*)%?([a-z\u00b5]{0,3})")


@cache
def _amounts() -> re.Pattern[str]:
    return re.compile(rf"([-+]?[\d.]+)(%|{'|'.join(sorted(UNITS))})")


_NAME = re.compile(r"\w[._]+\w|::|/\w|->|\$\w|[a-z][A-Z]|[A-Z]-?\d|^--?[a-zA-Z]|\(\)?$")
_SIGN = re.compile(r"[^a-zA-Z\s,;.:!?'\"]")
_ODD = re.compile(r"\S[A-Z]|[A-Z](?![a-z])|\.\w|::")
"""Every name or label has one of these or such a sign; plain prose has neither."""
_LETTER = re.compile(r"[^\W\d_]")
_LABEL = re.compile(r"\((\w)\)|(?<=\w )([A-HJ-Z]|[A-Z]{2})(?![\w'])")
"""An item of a list, "(a)", or what an annex, a service or a language is told by: "Annex E", "the DE locale"."""


Kin: TypeAlias = dict[int, tuple[float, str]]
"""Groups of words, each with how much sharing it says at most, and the stem of the word that is in it."""


class Word(NamedTuple):
    """A content word."""

    stem: str
    """Its beginning, which its inflections share."""
    kin: Kin
    """The groups of words that are used for it or come up with it, those first that say most."""
    topics: frozenset[int]
    """Those of the groups whose words only come up together."""
    weight: float
    """How much sharing it says, at most 1."""
    mask: int
    """Its bits: one for the stem and one for each of the groups, which others may have, too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """What is compared of a note; of bounded size whatever the note's."""

    tokens: tuple[str, ...]
    """The folded words in their order, without what counts the note: at most 64."""
    content: tuple[str, ...]
    """Those of them that are no fillers."""
    stems: tuple[str, ...]
    """The stems of the content, in its order."""
    words: tuple[Word, ...] = field(hash=False)
    """The content words, each once."""
    numbers: frozenset[str]
    """The numbers in figures, spelled ones too, without leading zeros and units."""
    names: frozenset[str]
    """Identifiers, paths, options and the like, folded and without separators."""
    weight: float
    """Of all content words together."""
    whole: bool
    """Whether this is of all that the note says; False where it goes on for longer."""
    features: frozenset[str] = field(repr=False)
    """The stems of the content words."""
    worth: Kin = field(repr=False, hash=False, compare=False)
    """The groups of the content words."""
    themes: frozenset[int] = field(repr=False, hash=False, compare=False)
    """The topics of which the note has two words or more."""
    mask: int = field(repr=False, hash=False, compare=False)
    """The bits of the content words, for finding quickly which of many gists share most."""
    bits: int = field(repr=False, hash=False, compare=False)
    """How many those are, and a few more, so that a short note does not share most with everything."""


_WEIGHT = attrgetter("weight")


@lru_cache(maxsize=_CACHED)
def gist(text: str) -> Gist:
    """Return the gist of a note's text as written. The newest 1,024 are kept, so asking again costs a look-up.

    Only the first 640 characters and 64 words count: that is where a note says what it found.
    """
    length, text = len(text), text[:_CHARS]
    fold = uncounted(text)
    tokens = _tokens(fold)
    content = tuple([token for token in tokens if token not in FILLERS])
    words = tuple({word.stem: word for token in content for word in _words(token)}.values())
    worth: Kin = {}
    touched, themes, mask = set[int](), set[int](), 0
    for word in sorted(words, key=_WEIGHT):
        worth.update(word.kin)
        if word.topics:
            themes |= touched & word.topics
            touched |= word.topics
        mask |= word.mask
    return Gist(
        tokens=tokens,
        content=content,
        stems=tuple(map(stem, content)),
        words=words,
        numbers=_numbers(tokens),
        names=_names(text),
        weight=sum([word.weight for word in words]),
        whole=length <= _CHARS and fold.count(" ") < _WORDS,
        features=frozenset([word.stem for word in words]),
        worth=worth,
        themes=frozenset(themes),
        mask=mask,
        bits=_EVEN + mask.bit_count(),
    )


def _numbers(tokens: Sequence[str]) -> frozenset[str]:
    candidates = [token for token in tokens if not token.isalpha() or token in NUMBER_WORDS]
    return frozenset([value for token in candidates if (value := number(token))])


def _tokens(fold: str) -> tuple[str, ...]:
    # "30s", "30 sec" and "30 seconds" are one, and so are "1,000" and "1000".
    tokens = fold.split()[:_WORDS]
    if _DIGIT.search(fold) is None:
        return tuple(tokens)
    found: list[str] = []
    for token in tokens:
        if not found or not found[-1][-1].isdigit():
            found += _amount(token)
        elif token in UNIT_NAMES:
            found.append(UNIT_NAMES[token])
        elif len(token) == _THOUSAND and token.isdigit() and found[-1].isdigit():
            found[-1] += token
        else:
            found += _amount(token)
    return tuple(found)


_DIGIT = re.compile(r"\d")
_THOUSAND = 3


def _amount(token: str) -> list[str]:
    found = None if token.isalpha() else _amounts().fullmatch(token)
    if not found:
        return [token]
    return [found[1], "percent" if found[2] == "%" else UNIT_NAMES.get(found[2], found[2])]


def is_unspaced(text: str) -> bool:
    """Tell whether a text is in a script that has no blanks between words, at least in part."""
    return not text.isascii() and _UNSPACED.search(text) is not None


@lru_cache(maxsize=2_048)
def stem(token: str) -> str:
    """Return the beginning of a folded word that its inflections share, a spelled number in figures."""
    return NUMBER_WORDS.get(token) or token[:_STEM]


def number(token: str) -> str:
    """Return the value of a folded word that is a number, without leading zeros and unit; "" for any other."""
    if token.isalpha():
        return NUMBER_WORDS.get(token, "")
    found = _NUMBER.fullmatch(token)
    return found[1] + found[2] if found else NUMBER_WORDS.get(token, "")


@lru_cache(maxsize=2_048)
def _words(token: str) -> tuple[Word, ...]:
    if token in NEGATIONS:
        return ()
    if is_unspaced(token):
        return tuple(_word(token[at : at + 2], _IDEOGRAMS) for at in range(max(1, len(token) - 1)))
    if value := number(token):
        return (_word("#" + value, 0.8),)
    weight = _LIGHT if token in COMMON else 1.0 if len(token) > 2 else _SHORT
    return (_word("~" + stem(_singular(token)), weight, token),)


def _singular(token: str) -> str:
    return token[:-1] if len(token) > _SHORTEST and token[-1] == "s" and token[-2] not in "sui" else token


def _word(beginning: str, weight: float, token: str = "") -> Word:
    code, groups = crc32(beginning.encode()), kin(token)
    mask = 1 << code % _BITS | 1 << (code >> 9) % _BITS | 1 << (code >> 18) % _BITS
    for group in groups:
        mask |= 1 << group % _BITS
    counts = {group: (share * weight, beginning) for group, share in groups.items()}
    return Word(stem=beginning, kin=counts, topics=topics(token), weight=weight, mask=mask)


def _names(text: str) -> frozenset[str]:
    if not (_SIGN.search(text) or _ODD.search(text)):
        return frozenset()
    labels = () if text.isupper() else _LABEL.findall(text)
    found = {f"({(item or label).lower()}" for item, label in labels}
    for part in text.split()[:_WORDS]:
        if part.isalpha() and (part.islower() or part.istitle() or not part.isascii()):
            continue
        part = part.strip("`'\",;:.!?*[]{}<>")
        if _NAME.search(part) and _LETTER.search(part):
            found.add(folded(part).replace(" ", ""))
    found.discard("")
    return frozenset(found)
