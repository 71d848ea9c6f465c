"""The metrics page as Prometheus sees it: served, scraped, checked, and summed over processes."""

from __future__ import annotations

import os
import subprocess
import sys
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from prometheus_client import CollectorRegistry
from prometheus_client.parser import text_string_to_metric_families

from foureyes.core.config import ReviewerConfig
from foureyes.errors import ConfigError
from foureyes.telemetry.endpoint import serve_metrics
from foureyes.telemetry.prometheus import PrometheusSink, text


@pytest.fixture
def registry() -> CollectorRegistry:
    registry = CollectorRegistry()
    PrometheusSink([ReviewerConfig(name="sec", use="checks")], registry)
    return registry


def fetched(port: int, path: str = "/metrics") -> str:
    connection = HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        connection.request("GET", path)
        return connection.getresponse().read().decode()
    finally:
        connection.close()


def test_the_page_is_the_text_of_the_registry_on_this_machine_only(registry: CollectorRegistry) -> None:
    page = serve_metrics(registry, port=0)
    try:
        assert page.address == "127.0.0.1"
        assert page.port
        assert fetched(page.port) == text(registry)
    finally:
        page.close()


def test_a_page_without_a_port_is_switched_off(registry: CollectorRegistry) -> None:
    page = serve_metrics(registry)
    assert page.port is None
    page.close()


def test_a_closed_page_answers_no_more_and_frees_its_port(registry: CollectorRegistry) -> None:
    page = serve_metrics(registry, port=0)
    page.close()
    page.close()
    assert page.port
    with pytest.raises(ConnectionRefusedError):
        fetched(page.port)
    serve_metrics(registry, port=page.port).close()


def test_a_port_in_use_is_named_with_the_cure(registry: CollectorRegistry) -> None:
    page = serve_metrics(registry, port=0)
    try:
        with pytest.raises(ConfigError, match=rf"127\.0\.0\.1 port {page.port}.*in use.*choose another"):
            serve_metrics(registry, port=page.port)
    finally:
        page.close()


@pytest.mark.parametrize(
    ("address", "port", "cure"),
    [
        ("203.0.113.7", 0, "no such address"),
        ("not an address", 0, "check that the address"),
    ],
)
def test_a_page_that_cannot_be_opened_says_where_and_what_to_do(
    registry: CollectorRegistry, address: str, port: int, cure: str
) -> None:
    with pytest.raises(ConfigError, match=f"{address} port {port}: .*{cure}"):
        serve_metrics(registry, address, port)


@pytest.mark.parametrize("port", [-1, 65_536])
def test_a_port_that_cannot_exist_is_refused(registry: CollectorRegistry, port: int) -> None:
    with pytest.raises(ConfigError, match=rf"port {port} on 127\.0\.0\.1 .*0 to 65535"):
        serve_metrics(registry, port=port)


def test_promtool_has_no_complaint_about_the_text(promtool: str, busy: Any) -> None:
    registry = CollectorRegistry()
    sink = PrometheusSink(busy.reviewers, registry)
    for event in busy.events:
        sink.emit(event)
    checked = subprocess.run(
        [promtool, "check", "metrics"], input=text(registry), text=True, capture_output=True, check=False
    )
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_a_real_prometheus_holds_exactly_what_the_sink_counted(watched: Any) -> None:
    counted = {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for metric in watched.registry.collect()
        for sample in metric.samples
    }
    assert held(watched) == counted


def held(watched: Any) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    found = {}
    for labels, value in watched.prometheus.ask('{__name__=~"foureyes_.*"}'):
        name = labels.pop("__name__")
        assert (labels.pop("job"), bool(labels.pop("instance"))) == ("foureyes", True)
        found[name, tuple(sorted(labels.items()))] = value
    return found


WORKER = """
from foureyes.core.config import ReviewerConfig
from foureyes.core.words import OutcomeKind, Trigger
from foureyes.telemetry.events import LeftoverChanged, ReviewerPaused, ReviewSettled
from foureyes.telemetry.prometheus import PrometheusSink

sink = PrometheusSink([ReviewerConfig(name="sec", use="checks")])
for turn in range(5):
    sink.emit(
        ReviewSettled(
            session="s",
            reviewer="sec",
            trigger=Trigger.FINISH,
            turn=turn,
            outcome=OutcomeKind.QUIET,
            seconds=0.1,
            attempts=1,
            spent=(),
        )
    )
    sink.quiet(False)
sink.emit(ReviewerPaused(session="s", reviewer="sec", failures=3))
sink.emit(LeftoverChanged(session="s", reviewer="sec", running=1))
"""

READER = """
import os
import sys
from prometheus_client import multiprocess
from foureyes.telemetry.prometheus import text

for number in sys.argv[1:]:
    multiprocess.mark_process_dead(int(number))
print(text(), end="")
"""

SERVER = """
from http.client import HTTPConnection
from foureyes.telemetry.endpoint import serve_metrics

page = serve_metrics(port=0)
connection = HTTPConnection("127.0.0.1", page.port, timeout=10)
connection.request("GET", "/metrics")
print(connection.getresponse().read().decode(), end="")
connection.close()
page.close()
"""


def ran(program: str, folder: Path, *arguments: str) -> tuple[int, str]:
    """Return the process id and the output of a program that shares its metrics through a folder."""
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(folder)}
    command = [sys.executable, "-W", "error", "-c", program, *arguments]
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        output, _ = process.communicate(timeout=60)
    assert process.returncode == 0
    return process.pid, output


def samples(page: str) -> dict[tuple[str, tuple[tuple[str, str], ...]], float]:
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for metric in text_string_to_metric_families(page)
        for sample in metric.samples
    }


def test_several_workers_are_one_sum_and_a_dead_one_leaves_its_counts_behind(tmp_path: Path) -> None:
    workers = [ran(WORKER, tmp_path)[0] for _ in range(2)]
    quiet = ("outcome", "quiet"), ("reviewer", "sec"), ("trigger", "finish")
    paused = "foureyes_reviewer_state", (("reviewer", "sec"), ("state", "paused"))
    leftovers = "foureyes_leftovers", (("reviewer", "sec"),)

    _, page = ran(READER, tmp_path)
    both = samples(page)
    assert both["foureyes_reviews_total", quiet] == 10
    assert both["foureyes_boundaries_total", (("kind", "turn"),)] == 10
    assert (both[paused], both[leftovers]) == (2, 2)

    _, page = ran(READER, tmp_path, str(workers[0]))
    one = samples(page)
    assert one["foureyes_reviews_total", quiet] == 10
    assert one["foureyes_boundaries_total", (("kind", "turn"),)] == 10
    assert (one[paused], one[leftovers]) == (1, 1)


def test_the_page_of_any_process_shows_all_workers(tmp_path: Path) -> None:
    ran(WORKER, tmp_path)
    _, page = ran(SERVER, tmp_path)
    assert samples(page)["foureyes_boundaries_total", (("kind", "turn"),)] == 5


def test_several_workers_have_every_known_series_and_no_success_until_one_succeeds(tmp_path: Path) -> None:
    started, _, _ = WORKER.partition("for turn")
    ran(started, tmp_path)
    _, page = ran(READER, tmp_path)
    found = samples(page)
    timeout = ("outcome", "timeout"), ("reviewer", "sec"), ("trigger", "finish")
    assert found["foureyes_reviews_total", timeout] == 0
    assert found["foureyes_reviewer_state", (("reviewer", "sec"), ("state", "active"))] == 1
    assert not [name for name, _ in found if name == "foureyes_last_success_timestamp_seconds"]


_WORKER = """
import sys

import anyio

from foureyes import ReviewScheduler


async def work():
    async with ReviewScheduler.from_settings() as scheduler:
        session = await scheduler.session(sys.argv[1])
        await session.finish([{"role": "user", "content": "Do it."}], answer="Done, all of it.")
        print(scheduler.metrics_server.port, flush=True)
        sys.stdin.readline()

anyio.run(work)
"""


@pytest.mark.parametrize("shared", [True, False])
def test_a_second_process_with_the_same_port_works_all_the_same(tmp_path: Path, shared: bool) -> None:
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("FOUREYES_")},
        "FOUREYES_REVIEWERS__ONE__USE": "checks",
        "FOUREYES_STORE": "memory",
        "FOUREYES_METRICS_PORT": "0",
    }
    environment |= {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)} if shared else {}
    with _worker("a", environment) as first:
        port = int(first.stdout.readline())  # type: ignore[union-attr]
        with _worker("b", environment | {"FOUREYES_METRICS_PORT": str(port)}) as second:
            assert second.stdout.readline() == "None\n"  # type: ignore[union-attr]
            page = fetched(port)
            told = second.communicate("\n")[1]
        first.communicate("\n")
    counted = sum(
        float(line.rpartition(" ")[2]) for line in page.splitlines() if line.startswith("foureyes_reviews_total")
    )
    assert (first.returncode, second.returncode, counted) == (0, 0, 2 if shared else 1)
    assert ("the port is in use" in told) is not shared


def _worker(session: str, environment: dict[str, str]) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", _WORKER, session],
        env=environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
