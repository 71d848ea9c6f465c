"""Private keys, whole, in halves, and behind what stands in front of quoted lines."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foureyes_reviewers.redaction.lines import IN_FRONT, NEWLINE
from foureyes_reviewers.redaction.spans import Span

__all__ = ["LONGEST_KEY", "key_spans"]

_KIND = "private key"
_NAME = r"(?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?"
_HEAD = rf"(?:-----BEGIN {_NAME}-----|---- BEGIN SSH2 (?:ENCRYPTED )?PRIVATE KEY ----)"
_TAIL = rf"(?:-----END {_NAME}-----|---- END SSH2 (?:ENCRYPTED )?PRIVATE KEY ----)"
_LONGEST = 16_000
"""Characters between the first line and the last one: twice those of the longest RSA key in use, 8,192 bits."""
LONGEST_KEY = _LONGEST + 160
"""Characters of a key with its first and its last line."""
_BODY = (
    r"[A-Za-z0-9+/]{16,}+={0,2}|[A-Za-z0-9+/]{1,15}={1,2}|=[A-Za-z0-9+/]{4}"
    r"|(?:Proc-Type|DEK-Info|Comment|Version): [^\n\\]{0,120}"
)
_LINES = rf"(?>(?:{NEWLINE}|[ \t]){{1,3}}{IN_FRONT}(?:{_BODY})){{1,2000}}+"
_WHOLE = re.compile(
    rf"{_HEAD}(?>(?:[^-]|-(?!----(?:BEGIN|END) |--- (?:BEGIN|END) )){{0,{_LONGEST}}}{_TAIL}|(?:{_LINES})?)"
)
_PUTTY = re.compile(
    rf"Private-Lines: \d{{1,4}}(?P<secret>(?>{NEWLINE}{IN_FRONT}[A-Za-z0-9+/]{{1,120}}={{0,2}}){{1,400}}+)"
)
_END = re.compile(_TAIL)
_ENDS = ("-----END ", "---- END SSH2")
_BEGINS = ("-----BEGIN ", "---- BEGIN SSH2")
_NEWLINE_BACK = r"(?:\n\r?\\{0,4}|[nr]\\{1,4}(?:[nr]\\{1,4})?)"
_IN_FRONT_BACK = r"(?>[ \t+>|#*│!<\"'-]|[ \t:|→)]\d{1,7}|t\\{1,4}){0,40}+(?:[:-]\d{1,6}[:-][\w./-]{1,40})?"
_LINE_BACK = r"={0,2}(?>[A-Za-mo-qs-z0-9+/]|[nr](?!\\)){1,160}+"
_LINES_BACK = re.compile(rf"(?:{_IN_FRONT_BACK}{_NEWLINE_BACK}{_LINE_BACK}){{1,2000}}+")


def key_spans(text: str) -> Iterator[Span]:
    """Yield private keys; of one whose beginning or end is missing, the lines that are there. Takes linear time."""
    if "PRIVATE KEY" in text:
        yield from _whole_ones(text)
        yield from _tails(text)
    if "Private-Lines: " in text:
        yield from (Span(*found.span("secret"), _KIND) for found in _PUTTY.finditer(text))


def _whole_ones(text: str) -> Iterator[Span]:
    for begin in _BEGINS:
        place = text.find(begin)
        while place >= 0:
            found = _WHOLE.match(text, place)
            if found:
                yield Span(place, min(found.end(), place + LONGEST_KEY), _KIND)
            place = text.find(begin, found.end() if found else place + 1)


def _tails(text: str) -> Iterator[Span]:
    place = 0
    for end in _END.finditer(text):
        start = max(place, end.start() - _LONGEST)
        place = end.end()
        before = text[start : end.start()]
        found = None if any(begin in before for begin in _BEGINS) else _LINES_BACK.match(before[::-1])
        if found:
            yield Span(end.start() - found.end(), end.end(), _KIND)
