"""Taking secrets out of texts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from foureyes_reviewers.redaction.built_in import BUILT_IN, Finder
from foureyes_reviewers.redaction.edges import without_halves
from foureyes_reviewers.redaction.encoded import without_encoded
from foureyes_reviewers.redaction.environment import MIN_SECRET
from foureyes_reviewers.redaction.keys import LONGEST_KEY, key_spans
from foureyes_reviewers.redaction.known import Known
from foureyes_reviewers.redaction.looks import look
from foureyes_reviewers.redaction.names import is_secret_name
from foureyes_reviewers.redaction.spans import Span, marker, replaced

__all__ = ["LONGEST_SECRET", "Redactor"]

LONGEST_SECRET = LONGEST_KEY + 2_000
"""Characters of the longest piece of a text that goes as one, with what stands around it and decides: a private key.

What stands so far from both ends of a piece of a text is redacted there as in the whole. Two things may be longer: a
run without a blank that is base64, percent-encoded or a JWT, and a known value of more than 1,500 characters that is
escaped character by character."""

_MAX_DEPTH = 64
_MAX_PASSES = 4
"""A marker may end a word that went on before, and what comes after it is then known. A text without secrets takes one
pass, one with secrets nearly always two."""
_REMEMBERED, _SHORT = 512, 8_000
"""Texts that are remembered with what became of them, and the longest of these: a run shows most of its messages to
several reviews."""
_KNOWN, _NAMED, _DEEP = map(marker, ("secret", "credential", "nested too deeply"))


class Redactor:
    """Takes known secrets, and what has the form of one, out of texts; in their place stands a marker.

    It is to see a text before anybody cuts it, for half of a secret has no form. Where a text has been cut already,
    the words at the cut go too. Safe to share between threads and tasks.
    """

    def __init__(self, secrets: Iterable[str] = (), patterns: tuple[Finder, ...] = BUILT_IN) -> None:
        self._known = Known(secret for secret in secrets if len(secret) >= MIN_SECRET and secret not in _KNOWN)
        self._patterns = patterns
        self._remembered = lru_cache(maxsize=_REMEMBERED)(self._redacted)

    def redacted(self, text: str) -> str:
        """Return the text without secrets.

        A known one of at least 6 characters is found plainly, with any of its characters escaped as in JSON, programs,
        HTML, URLs and mail, in base64 and base32, as bytes in hexadecimal or decimal numbers, in UTF-16, with
        characters between that nobody sees, and broken over lines, quoted or not; of a longer one, any 12 characters
        in a row go. Another is found by its form, or by the name that it is given. Redacting twice changes nothing
        more. Takes time in proportion to the text.

        Not promised are secrets that are not known and stand in a text without a form, a name or a place that tells;
        known ones backwards, compressed, encrypted, with other characters put between theirs, or in encodings of
        encodings; pieces of fewer than 12 characters; and a password that is an ordinary word, where no name says so.
        """
        return self._remembered(text) if len(text) <= _SHORT else self._redacted(text)

    def redacted_value(self, value: object) -> object:
        """Return JSON-like data without secrets, as new data.

        What stands under a name that says secret is removed whole, unless it is empty, true or false. What is nested
        more than 64 deep is left out.
        """
        return self._value(value, 0)

    def _redacted(self, text: str) -> str:
        for _ in range(_MAX_PASSES):
            before, text = text, self._once(text)
            if text == before:
                break
        return text

    def _once(self, text: str) -> str:
        return without_encoded(self._plain(without_halves(text)), self._plain)

    def _plain(self, text: str) -> str:
        return replaced(text, self._spans(text))

    def _spans(self, text: str) -> Iterator[Span]:
        yield from self._known.spans(text)
        if self._patterns:
            yield from key_spans(text)
            seen = look(text)
            for pattern in self._patterns:
                yield from pattern.spans(seen)

    def _value(self, value: object, depth: int) -> object:
        if isinstance(value, str):
            return self.redacted(value)
        if isinstance(value, Mapping):
            return _DEEP if depth > _MAX_DEPTH else {self._key(k): self._field(k, v, depth) for k, v in value.items()}
        if isinstance(value, list | tuple):
            return _DEEP if depth > _MAX_DEPTH else [self._value(one, depth + 1) for one in value]
        return value

    def _key(self, key: object) -> object:
        return self.redacted(key) if isinstance(key, str) else key

    def _field(self, key: object, value: object, depth: int) -> object:
        if isinstance(key, str) and is_secret_name(key) and value not in (None, "", True, False):
            return _NAMED
        return self._value(value, depth + 1)
