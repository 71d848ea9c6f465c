"""The parts of a scheduler that settings declare. Apart, because a scheduler made in code needs none of them."""

from __future__ import annotations

from dataclasses import dataclass

from prometheus_client import REGISTRY, CollectorRegistry

from foureyes.settings import Settings
from foureyes.stores.base import Store
from foureyes.stores.memory import MemoryStore
from foureyes.stores.sqlite import SQLiteStore
from foureyes.telemetry.endpoint import MetricsServer, serve_metrics
from foureyes.telemetry.logs import LogSink

__all__ = ["Metrics", "log", "metrics", "read", "store"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Metrics:
    """Where the metrics go, and where they can be scraped."""

    registry: CollectorRegistry
    address: str
    port: int | None
    """None = no page."""

    def serve(self) -> MetricsServer:
        """Open the metrics page. Raises ConfigError where the address and port cannot be listened on."""
        return serve_metrics(self.registry, self.address, self.port)


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
