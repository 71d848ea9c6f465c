"""A review as JSON, and a reply from JSON: what commands and endpoints are told, and what they may answer.

Both sides are described by the JSON Schemas ``review.json`` and ``reply.json`` in the folder ``schema`` beside this
file. Fields that a reader does not know are for a later version of the same number, and to be passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, replace
from hashlib import sha256
from json import JSONDecodeError
from typing import Any, NoReturn

from foureyes.charging import charge
from foureyes.core.facts import NO_USAGE, Reply, Review, Usage
from foureyes.core.text import clean, one_line
from foureyes.errors import (
    ContextOverflowError,
    MisconfiguredError,
    QuotaExhaustedError,
    RateLimitedError,
    RefusedError,
    ReviewerError,
    TransientReviewerError,
    UnparsedReplyError,
)
from foureyes.replies import MAX_ENTRIES, read_reply, read_usage
from foureyes_reviewers.confidential import NOTHING, Confidential
from foureyes_reviewers.foreign import parsed, written
from foureyes_reviewers.hints import longer, retry_after
from foureyes_reviewers.redaction import Redactor

__all__ = ["VERSION", "Exchange"]

VERSION = 1
"""Of the form. It changes where a reader of the form before would go wrong, and not where fields are added."""
_MAX_MESSAGE = 150
"""Characters of what the other side says of an error; an operator is told 200 in all."""
_QUOTE = 24
"""Characters in a row that are no chance: who says them has them from the review."""

_NO_REPLY = f"is no reply of version {VERSION}: JSON with a list of notes"

_PLAIN: dict[str, type[ReviewerError]] = {"refused": RefusedError, "overflow": ContextOverflowError}
_HINTED: dict[str, type[TransientReviewerError] | type[MisconfiguredError] | type[QuotaExhaustedError]] = {
    "transient": TransientReviewerError,
    "rate_limited": RateLimitedError,
    "quota_exhausted": QuotaExhaustedError,
    "misconfigured": MisconfiguredError,
}
"""By kind of error: those that may say when to come back, and those to whom that would not help."""


class Exchange:
    """One review on its way out, and the reply on its way in."""

    def __init__(self, review: Review, redactor: Redactor, kept: Confidential = NOTHING) -> None:
        self._redactor, self._kept = redactor, kept
        self.key = _identity(review.key, redactor)
        """The same for the same review, also where it is asked for again after a crash."""
        self._document = self._written(review)

    def _written(self, review: Review) -> dict[str, Any]:
        names = {"key": self.key, "session": _identity(review.session, self._redactor)}
        fields = {name: self._redactor.redacted_value(value) for name, value in asdict(review).items()}
        return {"version": VERSION, "key": "", **fields, **names}

    def asked(self) -> bytes:
        """Return the review as one line of JSON, without secrets.

        It is ASCII, so that it is read rightly whatever the reader takes for the encoding.
        """
        return json.dumps(self._document).encode("ascii") + b"\n"

    def answered(self, said: bytes, hint: float | None = None) -> Reply:
        """Return the reply.

        Entries that are no notes are counted as malformed. Raises UnparsedReplyError where this is no reply at all,
        and where it is an error, the one that it tells of: a ReviewerError for a kind that is not known. ``hint`` is
        for how many seconds we were asked to wait elsewhere; the longer wait counts. None = for none.
        """
        document, problem = _parsed(said)
        if problem:
            raise UnparsedReplyError(f"what came back {problem}")
        if (error := _error(document)) is not None:
            self._fail(error, document, hint)
        reply = read_reply(document) if _is_known(document) else None
        if reply is None:
            raise UnparsedReplyError(f"what came back {_NO_REPLY}")
        return _completed(reply, document) if isinstance(document, dict) else reply

    def fail_if_told(self, said: bytes, hint: float | None = None) -> None:
        """Raise the error that this tells of, where it says the kind; else do nothing: it is something else's.

        ``hint`` is as for :meth:`answered`.
        """
        document, _ = _parsed(said)
        error = _error(document)
        if error is not None and "kind" in error:
            self._fail(error, document, hint)

    def _fail(self, error: dict[str, object], document: object, hint: float | None) -> NoReturn:
        usage = _usage(document.get("usage") if isinstance(document, dict) else None)
        if usage != NO_USAGE:
            charge(usage)
        kind, message = str(error.get("kind")).strip().casefold(), self.told(error.get("message"))
        if kind in _HINTED:
            raise _HINTED[kind](message, retry_after=longer(_hint(error.get("retry_after")), hint))
        raise _PLAIN.get(kind, ReviewerError)(message)

    def told(self, message: object) -> str:
        """Return what an operator may read of the other side's words: one short line, no secret, nothing of the run."""
        if not isinstance(message, str) or not message.strip():
            return "no reason given"
        shown = one_line(message, _MAX_MESSAGE, self._redactor.redacted)
        if self._kept.is_told_in(shown):
            return "the reason given quotes the key or the address, and is not shown"
        if _quotes(shown, " ".join((*_texts(self._document), self.asked().decode()))):
            return "the reason given quotes the review, and is not shown"
        return shown


def _identity(name: str, redactor: Redactor) -> str:
    # A marker in place of a secret would make one session of two.
    if redactor.redacted(name) == name:
        return clean(name)
    return f"redacted-{sha256(name.encode(errors='replace')).hexdigest()[:32]}"


def _parsed(said: bytes) -> tuple[object, str]:
    text = written(said)
    if not text:
        return None, "is empty; to say nothing is to say {'notes': []}"
    try:
        return parsed(text), ""
    except JSONDecodeError as error:
        more = error.msg == "Extra data"
        return None, "has more than one value of JSON, or words behind it: write one" if more else _NO_REPLY
    except ValueError:
        return None, "is nested too deeply to be read"


def _error(document: object) -> dict[str, object] | None:
    error = document.get("error") if isinstance(document, dict) else None
    return None if not error else error if isinstance(error, dict) else {"message": error}


def _is_known(document: object) -> bool:
    version = document.get("version", VERSION) if isinstance(document, dict) else VERSION
    return type(version) is int and version == VERSION


def _completed(reply: Reply, document: dict[str, Any]) -> Reply:
    lost = document.get("malformed")
    more = lost if type(lost) is int and lost > 0 else 0
    return replace(reply, malformed=min(reply.malformed + more, MAX_ENTRIES), usage=_usage(document.get("usage")))


def _usage(told: object) -> Usage:
    if not isinstance(told, Mapping):
        return NO_USAGE
    names = ("input_tokens", "cached_tokens", "output_tokens", "cost_usd")
    return read_usage(Usage(**{name: told[name] for name in names if name in told}))


def _hint(told: object) -> float | None:
    plain = isinstance(told, int | float | str) and not isinstance(told, bool)
    return retry_after({"retry-after": str(told)}) if plain else None


def _quotes(line: str, document: str) -> bool:
    return any(line[start : start + _QUOTE] in document for start in range(len(line) - _QUOTE + 1))


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield " ".join(value.split())
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
