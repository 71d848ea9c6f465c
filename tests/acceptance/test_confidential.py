"""Nothing of a key, or of what an address has behind its host, is shown: not in a log, not in an error."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from typing import Any

import httpx2
import pytest

from foureyes.core.account import secrets_in
from foureyes.core.config import ReviewerConfig
from foureyes.core.words import ApiProtocol, OutcomeKind
from foureyes.guidance import Guidance
from foureyes.scheduler import ReviewScheduler
from foureyes.testing import FakeClock, RecordingSink, run_turns

from .loopback import Loopback, http
from .model_server import Act, Exchange, ModelServer, answer, fault, half, reset

pytestmark = pytest.mark.anyio

KEY = "sk-Qv7Lm2Xr9Tz4Wn8Kd3Pb6Hs1"
HIDDEN = "Zx81kQpLw02nVbTy"
PATH = f"/key/{HIDDEN}/v1"
WAYS = [ApiProtocol.OPENAI, ApiProtocol.ANTHROPIC]


def pieces(secret: str) -> set[str]:
    """Return every piece of eight characters, in lower case."""
    return {secret[start : start + 8].casefold() for start in range(len(secret) - 7)}


def is_clean(text: str) -> bool:
    """Tell whether no piece of the key or of the hidden part of the address is in the text."""
    return not any(piece in text.casefold() for piece in pieces(KEY) | pieces(HIDDEN))


def logged(caplog: pytest.LogCaptureFixture) -> str:
    """Return everything that was logged, as a handler would write it, with the records' own fields."""
    return "\n".join(
        f"{caplog.handler.format(record)} {record.args!r} {record.exc_info!r}" for record in caplog.records
    )


async def reviewed(**settings: Any) -> Guidance:
    """Return what is said of a final answer."""
    config = ReviewerConfig.model_validate({"name": "one", "api_key": KEY, "max_attempts": 1} | settings)
    async with ReviewScheduler([config], clock=FakeClock(), sinks=[RecordingSink()]) as scheduler:
        session = await scheduler.session("s", request="Do it.")
        [found] = await run_turns(session, 0, answers=["All is done."])
    return found


def moved(exchange: Exchange) -> None:
    """Redirect to another address below the hidden part."""
    exchange.send(307, b"", {"location": f"http://127.0.0.1:1/key/{HIDDEN}/v2"})


def told(exchange: Exchange) -> None:
    """Answer with headers that quote the request."""
    exchange.send(200, b"{}", {"x-path": exchange.request.path, "x-key": exchange.request.key[:-2]})


def unknown(exchange: Exchange) -> None:
    """Answer as a server does that has nothing at this path."""
    exchange.send(404, f"Cannot POST {exchange.request.path}".encode())


# --- logs ---

ACTS = {"answer": answer(), "fault": fault(400, "x"), "moved": moved, "told": told, "reset": reset, "half": half}


@pytest.mark.parametrize("level", [logging.INFO, logging.DEBUG])
@pytest.mark.parametrize("act", ACTS.values(), ids=ACTS.keys())
@pytest.mark.parametrize("protocol", WAYS)
async def test_nothing_of_it_is_logged_by_the_libraries_that_ask_a_model(
    protocol: ApiProtocol, act: Act, level: int, server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(level)
    server.plays(act)
    await reviewed(use="model", model="small", protocol=protocol, base_url=server.url.replace("/v1", PATH))
    assert [HIDDEN in request.path for request in server.requests] == [True]
    assert is_clean(logged(caplog))
    if act not in (reset, half):
        assert "HTTP Request: POST http://127.0.0.1" in logged(caplog)  # What is not confidential is logged as ever.


@pytest.mark.parametrize("status", [200, 307, 500])
async def test_nothing_of_it_is_logged_where_an_endpoint_is_asked(
    status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    said = http(status, '{"notes": []}', Location=f"http://127.0.0.1:1{PATH}/x", X_Key=KEY[2:])
    with Loopback(said) as loopback:
        await reviewed(use="remote", base_url=loopback.url(f"{PATH}?sig=Hq83nfPqLd02Vz"))
    assert HIDDEN in loopback.received[0].line
    assert is_clean(logged(caplog))
    assert "Hq83nfPqLd02Vz" not in logged(caplog)


async def test_what_the_host_does_with_the_same_libraries_is_logged_as_ever(
    server: ModelServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    address = server.url.replace("/v1", PATH)
    await reviewed(use="model", model="small", base_url=address)
    async with httpx2.AsyncClient() as host:
        await host.post(f"{address}/chat/completions", json={})
    lines = [record.getMessage() for record in caplog.records if record.name == "httpx2"]
    assert [HIDDEN in line for line in lines] == [False, True]


async def test_an_ordinary_address_is_logged_as_it_is(server: ModelServer, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    await reviewed(use="model", model="small", base_url=server.url)
    assert f"POST {server.url}/chat/completions" in logged(caplog)


# --- errors ---


def every(step: int, between: str) -> Callable[[str], str]:
    """Return what puts something between so many characters and the next."""
    return lambda key: between.join(key[at : at + step] for at in range(0, len(key), step))


QUOTES: dict[str, Callable[[str], str]] = {
    "whole": lambda key: key,
    "without its end": lambda key: key[:-2],
    "without its start": lambda key: key[5:],
    "a middle of twelve": lambda key: key[6:18],
    "in upper case": lambda key: key.upper()[:-2],
    "with blanks": every(4, " "),
    "with dashes": every(1, "-"),
    "with zero-width spaces": every(3, "\u200b"),
    "with stars": every(7, "***"),
    "with letters": every(4, "x"),
    "with a letter in it": lambda key: f"{key[:11]}x{key[11:]}",
}


@pytest.mark.parametrize("secret", [KEY, HIDDEN], ids=["key", "address"])
@pytest.mark.parametrize("quote", QUOTES.values(), ids=QUOTES.keys())
@pytest.mark.parametrize("way", [*WAYS, "remote"])
async def test_a_provider_that_quotes_it_is_not_quoted(
    way: str, quote: Callable[[str], str], secret: str, server: ModelServer
) -> None:
    message = f"Bad request by {quote(secret)}: unsupported."
    if way == "remote":
        with Loopback(http(400, json.dumps({"error": {"kind": "failed", "message": message}}))) as loopback:
            found = await reviewed(use="remote", base_url=loopback.url(PATH))
    else:
        server.plays(fault(400, "invalid_request_error", message))
        address = server.url.replace("/v1", PATH)
        found = await reviewed(use="model", model="small", protocol=way, base_url=address, output_mode="prompted")
    [called] = found.outcomes
    assert called.outcome is OutcomeKind.ERROR
    assert is_clean(called.error or "")
    assert quote(secret)[:9] not in (called.error or "")
    assert "unsupported" not in (called.error or "") or "redacted" in (called.error or "")


@pytest.mark.parametrize("protocol", WAYS)
async def test_a_server_that_does_not_know_the_path_does_not_tell_it(
    protocol: ApiProtocol, server: ModelServer
) -> None:
    server.plays(unknown)
    found = await reviewed(use="model", model="small", protocol=protocol, base_url=server.url.replace("/v1", PATH))
    assert is_clean(found.outcomes[0].error or "")
    assert "correct 'model' or 'base_url'" in (found.outcomes[0].error or "")


@pytest.mark.parametrize("protocol", WAYS)
async def test_what_quotes_nothing_is_quoted(protocol: ApiProtocol, server: ModelServer) -> None:
    server.plays(fault(400, "invalid_request_error", "temperature must be 1 for this model"))
    found = await reviewed(use="model", model="small", protocol=protocol, base_url=server.url.replace("/v1", PATH))
    assert "temperature must be 1 for this model" in (found.outcomes[0].error or "")


async def test_a_code_that_is_a_piece_of_it_is_not_shown(server: ModelServer) -> None:
    key = "correcthorsebatterystaple"
    server.plays(fault(400, "correcthorsebattery", "No."))
    found = await reviewed(use="model", model="small", base_url=server.url, api_key=key)
    assert "correcth" not in (found.outcomes[0].error or "")


# --- connections ---


def once(exchange: Exchange) -> None:
    """Answer the first request on a connection, and close it without a word when it is used again."""
    seen = exchange.closing.__dict__.setdefault("seen", set())
    peer = exchange.connection.getpeername()
    if peer in seen:
        exchange.over = True
        return
    seen.add(peer)
    answer()(exchange)


@pytest.mark.parametrize("protocol", WAYS)
async def test_a_server_that_closes_idle_connections_costs_no_review(
    protocol: ApiProtocol, server: ModelServer
) -> None:
    server.plays(once)
    config = ReviewerConfig(
        name="one", use="model", model="small", protocol=protocol, base_url=server.url, max_attempts=1,
        interval_turns=1,
    )  # fmt: skip
    async with ReviewScheduler([config], clock=FakeClock()) as scheduler:
        found = await run_turns(await scheduler.session("s", request="Do it."), 6)
    assert [called.outcome for guidance in found for called in guidance.outcomes] == [OutcomeKind.QUIET] * 6
    assert server.asked("small") == 6


async def test_an_endpoint_that_closes_idle_connections_costs_no_review() -> None:
    with Loopback(http(200, '{"notes": []}')) as loopback:
        config = ReviewerConfig(name="one", use="remote", base_url=loopback.url(), max_attempts=1, interval_turns=1)
        async with ReviewScheduler([config], clock=FakeClock()) as scheduler:
            found = await run_turns(await scheduler.session("s", request="Do it."), 6)
    assert [called.outcome for guidance in found for called in guidance.outcomes] == [OutcomeKind.QUIET] * 6
    assert [request.connection for request in loopback.received] == [1, 2, 3, 4, 5, 6]


# --- an address that has a key in it ---


@pytest.mark.parametrize(
    ("address", "found"),
    [
        ("https://host/v1", set()),
        ("https://host/openai/deployments/gpt-4o-mini-2024-07-18", set()),
        ("https://host/models/claude-sonnet-4-20250514/v1beta", set()),
        (f"https://host/key/{HIDDEN}/v1", {HIDDEN}),
        (f"https://host/review?sig={HIDDEN}&v=2", {HIDDEN}),
        ("https://host/v1/0af3b1c2d4e5f60718293a4b5c6d7e8f/gw", {"0af3b1c2d4e5f60718293a4b5c6d7e8f"}),
        (None, set()),
    ],
)
def test_a_key_in_an_address_is_told_from_names_and_versions(address: str | None, found: set[str]) -> None:
    assert secrets_in(address) == found


@pytest.mark.parametrize("use", ["model", "remote"])
async def test_a_key_in_an_address_is_taken_out_of_what_leaves_and_of_what_is_noted(
    use: str, server: ModelServer
) -> None:
    said = json.dumps({"notes": [{"severity": "concern", "text": f"Why does it say {HIDDEN} here?"}]})
    with Loopback(http(200, said)) as loopback:
        server.plays(answer(said))
        address = server.url.replace("/v1", PATH) if use == "model" else loopback.url(PATH)
        model = {"model": "small", "protocol": ApiProtocol.ANTHROPIC} if use == "model" else {}
        config = ReviewerConfig.model_validate({"name": "one", "use": use, "base_url": address} | model)
        async with ReviewScheduler([config], clock=FakeClock()) as scheduler:
            session = await scheduler.session("s", request=f"Ask {address}.")
            [found] = await run_turns(session, 0, answers=["All is done."])
    sent = server.requests[0].text if use == "model" else loopback.received[0].body.decode()
    assert "Ask http://127.0.0.1" in sent
    assert HIDDEN not in sent
    assert found.judged
    assert HIDDEN not in "".join(one.note.text for one in found.judged)
