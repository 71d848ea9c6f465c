"""HTTP connections, which belong to one event loop each."""

from __future__ import annotations

import ssl
from collections.abc import Awaitable, Callable
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

from anyio.lowlevel import RunVar

from foureyes_reviewers.confidential import Confidential
from foureyes_reviewers.discreet import discreetly

if TYPE_CHECKING:
    import httpx2

__all__ = ["PerLoop", "http_client", "posted", "trusted"]

CONNECT_SECONDS = 5.0
"""Seconds to reach the endpoint, httpx's own default: who does not pick up by then may do so at the next attempt."""
MAX_CONNECTIONS = 100
"""To one endpoint at the same time, httpx's own default; who comes later waits, within the deadline."""


class _Closable(Protocol):
    def close(self) -> Awaitable[None]: ...


C = TypeVar("C", bound=_Closable)


class PerLoop(Generic[C]):
    """Makes a client for each event loop that asks for one: connections of a loop that is gone cannot be used.

    "Event loop is closed" is what users of one client for all loops see: https://github.com/encode/httpx/issues/2473
    """

    def __init__(self, make: Callable[[], C]) -> None:
        make()  # Not used: the first one imports what takes a third of a second.
        self._make = make
        self._here: RunVar[C | None] = RunVar("foureyes_model_client", None)

    def here(self) -> C:
        """Return the client of the running event loop."""
        client = self._here.get()
        if client is None:
            client = self._make()
            self._here.set(client)
        return client

    async def aclose(self) -> None:
        """Close the client of the running event loop, where there is one."""
        client = self._here.get()
        self._here.set(None)
        if client is not None:
            await client.close()


def http_client(address: str) -> httpx2.AsyncClient:
    """Return a client without a deadline of its own, for a review has one.

    It follows no redirect: the transcript goes to the address that was declared, and to no other. Each request has a
    connection of its own: a server may close one that is idle just when it is used again, and what became of the
    request nobody can tell. Beside the time a model takes, a handshake is little.
    """
    import httpx2  # with the library of the provider, when the scheduler is built

    from foureyes_reviewers.model.bounded import bound

    return httpx2.AsyncClient(
        verify=trusted() if address.startswith("https:") else False,
        timeout=httpx2.Timeout(None, connect=CONNECT_SECONDS),
        follow_redirects=False,
        limits=httpx2.Limits(max_connections=MAX_CONNECTIONS, max_keepalive_connections=0),
        headers={"Accept-Encoding": "identity"},
        event_hooks={"response": [bound]},
    )


async def posted(
    post: Callable[..., Awaitable[httpx2.Response]], path: str, kept: Confidential, **request: Any
) -> bytes:
    """Return the body of the response to a request. Raises UnreadResponseError, and what the library raises.

    Nothing of what is ``kept`` is in what the libraries log of it.
    """
    import httpx2

    from foureyes_reviewers.model.bounded import UnreadResponseError

    try:
        with discreetly(kept):
            return (await post(path, cast_to=httpx2.Response, **request)).content
    except Exception as error:
        unread = error.__cause__ if isinstance(error.__cause__, UnreadResponseError) else None
        if unread is None:
            raise
    raise unread


@cache
def trusted() -> ssl.SSLContext:
    """Return what certificates are checked with. Reading them takes most of a second, so they are read once."""
    import httpx2

    return httpx2.create_ssl_context()
