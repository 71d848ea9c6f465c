"""``use = "remote"`` against a real HTTP server: what it is told, and what it may do wrong.

The rules. A fault is an outcome, with its attempts, and the agent's answer goes out as it is. The key goes to the
declared address and nowhere else. Each request has a connection of its own, which is closed when the review is over,
whatever ended it.
"""

from __future__ import annotations

import gzip
import json
import logging
import os
import shutil
import socket
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import anyio
import anyio.to_thread
import pytest
from jsonschema import Draft202012Validator

from foureyes.core.config import ReviewerConfig
from foureyes.core.words import FinishResult, OutcomeKind
from foureyes.errors import ConfigError
from foureyes.guidance import Guidance
from foureyes.loading import built
from foureyes.scheduler import ReviewScheduler
from foureyes.telemetry.events import ReviewerPaused, ReviewSettled
from foureyes.testing import FakeClock, RecordingSink

from .loopback import Answer, Loopback, drip, flood, hang_up, http, reset, stall
from .process_table import open_files

SECRET = "correct-horse-battery-9"
KEY = "k-2b7e151628aed2a6"
TASK = {"role": "user", "content": "Rename the table."}
QUIET = http(200, '{"notes": []}')
NOTE = http(200, '{"notes": [{"text": "The old name is still used.", "severity": "concern"}]}')


def remote(url: str, **settings: Any) -> ReviewerConfig:
    """Return a reviewer that is at this address."""
    return ReviewerConfig(**({"name": "far", "use": "remote", "base_url": url, "timeout_seconds": 20} | settings))


class Finished:
    """How a finish went: the guidance, how the review was settled, and how long was waited between attempts."""

    def __init__(self, guidance: Guidance, sink: RecordingSink, slept: list[float]) -> None:
        self.guidance, self.slept = guidance, slept
        [settled] = sink.of(ReviewSettled)
        self.kind, self.attempts, self.error = settled.outcome, settled.attempts, settled.error
        self.seconds, self.usage = settled.seconds, settled.usage
        self.paused = bool(sink.of(ReviewerPaused))

    @property
    def untouched(self) -> bool:
        """Tell whether the answer goes out as if there were no reviewer, and without anybody's approval."""
        guidance = self.guidance
        return not guidance.messages and not guidance.reopen and guidance.result is FinishResult.UNAVAILABLE


async def finished(config: ReviewerConfig, session: str = "s", said: str = "Rename the table.") -> Finished:
    """Return how a finish went that the reviewer was asked about."""
    sink, clock = RecordingSink(), FakeClock()
    async with ReviewScheduler([config], sinks=[sink], clock=clock) as scheduler:
        transcript = [{"role": "user", "content": said}, {"role": "assistant", "content": "Renamed."}]
        guidance = await (await scheduler.session(session)).finish(transcript, answer="Renamed.")
    return Finished(guidance, sink, clock.slept)


# --- what an endpoint is told, and what it may answer ---


@pytest.mark.anyio
async def test_an_endpoint_that_says_so_reopens_the_run() -> None:
    with Loopback(NOTE) as server:
        one = await finished(remote(server.url()))
    assert (one.guidance.reopen, one.kind, one.attempts) == (True, OutcomeKind.NOTED, 1)
    assert "The old name is still used." in one.guidance.messages[0]["content"]


@pytest.mark.anyio
async def test_an_endpoint_is_posted_the_review_as_the_schema_has_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", SECRET)
    with Loopback(QUIET) as server:
        await finished(remote(server.url("/v1/review?team=a"), api_key=KEY), said=f"Use {SECRET}, or {KEY}, to log in.")
    [request] = server.received
    rules = json.loads((files("foureyes_reviewers") / "schema" / "review.json").read_text("utf-8"))
    Draft202012Validator(rules).validate(json.loads(request.body))
    assert request.line == "POST /v1/review?team=a HTTP/1.1"
    wanted = {
        "authorization": f"Bearer {KEY}",
        "idempotency-key": json.loads(request.body)["key"],
        "content-type": "application/json",
        "accept": "application/json",
        "accept-encoding": "identity",
    }
    assert wanted.items() <= request.headers.items()
    assert "to log in" in request.body.decode()
    assert SECRET.encode() not in request.body
    assert KEY.encode() not in request.body


@pytest.mark.anyio
async def test_no_key_is_sent_where_none_is_declared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-not-for-anybody")
    with Loopback(QUIET) as server:
        await finished(remote(server.url()))
    assert "authorization" not in server.received[0].headers


@pytest.mark.anyio
async def test_every_attempt_of_a_review_has_the_same_key_and_another_review_another() -> None:
    with Loopback(http(500), QUIET) as server:
        assert (await finished(remote(server.url()))).attempts == 2
        await finished(remote(server.url()), session="t")
    keys = [request.headers["idempotency-key"] for request in server.received]
    first, again, other = [key.rpartition(":") for key in keys]
    assert first == again
    assert (first[0], other[0]) == ("s:1:far:finish", "t:1:far:finish")


@pytest.mark.anyio
async def test_a_session_with_any_name_fits_into_a_header() -> None:
    with Loopback(QUIET) as server:
        assert (await finished(remote(server.url()), session="Zoë\r\nX-Evil: 1 ")).kind is OutcomeKind.QUIET
    key = server.received[0].headers["idempotency-key"]
    assert key.startswith("Zo%C3%AB%0D%0AX-Evil:%201%20:1:far:finish:")
    assert "x-evil" not in server.received[0].headers
    assert json.loads(server.received[0].body)["session"] == "Zoë\r\nX-Evil: 1 "


@pytest.mark.anyio
async def test_what_an_endpoint_used_is_counted() -> None:
    with Loopback(http(200, '{"notes": [], "usage": {"input_tokens": 7, "cost_usd": 0.5}}')) as server:
        one = await finished(remote(server.url()))
    assert (one.usage.input_tokens, one.usage.cost_usd) == (7, 0.5)


@pytest.mark.anyio
@pytest.mark.parametrize(
    "answer",
    [
        http(201, '{"notes": []}'),
        http(200, b'\xef\xbb\xbf{"notes": []}', Content_Type="text/plain; charset=utf-16"),
        http(200, '{"notes": []}', Content_Encoding="identity"),
        http(200, '{"notes": []}'.ljust(1_000_000)),
        http(200, '7\r\n{"notes\r\n6\r\n": []}\r\n0\r\n\r\n', Content_Length="", Transfer_Encoding="chunked"),
        b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" + QUIET,
        hang_up(b'HTTP/1.0 200 OK\r\n\r\n{"notes": []}'),
    ],
    ids=["created", "odd type", "packed as it is", "a megabyte", "chunked", "hints before", "until it hangs up"],
)
async def test_an_answer_is_read_whatever_way_it_comes(answer: Answer) -> None:
    with Loopback(answer) as server:
        one = await finished(remote(server.url()))
    assert (one.kind, one.error) == (OutcomeKind.QUIET, "")


# --- faults ---


def told(kind: str, status: int = 200, **more: object) -> bytes:
    """Return an error in our own JSON."""
    return http(status, json.dumps({"error": {"kind": kind, **more}}))


UNPARSED, ERROR, LIMITED = OutcomeKind.UNPARSED, OutcomeKind.ERROR, OutcomeKind.RATE_LIMITED
ENDLESS = "".join(f"X-{number}: {'y' * 1_000}\r\n" for number in range(500)).encode()

FAULTS: dict[str, tuple[Answer, OutcomeKind, int, str]] = {
    "says nothing": (http(200), UNPARSED, 1, "what came back is empty"),
    "has no content": (http(204, Content_Length=""), UNPARSED, 1, "what came back is empty"),
    "says nothing that is a reply": (http(200, "{}"), UNPARSED, 1, "no reply of version 1"),
    "shows a page": (http(200, "<h1>Log in</h1>"), UNPARSED, 1, "no reply of version 1"),
    "is shorter than it is": (http(200, '{"notes": []}', Content_Length="5"), UNPARSED, 1, "no reply of version 1"),
    "is longer than it is": (hang_up(http(200, "{}", Content_Length="50")), ERROR, 2, "(RemoteProtocolError)"),
    "breaks off in a chunk": (
        hang_up(http(200, '7\r\n{"notes', Content_Length="", Transfer_Encoding="chunked")),
        ERROR,
        2,
        "(RemoteProtocolError)",
    ),
    "floods": (http(200, b" " * 2_000_000), ERROR, 1, "more than 1,000,000 bytes"),
    "floods for ever": (flood(b"HTTP/1.0 200 OK\r\n\r\n"), ERROR, 1, "more than 1,000,000 bytes"),
    "floods in chunks": (
        http(200, b"f4240\r\n" + b" " * 1_000_000 + b"\r\n1\r\n ", Content_Length="", Transfer_Encoding="chunked"),
        ERROR,
        1,
        "more than 1,000,000 bytes",
    ),
    "sends a bomb": (
        http(200, gzip.compress(b'{"notes": []}'.ljust(50_000_000)), Content_Encoding="gzip"),
        ERROR,
        1,
        "packed its answer",
    ),
    "has headers without end": (b"HTTP/1.1 200 OK\r\n" + ENDLESS, ERROR, 2, "(RemoteProtocolError)"),
    "does not speak HTTP": (hang_up(b"220 smtp ready\r\n"), ERROR, 2, "(RemoteProtocolError)"),
    "hangs up": (hang_up(), ERROR, 2, "(RemoteProtocolError)"),
    "resets": (reset, ERROR, 2, "(ReadError)"),
    "redirects": (http(302, Location="http://127.0.0.1:9/"), ERROR, 1, "the endpoint redirects"),
    "redirects for ever": (http(308, Location="/review"), ERROR, 1, "the endpoint redirects"),
    "does not know the request": (http(400, "no"), ERROR, 1, "the endpoint answered with status 400"),
    "wants another key": (http(401), ERROR, 1, "HTTP 401: the key is not accepted: correct 'api_key'"),
    "wants money": (http(402), OutcomeKind.QUOTA_EXHAUSTED, 1, "status 402"),
    "forbids": (http(403), ERROR, 1, "HTTP 403: the key is not accepted: correct 'api_key'"),
    "is not there": (http(404), ERROR, 1, "HTTP 404: unknown address: correct 'base_url'"),
    "takes no POST": (http(405), ERROR, 1, "HTTP 405: unknown address: correct 'base_url'"),
    "is tired of waiting": (http(408), ERROR, 2, "the endpoint answered with status 408"),
    "finds it too long": (http(413), OutcomeKind.OVERFLOW, 1, "status 413"),
    "asks to slow down": (http(429), LIMITED, 2, "status 429"),
    "asks to wait": (http(429, Retry_After="3"), LIMITED, 2, "status 429"),
    "asks to wait for a date": (http(429, Retry_After="Fri, 31 Dec 2100 23:59:59 GMT"), LIMITED, 1, "status 429"),
    "asks to wait too long": (http(429, Retry_After="900"), LIMITED, 1, "status 429"),
    "breaks": (
        http(500, "Traceback: secret"),
        ERROR,
        2,
        "the server failed (HTTP 500)",
    ),
    "is not served": (http(502), ERROR, 2, "the server failed (HTTP 502)"),
    "is overloaded": (http(503, Retry_After="2"), ERROR, 2, "the server failed (HTTP 503)"),
    "says it is limited": (told("rate_limited", message="slow"), LIMITED, 2, "slow"),
    "says it is out of money": (told("quota_exhausted", 429), OutcomeKind.QUOTA_EXHAUSTED, 1, "no reason given"),
    "says it refuses": (told("refused", 400), OutcomeKind.REFUSED, 1, ""),
    "says it is overwhelmed": (told("overflow", 500), OutcomeKind.OVERFLOW, 1, ""),
    "says its key is wrong": (told("misconfigured", message="set the key"), ERROR, 1, "set the key"),
    "says something else's error": (
        http(500, '{"error": {"message": "x", "type": "y"}}'),
        ERROR,
        2,
        "the server failed (HTTP 500)",
    ),
}


@pytest.mark.anyio
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_fault_is_an_outcome_and_leaves_the_answer_alone(fault: str) -> None:
    answer, kind, attempts, said = FAULTS[fault]
    opened = open_files()
    with Loopback(answer) as server:
        one = await finished(remote(server.url(), api_key=KEY))
    assert (one.kind, one.attempts, len(server.received)) == (kind, attempts, attempts)
    assert said in one.error
    assert "secret" not in one.error
    assert one.untouched
    assert open_files() == opened


@pytest.mark.anyio
@pytest.mark.parametrize("status", [401, 402, 403, 404, 301])
async def test_an_endpoint_that_is_of_no_use_is_paused_at_once(status: int) -> None:
    with Loopback(http(status)) as server:
        assert (await finished(remote(server.url()))).paused


@pytest.mark.anyio
async def test_retry_after_is_obeyed_between_attempts() -> None:
    with Loopback(http(429, Retry_After="3"), QUIET) as server:
        one = await finished(remote(server.url()))
    assert (one.kind, one.slept) == (OutcomeKind.QUIET, [3.0])


DATE = "Mon, 30 Nov 2026 12:00:00 GMT"
LIMITED_BY_BODY = '{"error": {"kind": "rate_limited", "retry_after": 2}}'


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("answer", "slept"),
    [
        (http(429, Retry_After="Mon, 30 Nov 2026 12:00:04 GMT", Date=DATE), [4.0]),
        (http(429, Retry_After="Mon, 30 Nov 2026 12:10:00 GMT", Date=DATE), []),
        (http(429, '{"error": {"kind": "rate_limited"}}', Retry_After="600"), []),
        (http(200, '{"error": {"kind": "rate_limited"}}', Retry_After="6"), [6.0]),
        (http(429, LIMITED_BY_BODY, Retry_After="6"), [6.0]),
        (http(429, LIMITED_BY_BODY, Retry_After="1"), [2.0]),
        (http(503, retry_after_ms="1500"), [1.5]),
    ],
)
async def test_however_an_endpoint_says_how_long_to_wait_it_is_obeyed(answer: Answer, slept: list[float]) -> None:
    with Loopback(answer, QUIET) as server:
        assert (await finished(remote(server.url()))).slept == slept


@pytest.mark.anyio
async def test_a_wait_of_no_number_at_all_is_no_hint() -> None:
    with Loopback(http(429, Retry_After="nan"), QUIET) as server:
        one = await finished(remote(server.url()))
    assert (one.kind, one.attempts) == (OutcomeKind.QUIET, 2)


@pytest.mark.anyio
async def test_nobody_at_the_address_is_worth_another_attempt() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    one = await finished(remote(f"http://127.0.0.1:{port}/"))
    assert (one.kind, one.attempts) == (ERROR, 2)
    assert one.error == f"nothing listens at 127.0.0.1:{port}: start it, or correct 'base_url'"


@pytest.mark.anyio
@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
async def test_a_redirect_takes_the_key_and_the_review_nowhere(status: int) -> None:
    with Loopback(QUIET) as other, Loopback(http(status, Location=other.url())) as server:
        await finished(remote(server.url(), api_key=KEY))
    assert (other.connections, len(server.received)) == (0, 1)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the file of a certificate that nobody trusts, with its key."""
    if (openssl := shutil.which("openssl")) is None:
        reason = "openssl is not installed, which makes the certificate"
        pytest.fail(reason) if os.environ.get("CI") else pytest.skip(reason)
    path = tmp_path_factory.mktemp("tls") / "both.pem"
    made = [
        openssl,
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
    ]
    names = ["-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1"]
    subprocess.run([*made, *names, "-keyout", path, "-out", f"{path}.crt"], check=True, capture_output=True)
    path.write_text(path.read_text() + Path(f"{path}.crt").read_text())
    return str(path)


@pytest.mark.anyio
async def test_an_endpoint_that_cannot_prove_who_it_is_gets_nothing(certificate: str) -> None:
    with Loopback(QUIET, certificate=certificate) as server:
        one = await finished(remote(server.url(scheme="https"), api_key=KEY))
    assert (one.kind, one.attempts, server.received) == (ERROR, 1, [])
    assert "certificate is not trusted" in one.error


@pytest.mark.anyio
async def test_an_endpoint_whose_authority_the_system_trusts_is_asked(
    certificate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", f"{certificate}.crt")
    with Loopback(QUIET, certificate=certificate) as server:
        one = await finished(remote(server.url(scheme="https"), api_key=KEY))
    assert (one.kind, one.error) == (OutcomeKind.QUIET, "")


@pytest.mark.anyio
async def test_an_endpoint_that_does_not_speak_tls_is_misconfigured() -> None:
    with Loopback(QUIET, greeting=b"220 smtp ready\r\n") as server:
        one = await finished(remote(server.url(scheme="https"), api_key=KEY))
    assert (one.kind, one.attempts) == (ERROR, 1)
    assert "does not speak TLS" in one.error


@pytest.mark.anyio
async def test_no_proxy_of_the_environment_gets_to_see_a_review(monkeypatch: pytest.MonkeyPatch) -> None:
    with Loopback(QUIET) as server, Loopback(QUIET) as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.url(""))
        monkeypatch.delenv("NO_PROXY", raising=False)
        monkeypatch.delenv("no_proxy", raising=False)
        await finished(remote(server.url()))
    assert (len(server.received), proxy.connections) == (1, 0)


@pytest.mark.anyio
async def test_one_review_tells_an_endpoint_nothing_of_the_one_before() -> None:
    with Loopback(http(200, '{"notes": []}', Set_Cookie="id=1; Path=/")) as server:
        async with ReviewScheduler([remote(server.url(), interval_turns=1)]) as scheduler:
            for name in ("a", "b"):
                await (await scheduler.session(name)).finish([TASK], answer="Renamed.")
    assert ["cookie" in request.headers for request in server.received] == [False, False]
    assert [request.connection for request in server.received] == [1, 2]


@pytest.mark.anyio
async def test_an_address_with_a_secret_is_in_no_log_and_in_no_error(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    with Loopback(http(500), http(404), reset) as server:
        for _ in range(3):
            one = await finished(remote(server.url(f"/{SECRET}?token={SECRET}"), api_key=KEY))
            assert SECRET not in one.error
    assert SECRET not in caplog.text
    assert KEY not in caplog.text


# --- deadlines and cancellation ---

HANGS: dict[str, Answer] = {
    "never answers": stall(),
    "stops in its headers": stall(b"HTTP/1.1 200 OK\r\nContent-"),
    "stops in its body": stall(http(200, '{"notes"', Content_Length="13")),
    "drips": drip(http(200, "{", Content_Length="900000")),
    "drips headers": drip(b"HTTP/1.1 200 OK\r\nX-Blank: "),
}


@pytest.mark.anyio
@pytest.mark.timing
@pytest.mark.parametrize("fault", HANGS)
async def test_an_endpoint_that_does_not_end_is_left_at_the_deadline(fault: str) -> None:
    opened, sink = open_files(), RecordingSink()
    with Loopback(HANGS[fault]) as server:
        async with ReviewScheduler([remote(server.url(), timeout_seconds=0.2)], sinks=[sink]) as scheduler:
            guidance = await (await scheduler.session("s")).finish([TASK], answer="Renamed.")
    one = Finished(guidance, sink, [])
    assert (one.kind, one.attempts, len(server.received)) == (OutcomeKind.TIMEOUT, 1, 1)
    assert one.seconds <= 0.250
    assert one.untouched
    assert open_files() == opened


@pytest.mark.anyio
async def test_a_host_that_is_cancelled_closes_the_connection() -> None:
    opened = open_files()
    with Loopback(stall()) as server:
        async with ReviewScheduler([remote(server.url())]) as scheduler:
            session = await scheduler.session("s")
            async with anyio.create_task_group() as group:
                group.start_soon(lambda: session.finish([TASK], answer="Renamed."))
                assert await anyio.to_thread.run_sync(server.asked.wait, 10)
                group.cancel_scope.cancel()
    assert open_files() == opened


@pytest.mark.parametrize("first", ["asyncio", "trio"])
@pytest.mark.parametrize("second", ["asyncio", "trio"])
def test_a_scheduler_works_on_one_event_loop_after_another(first: str, second: str) -> None:
    """As in https://github.com/pydantic/pydantic-ai/issues/180: the client was bound to the first one."""
    sink = RecordingSink()
    with Loopback(QUIET) as server:
        scheduler = ReviewScheduler([remote(server.url())], sinks=[sink])

        async def go(session: str) -> None:
            async with scheduler:
                await (await scheduler.session(session)).finish([TASK], answer="Renamed.")

        anyio.run(go, "a", backend=first)
        anyio.run(go, "b", backend=second)
    assert [one.outcome for one in sink.of(ReviewSettled)] == [OutcomeKind.QUIET, OutcomeKind.QUIET]


# --- what is refused before anything is sent ---


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"base_url": "http://host", "api_key": f"{SECRET}\n"}, "'api_key' holds a blank, a line end"),
        ({"base_url": "http://host", "api_key": f"{SECRET}\N{SNOWMAN}"}, "'api_key' holds a blank, a line end"),
    ],
)
def test_what_cannot_be_sent_is_refused_when_the_scheduler_is_built(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(ConfigError) as caught:
        ReviewScheduler([ReviewerConfig(name="far", use="remote", **settings)])
    [problem] = caught.value.problems
    assert problem.startswith(f"reviewer 'far': {said}")
    assert SECRET not in problem


def test_an_extra_that_is_not_installed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "httpx2", None)
    monkeypatch.delitem(sys.modules, "foureyes_reviewers.endpoint", raising=False)
    with pytest.raises(ConfigError, match=r"pip install 'foureyes\[remote\]'"):
        built("remote", remote("http://host"))


def test_the_account_is_that_of_the_address_and_the_key() -> None:
    one: Any = built("remote", remote("https://Reviews.example/v1/", api_key=KEY))
    other: Any = built("remote", remote("https://reviews.example/v1", api_key=f"{KEY}x"))
    assert (one.account.provider, one.account.protocol) == ("reviews.example", "remote")
    assert one.account.endpoint == other.account.endpoint
    assert one.account != other.account
    assert KEY not in repr(one.account)
