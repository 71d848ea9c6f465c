"""Private keys whose beginning is gone: a cut, or a listing that shows the end of a file."""

from __future__ import annotations

import re

from foureyes_reviewers.redaction.patterns import marker

__all__ = ["without_key_tails"]

_END = re.compile(r"-----END (?:[A-Z0-9]{1,20} ){0,4}PRIVATE KEY(?: BLOCK)?-----")
_LINE = re.compile(r"[A-Za-z0-9+/=]{1,128}\r?\n")


def without_key_tails(text: str) -> str:
    """Return the text with a marker in place of the lines of a key before its last one. Takes linear time."""
    kept: list[str] = []
    place = 0
    for end in _END.finditer(text):
        start = _first_line(text, place, end.start())
        if start < end.start():
            kept += [text[place:start], marker("private key"), "\n"]
            place = end.start()
    return "".join((*kept, text[place:])) if kept else text


def _first_line(text: str, place: int, start: int) -> int:
    while start > place:
        line = max(place, text.rfind("\n", place, start - 1) + 1)
        if not _LINE.fullmatch(text, line, start):
            break
        start = line
    return start
