"""The secrets that the process itself was given."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from foureyes_reviewers.redaction.names import is_secret_name, is_secret_variable
from foureyes_reviewers.redaction.values import is_path

__all__ = ["MIN_SECRET", "process_secrets"]

MIN_SECRET = 6
"""Characters of the shortest secret that is looked for: a shorter one is a part of every other text."""
_PASSWORD_IN_URL = re.compile(r"://[^\s/:@]{0,200}:([^\s/@]{1,400})@")
_WORD = re.compile(r"[a-z]{1,11}|[A-Z]{1,11}|[A-Z][a-z]{1,10}|\d{1,7}")
"""A word or a number. One that guards something is weak, and hiding it everywhere would hide half of the run."""


def process_secrets(environ: Mapping[str, str]) -> frozenset[str]:
    """Return the secrets among the values of environment variables, by the variables' names.

    Such are: values of variables with KEY, TOKEN, SECRET, PASSWORD, JWT and the like for a word of the name; passwords
    in the URLs of any variable; and fields with such names in a variable that holds JSON. Left out are values of fewer
    than 6 characters, single plain words of fewer than 12, numbers of fewer than 8 digits, and paths of files.
    """
    found = {value for name, text in environ.items() for value in _secrets(name, text)}
    return frozenset(value for value in found if _is_telling(value))


def _secrets(name: str, text: str) -> Iterator[str]:
    if is_secret_variable(name):
        yield text.strip()
    for password in _PASSWORD_IN_URL.findall(text):
        yield password
        yield unquote(password)
    if text.lstrip()[:1] in ("{", "["):
        yield from _in_json(text)


def _in_json(text: str) -> Iterator[str]:
    try:
        # Objects as their pairs: of a field that is given twice both may be secret. No number is too long to be text.
        yield from _fields(json.loads(text, parse_int=str, object_pairs_hook=tuple), secret=False)
    except (ValueError, RecursionError):
        return


def _fields(value: object, *, secret: bool) -> Iterator[str]:
    if isinstance(value, str):
        yield from [value] if secret else []
    elif isinstance(value, tuple):
        for name, one in value:
            yield from _fields(one, secret=secret or is_secret_name(name) or name.casefold() == "key")
    elif isinstance(value, list):
        for one in value:
            yield from _fields(one, secret=secret)


def _is_telling(value: str) -> bool:
    return len(value) >= MIN_SECRET and not _WORD.fullmatch(value) and not is_path(value)
