"""How lines begin and end where a text is quoted, listed, indented or written in another one."""

from __future__ import annotations

import re

__all__ = ["BREAK", "BREAK_REACH", "IN_FRONT", "LONGEST_IN_FRONT", "NEWLINE", "is_gap"]

NEWLINE = r"(?:\\{0,8}(?:\r\n?|\n)|\\{1,8}r\\{1,8}n|\\{1,8}[nr])"
"""The end of a line, continued or not, also as JSON, programs, and JSON in JSON write it."""
LONGEST_IN_FRONT = 60
"""Characters in front of a quoted line: the name of a file, the number of the line, marks of a quotation or a diff."""
IN_FRONT = (
    r"(?>(?:[\w./-]{1,40}[:-]\d{1,6}[:-])?"  # as grep writes it
    r"(?>[ \t+>|#*│!<\"'-]|\d{1,7}[:|→)\t ]|\\{1,8}t|\x1b\[[\d;]{0,8}m){0,40}+)"
)
"""What stands in front of a line that is quoted, indented, numbered, or part of a difference."""

_BEHIND = r"[ \t]{0,8}(?:\\{0,4}[\"'`])?[ \t]{0,8}[+.,=|│&)]?[ \t]{0,8}"
_UNSEEN = "[\x00\xad\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufe00-\ufe0f\ufeff]"
_GLUE = r"\\{0,4}[\"'`][ \t]{0,4}[+.]?[ \t]{0,4}\\{0,4}[\"'`]"
_GAP = re.compile(rf"(?:{_BEHIND}(?:{NEWLINE}[ \t]*){{1,3}}{IN_FRONT}[+.]?[ \t]?|{_GLUE}|{_UNSEEN}{{1,8}})")
_WIDE = re.compile(rf"{_BEHIND}{NEWLINE}[^\n]{{0,{LONGEST_IN_FRONT}}}|[ \t]{{1,8}}")
BREAK = re.compile(rf"\\{{0,4}}(?:\r\n?|\n){IN_FRONT}")
"""The end of a line, and what stands in front of the next."""
BREAK_REACH = LONGEST_IN_FRONT + 40
"""Characters of the longest gap that is told from other text."""


def is_gap(text: str, start: int, end: int, *, sure: bool) -> bool:
    """Tell whether only the end of a line, and what stands in front of the next, is between the two places.

    ``sure`` says that what follows is known to be the rest of something: then anything may stand in front.
    """
    if _GAP.fullmatch(text, start, end):
        return True
    return sure and _WIDE.fullmatch(text, start, end) is not None
