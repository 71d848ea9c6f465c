"""The reviewer that asks an HTTP endpoint: ``use = "remote"``, the way for reviewers with tools of their own.

The endpoint gets the review as JSON in a POST to ``base_url`` and answers with its reply as JSON
(:mod:`foureyes_reviewers.exchange`). The key goes into ``Authorization: Bearer``, and to no other address: a redirect
is a failure. Proxies of the environment are not used. ``Idempotency-Key`` is the same for every attempt of a review,
so an endpoint may answer again what it has answered before.
"""

from __future__ import annotations

import os
import re
from typing import TYPE_CHECKING
from urllib.parse import quote

from foureyes.core.account import Account, account, secrets_in
from foureyes.core.facts import Reply, Review
from foureyes.errors import (
    ConfigError,
    ContextOverflowError,
    MisconfiguredError,
    QuotaExhaustedError,
    RateLimitedError,
    ReviewerError,
    TransientReviewerError,
)
from foureyes.threads import beside
from foureyes_reviewers.confidential import NOTHING, Confidential
from foureyes_reviewers.discreet import discreetly
from foureyes_reviewers.exchange import Exchange
from foureyes_reviewers.redaction import Redactor, process_secrets

if TYPE_CHECKING:
    from foureyes.core.config import ReviewerConfig
    from foureyes_reviewers.endpoint import Answer, Endpoint

__all__ = ["RemoteReviewer"]

_IN_A_HEADER = re.compile(r"[!-~]+")
_KEY, _ADDRESS = "the key is not accepted: correct 'api_key'", "unknown address: correct 'base_url'"
_WRONG = {401: _KEY, 403: _KEY, 404: _ADDRESS, 405: _ADDRESS, 410: _ADDRESS}
"""Statuses that say that the key or the address is wrong."""
_HINTED: dict[int, type[TransientReviewerError] | type[QuotaExhaustedError]] = {
    402: QuotaExhaustedError,
    408: TransientReviewerError,
    425: TransientReviewerError,
    429: RateLimitedError,
}
"""What other statuses mean; all may say when to come back."""


class RemoteReviewer:
    """Sends each review to an endpoint, on a connection of its own."""

    def __init__(
        self, endpoint: Endpoint, account: Account, key: str, redactor: Redactor, kept: Confidential = NOTHING
    ) -> None:
        self.account = account
        """Whose account the transcript goes to."""
        self._endpoint, self._redactor, self._kept = endpoint, redactor, kept
        self._headers = {"Authorization": f"Bearer {key}"} if key else {}

    @classmethod
    def from_config(cls, config: ReviewerConfig) -> RemoteReviewer:
        """Return the reviewer; nothing is connected yet.

        Raises ConfigError where the extra is not installed, and for an address or a key that cannot be sent.
        """
        try:
            from foureyes_reviewers.endpoint import Endpoint  # what only this extra brings along
        except ModuleNotFoundError:
            raise ConfigError("use = 'remote' needs an HTTP client: pip install 'foureyes[remote]'") from None
        key = config.api_key.get_secret_value() if config.api_key else ""
        if key and not _IN_A_HEADER.fullmatch(key):
            raise ConfigError("'api_key' holds a blank, a line end or another character that no header can carry")
        url = config.base_url or ""
        endpoint, redactor = Endpoint(url), Redactor({*process_secrets(os.environ), key, *secrets_in(url)})
        return cls(endpoint, account("remote", url, key), key, redactor, Confidential(url, key))

    async def __call__(self, review: Review) -> Reply:
        """Return the endpoint's reply.

        Raises what the endpoint says is wrong, in our JSON or else by its status: 429 is a RateLimitedError, 402 a
        QuotaExhaustedError, 413 a ContextOverflowError, 401, 403, 404, 405, 410 and every redirect a
        MisconfiguredError, 408, 425 and 5xx a TransientReviewerError, as is a connection that fails. Anything else
        but 2xx is a ReviewerError, and a 2xx without a reply an UnparsedReplyError. Where the headers and our JSON
        both say how long to wait, the longer one counts.
        """
        exchange = await beside(lambda: Exchange(review, self._redactor, self._kept))
        headers = self._headers | {"Idempotency-Key": quote(exchange.key, safe=":/@+=,")}
        with discreetly(self._kept):
            answer = await self._endpoint.post(exchange.asked(), headers)
        if not 200 <= answer.status < 300:
            exchange.fail_if_told(answer.body, answer.retry_after)
            raise _failure(answer)
        return exchange.answered(answer.body, answer.retry_after)

    async def aclose(self) -> None:
        """Close what is left of this event loop's connections. The next review opens its own."""
        await self._endpoint.aclose()


def _failure(answer: Answer) -> ReviewerError:
    status, hint = answer.status, answer.retry_after
    if 300 <= status < 400:
        return MisconfiguredError("the endpoint redirects, which is not followed: give the new address as 'base_url'")
    if status in _WRONG:
        return MisconfiguredError(f"HTTP {status}: {_WRONG[status]}")
    reason = f"the server failed (HTTP {status})" if status >= 500 else f"the endpoint answered with status {status}"
    if status in _HINTED:
        return _HINTED[status](reason, retry_after=hint)
    if status >= 500:
        return TransientReviewerError(reason, retry_after=hint)
    return ContextOverflowError(reason) if status == 413 else ReviewerError(reason)
