"""An HTTP endpoint that is sent JSON and answers with JSON, of a bounded size and from nowhere else.

Asked through the client's bare transport: it follows no redirect, keeps no cookie, unpacks nothing, writes no address
into a log, and reads neither proxies nor passwords from the environment. Certificates are checked against those that
SSL_CERT_FILE or SSL_CERT_DIR names, or else those that the system trusts.
"""

from __future__ import annotations

import ssl
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

import httpx2
from anyio.lowlevel import RunVar

from foureyes.errors import ConfigError, MisconfiguredError, ReviewerError, TransientReviewerError
from foureyes_reviewers.breathing import breathe
from foureyes_reviewers.hints import retry_after
from foureyes_reviewers.reach import causes_of, unreached

__all__ = ["MAX_BODY", "Answer", "Endpoint"]

MAX_BODY = 1_000_000
"""Bytes of an answer. One that is longer is not read to its end."""
_LIMITS = httpx2.Limits(max_connections=100, max_keepalive_connections=0)
"""As many connections at the same time as httpx itself has, and none that is kept."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What came back, whatever it says."""

    status: int
    body: bytes
    """At most MAX_BODY bytes."""
    retry_after: float | None
    """Seconds to wait, by the headers; None where they do not say."""


class Endpoint:
    """One address. Each request has its own connection: one that is kept may be closed just when it is used again."""

    def __init__(self, url: str) -> None:
        """Read the address and the trusted certificates. Raises ConfigError for an address that is none."""
        try:
            self._url = httpx2.URL(url)
            parts = urlsplit(url)
            host = f"[{parts.hostname}]" if ":" in (parts.hostname or "") else str(parts.hostname)
            self._host = f"{host}:{parts.port}" if parts.port else host
        except (httpx2.InvalidURL, ValueError):
            raise ConfigError("'base_url' is no address that can be asked") from None
        self._trusted = httpx2.create_ssl_context()
        self._transport: RunVar[httpx2.AsyncHTTPTransport | None] = RunVar("foureyes_endpoint", None)

    async def post(self, body: bytes, headers: Mapping[str, str]) -> Answer:
        """Return the answer, whatever its status.

        It takes as long as it takes: the deadline is the caller's. Raises TransientReviewerError where the connection
        fails or breaks, MisconfiguredError where the endpoint cannot prove who it is or does not speak TLS, and
        ReviewerError where a successful answer is too long, or packed although nobody asked for that; of another one
        the body is then empty.
        """
        always = {"Content-Type": "application/json", "Accept": "application/json", "Accept-Encoding": "identity"}
        request = httpx2.Request("POST", self._url, headers={**always, **headers}, content=body)
        try:
            response = await self._open().handle_async_request(request)
            try:
                return await _read(response)
            finally:
                await response.aclose()
        except httpx2.HTTPError as error:
            raise _failure(error, self._host) from None

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        transport = self._transport.get()
        self._transport.set(None)
        if transport is not None:
            await transport.aclose()

    def _open(self) -> httpx2.AsyncHTTPTransport:
        transport = self._transport.get()
        if transport is None:
            transport = httpx2.AsyncHTTPTransport(verify=self._trusted, limits=_LIMITS)
            self._transport.set(transport)
        return transport


async def _read(response: httpx2.Response) -> Answer:
    packed = response.headers.get("Content-Encoding", "identity").strip().casefold() not in ("", "identity")
    if packed and response.is_success:
        raise ReviewerError("the endpoint packed its answer, although it was asked not to")
    body = b"" if packed else await _body(response)
    if len(body) > MAX_BODY and response.is_success:
        raise ReviewerError(f"the endpoint answered with more than {MAX_BODY:,} bytes")
    # Of an error that cannot be read the status and the headers say what happened.
    body = body if len(body) <= MAX_BODY else b""
    return Answer(status=response.status_code, body=body, retry_after=retry_after(response.headers))


async def _body(response: httpx2.Response) -> bytes:
    body, parts = bytearray(), 0
    try:
        async for chunk in response.aiter_raw():
            body += chunk
            parts += 1
            await breathe(parts)
            if len(body) > MAX_BODY:
                # And read on, which ends at once. Leaving the loop would leave generators that trio complains of.
                await response.aclose()
    except httpx2.TransportError:
        if len(body) <= MAX_BODY:
            raise
    return bytes(body)


def _failure(error: httpx2.HTTPError, host: str) -> ReviewerError:
    # Only the kind of error: its text may hold the whole address.
    causes = [type(cause).__name__ for cause in causes_of(error)]
    if isinstance(error, httpx2.ConnectError) and (why := unreached(causes, host)):
        return TransientReviewerError(why)
    if isinstance(error, httpx2.ConnectError) and _is_about_trust(error):
        return MisconfiguredError("the endpoint does not speak TLS, or its certificate is not trusted")
    return TransientReviewerError(f"the connection to the endpoint failed ({type(error).__name__})")


def _is_about_trust(error: BaseException) -> bool:
    broken = (ssl.SSLEOFError, ssl.SSLZeroReturnError)
    return any(isinstance(cause, ssl.SSLError) and not isinstance(cause, broken) for cause in causes_of(error))
