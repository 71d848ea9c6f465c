"""What may stand beside an empty list of notes without saying anything."""

from __future__ import annotations

import re
from collections.abc import Mapping

from foureyes.core.noise import is_noise
from foureyes.core.similarity import folded
from foureyes_reviewers.foreign import JSONValue

__all__ = ["is_silent", "is_small_talk"]

_MAX_WORDS = 20
"""Words around a list: a lead-in and a closing phrase, and a fence."""
_WORDS = frozenset(
    """
    a additional an and answer anything are as assistant below certainly else feedback final follows for format
    formatted given go have here here's i i'm if in is it json know let me more my need object of okay ok on output
    please questions reply requested response result review schema sure the this to you your
    """.split()  # noqa: SIM905 - a list is read down, a text across
)
"""Words of which no sentence can be made that finds fault: neither "no" nor "not", nothing of a run, no judgement."""
_MAX_SENTENCES = 8
_SENTENCE_END = re.compile(r"(?<=[.!?:\u3002])\s+|\n+")
_FENCE = re.compile(r"`{3,}\w*|~{3,}\w*")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_HOLLOW: tuple[JSONValue, ...] = (None, "", [], {})
_OWN = ("notes", "resolved")


def is_small_talk(text: str) -> bool:
    """Tell whether the text is at most fences, phrases such as "Here is my review:", and content-free sentences."""
    sentences = [part for part in _SENTENCE_END.split(_FENCE.sub(" ", text)) if part.strip()]
    return len(sentences) <= _MAX_SENTENCES and all(_is_lead_in(part) or is_noise(folded(part)) for part in sentences)


def _is_lead_in(text: str) -> bool:
    plain = text.casefold().replace("\u2019", "'")
    words = _WORD.findall(plain)
    return len(words) <= _MAX_WORDS and _WORDS.issuperset(words) and plain.isascii()


def is_silent(verdict: Mapping[str, JSONValue]) -> bool:
    """Tell whether an object with an empty list of notes says nothing in another field.

    It does where it has a verdict, a reason, an ``ok``, …: whatever is not empty, and is not the keys that are
    resolved.
    """
    resolved = verdict.get("resolved")
    others = (value for name, value in verdict.items() if name not in _OWN)
    return (resolved is None or isinstance(resolved, list)) and all(value in _HOLLOW for value in others)
