"""Whose account a transcript goes to, and whether it may.

A reviewer that sends the transcript somewhere has an ``account``; one that keeps it in this process, or in a process
on this machine, has none and may always see it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import parse_qsl, unquote, urlsplit

from pydantic import SecretStr

from foureyes.core.words import ApiProtocol, DataBoundary

__all__ = ["UNKNOWN", "Account", "account", "key_of", "may_see", "secrets_in"]

_DEFAULT_URLS = {
    ApiProtocol.OPENAI: "https://api.openai.com/v1",
    ApiProtocol.ANTHROPIC: "https://api.anthropic.com",
}
"""Where each protocol's own provider is."""
_TOKEN = re.compile(r"(?=[A-Za-z]*\d)(?=\d*[A-Za-z])[A-Za-z0-9]{12}")
"""No name of a model or a version has twelve letters and digits in a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One account with one provider."""

    provider: str
    """The host of the endpoint, lower case, one of numbers and colons in brackets, with its port where it is not the
    usual one."""
    protocol: str
    """The API that is spoken there, such as ``openai``, ``anthropic`` or ``remote``."""
    endpoint: str
    """The address without a trailing slash, and without the version that the messages API adds to every address. Of
    a query, which may hold a secret, a digest."""
    credential: str = field(default="", repr=False)
    """A digest of the key, never the key itself; "" where there is none."""


UNKNOWN = Account(provider="", protocol="", endpoint="")
"""That of a reviewer which sends the transcript away, nobody has said to whom."""


def account(protocol: str, base_url: str | None, key: str | None) -> Account:
    """Return the account that a protocol, an address and a key make. None for the address is the provider's own.

    The digest of the key is short and one-way: enough to tell two keys apart, and of no use for anything else.
    """
    address = base_url or _DEFAULT_URLS[ApiProtocol(protocol)]
    parts = urlsplit(address)
    query = f"?{_digest(parts.query)}" if parts.query else ""
    usual = {"http": 80, "https": 443}.get(parts.scheme)
    port = "" if parts.port in (None, usual) else f":{parts.port}"
    host = (parts.hostname or "").casefold()
    provider = f"{f'[{host}]' if ':' in host else host}{port}"
    return Account(
        provider=provider,
        protocol=protocol,
        endpoint=f"{parts.scheme}://{provider}{_plain(parts.path, protocol)}{query}",
        credential=_digest(key) if key else "",
    )


def _plain(path: str, protocol: str) -> str:
    path = path.rstrip("/")
    return path.removesuffix("/v1").rstrip("/") if protocol == ApiProtocol.ANTHROPIC else path


def _digest(secret: str) -> str:
    return blake2b(secret.encode(errors="surrogatepass"), digest_size=8).hexdigest()


def key_of(protocol: str, base_url: str | None, given: SecretStr | None, environ: Mapping[str, str]) -> str:
    """Return the key that is sent; "" for none.

    A key of the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY) only ever goes to the provider that it belongs to,
    never to an address that was given.
    """
    if given is not None and given.get_secret_value().strip():
        return given.get_secret_value().strip()
    return environ.get(f"{protocol.upper()}_API_KEY", "").strip() if base_url is None else ""


def secrets_in(address: str | None) -> frozenset[str]:
    """Return the parts of an address that must be keys: some gateways take one in the path or the query."""
    parts = urlsplit(address or "")
    found = (*parts.path.split("/"), *(value for _, value in parse_qsl(parts.query)))
    return frozenset(text for part in found for text in (part, unquote(part)) if _TOKEN.search(text))


def may_see(boundary: DataBoundary, reviewer: Account | None, agent: Account | None) -> bool:
    """Tell whether the reviewer's account may get the transcript of this agent.

    None for the reviewer: the transcript stays here, and it may. None for the agent: nobody has declared its account,
    so there is nothing to compare with, and the endpoint that the operator declared may; the caller says so once.
    A reviewer whose account is UNKNOWN may not, where the agent's is declared: it cannot be shown to be the same.
    """
    if reviewer is None or agent is None or boundary is DataBoundary.ANY:
        return True
    if not reviewer.provider:
        return False
    if (reviewer.provider, reviewer.protocol, reviewer.endpoint) != (agent.provider, agent.protocol, agent.endpoint):
        return boundary is DataBoundary.SAME_PROVIDER and reviewer.provider == agent.provider
    return boundary is DataBoundary.SAME_PROVIDER or reviewer.credential == agent.credential
