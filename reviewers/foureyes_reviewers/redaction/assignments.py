"""A value that is secret for the name that it is given: in env files, JSON, YAML, INI, XML, code and command lines."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from foureyes_reviewers.redaction.lines import IN_FRONT, NEWLINE
from foureyes_reviewers.redaction.looks import Look
from foureyes_reviewers.redaction.names import is_public_token, is_secret_name
from foureyes_reviewers.redaction.patterns import EDGE, Pattern
from foureyes_reviewers.redaction.spans import MARK, Span
from foureyes_reviewers.redaction.values import is_code, is_path, is_placeholder, is_random, is_word

__all__ = ["OPTIONS", "PAIRS", "Assignments"]

_KIND = "credential"
_QUOTE = r"(?:\\{0,8}[\"'`]|&quot;|&\#3[49];|\\{1,4}u0022)"
_STARTS = ("pass", "pwd", "secret", "token", "credential", "key")
_ASSIGNMENT = re.compile(
    r"(?P<name>pass(?:word|wd|phrase|code)?|pwd|secret|token|credentials?|key)"
    r"(?:[_-]?(?:value|hash|plain|base|id)|\d{1,2})?(?![A-Za-z0-9_])"
    rf"{_QUOTE}?\]?"
    r"(?P<sign>[ \t]{0,8}:[ \t]{0,4}[A-Za-z][\w.\[\]| ]{0,40}=[ \t]{0,4}(?=[\"'])"  # an annotation, then a value
    r"|[ \t]{0,8}(?:=>|:=|==?|:)[ \t]{0,8}|>|&gt;|[ \t]{1,4}is:?[ \t]{1,4}|[ \t]{1,4}\|[ \t]{1,20}(?=`))"
    rf"(?P<quote>{_QUOTE})?",
    re.IGNORECASE,
)
"""A name that says secret, and a sign of assignment; the value follows."""
_BARE = re.compile(r"[^\s\"'`,;&|<>(){}\[\]\\\x1b]{3,128}")
_BARE_REST = re.compile(r"[^\s\"'`,;&|<>(){}\[\]\\\x1b]{0,2000}+")
_LOOKED = 128
"""Characters of a value that tell what it is."""
_LONGEST = 2_000
"""Characters of a value."""
_KEYS = ("api", "access", "secret", "private", "auth", "signing", "encryption", "master", "account", "shared")
_KEY_FOLLOWS = re.compile(r"[A-Za-z _-]k", re.IGNORECASE)
_LONGEST_KEY = 11
_NAME_BACK = re.compile(r"[\w.-]*")
_LONGEST_NAME = 60
_LINE_STARTS = re.compile(r"[ \t+>|#*-]*(?:\d{1,7}[:|→)\t ][ \t+>|-]*)?[\"']?")
_SIGNS = frozenset("!@#$%^&*+~?")
_LEAST_TOKEN = 8
_LEAST_KEY = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Assigned:
    """A value, and the name that it is given."""

    text: str
    name: str
    """The whole name: ``DB_PASSWORD``."""
    word: str
    """What of it says secret, in lower case: ``password``; ``api key`` where a key is of something that has some."""
    starts: int
    """Where the name begins."""
    sign: str
    quoted: bool
    start: int
    end: int

    @property
    def value(self) -> str:
        return self.text[self.start : min(self.end, self.start + _LOOKED)]

    @property
    def is_password(self) -> bool:
        return self.word.startswith(("pass", "pwd"))

    @property
    def is_declared(self) -> bool:
        """As in an environment file, on a command line, in a URL or in a connection string."""
        before = self.text[max(0, self.starts - 1) : self.starts]
        return self.name.isupper() or before in ("&", "?", ";") or self.name.startswith("-")


class Assignments:
    """Finds values that are secret for their names, and not a placeholder, a type, a name in a program, or prose.

    A password may be any word; a token or a key has digits or signs in it, or capitals all over the place.
    """

    starts = _STARTS
    """What the names have in them, one of these."""

    def spans(self, look: Look) -> Iterator[Span]:
        """Yield the values."""
        for start in _STARTS:
            place = look.low.find(start)
            while place >= 0:
                found = _at(look.text, place)
                span = _span(found) if found else None
                if span:
                    yield span
                place = look.low.find(start, span.end if span else place + 1)


def _span(found: _Assigned) -> Span:
    rest = None if found.quoted else _BARE_REST.match(found.text, found.end)
    return Span(found.start, rest.end() if rest else found.end, _KIND)


def _at(text: str, place: int) -> _Assigned | None:
    if text[place] in "kK" and not _KEY_FOLLOWS.match(text, max(0, place - 1)):
        return None
    found = _ASSIGNMENT.match(text, place)
    assigned = _assigned(found) if found else None
    return assigned if assigned is not None and _is_secret(assigned) else None


def _assigned(found: re.Match[str]) -> _Assigned | None:
    word = _word(found)
    span = _value(found) if word else None
    if word is None or span is None or found.string.startswith(MARK, span[0]):
        return None
    name = _before(found.string, found.start()) + found["name"]
    return _Assigned(
        text=found.string,
        name=name,
        word=word,
        starts=found.end("name") - len(name),
        sign=found["sign"],
        quoted=span[2],
        start=span[0],
        end=span[1],
    )


def _before(text: str, start: int) -> str:
    before = text[max(0, start - _LONGEST_NAME) : start]
    back = _NAME_BACK.match(before[::-1])
    name = back[0][::-1] if back else ""
    # The first letter may be that of an escape: the end of a line before.
    return name[1:] if name[:1] in ("n", "r", "t") and before[: len(before) - len(name)].endswith("\\") else name


def _word(found: re.Match[str]) -> str | None:
    word, start = found["name"].casefold(), found.start()
    if word == "key":
        before = found.string[max(0, start - _LONGEST_KEY) : start].casefold()
        if (before[:-1] if before[-1:] in (" ", "_", "-") else before).endswith(_KEYS):
            return "api key"
    return word if word not in ("key", "pass") or found.string[max(0, start - 1) : start] == "_" else None


def _value(found: re.Match[str]) -> tuple[int, int, bool] | None:
    start, quote = found.end(), found["quote"]
    end = _closing(found.string, start, quote) if quote else -1
    if end > start:
        return start, end, True
    bare = _BARE.match(found.string, start)
    return (*bare.span(), False) if bare else None


def _closing(text: str, start: int, quote: str) -> int:
    line = text.find("\n", start, start + _LONGEST)
    last = start + _LONGEST if line < 0 else line
    end = text.find(quote, start, last)
    while end > start and text[end - 1] == "\\" and text[end - 2] != "\\":
        end = text.find(quote, end + 1, last)
    return end


def _is_secret(found: _Assigned) -> bool:
    value = found.value
    if is_placeholder(value) or is_path(value) or is_public_token(found.name):
        return False
    return _is_secret_text(found, value) if found.quoted else _is_secret_word(found, value)


def _is_secret_text(found: _Assigned, value: str) -> bool:
    if found.is_password:
        # A sentence about the password, such as a message of a form, is none.
        return len(value.split()) < 3 or "phrase" in found.word
    return len(value) >= _LEAST_TOKEN and " " not in value and _is_drawn(value)


def _is_secret_word(found: _Assigned, value: str) -> bool:
    if found.sign in (">", "&gt;"):
        return found.text.startswith(("</", "&lt;/"), _span(found).end)
    if found.text[found.end : found.end + 1] in ("(", "["):
        return False
    if found.is_declared and found.sign == "=":
        return found.word != "key" or (len(value) >= _LEAST_KEY and is_random(value))
    if is_code(value) or found.word == "key":
        return False
    if found.is_password and found.sign.strip() in (":", "="):
        return _is_odd(value) or (found.sign.strip() == ":" and len(value) > 5 and _is_whole_line(found))
    return len(value) >= (6 if found.is_password else _LEAST_TOKEN) and _is_drawn(value)


def _is_drawn(value: str) -> bool:
    return not value.isdigit() and (is_random(value) or bool(_SIGNS & set(value))) and not is_code(value)


def _is_odd(value: str) -> bool:
    return len(value) > 3 and not is_word(value)


def _is_whole_line(found: _Assigned) -> bool:
    line = found.text[max(0, found.starts - _LONGEST_NAME) : found.starts].rpartition("\n")[2]
    return _LINE_STARTS.fullmatch(line) is not None and found.text[found.end : found.end + 1] in ("", "\r", "\n")


def _is_given_a_secret(found: re.Match[str]) -> bool:
    return is_secret_name(found["name"]) and not (is_placeholder(found["secret"]) or is_path(found["secret"]))


OPTIONS = Pattern(
    kind=_KIND,
    starts=("--",),
    form=re.compile(
        rf"{EDGE}--(?P<name>[A-Za-z][\w-]{{1,60}})[ \t]{{1,4}}[\"']?(?P<secret>[^\s\"'`-][^\s\"'`\\]{{2,2000}})",
    ),
    accept=_is_given_a_secret,
)
"""An option of a command with its value behind a blank."""

_MARK = r"\\{0,8}[\"']?"
_NEXT = rf"(?:{NEWLINE}{IN_FRONT}|[\s+>|])"
PAIRS = Pattern(
    kind=_KIND,
    starts=("name",),
    needs="value",
    form=re.compile(
        rf"name(?<![A-Za-z0-9]name){_MARK}\s{{0,4}}:\s{{0,4}}{_MARK}(?P<name>[A-Za-z][\w.-]{{1,60}}){_MARK}"
        rf"(?:{_NEXT}){{0,20}},?(?:{_NEXT}){{0,20}}"
        rf"{_MARK}value{_MARK}\s{{0,4}}:\s{{0,4}}{_MARK}(?P<secret>[^\s\"'\\]{{3,2000}})",
        re.IGNORECASE,
    ),
    accept=_is_given_a_secret,
)
"""A name and, behind it, its value, as manifests of containers give them."""
