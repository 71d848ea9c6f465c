"""The gist of a note: its content words, and the facts by which it may differ from a note in the same words."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from foureyes.core.similarity import folded

__all__ = ["Gist", "agree", "gist"]

_MOST_WORDS = 64
_CACHED = 1_024


@dataclass(frozen=True, slots=True, kw_only=True)
class Gist:
    """What is compared of a note; of bounded size whatever the note's."""

    words: frozenset[str]
    """Content words, at most 64."""
    discriminators: frozenset[str]
    """Numbers, identifiers, negations and the like, at most 64. Two notes that differ in one say different things."""


@lru_cache(maxsize=_CACHED)
def gist(text: str) -> Gist:
    """Return the gist of a note's text as written. The newest 1,024 are kept, so asking again costs a look-up."""
    words = folded(text).split()
    facts = [word for word in words if not word.isalpha() or word in {"not", "no", "never", "without"}]
    return Gist(words=frozenset(words[:_MOST_WORDS]), discriminators=frozenset(facts[:_MOST_WORDS]))


def agree(one: Gist, other: Gist) -> bool:
    """Tell whether no discriminator of the two differs, so that notes at one declared place may be merged."""
    return one.discriminators == other.discriminators
