"""What stands for a provider in these tests: a real server on loopback."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

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


@pytest.fixture
def declared(server: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Go to a folder that declares the server's model as the reviewer ``one``, with the store ``states.db``."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "160")
    model = f"use = 'model'\nmodel = 'small'\nbase_url = '{server.url}'\n"
    (tmp_path / "foureyes.toml").write_text(f"store = 'states.db'\n[reviewers.one]\n{model}")
    return tmp_path
