"""A value that is secret for its name, written below it: a block of YAML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from foureyes_reviewers.redaction.lines import IN_FRONT, NEWLINE
from foureyes_reviewers.redaction.looks import Look
from foureyes_reviewers.redaction.names import is_secret_name
from foureyes_reviewers.redaction.spans import MARK, Span
from foureyes_reviewers.redaction.values import is_placeholder, is_random

__all__ = ["Blocks"]

_HEAD = re.compile(
    rf": [|>](?<=[\w\"']: [|>])[+-]?\d?[ \t]{{0,4}}\|?{NEWLINE}(?P<front>{IN_FRONT})"
    r"(?P<secret>[^\s\\\"'\x1b][^\r\n\\\"'\x1b]{2,2000})"
)
_NAME = re.compile(r"[A-Za-z][\w.-]{1,60}(?=[\"']?\Z)")
_LONGEST = 16_000


class Blocks:
    """Finds blocks below names that say secret. What is no password must look drawn."""

    starts = (": |", ": >")
    """What follows the names, one of these."""

    def spans(self, look: Look) -> Iterator[Span]:
        """Yield each block without the blanks in front of its first line."""
        if not any(start in look.text for start in self.starts):
            return
        for found in _HEAD.finditer(look.text):
            if _is_secret(found):
                yield Span(found.start("secret"), _end(found), "credential")


def _is_secret(found: re.Match[str]) -> bool:
    name = _NAME.search(found.string, max(0, found.start() - 64), found.start())
    value = found["secret"].rstrip()
    if name is None or not is_secret_name(name[0]) or value.startswith(MARK) or is_placeholder(value):
        return False
    return is_random(value.replace(" ", "")) or "pass" in name[0].casefold()


def _end(found: re.Match[str]) -> int:
    text, end, front = found.string, found.end(), found["front"]
    last = found.start("secret") + _LONGEST
    while (
        front.strip(" \t+>|-") == "" and text.startswith("\n", end) and text.startswith(front, end + 1) and end < last
    ):
        line = text.find("\n", end + 1)
        end = len(text) if line < 0 else line
    return min(end, max(last, found.end()))
