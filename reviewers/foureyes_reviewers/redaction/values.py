"""What a value looks like: a secret, a place where one belongs, or code."""

from __future__ import annotations

import re

__all__ = ["is_code", "is_path", "is_placeholder", "is_random", "is_word"]

_PLACEHOLDER = re.compile(
    r"[<${%*(].*|![A-Za-z]{2,12}|"
    r"\.{2,}.*|x{3,}|X{3,}|(?:your|my|the|some|insert|example|placeholder|changeme|redacted|dummy)[-_ ].*"
    r"|(?i:password|passwd|pass|pwd|pw|secret|token|key|api[-_]?key|null|none|nil|true|false|undefined|required|optional"
    r"|missing|invalid|incorrect|wrong|expired|empty|unset|not|hidden|masked|redacted|example|placeholder|string|str|text"
    r"|bytes|int|integer|bool|boolean|float|number|object|any|secretstr|secretbytes|field|varchar|char|type|value|unknown"
    r"|yes|no|ok|and|or|is|was|has|must|should|can|cannot|will|for|from|in|of|to|the"
    r"|options?|flags?|arguments?|args?|params?|parameters?|fields?|values?|prompt|here|instead|with|as|please)",
    re.DOTALL,
)
_PATH_OF_NAMES = re.compile(r"[A-Za-z_]\w*(?:(?:\.|->|::)[A-Za-z_]\w*)+")
_TYPE = re.compile(r"_*(?:[A-Z][a-z]+){2,}\w*")
_INNER_NUMBER = re.compile(r"(?<=[A-Za-z])\d+(?=[A-Za-z])")
_NAMES = re.compile(r"\w+")
_BRIEF = 12
"""Letters and digits of which nobody can tell whether they were drawn."""
_SMALL = 0.6
"""The share of small letters that a name in a program has at least. Of letters and digits that are drawn, four in ten
are small."""
_PATH = re.compile(r"(?:~|\.{0,2})/(?:[\w.+-]+/)*(?:[a-z]{3,}|[\w-]+\.[a-z]{2,5})(?:/[\w.+-]*)*|[A-Za-z]:\\.*")
"""A path has a word in it, or ends in a name with an extension; base64 that happens to begin with a stroke has not."""
_LONGEST_PATH = 300
_LOOKED = 128
_MIXED = re.compile(r"(?=[\W\d_]*[^\W\d_])\D*\d")
"""A letter and a digit."""
_CAPITALS = re.compile(r"(?=[^a-z]*[a-z]).[^A-Z]*[A-Z][^A-Z]*[A-Z]", re.DOTALL)
"""A small letter, and two capitals behind the first character."""
_PADDED = re.compile(r"[^=]{3,}={1,2}")
_SPEAKS = re.compile(r"pass|pwd|secret|token|key|cred", re.IGNORECASE)
_NUMBERED = re.compile(r"[a-z]\d{2,}\Z")
"""The end of ``secret123``: names in programs end in one digit, if in any."""


def is_placeholder(value: str) -> bool:
    """Tell whether the value only shows where a secret belongs, or is a word of a text or a type."""
    return _PLACEHOLDER.fullmatch(value[:200]) is not None


def is_code(value: str) -> bool:
    """Tell whether the value is the name of something in a program: a path, a type, or a name that says what it is."""
    if _PATH_OF_NAMES.fullmatch(value) or _TYPE.fullmatch(value):
        return all(map(_is_name, _NAMES.findall(value)))
    speaks = value.isidentifier() and _SPEAKS.search(value) is not None
    return speaks and _is_name(value) and not _NUMBERED.search(value)


def _is_name(word: str) -> bool:
    # Capitals and digits all over the place are no name, even where the first letters look like a type.
    plain = word.replace("_", "")
    shouted = word.isupper() and not _MIXED.match(word)
    if len(plain) < _BRIEF or shouted:
        return True
    return sum(map(str.islower, plain)) >= _SMALL * len(plain) and len(_INNER_NUMBER.findall(plain)) < 2


def is_path(value: str) -> bool:
    """Tell whether the value is the path of a file or a folder, beginning at the root, at home, or here."""
    return len(value) <= _LONGEST_PATH and _PATH.fullmatch(value) is not None


def is_word(value: str) -> bool:
    """Tell whether the value has neither a digit nor a sign in it but those that join words."""
    return value.replace("-", "").replace("_", "").isalpha()


def is_random(value: str) -> bool:
    """Tell whether the value was drawn rather than written: letters with digits, or capitals all over the place.

    The first 128 characters decide.
    """
    head = value[:_LOOKED]
    if _MIXED.match(head) or _CAPITALS.match(head) or _PADDED.fullmatch(value):
        return not is_placeholder(head)
    return False
