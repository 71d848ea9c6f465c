"""Secrets that are known by what they stand in: headers, addresses, command lines and files of settings."""

from __future__ import annotations

import re
from base64 import b64decode
from collections.abc import Callable

from foureyes_reviewers.redaction.lines import IN_FRONT, NEWLINE
from foureyes_reviewers.redaction.needles import is_ordinary
from foureyes_reviewers.redaction.patterns import Pattern
from foureyes_reviewers.redaction.values import is_placeholder, is_random

__all__ = ["CARRIED"]

_QUOTE = r"(?:\\{0,8}[\"'`]|&quot;|&\#3[49];|\\{1,4}u0022)?"
_HEADER = rf"{_QUOTE}(?P<sign>\s{{0,4}}[:=,]\s{{0,4}}){_QUOTE}"
_NEXT = rf"(?:[ \t]{{1,16}}|[ \t]{{0,16}}{NEWLINE}{IN_FRONT})"
_WORD = r"(?<![A-Za-z0-9])|(?<=\\[nrt])"


_MACHINE = 300
"""Characters before a login that the name of the machine stands in."""


def _random(found: re.Match[str]) -> bool:
    return is_random(found["secret"])


def _granted(found: re.Match[str]) -> bool:
    # In a list of names of headers, the next one is a name.
    return is_random(found["secret"]) and not (found["sign"].strip() == "," and is_ordinary(found["secret"]))


def _of_user(found: re.Match[str]) -> bool:
    # Numbers are those of a user and a group.
    return not (is_placeholder(found["secret"]) or found["secret"].isdigit())


def _in_file(found: re.Match[str]) -> bool:
    before = found.string[max(0, found.start() - _MACHINE) : found.start()].casefold()
    return not is_placeholder(found["secret"]) and ("machine" in before or "default" in before)


def _meant(found: re.Match[str]) -> bool:
    return not is_placeholder(found["secret"])


def _in_address(found: re.Match[str]) -> bool:
    secret = found["secret"] or found["bare"]
    return not is_placeholder(secret) if found["secret"] else (len(secret) >= _LEAST_USER and is_random(secret))


_LEAST_USER = 20
"""Characters of a user's name in an address that may be a token; a shorter one is a name."""


def _is_login(found: re.Match[str]) -> bool:
    digits = found["secret"].rstrip("=")
    if len(digits) % 4 == 1:
        return False
    plain = b64decode(digits + "=" * (-len(digits) % 4))
    return b":" in plain and plain.isascii() and plain.decode().isprintable()


def _named(
    kind: str,
    starts: str,
    form: str,
    *,
    accept: Callable[[re.Match[str]], bool] | None = None,
    needs: str = "",
    rest: str = "",
) -> Pattern:
    words, more = tuple(starts.split(",")), re.compile(rest) if rest else None
    return Pattern(kind=kind, starts=words, form=re.compile(form, re.IGNORECASE), accept=accept, needs=needs, rest=more)


CARRIED: tuple[Pattern, ...] = (
    _named(
        "password",
        "://",
        r"://(?:[^\s/:@\"'<>]{0,200}:(?P<secret>[^\s/\"'<>]{1,400})|(?P<bare>[\w-]{1,200}))@",
        accept=_in_address,
        needs="@",
    ),
    _named(
        "slack webhook",
        "hooks.slack.com/",
        r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<secret>[\w/-]{16,200})",
    ),
    _named("discord webhook", "/api/webhooks/", r"/api/webhooks/\d{5,25}/(?P<secret>[\w-]{30,100})"),
    _named("cookie", "cookie", rf"cookie2?{_HEADER}(?P<secret>[^\s=;\"'\\]{{1,80}}=[^\r\n\"'\\]{{1,8000}})"),
    _named(
        "authorization",
        "authorization",
        rf"authorization{_HEADER}(?:[a-z][\w-]{{1,20}}\s{{1,4}})?(?P<secret>[^\s\"',\\&]{{6,64}})",
        accept=_granted,
        rest=r"[^\s\"',\\&]{0,4000}+",
    ),
    _named(
        "authorization",
        "bearer,basic",
        rf"(?:{_WORD})(?:bearer|basic)(?:[ \t]{{1,4}}|%20|\+)(?P<secret>[\w.~+/=-]{{8,64}})",
        accept=_random,
        rest=r"[\w.~+/=-]{0,4000}+",
    ),
    _named(
        "credential", "auth", rf"auth{_HEADER}(?P<secret>[A-Za-z0-9+/]{{8,400}}={{0,2}})(?![\w+/=.(])", accept=_is_login
    ),
    _named(
        "password",
        "-u,--user",
        r"(?<!\S)(?:-u|--user)[ \t=]{1,2}[\"']?[^\s:\"']{1,100}:(?P<secret>[^\s\"']{3,200})",
        accept=_of_user,
    ),
    _named(
        "password",
        "sshpass,docker login,podman login,helm login,az login",
        r"(?:sshpass|(?:docker|podman|helm|az) login)\b[^\n|;&]{0,120}?\s-p ?[\"']?"
        r"(?P<secret>[^\s\"'-][^\s\"']{2,200})",
        accept=_meant,
    ),
    _named(
        "password",
        "mysql,mariadb",
        r"(?:mysql(?:dump|admin)?|mariadb(?:-dump)?)\b[^\n|;&]{0,120}?\s-p[\"']?"
        r"(?P<secret>[^\s\"'-][^\s\"']{2,200})",
        accept=_meant,
    ),
    _named(
        "password",
        "login",
        rf"login{_NEXT}\S{{1,100}}?{_NEXT}password{_NEXT}(?P<secret>[^\s\\\"'\x1b]{{3,200}})",
        accept=_in_file,
        needs="password",
    ),
    _named("password", ":5432:", r":5432:[\w*-]{1,60}:[\w*-]{1,60}:(?P<secret>\S{3,200})", accept=_meant),
    _named(
        "signature",
        "sig=,signature=",
        r"(?<![A-Za-z])(?:sig|(?:X-Amz-|X-Goog-)?signature)=(?P<secret>[\w%+/=-]{20,64})",
        accept=_random,
        rest=r"[\w%+/=-]{0,4000}+",
    ),
)
"""The patterns of what is secret for the place where it stands."""
