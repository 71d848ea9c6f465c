"""Finding secrets that are known, in whatever form they come."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from foureyes_reviewers.redaction.growing import grown
from foureyes_reviewers.redaction.needles import LEAST_PIECE, Needle, in_digits, needles
from foureyes_reviewers.redaction.spans import Span
from foureyes_reviewers.redaction.views import digits, quickly_unescaped, squeezed, unescaped

__all__ = ["Known"]

_GRAM, _STRIDE = 5, LEAST_PIECE - 4
"""Every 8th place of a text is looked at, five characters wide: whatever has twelve in a row of a secret shows so."""
_DIGITS_GRAM, _DIGITS_STRIDE = 8, 2 * LEAST_PIECE - 7
"""The same for the digits of twelve bytes."""
_BRIEF = 2 * LEAST_PIECE
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
        self._haystack = _Haystack(written, _GRAM, _STRIDE)
        numbers = frozenset(needle for secret in secrets for needle in in_digits(secret))
        self._digits = _Haystack(numbers, _DIGITS_GRAM, _DIGITS_STRIDE)

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

    def __init__(self, wanted: Iterable[Needle], gram: int, stride: int) -> None:
        """Look at every so many places of a text, each so many characters wide."""
        self._gram, self._stride = gram, stride
        self._grams: dict[str, list[tuple[Needle, int]]] = {}
        self._short: list[Needle] = []
        sure = gram + stride - 1
        for needle in sorted(wanted, key=lambda needle: needle.text):
            if len(needle.text) < sure or (needle.is_plain and len(needle.text) < _BRIEF):
                self._short.append(needle)
            if len(needle.text) >= sure:
                self._learn(needle)
        self.is_empty = not self._grams and not self._short
        """Whether there is nothing to look for."""

    def _learn(self, needle: Needle) -> None:
        seen: dict[str, int] = {}
        for place in range(len(needle.text) - self._gram + 1):
            gram = needle.text[place : place + self._gram]
            seen[gram] = seen.get(gram, 0) + 1
            if seen[gram] <= _SAME:
                self._grams.setdefault(gram, []).append((needle, place))

    def may_be_in(self, text: str) -> bool:
        """Tell whether a part of a needle may be in the text. Costs a fraction of looking."""
        return not self._grams.keys().isdisjoint(self._pieces(text)) or any(
            part in text for needle in self._short for part in _halves(needle.text)
        )

    def spans(self, text: str) -> Iterator[Span]:
        """Yield where needles are."""
        yield from self._long_ones(text)
        for needle in self._short:
            yield from _short_ones(text, needle)

    def _pieces(self, text: str) -> list[str]:
        gram = self._gram
        return [text[place : place + gram] for place in range(0, len(text), self._stride)]

    def _long_ones(self, text: str) -> Iterator[Span]:
        pieces = self._pieces(text)
        if self._grams.keys().isdisjoint(pieces):
            return
        ended = 0
        for number, piece in enumerate(pieces):
            place = number * self._stride
            if piece not in self._grams or place + self._gram <= ended:
                continue
            found = [grown(text, place, place + self._gram, *wanted) for wanted in self._grams[piece]]
            for span in filter(None, found):
                yield Span(*span, _KIND)
                ended = max(ended, span[1])


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
