"""An empty machine for every test of the settings: no files, no home to speak of, no names in the environment."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foureyes.errors import ConfigError
from foureyes.settings import Settings


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the empty working directory; the empty home is beside it, as ``../home``."""
    for name in [name for name in os.environ if name.upper().startswith(("FOUREYES_", "XDG_"))]:
        monkeypatch.delenv(name)
    work, home = tmp_path / "work", tmp_path / "home"
    work.mkdir()
    home.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    return work


@pytest.fixture
def refused() -> Callable[..., tuple[str, ...]]:
    """Return what tells the problems of settings that must not be accepted."""

    def problems(**arguments: Any) -> tuple[str, ...]:
        with pytest.raises(ConfigError) as caught:
            Settings(**arguments)
        return caught.value.problems

    return problems
