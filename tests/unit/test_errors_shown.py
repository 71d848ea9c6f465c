"""What foreign code says of its failure is shown without secrets, wherever it would have been cut."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from foureyes.core.config import ReviewerConfig
from foureyes.core.state import SessionState
from foureyes.errors import ConfigError, StoreError
from foureyes.loading import built, load
from foureyes.stores.memory import MemoryStore
from foureyes.telemetry.events import CheckpointFailed
from foureyes.testing import RecordingSink

from .shell import every_turn, scripted, session_of, transcript

SECRET = "correct-horse-battery-9"  # no pattern knows it: it is secret because the process says so
PIECES = [SECRET[start : start + 8] for start in range(len(SECRET) - 7)]
PLACES = [0, *range(150, 215, 3), 8_150, 8_180]


def is_clean(text: str) -> bool:
    return not any(piece in text for piece in PIECES)


@pytest.fixture
def raising(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """Return what makes a module that raises with a text, at its import and in its factory; it tells its name."""
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setenv("ACME_TOKEN", SECRET)

    def write(text: str) -> str:
        name = f"raising_{len(list(tmp_path.iterdir()))}_{abs(hash(tmp_path))}"
        (tmp_path / f"{name}.py").write_text(text)
        return name

    return write


@pytest.mark.parametrize("place", PLACES)
def test_an_import_error_is_shown_without_a_secret_of_the_environment(
    place: int, raising: Callable[[str], str]
) -> None:
    text = "." * place + " " + SECRET
    with pytest.raises(ConfigError) as caught:
        load(f"{raising(f'raise ValueError({text!r})')}:review")
    assert is_clean(str(caught.value))
    assert "ValueError" in str(caught.value)


@pytest.mark.parametrize("kind", ["ValueError", "SystemExit", "foureyes.ConfigError"])
@pytest.mark.parametrize("place", PLACES)
def test_what_a_factory_says_is_shown_without_the_key_that_it_was_given(
    place: int, kind: str, raising: Callable[[str], str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("ACME_TOKEN")
    name = raising(
        "import foureyes\nclass Made:\n    def from_config(self, config):\n"
        f"        raise {kind}({'.' * place + ' '!r} + config.api_key.get_secret_value())\nmade = Made()\n"
    )
    config = ReviewerConfig.model_validate({"name": "one", "use": f"{name}:made", "api_key": SECRET})
    with pytest.raises(ConfigError) as caught:
        built(config.use or "", config)
    assert is_clean(str(caught.value))


class Broken(MemoryStore):
    """A store that fails with the address that it could not reach."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text

    async def save(self, state: SessionState, changes: Any) -> None:
        """Fail."""
        raise StoreError(self.text)


@pytest.mark.anyio
@pytest.mark.parametrize("place", PLACES)
async def test_what_a_store_says_is_shown_without_secrets(place: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ACME_TOKEN", SECRET)
    sink, store = RecordingSink(), Broken(f"{'.' * place} {SECRET}")
    async with session_of(every_turn(scripted()), store=store, sinks=[sink]) as session:
        await session.boundary(transcript(1))
    assert sink.of(CheckpointFailed)
    assert all(is_clean(event.error) for event in sink.of(CheckpointFailed))
