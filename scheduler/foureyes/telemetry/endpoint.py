"""The page that Prometheus scrapes, for programs that have no web server of their own."""

from __future__ import annotations

import errno
from collections.abc import Callable
from dataclasses import dataclass

from prometheus_client import REGISTRY, CollectorRegistry, start_http_server

from foureyes.errors import ConfigError
from foureyes.telemetry.series import readable

__all__ = ["MetricsServer", "serve_metrics"]

_LAST = 65_535


def _nothing() -> None:
    return None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricsServer:
    """A running metrics page, or one that is switched off."""

    address: str
    """The address that it listens on."""
    port: int | None = None
    """The port that it listens on, never 0; None = switched off."""
    close: Callable[[], None] = _nothing
    """Stops listening and frees the port, within about half a second. Calling it again does nothing."""


def serve_metrics(
    registry: CollectorRegistry = REGISTRY, address: str = "127.0.0.1", port: int | None = None
) -> MetricsServer:
    """Serve the metrics over HTTP from a thread of its own, until closed.

    ``port`` None switches it off, and 0 takes any free port, which the result names. The page asks for no password,
    so only this machine reaches it unless another ``address`` is given. Raises ConfigError where the address and the
    port cannot be listened on.
    """
    if port is None:
        return MetricsServer(address=address)
    if not 0 <= port <= _LAST:
        raise ConfigError(f"metrics: port {port} on {address} is none; a port is a number from 0 to {_LAST}")
    try:
        server, thread = start_http_server(port, address, readable(registry))
    except OSError as error:
        raise ConfigError(f"metrics: cannot listen on {address} port {port}: {_cure(error)}") from error

    def close() -> None:
        server.shutdown()
        server.server_close()
        thread.join()

    return MetricsServer(address=address, port=server.server_port, close=close)


_CURES = {
    errno.EADDRINUSE: "the port is in use; choose another one (FOUREYES_METRICS_PORT), 0 for any free one, or none to "
    "switch the page off. For several worker processes, set PROMETHEUS_MULTIPROC_DIR: then the page of one shows all",
    errno.EACCES: "this user may not open the port; choose one above 1023",
    errno.EADDRNOTAVAIL: "this machine has no such address; use 127.0.0.1, or one of its own",
}


def _cure(error: OSError) -> str:
    return _CURES.get(error.errno or 0, "check that the address is one of this machine's")
