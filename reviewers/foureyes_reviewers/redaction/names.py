"""Names that say that what they name is secret."""

from __future__ import annotations

import re

__all__ = ["is_public_token", "is_secret_name", "is_secret_variable"]

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_ALONE = frozenset(
    {"password", "passwd", "passphrase", "passcode", "pwd", "secret", "credential", "credentials", "apikey", "cookie"}
    | {"authorization", "jwt"}
)
_KEYS = frozenset(
    {"api", "access", "secret", "private", "auth", "signing", "encryption", "master", "account", "shared"}
)
_PUBLIC_TOKENS = frozenset({"pad", "eos", "bos", "unk", "sep", "cls", "mask", "stop", "next", "page", "max", "special"})
"""Before "token": a word of a language model, a place in a listing, or a number."""
_TELLING = _ALONE | frozenset(
    {"key", "keys", "token", "secrets", "passwords", "pass", "pw", "creds", "jwts", "auth", "bearer", "cookies", "dsn"}
    | {"authtoken", "accesstoken", "accesskey", "secretkey", "privatekey", "mnemonic"}
)
"""Words of an environment variable's name of which one says that its value is secret, wherever it stands."""
_OPEN_KEYS = frozenset({"public", "publishable", "primary", "foreign", "sort", "partition"})
"""Before "key": one that everybody may see."""
_ABOUT = frozenset(
    {"file", "path", "dir", "directory", "url", "uri", "endpoint", "host", "hostname", "domain", "server", "port"}
    | {"sock", "socket", "name", "type", "kind", "mode", "method", "algorithm", "alg", "format", "version", "prefix"}
    | {"header", "provider", "backend", "issuer", "audience", "realm", "scope", "scopes", "user", "username", "email"}
    | {"length", "len", "size", "count", "limit", "ttl", "expiry", "expires", "timeout", "age", "rotation", "repeat"}
    | {"enabled", "disabled", "required", "secure", "samesite", "layout", "map", "bindings", "store", "class", "module"}
)
"""Last words of names that tell of something about a secret, and not the secret itself."""
_FOLDERS = frozenset({"PWD", "OLDPWD"})
"""Where a shell is and was."""
_PASSWORDS = ("password", "passwd", "passphrase")
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
    """Tell whether an environment variable of this name holds a secret.

    The words of the name decide, which are split at signs and where capitals begin: ``API_TOKEN_PROD``, ``KEY_PROD``
    and ``X_JWT`` do. ``MAX_TOKENS`` and ``KEYBOARD`` do not, nor does what only tells where a secret is or how it is
    made: ``TOKEN_FILE``, ``AUTH_MODE``. Whatever says password does.
    """
    if is_secret_name(name) or any(word in name.casefold() for word in _PASSWORDS):
        return name not in _FOLDERS
    words = [word.casefold() for word in _WORD.findall(name[-_LONGEST:])]
    if not words or words[-1] in _ABOUT or (words[-1] == "id" and not _TELLING & set(words[-2:])):
        return False
    return words[-1] == "pat" or any(map(_is_telling, ["", *words], words))


def _is_telling(before: str, word: str) -> bool:
    if word == "token":
        return before not in _PUBLIC_TOKENS
    return word in _TELLING and not (word in ("key", "keys") and before in _OPEN_KEYS)


def _ending(name: str) -> tuple[str, str]:
    words = [word.casefold() for word in _WORD.findall(name[-_LONGEST:])]
    if words and words[-1] in _QUALIFIERS:
        words.pop()
    before, word = ["", "", *words][-2:]
    return before, word
