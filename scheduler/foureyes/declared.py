"""The parts of a scheduler that settings declare. Apart, because a scheduler made in code needs none of them."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from prometheus_client import REGISTRY, CollectorRegistry

from foureyes.errors import ConfigError
from foureyes.settings import Settings
from foureyes.stores.base import Store
from foureyes.stores.memory import MemoryStore
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.endpoint import MetricsServer, serve_metrics
from foureyes.telemetry.logs import LogSink, in_one_line
from foureyes.telemetry.series import is_shared

__all__ = ["Metrics", "log", "metrics", "read", "store"]

_logger = logging.getLogger("foureyes")
_UNSERVED = "The metrics of this process are counted and not served; everything else goes on"


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Where the metrics go, and where they can be scraped."""

    registry: CollectorRegistry
    address: str
    port: int | None
    """None = no page."""

    def serve(self) -> MetricsServer:
        """Open the metrics page; one that cannot be opened is a warning, and switched off.

        A second worker process with the same settings finds the port in use, and has an agent to run all the same.
        Where the processes share their metrics, the page of the first shows those of all, and there is nothing to say.
        """
        try:
            return serve_metrics(self.registry, self.address, self.port)
        except ConfigError as error:
            if not is_shared():
                _logger.warning("%s", in_one_line(f"{error}. {_UNSERVED}"), extra={"action": "metrics_not_served"})
            return MetricsServer(address=self.address)


def read() -> Settings:
    """Return the settings of the environment and the files, as they are now."""
    return Settings()


def metrics(settings: Settings, registry: CollectorRegistry | None) -> Metrics:
    """Return where the metrics go; a registry of None is the default one."""
    chosen = REGISTRY if registry is None else registry
    return Metrics(registry=chosen, address=settings.metrics_address, port=settings.metrics_port)


def store(settings: Settings) -> Store:
    """Return the store that the settings name; it is not opened yet."""
    return MemoryStore() if settings.store == "memory" else SQLiteStore(settings.store.removeprefix("sqlite:"))


def log() -> LogSink:
    """Return the sink that writes events to the logger ``foureyes``."""
    return LogSink()
