"""Names that say that what they name is secret."""

from __future__ import annotations

import re

__all__ = ["is_public_token", "is_secret_name", "is_secret_variable"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ALONE = frozenset(
    {"password", "passwd", "passphrase", "passcode", "pwd", "secret", "credential", "credentials", "apikey", "cookie"}
    | {"authorization"}
)
_KEYS = frozenset(
    {"api", "access", "secret", "private", "auth", "signing", "encryption", "master", "account", "shared"}
)
_PUBLIC_TOKENS = frozenset({"pad", "eos", "bos", "unk", "sep", "cls", "mask", "stop", "next", "page", "max", "special"})
"""Before "token": a word of a language model, a place in a listing, or a number."""
_QUALIFIERS = frozenset({"value", "hash", "plain", "base", "id"})
_LONGEST = 200


def is_secret_name(name: str) -> bool:
    """Tell whether a field of this name holds a secret: ``password``, ``clientSecret``, ``DB_API_KEY``; no plurals."""
    before, word = _ending(name)
    if word == "token":
        return before not in _PUBLIC_TOKENS
    return word in _ALONE or (before, word) == ("connection", "string") or (word == "key" and before in _KEYS)


def is_public_token(name: str) -> bool:
    """Tell whether the name is that of a token of another kind: ``eos_token``, ``next_page_token``, ``max_token``."""
    before, word = _ending(name)
    return word == "token" and before in _PUBLIC_TOKENS


def is_secret_variable(name: str) -> bool:
    """Tell whether an environment variable of this name holds a secret: any key, too, and whatever says password."""
    words = [word.casefold() for word in _WORD.findall(name[-_LONGEST:])]
    return is_secret_name(name) or "password" in name.casefold() or words[-1:] in (["key"], ["pass"], ["pat"], ["pw"])


def _ending(name: str) -> tuple[str, str]:
    words = [word.casefold() for word in _WORD.findall(name[-_LONGEST:])]
    if words and words[-1] in _QUALIFIERS:
        words.pop()
    before, word = ["", "", *words][-2:]
    return before, word
