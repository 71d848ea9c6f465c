"""Finding secrets that are known, in whatever form they come."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from urllib.parse import quote, quote_plus

__all__ = ["forms", "without_known"]

_BREAK = re.compile(r"\\{0,4}(?:\r\n?|\n)[ \t]*|\\{1,4}r\\{1,4}n|\\{1,4}[nr]")
"""Where a line was broken, in a text or in the JSON of one."""
_PERCENT = re.compile("%[0-9A-F]{2}")


def forms(secret: str) -> frozenset[str]:
    """Return how a secret may be written: plainly, in JSON, percent-encoded, and as a part of base64."""
    raw = secret.encode("utf-8", "surrogatepass")
    once = {json.dumps(secret)[1:-1], json.dumps(secret, ensure_ascii=False)[1:-1]}
    twice = {json.dumps(one)[1:-1] for one in once}
    percent = quote(raw, safe="")
    lower = _PERCENT.sub(lambda found: found[0].lower(), percent)
    return frozenset({secret, *once, *twice, percent, lower, quote(raw), quote_plus(raw), *_base64(raw)})


def without_known(text: str, wanted: Sequence[str], marker: str) -> str:
    """Return the text with a marker in place of everything wanted, even where a line break goes through it.

    ``wanted`` is tried in its order, so a longer form of a secret has to stand before a shorter one.
    """
    for form in wanted:
        if form in text:
            text = text.replace(form, marker)
    spans = sorted(_broken(text, wanted))
    kept: list[str] = []
    place = 0
    for start, end in spans:
        if start >= place:
            kept += [text[place:start], marker]
        place = max(place, end)
    return "".join((*kept, text[place:])) if spans else text


def _base64(raw: bytes) -> Iterator[str]:
    # Three ways in which the secret can fall into groups of three bytes; at the ends only whole groups are certain.
    for shift in range(3):
        start, end = -(-shift * 4 // 3), (shift + len(raw)) * 4 // 3
        plain = b64encode(bytes(shift) + raw + bytes(2)).decode()[start:end]
        yield plain
        yield plain.translate(str.maketrans("+/", "-_"))


def _broken(text: str, wanted: Sequence[str]) -> Iterator[tuple[int, int]]:
    breaks = list(_BREAK.finditer(text)) if wanted else []
    if not breaks:
        return
    ends = [0, *(found.end() for found in breaks)]
    starts = [*(found.start() for found in breaks), len(text)]
    joined = "".join(text[end:start] for end, start in zip(ends, starts, strict=True))
    firsts = _firsts(ends, starts)
    for form in wanted:
        for place in _places(joined, form):
            yield _origin(place, firsts, ends), _origin(place + len(form) - 1, firsts, ends) + 1


def _firsts(ends: list[int], starts: list[int]) -> list[int]:
    firsts = [0]
    for end, start in zip(ends[:-1], starts[:-1], strict=True):
        firsts.append(firsts[-1] + start - end)
    return firsts


def _origin(place: int, firsts: list[int], ends: list[int]) -> int:
    piece = bisect_right(firsts, place) - 1
    return ends[piece] + place - firsts[piece]


def _places(text: str, form: str) -> Iterator[int]:
    place = text.find(form)
    while place >= 0:
        yield place
        place = text.find(form, place + len(form))
