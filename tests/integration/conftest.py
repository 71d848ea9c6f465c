"""A real Prometheus that scrapes a real metrics page, for the tests of this folder that ask for one."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from prometheus_client import CollectorRegistry

from foureyes.core.config import ReviewerConfig
from foureyes.core.facts import Hop, Spend, Usage
from foureyes.core.words import (
    Disposition,
    FinishResult,
    MuteReason,
    OutcomeKind,
    Severity,
    SkipReason,
    Trigger,
    Verdict,
)
from foureyes.telemetry import events as happened
from foureyes.telemetry.endpoint import serve_metrics
from foureyes.telemetry.prometheus import PrometheusSink

DEADLINE = 20.0


def binary(name: str) -> str:
    """Return the path of a program of Prometheus; without it the test is skipped, or fails where CI promises it."""
    found = shutil.which(name)
    if found is not None:
        return found
    reason = f"{name} is not installed: apt-get install -y --no-install-recommends prometheus"
    if os.environ.get("CI"):
        pytest.fail(reason)
    pytest.skip(reason)


def eventually(question: Callable[[], Any], what: str) -> Any:
    """Return the first answer that is not false, None or an error of the network."""
    end = time.monotonic() + DEADLINE
    while time.monotonic() < end:
        try:
            answer = question()
        except OSError:
            answer = None
        if answer:
            return answer
        time.sleep(0.05)
    raise AssertionError(f"{what} did not happen within {DEADLINE:.0f} s")


@dataclass(frozen=True, kw_only=True)
class Prometheus:
    """A running Prometheus, by its HTTP interface."""

    port: int

    def get(self, path: str, **parameters: str) -> Any:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=10)) as connection:
            connection.request("GET", f"/api/v1/{path}?{urlencode(parameters)}")
            response = connection.getresponse()
            body = response.read()
        if response.status == HTTPStatus.SERVICE_UNAVAILABLE:
            raise ConnectionError("Prometheus is still starting")
        answer = json.loads(body)
        assert answer["status"] == "success", answer
        return answer["data"]

    def ask(self, expression: str) -> list[tuple[dict[str, str], float]]:
        """Return the labels and the value of every series that an expression gives now."""
        found = self.get("query", query=expression)["result"]
        return [(one["metric"], float(one["value"][1])) for one in found]

    def wait_for_a_scrape(self) -> None:
        """Return once a scrape that began after this call is answered for."""
        now = time.time()
        eventually(lambda: any(begun > now for _, begun in self.ask("timestamp(up)")), "a scrape")


@dataclass(frozen=True, kw_only=True)
class Watched:
    """A scheduler's metrics, and the Prometheus that scrapes them."""

    registry: CollectorRegistry
    prometheus: Prometheus


REVIEWERS = [
    ReviewerConfig(name="sec", use="model", model="small", fallbacks=("checks",), interval_turns=1),
    ReviewerConfig(name="perf", use="checks"),
]


@dataclass(frozen=True, kw_only=True)
class Busy:
    """Reviewers, and what happened to them in a minute in which everything did."""

    reviewers: list[ReviewerConfig]
    events: list[happened.Event]


@pytest.fixture(scope="session")
def busy() -> Busy:
    return Busy(reviewers=REVIEWERS, events=list(_minute()))


@pytest.fixture(scope="session")
def promtool() -> str:
    """The path of Prometheus' own checker."""
    return binary("promtool")


def _minute() -> Iterator[happened.Event]:
    for config in REVIEWERS:
        yield from _of(config.name)
    yield happened.BoundarySettled(session="s", turn=1, finish=False, seconds=0.3)
    yield happened.BoundarySettled(session="s", turn=2, finish=True, seconds=2.0)
    yield happened.FinishSettled(session="s", turn=2, result=FinishResult.CLEAN, verdict=Verdict.APPROVED)
    yield happened.Checkpointed(session="s", seconds=0.0002)
    yield happened.CheckpointFailed(session="s", error="disk full")
    yield happened.LoopFrozen(session="s", turn=1, seconds=0.5, reviewers="sec, perf")
    yield happened.SinkFailed(session="s", sink="Webhook", error="gone")


def _of(name: str) -> Iterator[happened.Event]:
    used = Usage(input_tokens=900, cached_tokens=600, output_tokens=40, cost_usd=0.25)
    for outcome in OutcomeKind:
        yield happened.ReviewSettled(
            session="s",
            reviewer=name,
            trigger=Trigger.FINISH,
            turn=1,
            outcome=outcome,
            seconds=0.2,
            attempts=2,
            spent=(Spend(model="", usage=used),),
        )
    yield happened.ReviewSkipped(session="s", reviewer=name, trigger=Trigger.FINISH, turn=1, reason=SkipReason.CAP)
    yield happened.FellBack(
        session="s", reviewer=name, turn=1, hop=Hop(source="model", target="checks", reason=OutcomeKind.TIMEOUT)
    )
    for disposition in Disposition:
        yield happened.NoteJudged(
            session="s",
            reviewer=name,
            turn=1,
            severity=Severity.CONCERN,
            disposition=disposition,
            text="x",
            similar="n0",
        )
    yield happened.NoteSent(session="s", reviewer=name, severity=Severity.CONCERN, note="n1")
    yield happened.QuotaExhausted(session="s", reviewer=name, turn=1, trigger=Trigger.FINISH)
    yield happened.ReviewerMuted(session="s", reviewer=name, turn=1, reason=MuteReason.SIMILAR, have=3, limit=3)
    yield happened.ReviewerPaused(session="s", reviewer=name, failures=3)
    yield happened.LeftoverChanged(session="s", reviewer=name, running=1)


@pytest.fixture(scope="session")
def watched(busy: Busy, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Watched]:
    """Two minutes of a busy scheduler, each of them scraped by a real Prometheus."""
    registry = CollectorRegistry()
    program, sink = binary("prometheus"), PrometheusSink(busy.reviewers, registry)
    page, folder = serve_metrics(registry, port=0), tmp_path_factory.mktemp("prometheus")
    with closing(page), _running(program, folder, f"127.0.0.1:{page.port}") as prometheus:
        for _ in range(2):
            _feed(sink, busy)
            prometheus.wait_for_a_scrape()
        yield Watched(registry=registry, prometheus=prometheus)


def _feed(sink: PrometheusSink, busy: Busy) -> None:
    for event in busy.events:
        sink.emit(event)
    sink.quiet(finish=False)


@contextmanager
def _running(program: str, folder: Path, target: str) -> Iterator[Prometheus]:
    port = _free_port()
    (folder / "prometheus.yml").write_text(_CONFIGURATION % target)
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(
            [
                program,
                f"--config.file={folder / 'prometheus.yml'}",
                f"--storage.tsdb.path={folder / 'data'}",
                f"--web.listen-address=127.0.0.1:{port}",
            ],
            stdout=log,
            stderr=log,
        )
        try:
            prometheus = Prometheus(port=port)
            eventually(lambda: prometheus.ask("up == 1"), f"the start of Prometheus ({folder / 'log'})")
            yield prometheus
        finally:
            process.terminate()
            process.wait(DEADLINE)


_CONFIGURATION = """
global: {scrape_interval: 500ms, scrape_timeout: 500ms}
scrape_configs:
  - job_name: foureyes
    static_configs: [{targets: ["%s"]}]
"""


def _free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
