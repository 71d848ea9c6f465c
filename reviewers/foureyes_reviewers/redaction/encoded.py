"""Looking into what is written in another alphabet."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable, Iterator
from urllib.parse import unquote

from foureyes_reviewers.redaction.lines import BREAK, IN_FRONT
from foureyes_reviewers.redaction.spans import Span, replaced

__all__ = ["without_encoded"]

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{16,}={0,2}")
_LEAST_LINE = 60
"""Characters of a line of base64 that goes on in the next."""
_LAST_LINE = re.compile(rf"\r?\n{IN_FRONT}(?P<rest>[A-Za-z0-9+/]{{1,15}}={{0,2}})(?![A-Za-z0-9+/_-])")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_RUN = re.compile(r"[^\s\"'<>]+")
_SIGNS = re.compile(r"[^A-Za-z0-9+/]")
_STANDARD = str.maketrans("-_", "+/")
_PROBE = 16
"""Characters of base64 by which it is seen whether there is text in it."""
_LEAST_CUT = 40
"""Characters of a run of which the beginning may be cut off; a shorter one is a name."""
_KIND = "encoded secret"


def without_encoded(text: str, redacted: Callable[[str], str]) -> str:
    """Return the text with a marker in place of each base64 or percent-encoded run that holds a secret, seen decoded.

    ``redacted`` takes the secrets out of a plain text; what it changes has some.
    """
    text = _without(text, list(_in_base64(text)), redacted)
    return _without(text, list(_in_percent(text)), redacted) if _PERCENT.search(text) else text


def _without(text: str, found: list[tuple[int, int, str]], redacted: Callable[[str], str]) -> str:
    whole = "\n\n".join(plain for _, _, plain in found)
    if not found or redacted(whole) == whole:
        return text
    return replaced(text, (Span(start, end, _KIND) for start, end, plain in found if redacted(plain) != plain))


def _in_base64(text: str) -> Iterator[tuple[int, int, str]]:
    runs = list(_BASE64.finditer(text))
    for found in runs:
        run = found[0]
        # Names and words have letters of one kind.
        plain = "" if run.islower() or run.isupper() else _from_base64(run)
        if plain:
            yield found.start(), found.end(), plain
    yield from _in_lines(text, runs)


def _in_lines(text: str, runs: list[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    lines: list[re.Match[str]] = []
    for found in runs:
        if lines and not _goes_on(text, lines[-1], found.start()):
            yield from _joined(text, lines)
            lines = []
        lines.append(found)
    yield from _joined(text, lines)


def _goes_on(text: str, line: re.Match[str], start: int) -> bool:
    is_whole = line.end() - line.start() >= _LEAST_LINE and not line[0].endswith("=")
    return is_whole and BREAK.fullmatch(text, line.end(), start) is not None


def _joined(text: str, lines: list[re.Match[str]]) -> Iterator[tuple[int, int, str]]:
    last = lines and _LAST_LINE.match(text, lines[-1].end())
    parts = [line[0] for line in lines] + ([last["rest"]] if last else [])
    if len(parts) < 2 or len(parts[0]) < _LEAST_LINE:
        return
    # A plus sign may stand in front of the lines, or be the first of their own.
    for joined in ("".join(parts), "".join(part.removeprefix("+") for part in parts)):
        if plain := _from_base64(joined):
            yield lines[0].start(), last.end() if last else lines[-1].end(), plain


def _in_percent(text: str) -> Iterator[tuple[int, int, str]]:
    for found in _RUN.finditer(text):
        plain = unquote(found[0]) if "%" in found[0] else found[0]
        if plain != found[0]:
            yield found.start(), found.end(), unquote(plain)


def _from_base64(run: str) -> str:
    digits = _SIGNS.sub("", run.rstrip("=").translate(_STANDARD))
    # Where the beginning is cut off, the groups of four begin a little later.
    for start in range(4 if len(run) >= _LEAST_CUT else 1):
        probe = b64decode(digits[start : start + _PROBE][: (len(digits) - start) // 4 * 4])
        if _is_text(probe):
            return _text(digits[start:])
    return ""


def _is_text(raw: bytes) -> bool:
    plain = raw.replace(b"\0", b"") if raw[1::2].count(0) == len(raw) // 2 else raw
    return len(plain) > 4 and plain.isascii() and all(c.isprintable() or c.isspace() for c in plain.decode())


def _text(digits: str) -> str:
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    raw = b64decode(digits + "=" * (-len(digits) % 4))
    return raw.decode("utf-8", "replace").replace("\0", "")
