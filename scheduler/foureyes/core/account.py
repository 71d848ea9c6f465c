"""Whose computer a text goes to: what a data boundary compares."""

from __future__ import annotations

from dataclasses import dataclass, field
from hashlib import blake2b
from urllib.parse import urlsplit

from foureyes.core.words import ApiProtocol

__all__ = ["PROVIDERS", "Account"]

PROVIDERS = {
    ApiProtocol.OPENAI: "https://api.openai.com/v1",
    ApiProtocol.ANTHROPIC: "https://api.anthropic.com",
}
"""The provider's own endpoint, by the API that it speaks."""
_FAMILIES = {
    "openai.com": "openai",
    "anthropic.com": "anthropic",
    "openai.azure.com": "azure",
    "googleapis.com": "google",
    "mistral.ai": "mistral",
    "openrouter.ai": "openrouter",
}
_PORTS = {"http": 80, "https": 443}


@dataclass(frozen=True, slots=True, kw_only=True)
class Account:
    """One account with one provider. Two that are equal see the same data, and send the same bill."""

    provider: str
    """The provider's name where its address is a well-known one, such as ``openai``; else the host's name."""
    protocol: ApiProtocol
    """The API that the endpoint speaks."""
    endpoint: str
    """The address without a slash at its end, in lower case as far as case does not matter."""
    credential: str = field(default="", repr=False)
    """A digest of the key, from which the key cannot be had; "" where no key is sent."""

    @classmethod
    def of(cls, protocol: ApiProtocol, *, endpoint: str | None = None, key: str | None = None) -> Account:
        """Return the account that a request would be made under.

        ``endpoint`` None means the provider's own, ``key`` None or blank that none is sent.
        """
        address = _plain(endpoint or PROVIDERS[protocol])
        return cls(provider=_provider(address), protocol=protocol, endpoint=address, credential=_digest(key))


def _plain(endpoint: str) -> str:
    parts = urlsplit(endpoint.strip())
    scheme, host = parts.scheme.lower(), parts.hostname or ""
    name = f"[{host}]" if ":" in host else host
    port = "" if parts.port in (None, _PORTS.get(scheme)) else f":{parts.port}"
    return f"{scheme}://{name}{port}{parts.path.rstrip('/')}"


def _provider(address: str) -> str:
    # Only names that are known are shortened: of others nobody knows which part belongs to whom.
    host = urlsplit(address).hostname or ""
    suffixes = sorted((suffix for suffix in _FAMILIES if host == suffix or host.endswith(f".{suffix}")), key=len)
    return _FAMILIES[suffixes[-1]] if suffixes else host


def _digest(key: str | None) -> str:
    plain = (key or "").strip()
    return blake2b(plain.encode("utf-8", "replace"), digest_size=16, person=b"foureyes key").hexdigest() if plain else ""
