"""Finding secrets that are known, in whatever form they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from foureyes_reviewers.redaction.growing import grown
from foureyes_reviewers.redaction.needles import Needle, in_digits, needles
from foureyes_reviewers.redaction.spans import Span
from foureyes_reviewers.redaction.views import digits, quickly_unescaped, squeezed, unescaped

__all__ = ["Known"]

_GRAM, _STRIDE = 5, 7
"""Every 7th place of a text is looked at, five characters wide: whatever has eleven in a row of a secret shows so."""
_SURE = _GRAM + _STRIDE - 1
_BRIEF = 2 * _SURE
"""Characters of a secret of which, broken in two, neither half may show so; its halves are looked for one by one."""
_SAME = 4
"""Places of one needle with the same five characters that are tried; a secret that repeats itself is none."""
_KIND = "secret"


class Known:
    """Secrets that are known.

    Each is found whole in every form of :func:`needles`, and in pieces of 12 characters where the rest is missing or
    elsewhere; behind escapes, broken over lines, and with what stands in front of quoted lines between its parts.
    """

    def __init__(self, secrets: Iterable[str]) -> None:
        secrets = frozenset(secrets)
        written = frozenset(needle for secret in secrets for needle in needles(secret))
        self._haystack = _Haystack(written)
        self._digits = _Haystack(frozenset(needle for secret in secrets for needle in in_digits(secret)))

    def spans(self, text: str) -> Iterator[Span]:
        """Yield the pieces of the text that are parts of secrets. Takes time in proportion to the text."""
        if self._haystack.is_empty:
            return
        yield from self._haystack.spans(text)
        quickly = quickly_unescaped(text)
        if quickly != text and self._haystack.may_be_in(quickly):
            view = unescaped(text)
            yield from (Span(*view.span(span.start, span.end), span.kind) for span in self._haystack.spans(view.text))
        if self._digits.may_be_in(squeezed(text)):
            for view in digits(text):
                yield from (Span(*view.span(span.start, span.end), span.kind) for span in self._digits.spans(view.text))


class _Haystack:
    """Finds any of many needles at the cost of one."""

    def __init__(self, wanted: Iterable[Needle]) -> None:
        self._grams: dict[str, list[tuple[Needle, int]]] = {}
        self._short: list[Needle] = []
        for needle in sorted(wanted, key=lambda needle: needle.text):
            if len(needle.text) < _SURE or (needle.is_plain and len(needle.text) < _BRIEF):
                self._short.append(needle)
            if len(needle.text) >= _SURE:
                self._learn(needle)
        self.is_empty = not self._grams and not self._short
        """Whether there is nothing to look for."""

    def _learn(self, needle: Needle) -> None:
        seen: dict[str, int] = {}
        for place in range(len(needle.text) - _GRAM + 1):
            gram = needle.text[place : place + _GRAM]
            seen[gram] = seen.get(gram, 0) + 1
            if seen[gram] <= _SAME:
                self._grams.setdefault(gram, []).append((needle, place))

    def may_be_in(self, text: str) -> bool:
        """Tell whether a part of a needle may be in the text. Costs a fraction of looking."""
        return not self._grams.keys().isdisjoint(_pieces(text)) or any(
            part in text for needle in self._short for part in _halves(needle.text)
        )

    def spans(self, text: str) -> Iterator[Span]:
        """Yield where needles are."""
        yield from self._long_ones(text)
        for needle in self._short:
            yield from _short_ones(text, needle)

    def _long_ones(self, text: str) -> Iterator[Span]:
        pieces = _pieces(text)
        if self._grams.keys().isdisjoint(pieces):
            return
        ended = 0
        for number, piece in enumerate(pieces):
            place = number * _STRIDE
            if piece not in self._grams or place + _GRAM <= ended:
                continue
            found = [grown(text, place, place + _GRAM, *wanted) for wanted in self._grams[piece]]
            for span in filter(None, found):
                yield Span(*span, _KIND)
                ended = max(ended, span[1])


def _pieces(text: str) -> list[str]:
    return [text[place : place + _GRAM] for place in range(0, len(text), _STRIDE)]


def _halves(text: str) -> tuple[str, str]:
    half = len(text) // 2
    return text[:half], text[half:]


def _short_ones(text: str, needle: Needle) -> Iterator[Span]:
    offset = 0
    for part in _halves(needle.text):
        place = text.find(part)
        while place >= 0:
            span = grown(text, place, place + len(part), needle, offset)
            if span:
                yield Span(*span, _KIND)
            place = text.find(part, max(place + 1, span[1] if span else 0))
        offset += len(part)
