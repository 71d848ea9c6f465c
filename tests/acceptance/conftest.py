"""What stands for a provider in these tests: a real server on loopback."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from foureyes.core.words import ApiProtocol

from .model_server import ModelServer, running


@pytest.fixture
def server() -> Iterator[ModelServer]:
    """Return a model server."""
    with running() as found:
        yield found


@pytest.fixture(params=list(ApiProtocol))
def protocol(request: pytest.FixtureRequest) -> ApiProtocol:
    """Run a test with both APIs."""
    return ApiProtocol(request.param)
