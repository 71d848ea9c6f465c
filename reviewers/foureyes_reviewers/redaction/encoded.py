"""Looking into what is written in another alphabet."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable
from urllib.parse import unquote

__all__ = ["without_encoded"]

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,}={0,2}")
_PERCENT = re.compile(r"%[0-9A-Fa-f]{2}")
_RUN = re.compile(r"[^\s\"'<>]+")
_STANDARD = str.maketrans("-_", "+/")


def without_encoded(text: str, redacted: Callable[[str], str], marker: str) -> str:
    """Return the text with a marker in place of each base64 or percent-encoded run that holds a secret, seen decoded.

    ``redacted`` takes the secrets out of a plain text; what it changes has some.
    """
    text = _BASE64.sub(lambda found: _kept(found[0], _from_base64(found[0]), redacted, marker), text)
    if not _PERCENT.search(text):
        return text
    return _RUN.sub(lambda found: _kept(found[0], _from_percent(found[0]), redacted, marker), text)


def _kept(run: str, plain: str, redacted: Callable[[str], str], marker: str) -> str:
    return marker if plain and redacted(plain) != plain else run


def _from_base64(run: str) -> str:
    digits = run.rstrip("=").translate(_STANDARD)
    digits = digits[: len(digits) - (len(digits) % 4 == 1)]
    try:
        plain = b64decode(digits + "=" * (-len(digits) % 4)).decode()
    except ValueError:
        return ""
    return plain if all(c.isprintable() or c.isspace() for c in plain) else ""


def _from_percent(run: str) -> str:
    plain = unquote(run) if "%" in run else run
    return "" if plain == run else unquote(plain)
