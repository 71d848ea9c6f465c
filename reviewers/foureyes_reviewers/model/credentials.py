"""Where the questions go, and with which key: never with one that was meant for somewhere else."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from foureyes.core.backend import BackendConfig, http_address
from foureyes.core.words import ApiProtocol
from foureyes.errors import ConfigError
from foureyes_reviewers.confidential import Confidential

__all__ = ["Endpoint", "endpoint"]

_OWN = {ApiProtocol.OPENAI: "https://api.openai.com/v1", ApiProtocol.ANTHROPIC: "https://api.anthropic.com"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Endpoint:
    """An address that speaks one API, and the key to it."""

    protocol: ApiProtocol
    address: str
    """Without a slash at its end."""
    key: str | None = field(default=None, repr=False)
    """None: none is sent."""
    ambient: bool = False
    """The key is that of the provider's own environment variables, so that the others apply as well."""

    @property
    def own(self) -> bool:
        """Tell whether this is the provider's own endpoint."""
        return self.address == _OWN[self.protocol]

    def confidential(self) -> Confidential:
        """Return what of it nobody may read."""
        return Confidential(self.address, self.key or "")

    def headers(self) -> dict[str, str | None]:
        """Return what to send in place of headers that the library would send though they belong to another account.

        None = nothing. Of those that carry a key, that of this endpoint.
        """
        own = {"authorization": f"Bearer {self.key}"} if self.key else {}
        if self.key and self.protocol is ApiProtocol.ANTHROPIC:
            own["x-api-key"] = self.key
        return {name: own.get(name.casefold()) for name in self._foreign()}

    def _foreign(self) -> Iterator[str]:
        if self.key is None:
            yield from ("Authorization", "X-Api-Key")
        if not self.ambient:
            yield from ("OpenAI-Organization", "OpenAI-Project")
            lines = os.environ.get(f"{self.protocol.upper()}_CUSTOM_HEADERS", "").split("\n")
            yield from (line.partition(":")[0].strip() for line in lines if ":" in line)


def endpoint(config: BackendConfig, environ: Mapping[str, str]) -> Endpoint:
    """Return the endpoint that the settings declare.

    Without ``base_url`` it is the provider's own. Without ``api_key`` and ``base_url`` the provider's environment
    variables say both: OPENAI_API_KEY with OPENAI_BASE_URL, or ANTHROPIC_API_KEY with ANTHROPIC_BASE_URL. With
    ``base_url`` alone no key is sent. Blank is the same as not given.

    Raises ConfigError where there is neither a key nor ``base_url``, for a key that no header can hold, and for an
    address of the environment that ``base_url`` would not be allowed to be.
    """
    protocol, key = config.protocol, (config.api_key.get_secret_value() if config.api_key else "").strip()
    name = protocol.upper()
    ambient = not key and config.base_url is None
    address = config.base_url or _OWN[protocol]
    if ambient:
        key = environ.get(f"{name}_API_KEY", "").strip()
        address = _told(f"{name}_BASE_URL", environ) or address
    if ambient and not key:
        raise ConfigError(
            f"'api_key' is missing: give it, or {name}_API_KEY, or the 'base_url' of a server without key"
        )
    if not (key.isascii() and key.isprintable()):
        raise ConfigError("'api_key' holds characters that no key has: copy it again")
    return Endpoint(protocol=protocol, address=_plain(address, protocol), key=key or None, ambient=ambient)


def _told(name: str, environ: Mapping[str, str]) -> str:
    found = environ.get(name, "").strip()
    try:
        return found and http_address(found)
    except ValueError as error:
        raise ConfigError(f"{name} {error}") from None


def _plain(address: str, protocol: ApiProtocol) -> str:
    # The library for messages adds the version itself.
    address = address.rstrip("/")
    return address.removesuffix("/v1") if protocol is ApiProtocol.ANTHROPIC else address
