"""A scheduler that the environment and files declare: reviewers, store, metrics page and log."""

from __future__ import annotations

import logging
import os
from pathlib import Path
from urllib.request import urlopen

import pytest
from prometheus_client import CollectorRegistry

from foureyes.errors import ConfigError
from foureyes.scheduler import ReviewScheduler
from foureyes.settings import Settings
from foureyes.testing import RecordingSink

from .fallback_reviewers import NAME
from .shell import texts, transcript

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the working directory of a machine on which nothing is declared yet."""
    for name in [name for name in os.environ if name.upper().startswith(("FOUREYES_", "XDG_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> None:
    """Declare one reviewer of every turn, sessions in memory, and a metrics page on any port."""
    monkeypatch.setenv("FOUREYES_REVIEWERS__ONE__USE", f"{NAME}:sound")
    monkeypatch.setenv("FOUREYES_REVIEWERS__ONE__INTERVAL_TURNS", "1")
    monkeypatch.setenv("FOUREYES_STORE", "memory")
    monkeypatch.setenv("FOUREYES_METRICS_PORT", "0")


def read(address: str) -> str:
    """Return what is on the page."""
    with urlopen(address, timeout=5) as page:
        return str(page.read().decode())


@pytest.mark.usefixtures("declared")
async def test_what_is_declared_is_what_runs() -> None:
    sink = RecordingSink()
    async with ReviewScheduler.from_settings(registry=CollectorRegistry(), sinks=[sink]) as scheduler:
        guidance = await (await scheduler.session("s")).boundary(transcript())
    assert [config.name for config in scheduler.reviewers] == ["one"]
    assert texts(guidance) == ["The fallback found this."]
    assert sink.events


@pytest.mark.usefixtures("declared")
async def test_the_metrics_page_is_there_as_long_as_the_scheduler_is_open() -> None:
    scheduler = ReviewScheduler.from_settings(registry=CollectorRegistry())
    assert scheduler.metrics_server is None
    async with scheduler:
        await (await scheduler.session("s")).boundary(transcript())
        assert scheduler.metrics_server is not None
        address = f"http://127.0.0.1:{scheduler.metrics_server.port}/metrics"
        assert 'foureyes_reviews_total{outcome="noted",reviewer="one",trigger="periodic"} 1.0' in read(address)
    assert scheduler.metrics_server is None
    with pytest.raises(OSError, match=r"refused|timed out"):
        read(address)


@pytest.mark.usefixtures("declared")
async def test_a_port_that_is_taken_is_said_and_leaves_nothing_open(folder: Path) -> None:
    async with ReviewScheduler.from_settings(registry=CollectorRegistry()) as first:
        assert first.metrics_server is not None
        settings = Settings(metrics_port=first.metrics_server.port, store=f"sqlite:{folder / 'sessions.sqlite'}")
        second = ReviewScheduler.from_settings(settings, registry=CollectorRegistry())
        with pytest.raises(ConfigError, match="the port is in use"):
            await second.__aenter__()
        (folder / "sessions.sqlite").unlink()
    async with second:
        assert (await second.session("s")).id == "s"


@pytest.mark.usefixtures("declared")
async def test_sessions_in_a_file_survive_the_scheduler(folder: Path) -> None:
    settings = Settings(store=f"sqlite:{folder / 'sessions.sqlite'}", metrics_port=None)
    turns = []
    for turn in (1, 2):
        async with ReviewScheduler.from_settings(settings, registry=CollectorRegistry()) as scheduler:
            session = await scheduler.session("s")
            turns.append(session.state.turn)
            await session.boundary(transcript(turn))
    assert turns == [0, 1]


@pytest.mark.usefixtures("declared")
async def test_events_are_logged(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "foureyes"):
        async with ReviewScheduler.from_settings(registry=CollectorRegistry()) as scheduler:
            await (await scheduler.session("s")).boundary(transcript())
    assert {"review_settled", "boundary_settled"} <= {str(getattr(record, "action", "")) for record in caplog.records}


async def test_without_any_declaration_nobody_reviews() -> None:
    settings = Settings(store="memory")
    async with ReviewScheduler.from_settings(settings, registry=CollectorRegistry()) as scheduler:
        guidance = await (await scheduler.session("s")).boundary(transcript())
        assert (scheduler.reviewers, scheduler.metrics_server is None or scheduler.metrics_server.port) == ((), None)
    assert guidance.messages == []


def test_a_reviewer_that_is_not_there_is_said_before_anything_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FOUREYES_REVIEWERS__ONE__USE", "no-such-reviewer")
    with pytest.raises(ConfigError, match="no-such-reviewer"):
        ReviewScheduler.from_settings(registry=CollectorRegistry())
