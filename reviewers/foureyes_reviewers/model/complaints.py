"""The error that a failed request becomes, in words for an operator: neither the key nor the transcript is in them."""

from __future__ import annotations

import re
from collections.abc import Callable
from math import ceil, isinf

from foureyes.core.text import clean, cut_end, start_redacted
from foureyes.errors import (
    MisconfiguredError,
    QuotaExhaustedError,
    RateLimitedError,
    RefusedError,
    ReviewerError,
    TransientReviewerError,
)
from foureyes_reviewers.confidential import NOTHING, Confidential
from foureyes_reviewers.model.failures import Kind, kind_of
from foureyes_reviewers.model.problem import MAX_BODY, Problem, ProviderError
from foureyes_reviewers.model.window import TooLongError
from foureyes_reviewers.reach import unreached
from foureyes_reviewers.redaction import Redactor

__all__ = ["error_for"]

MAX_QUOTE = 120
"""Characters of the provider's own words. The whole error has 200 where operators read it."""
_SHINGLE = 16
"""Characters in a row that a quotation may have in common with what was sent: fewer stand anywhere by chance."""
_CODE = re.compile(r"[A-Z]{2,20}(?:_[A-Z]{2,20}){0,6}|[a-z]{2,20}(?:_[a-z]{2,20}){0,6}")
_MEANINGS = {
    Kind.TRANSIENT: "",
    Kind.RATE_LIMITED: "asked to slow down",
    Kind.QUOTA: "the account is used up",
    Kind.KEY: "the key is not accepted: correct 'api_key'",
    Kind.NOT_FOUND: "unknown model or address: correct 'model' or 'base_url'",
    Kind.REFUSED: "the provider declined this content",
    Kind.OVERFLOW: "the question does not fit into the model's window",
    Kind.REJECTED: "the request was not accepted",
    Kind.UNKNOWN: "",
}
_BROKEN = {
    "{host} broke the connection off, or does not speak HTTP ({root})": frozenset(
        {"ConnectionResetError", "RemoteProtocolError", "ReadError", "WriteError", "SSLEOFError", "SSLZeroReturnError"}
    ),
    "the certificate of {host} is not trusted: correct 'base_url', or let this machine trust it": frozenset(
        {"SSLCertVerificationError"}
    ),
    "{host} does not speak TLS: correct 'base_url', which may have to begin with http://": frozenset({"SSLError"}),
}
"""What is said of a connection that came to nothing, by the names of the exceptions, the surest first."""
_QUOTED = frozenset({Kind.QUOTA, Kind.NOT_FOUND, Kind.REJECTED})
"""Where the provider's words help. Those about a key quote a part of it, and those about content the content."""
_MADE: dict[Kind, Callable[[str, float | None], ReviewerError]] = {
    Kind.TRANSIENT: lambda text, after: TransientReviewerError(text, retry_after=after),
    Kind.RATE_LIMITED: lambda text, after: RateLimitedError(text, retry_after=after),
    Kind.QUOTA: lambda text, after: QuotaExhaustedError(text, retry_after=after),
    Kind.KEY: lambda text, _: MisconfiguredError(text),
    Kind.NOT_FOUND: lambda text, _: MisconfiguredError(text),
    Kind.REFUSED: lambda text, _: RefusedError(text),
}


def error_for(
    problem: Problem, redactor: Redactor, sent: str, host: str = "the address", kept: Confidential = NOTHING
) -> ReviewerError:
    """Return the error to raise for the problem.

    ``sent`` is what the request held, none of which is quoted; of what is ``kept``, not even a piece.
    """
    kind = kind_of(problem)
    quoted = _quotation(problem, redactor, sent) if kind in _QUOTED and problem.status is not None else ""
    quoted = "" if kept.is_told_in(quoted) else quoted
    event, why = _event(problem, redactor, kept), "" if problem.status else _unconnected(problem, host)
    text = why or ": ".join(filter(None, (event, _MEANINGS[kind] + _pause(kind, problem), quoted)))
    if kind is Kind.OVERFLOW:
        return TooLongError(text, words=problem.text)
    made = _MADE.get(kind)
    return made(text, problem.retry_after) if made else ReviewerError(text)


def _unconnected(problem: Problem, host: str) -> str:
    names = frozenset(problem.kinds)
    said = (words.format(host=host, root=problem.root) for words, known in _BROKEN.items() if names & known)
    return unreached(names, host) or next(said, "")


def _pause(kind: Kind, problem: Problem) -> str:
    seconds = problem.retry_after if kind is Kind.RATE_LIMITED else None
    return "" if seconds is None or isinf(seconds) else f" for {ceil(seconds)} s"


def _event(problem: Problem, redactor: Redactor, kept: Confidential) -> str:
    # A name of words alone: anything else may be what was sent. "error" is what one API calls them all.
    found = (name for name in problem.names if name != "error")
    names = (name for name in map(redactor.redacted, found) if not kept.is_told_in(name))
    code = next(filter(_CODE.fullmatch, names), "")
    named = f" ({code})" if code else ""
    if problem.status is None:
        reported = problem.root == ProviderError.__name__
        return f"{'the provider reported an error' if reported else f'the request failed with {problem.root}'}{named}"
    if problem.status >= 500:
        return f"the server failed (HTTP {problem.status}{code and ', '}{code})"
    return f"HTTP {problem.status}{named}"


def _quotation(problem: Problem, redactor: Redactor, sent: str) -> str:
    # All is redacted before anything is cut.
    whole = len(problem.text) < MAX_BODY
    said = start_redacted(problem.text, MAX_BODY, redactor.redacted, whole=whole)
    longest = max(said.splitlines() or [""], key=len)
    words = cut_end(clean(" ".join(longest.split())), MAX_QUOTE)
    starts = range(max(1, len(words) - _SHINGLE + 1))
    return "" if any(words[start : start + _SHINGLE] in sent for start in starts) else words
