"""How a secret may be written, where it is known."""

from __future__ import annotations

import json
import re
from base64 import b32encode, b64encode
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

__all__ = ["LEAST_PIECE", "Needle", "in_digits", "is_ordinary", "needles"]

LEAST_PIECE = 12
"""Characters in a row of a longer secret that go even where the rest is missing. Providers that mask a key in their
messages show eight in front and four at the end at most, and tell nothing by that."""
_LEAST_64, _LEAST_32 = LEAST_PIECE * 4 // 3, LEAST_PIECE * 8 // 5
_ALL = 1_000_000
_BASE64_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_"
_BASE32_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567abcdefghijklmnopqrstuvwxyz"
_PERCENT = re.compile("%[0-9A-F]{2}")
_BREAKS = re.compile(r"[ \t]*(?:\r\n?|\n|(?:\\r)?\\n)[ \t]*")
_WORDS = re.compile(
    r"(?:(?:\d{1,4}|[A-Z]{1,8}|[A-Z]?[a-z]{1,20}(?:[A-Z][a-z]{1,20}){0,5})\d{0,3}(?![A-Za-z0-9])|[^A-Za-z0-9])*"
)
_PUBLIC = re.compile(r"(?:[A-Za-z]{1,10}\d{0,2}[-_.]){1,4}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Needle:
    """One text that is looked for."""

    text: str
    """What it is, of six characters or more."""
    least: int = _ALL
    """Characters in a row of it, of those that are secret, that go without the rest; far more than it has: only the
    whole does."""
    is_plain: bool = False
    """Whether it is the secret itself, which others may break over lines."""
    public: int = 0
    """Characters in front that say whose key this is, and are no secret."""
    alphabet: str = ""
    """Where the text is not at the ends of whole groups of an encoding, the characters of that one."""
    before: int = 0
    """Characters of the encoding in front, at most, that hold a part of the secret's first byte."""
    after: int = 0
    """Characters behind, at most, that hold a part of its last byte; padding behind goes with them."""

    def is_telling(self, start: int, end: int) -> bool:
        """Tell whether this piece of the text is enough of the secret to be taken out, and no ordinary words."""
        if start == 0 and end == len(self.text):
            return True
        start = max(start, self.public)
        return end - start >= self.least and not is_ordinary(self.text[start:end])


def is_ordinary(text: str) -> bool:
    """Tell whether the text consists of words, of names made of words, and of short numbers."""
    return _WORDS.fullmatch(text) is not None


def needles(secret: str) -> frozenset[Needle]:
    """Return how the secret may be written: plainly, in JSON, percent-encoded, and as part of an encoding.

    Line breaks are left out of it, for they may be written in many ways.
    """
    joined = _BREAKS.sub("", secret)
    raw = secret.encode("utf-8", "surrogatepass")
    once = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    twice = {json.dumps(one)[1:-1] for one in once}
    percent = quote(raw, safe="")
    lower = _PERCENT.sub(lambda found: found[0].lower(), percent)
    texts = {*once, *twice, percent, lower, quote(raw), quote_plus(raw), raw.decode("latin-1")}
    encoded = (needle for bytes_ in (raw, *_wide(secret)) for needle in _base64(bytes_))
    plain = {_plain(secret), _plain(joined)} if len(joined) > _SHORTEST else {_plain(secret)}
    return frozenset({*plain, *(Needle(text=text) for text in texts if text != secret), *encoded, *_base32(raw)})


def in_digits(secret: str) -> Iterator[Needle]:
    """Yield the secret's bytes in hexadecimal in lower case, also of two bytes a character, and in decimal digits."""
    for raw in (secret.encode("utf-8", "surrogatepass"), *_wide(secret)):
        yield Needle(text=raw.hex(), least=2 * LEAST_PIECE * (len(raw) // max(1, len(secret))))
    # As a list of numbers, which is how some languages print bytes.
    yield Needle(text="".join(map(str, secret.encode("utf-8", "surrogatepass"))), least=2 * LEAST_PIECE)


_SHORTEST = 5


def _plain(secret: str) -> Needle:
    public = _PUBLIC.match(secret)
    return Needle(text=secret, least=LEAST_PIECE, is_plain=True, public=public.end() if public else 0)


def _wide(secret: str) -> Iterator[bytes]:
    # As some systems keep every text: with a zero byte beside each letter.
    if secret.isascii():
        yield secret.encode("utf-16-le")


def _base64(raw: bytes) -> Iterator[Needle]:
    # Three ways in which the secret can fall into groups of three bytes; at the ends only whole groups are certain.
    for shift in range(3):
        start, end = -(-shift * 4 // 3), (shift + len(raw)) * 4 // 3
        plain = b64encode(bytes(shift) + raw + bytes(2)).decode()[start:end]
        before, after = min(shift, 1), min((shift + len(raw)) % 3, 1)
        for text in {plain, plain.translate(str.maketrans("+/", "-_"))}:
            yield Needle(text=text, least=_LEAST_64, alphabet=_BASE64_ALPHABET, before=before, after=after)


def _base32(raw: bytes) -> Iterator[Needle]:
    for shift in range(5):
        start, end = -(-shift * 8 // 5), (shift + len(raw)) * 8 // 5
        plain = b32encode(bytes(shift) + raw + bytes(4)).decode()[start:end]
        before, after = min(shift, 1), min((shift + len(raw)) * 8 % 5, 1)
        for text in (plain, plain.lower()):
            yield Needle(text=text, least=_LEAST_32, alphabet=_BASE32_ALPHABET, before=before, after=after)
