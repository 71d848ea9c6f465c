"""A value that is secret for the name that it is given: in env files, JSON, YAML, INI, XML, code and command lines."""

from __future__ import annotations

import re

from foureyes_reviewers.redaction.names import is_public_token, is_secret_name
from foureyes_reviewers.redaction.values import is_code, is_path, is_placeholder, is_random, is_word

__all__ = ["ASSIGNMENT", "OPTION", "PAIR", "is_secret_assignment", "is_secret_option"]

_QUOTE = r"\\{0,4}[\"'`]"
ASSIGNMENT = re.compile(
    r"(?P<name>pass(?:word|wd|phrase|code)|pwd|(?<=_)pass|secret|token|credentials?"
    r"|(?:api|access|secret|private|auth|signing|encryption|master|account|shared)[ _-]?key"
    r"|(?<=_)key)"
    r"(?:[_-]?(?:value|hash|plain|base|id)|\d{1,2})?(?![A-Za-z0-9_])"
    rf"(?:{_QUOTE})?\]?"
    r"(?P<sign>[ \t]{0,8}:[ \t]{0,4}[A-Za-z][\w.\[\]| ]{0,40}=[ \t]{0,4}(?=[\"'])"  # an annotation, then a value
    r"|[ \t]{0,8}(?:=>|:=|==?|:)[ \t]{0,8}|>|[ \t]{1,4}is:?[ \t]{1,4})"
    rf"(?:(?P<quote>{_QUOTE})(?P<secret>(?:(?!(?P=quote))[^\r\n]){{1,2000}}+)(?P=quote)"
    rf"|(?:{_QUOTE})?(?P<bare>[^\s\"'`,;&|<>(){{}}\[\]\\]{{3,2000}}))",
    re.IGNORECASE,
)
"""A name that says secret, a sign of assignment, and a value, in quotes or without."""
OPTION = re.compile(
    r"(?<!\S)--(?P<name>[A-Za-z][\w-]{1,60})[ \t]{1,4}[\"']?(?P<secret>[^\s\"'-][^\s\"']{2,2000})",
)
"""An option of a command with its value behind a blank."""

_MARK = r"\\{0,4}[\"']?"
PAIR = re.compile(
    rf"\bname{_MARK}\s{{0,4}}:\s{{0,4}}{_MARK}(?P<name>[A-Za-z][\w.-]{{1,60}}){_MARK}\s{{0,20}},?\s{{0,20}}"
    rf"{_MARK}value{_MARK}\s{{0,4}}:\s{{0,4}}{_MARK}(?P<secret>[^\s\"'\\]{{3,2000}})",
    re.IGNORECASE,
)
"""A name and, behind it, its value, as manifests of containers give them."""

_BEFORE = re.compile(r"[\w.-]*\Z")
_LONGEST_NAME = 60
_SIGNS = frozenset("!@#$%^&*+~?")
_LEAST_TOKEN = 8
_LEAST_KEY = 12


def is_secret_option(found: re.Match[str]) -> bool:
    """Tell whether an option of a command, or a variable in a manifest, is given a secret."""
    return is_secret_name(found["name"]) and not (is_placeholder(found["secret"]) or is_path(found["secret"]))


def is_secret_assignment(found: re.Match[str]) -> bool:
    """Tell whether a name is given a secret, and not a placeholder, a type, a name in a program, or a word of prose.

    A password may be any word; a token or a key has digits or signs in it, or capitals all over the place.
    """
    name = _whole_name(found)
    value = found["secret"] or found["bare"]
    if is_placeholder(value) or is_path(value) or is_public_token(name):
        return False
    if found["secret"] is not None:
        return _is_secret_text(found, value)
    return _is_secret_word(found, name, value)


def _whole_name(found: re.Match[str]) -> str:
    start = found.start("name")
    before = _BEFORE.search(found.string[max(0, start - _LONGEST_NAME) : start])
    return (before[0] if before else "") + found["name"]


def _is_password(found: re.Match[str]) -> bool:
    return found["name"].casefold().startswith(("pass", "pwd"))


def _is_secret_text(found: re.Match[str], value: str) -> bool:
    if _is_password(found):
        # A sentence about the password, such as a message of a form, is none.
        return len(value.split()) < 3 or "phrase" in found["name"].casefold()
    return len(value) >= _LEAST_TOKEN and " " not in value and _is_drawn(value)


def _is_secret_word(found: re.Match[str], name: str, value: str) -> bool:
    sign, behind = found["sign"], found.string[found.end() : found.end() + 2]
    if sign == ">":
        return behind == "</"
    if behind[:1] in ("(", "["):
        return False
    if _is_declared(found, name) and sign == "=":
        return found["name"].casefold() != "key" or (len(value) >= _LEAST_KEY and is_random(value))
    if is_code(value) or found["name"].casefold() == "key":
        return False
    if _is_password(found) and sign.strip() in (":", "="):
        return _is_odd(value) or (sign.strip() == ":" and len(value) > 5 and _is_whole_line(found, name))
    return len(value) >= (6 if _is_password(found) else _LEAST_TOKEN) and _is_drawn(value)


def _is_declared(found: re.Match[str], name: str) -> bool:
    # As in an environment file, on a command line, in a URL or in a connection string.
    start = found.start("name") - len(name) + len(found["name"])
    return name.isupper() or found.string[max(0, start - 1) : start] in ("&", "?", ";") or name.startswith("-")


def _is_drawn(value: str) -> bool:
    return not value.isdigit() and (is_random(value) or bool(_SIGNS & set(value))) and not is_code(value)


def _is_odd(value: str) -> bool:
    return len(value) > 3 and not is_word(value)


def _is_whole_line(found: re.Match[str], name: str) -> bool:
    start = found.start("name") - len(name) + len(found["name"])
    line = found.string[max(0, start - _LONGEST_NAME) : start].rpartition("\n")[2]
    return not line.strip(" \t-\"'") and found.string[found.end() : found.end() + 1] in ("", "\r", "\n")
