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
async def test_a_worker_whose_port_is_taken_reviews_all_the_same_and_says_what_is_missing(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    async with ReviewScheduler.from_settings(registry=CollectorRegistry()) as first:
        assert first.metrics_server is not None
        port = first.metrics_server.port
        settings = Settings(metrics_port=port, store=f"sqlite:{folder / 'sessions.sqlite'}")
        async with ReviewScheduler.from_settings(settings, registry=CollectorRegistry()) as second:
            guidance = await (await second.session("s")).boundary(transcript())
            assert second.metrics_server is not None
            assert second.metrics_server.port is None
        assert "foureyes_reviews_total" in read(f"http://127.0.0.1:{port}/metrics"), "the first one's page goes on"
    [told] = [record for record in caplog.records if vars(record).get("action") == "metrics_not_served"]
    assert texts(guidance) == ["The fallback found this."]
    assert told.levelname == "WARNING"
    for words in (
        f"127.0.0.1 port {port}",
        "in use",
        "FOUREYES_METRICS_PORT",
        "PROMETHEUS_MULTIPROC_DIR",
        "not served",
    ):
        assert words in told.getMessage()


@pytest.mark.usefixtures("declared")
async def test_an_address_that_this_machine_has_not_is_said_and_stops_nobody(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    settings = Settings(metrics_port=0, metrics_address="203.0.113.7", store=f"sqlite:{folder / 'sessions.sqlite'}")
    async with ReviewScheduler.from_settings(settings, registry=CollectorRegistry()) as scheduler:
        assert (await scheduler.session("s")).id == "s"
    assert "no such address" in caplog.text


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
