"""Finding secrets that are known, in whatever form they come."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from urllib.parse import quote, quote_plus

from foureyes_reviewers.redaction.views import digits, unescaped

__all__ = ["Form", "forms", "without_known"]

_PERCENT = re.compile("%[0-9A-F]{2}")
_BASE64 = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/-_")


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """One way in which a secret may be written."""

    text: str
    hexadecimal: bool = False
    """Whether the text is looked for among digits that stand together, whatever joins them."""
    before: int = 0
    """Characters of base64 in front, at most, that hold a part of the secret's first byte."""
    after: int = 0
    """Characters of base64 behind, at most, that hold a part of its last byte; padding behind goes with them."""


def forms(secret: str) -> frozenset[Form]:
    """Return how a secret may be written: plainly, in JSON, percent-encoded, as bytes, and as a part of base64.

    Escapes of single characters are no forms of their own: they are read before anything is looked for.
    """
    raw = secret.encode("utf-8", "surrogatepass")
    once = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    twice = {json.dumps(one)[1:-1] for one in once}
    percent = quote(raw, safe="")
    lower = _PERCENT.sub(lambda found: found[0].lower(), percent)
    texts = {secret, *once, *twice, percent, lower, quote(raw), quote_plus(raw), raw.decode("latin-1"), *_bytes(raw)}
    return frozenset({*(Form(text=text) for text in texts), Form(text=raw.hex(), hexadecimal=True), *_base64(raw)})


def without_known(text: str, wanted: Sequence[Form], marker: str) -> str:
    """Return the text with a marker in place of everything wanted.

    It is found even where a line break goes through it, or where some of its characters are escaped. Takes time in
    proportion to the text.
    """
    kept: list[str] = []
    place = 0
    for start, end in _joined(sorted(_spans(text, wanted))):
        kept += [text[place:start], marker]
        place = end
    return "".join((*kept, text[place:])) if kept else text


def _bytes(raw: bytes) -> Iterator[str]:
    # As a list of numbers, which is how some languages print bytes.
    for comma in (",", ", "):
        yield comma.join(map(str, raw))


def _base64(raw: bytes) -> Iterator[Form]:
    # Three ways in which the secret can fall into groups of three bytes; at the ends only whole groups are certain.
    for shift in range(3):
        start, end = -(-shift * 4 // 3), (shift + len(raw)) * 4 // 3
        plain = b64encode(bytes(shift) + raw + bytes(2)).decode()[start:end]
        for text in {plain, plain.translate(str.maketrans("+/", "-_"))}:
            yield Form(text=text, before=min(shift, 1), after=min((shift + len(raw)) % 3, 1))


def _spans(text: str, wanted: Sequence[Form]) -> Iterator[tuple[int, int]]:
    plain = [form for form in wanted if not form.hexadecimal]
    for form in plain:
        for place in _places(text, form.text):
            yield _stretched(text, place, place + len(form.text), form)
    if plain and (view := unescaped(text)) is not None:
        for form in plain:
            for place in _places(view.text, form.text):
                yield _stretched(text, *view.span(place, len(form.text)), form)
    if len(plain) < len(wanted):
        yield from _among_digits(text, [form.text for form in wanted if form.hexadecimal])


def _among_digits(text: str, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    for view in digits(text):
        for number in wanted:
            for place in _places(view.text, number):
                yield view.span(place, len(number))


def _stretched(text: str, start: int, end: int, form: Form) -> tuple[int, int]:
    if form.before and text[start - 1 : start] in _BASE64:
        start -= 1
    if form.after:
        end += text[end : end + 1] in _BASE64
        end += len(text[end : end + 2]) - len(text[end : end + 2].lstrip("="))
    return start, end


def _places(text: str, form: str) -> Iterator[int]:
    place = text.find(form)
    while place >= 0:
        yield place
        place = text.find(form, place + len(form))


def _joined(spans: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Yield the spans, sorted by their beginning, with those that overlap as one."""
    last: tuple[int, int] | None = None
    for start, end in spans:
        if last is not None and start < last[1]:
            last = last[0], max(last[1], end)
            continue
        if last is not None:
            yield last
        last = start, end
    if last is not None:
        yield last
