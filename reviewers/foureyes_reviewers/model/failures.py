"""What a failed request means for the review: another attempt, a pause, or the end of it.

The provider's own code decides, then the status where it can mean one thing only, then the provider's words, and
last the status. A pattern alone misses wordings, and a status alone takes an empty account for a busy minute:
https://github.com/link-assistant/hive-mind/issues/1936
"""

from __future__ import annotations

import re
from enum import StrEnum

from foureyes_reviewers.model.problem import Problem

__all__ = ["Kind", "is_free", "kind_of"]


class Kind(StrEnum):
    """What a failed request means."""

    TRANSIENT = "transient"
    RATE_LIMITED = "rate_limited"
    QUOTA = "quota"
    KEY = "key"
    """The key is missing, wrong, or not allowed to do this."""
    NOT_FOUND = "not_found"
    """The model or the address is wrong."""
    REFUSED = "refused"
    OVERFLOW = "overflow"
    REJECTED = "rejected"
    """The request itself was not accepted, for a reason that is none of the others."""
    UNKNOWN = "unknown"


_CODES: dict[Kind, frozenset[str]] = {
    kind: frozenset(words.split())
    for kind, words in {
        Kind.QUOTA: (
            "insufficient_quota billing_hard_limit_reached billing_not_active billing_error payment_required "
            "insufficient_credits insufficient_balance quota_exceeded credits_exhausted usage_limit_reached "
            "usage_limit_exceeded exceeded_current_quota_error modelquotaexceedederror arrearage"
        ),
        Kind.OVERFLOW: (
            "context_length_exceeded exceed_context_size_error model_context_window_exceeded context_window_exceeded "
            "request_too_large string_above_max_length tokens_limit_reached contextwindowexceedederror"
        ),
        Kind.REFUSED: (
            "content_filter content_policy_violation responsibleaipolicyviolation contentfilter prohibited_content "
            "moderation_blocked content_filtered safety invalid_prompt data_inspection_failed cyber_policy"
        ),
        Kind.KEY: (
            "invalid_api_key authentication_error invalid_authentication permission_error permission_denied "
            "unauthenticated unauthorized account_deactivated missing_api_key invalid_organization api_key_invalid "
            "unsupported_country_region_territory"
        ),
        Kind.NOT_FOUND: (
            "model_not_found not_found_error not_found invalid_model model_not_supported model_not_available "
            "deploymentnotfound unknown_model resource_not_found model_decommissioned"
        ),
        Kind.RATE_LIMITED: (
            "rate_limit rate_limit_exceeded rate_limit_error rate_limited too_many_requests resource_exhausted "
            "requests tokens throttlingexception throttling concurrency_limit_exceeded concurrent_requests "
            "rate_limit_reached_error engine_overloaded_error"
        ),
        Kind.TRANSIENT: (
            "overloaded_error overloaded server_error api_error internal_error internal internal_server_error "
            "unavailable service_unavailable timeout timeout_error deadline_exceeded server_overloaded aborted "
            "model_not_ready loading"
        ),
    }.items()
}
"""Codes of the providers, the surest first: an answer may carry several, a general one and one that says what it is."""

_SAID: dict[Kind, re.Pattern[str]] = {
    Kind.QUOTA: re.compile(
        r"out of credits?|insufficient (?:credits?|balance|quota|funds)|credit balance is too low|add (?:more )?credits"
        r"|exceeded your current quota|billing (?:hard )?limit|quota (?:has been |is )?exhausted|payment required"
        r"|(?:daily|weekly|monthly) (?:quota|limit|usage)|usage limit has been reached",
        re.IGNORECASE,
    ),
    Kind.OVERFLOW: re.compile(
        r"context (?:length|window|size)|maximum context|(?:prompt|input) is too long|too many (?:input )?tokens"
        r"|(?:input|prompt|request)[\w ]{0,40} exceeds? (?:the )?[\w ]{0,40}(?:context|tokens?)|reduce the length"
        r"|input token count",
        re.IGNORECASE,
    ),
    Kind.REFUSED: re.compile(
        r"content[_ -](?:filter|policy|management)|flagged|moderation|violat\w+ (?:our|the) (?:usage )?polic",
        re.IGNORECASE,
    ),
    Kind.KEY: re.compile(
        r"(?:invalid|incorrect|missing|no|expired) (?:\w+ ){0,2}api[ _-]?key"
        r"|api[ _-]?key (?:[\w ]{0,20} )?(?:invalid|not valid|missing|expired)",
        re.IGNORECASE,
    ),
    Kind.NOT_FOUND: re.compile(
        r"model\b[^\n]{0,200}(?:does not exist|not found|is not (?:available|supported|a valid)|was not found)"
        r"|no such model|unknown model|invalid model",
        re.IGNORECASE,
    ),
}
_A_DAY = re.compile(r"PerDay|daily|weekly|monthly", re.IGNORECASE)
_LOOKED_AT = 2_000
_ALWAYS = {401: Kind.KEY, 402: Kind.QUOTA, 413: Kind.OVERFLOW}
"""Statuses that mean one thing whatever else is said."""
_NEVER_PASSING = frozenset({*_ALWAYS, 403})
"""Statuses that another attempt does not change, whatever the code says."""
_STATUS = {
    403: Kind.KEY,
    404: Kind.NOT_FOUND,
    405: Kind.NOT_FOUND,
    408: Kind.TRANSIENT,
    409: Kind.TRANSIENT,
    410: Kind.NOT_FOUND,
    425: Kind.TRANSIENT,
    429: Kind.RATE_LIMITED,
}
_TYPES: dict[Kind, frozenset[str]] = {
    Kind.QUOTA: frozenset({"ModelQuotaExceededError"}),
    Kind.RATE_LIMITED: frozenset({"ModelRateLimitError", "RateLimitError", "ConcurrencyLimitExceeded"}),
    Kind.OVERFLOW: frozenset({"ModelContextWindowExceededError"}),
    Kind.KEY: frozenset({"ModelAuthenticationError", "AuthenticationError"}),
    Kind.NOT_FOUND: frozenset({"ModelNotFoundError", "SSLCertVerificationError"}),
    Kind.REFUSED: frozenset({"ContentFilterError", "ContentFilterFinishReasonError"}),
    Kind.TRANSIENT: frozenset(
        {
            "APIConnectionError",
            "APITimeoutError",
            "TransportError",
            "TimeoutException",
            "ConnectionError",
            "TimeoutError",
            "ModelConnectionError",
            "ModelUnavailableError",
            "ModelServerError",
        }
    ),
}
"""Names of exceptions that say what happened, for those that come without a status."""
_NEVER_SENT = frozenset({"ConnectError", "ConnectTimeout", "PoolTimeout", "ConnectionRefusedError", "gaierror"})
_GATEWAYS = frozenset({502, 504, 524})
"""What gives up on a server behind it, which may go on and bill."""


def kind_of(problem: Problem) -> Kind:
    """Return what the problem means."""
    if problem.status is None and (named := _by_type(problem)):
        return named
    found = _by_code(problem)
    if found is Kind.TRANSIENT and problem.status in _NEVER_PASSING:
        found = None  # Simple servers say "server_error" of everything.
    if found in (Kind.RATE_LIMITED, Kind.NOT_FOUND, None):
        # Those codes are general: "resource_exhausted" is said of a minute and of a month.
        found = _ALWAYS.get(problem.status or 0) or _by_words(problem, found) or found
    return found or _by_status(problem.status)


def is_free(problem: Problem) -> bool:
    """Tell whether the provider certainly does not bill the request: it was turned away, or never got there."""
    if problem.status is not None:
        return problem.status not in _GATEWAYS
    return bool(_NEVER_SENT & set(problem.kinds))


def _by_code(problem: Problem) -> Kind | None:
    return next((kind for kind, known in _CODES.items() if problem.codes & known), None)


def _by_words(problem: Problem, found: Kind | None) -> Kind | None:
    # A server that is down may say anything, and one that limits the rate speaks of nothing but limits. Words that
    # come late in a long text may be the transcript's.
    status, text = problem.status or 400, problem.text[:_LOOKED_AT]
    if status >= 500:
        return None
    wanted = (Kind.QUOTA,) if status == 429 or found is not None else tuple(_SAID)
    kind = next((kind for kind in wanted if _SAID[kind].search(text)), None)
    # Who names a time to come back has not run out of money; a day's allowance names a time that is too short.
    return None if kind is Kind.QUOTA and problem.retry_after is not None and not _A_DAY.search(text) else kind


def _by_type(problem: Problem) -> Kind | None:
    kinds = frozenset(problem.kinds)
    return next((kind for kind, known in _TYPES.items() if kinds & known), None)


def _by_status(status: int | None) -> Kind:
    if status is None:
        return Kind.UNKNOWN
    if status < 400:
        return Kind.NOT_FOUND  # A redirect, which nobody follows.
    return _STATUS.get(status) or (Kind.TRANSIENT if status >= 500 else Kind.REJECTED)
