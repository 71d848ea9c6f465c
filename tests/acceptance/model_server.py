"""A server on loopback that speaks two APIs of language models, and misbehaves as it is told.

It is a real server on a real socket, so that what is tested is the road from the reviewer to the wire and back. A model
that is asked plays its script, one act a request; the last act is played again and again.
"""

from __future__ import annotations

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, TypeAlias

CHAT, MESSAGES = "/v1/chat/completions", "/v1/messages"
QUIET = '{"notes": [], "resolved": []}'
USED = (100, 10)
"""Tokens that an answer used: read, written."""
_REASONS = {
    200: "OK",
    301: "Moved Permanently",
    307: "Temporary Redirect",
    400: "Bad Request",
    404: "Not Found",
    429: "Too Many Requests",
    500: "Internal Server Error",
}


@dataclass(frozen=True, kw_only=True)
class Request:
    """What was asked."""

    path: str
    headers: Mapping[str, str]
    """By their names in lower case."""
    body: dict[str, Any]

    @property
    def model(self) -> str:
        """Return the model that was asked."""
        return str(self.body.get("model"))

    @property
    def text(self) -> str:
        """Return everything that was sent."""
        return json.dumps(self.body, ensure_ascii=False)

    @property
    def key(self) -> str:
        """Return the key that was sent, "" for none."""
        return self.headers.get("authorization", self.headers.get("x-api-key", "")).removeprefix("Bearer ")


@dataclass(kw_only=True)
class Exchange:
    """One request, and the socket that waits for the answer."""

    request: Request
    connection: socket.socket
    closing: threading.Event
    over: bool = False
    """The connection is to be closed."""

    def send(self, status: int, body: bytes, headers: Mapping[str, str] | None = None) -> None:
        """Send a whole response."""
        self.connection.sendall(self.head(status, len(body), headers) + body)

    def head(self, status: int, length: int, headers: Mapping[str, str] | None = None) -> bytes:
        """Return the head of a response."""
        lines = {"content-type": "application/json", "content-length": str(length), **(headers or {})}
        fields = "".join(f"{name}: {value}\r\n" for name, value in lines.items())
        return f"HTTP/1.1 {status} {_REASONS.get(status, 'Status')}\r\n{fields}\r\n".encode()


Act: TypeAlias = Callable[[Exchange], None]


# --- acts ---


def answer(text: str = QUIET, *, finish: str = "", used: tuple[int, int] | None = USED, refusal: str = "") -> Act:
    """Answer with this text, as the API does."""

    def act(exchange: Exchange) -> None:
        made = _chat if exchange.request.path == CHAT else _message
        exchange.send(200, json.dumps(made(text, finish, used, refusal)).encode())

    return act


def note(text: str = "The lock is kept.", severity: str = "concern") -> Act:
    """Answer with one note."""
    return answer(json.dumps({"notes": [{"severity": severity, "text": text}], "resolved": []}))


def fault(status: int, code: str = "", message: str = "It went wrong.", **headers: str) -> Act:
    """Answer with an error as the API has it; header names are written with underscores."""

    def act(exchange: Exchange) -> None:
        error: dict[str, Any] = {"message": message, "type": code or "error"}
        body: dict[str, Any] = {"error": error | {"code": code or None}}
        if exchange.request.path == MESSAGES:
            body = {"type": "error", "error": error}
        exchange.send(status, json.dumps(body).encode(), {k.replace("_", "-"): v for k, v in headers.items()})

    return act


def raw(body: bytes, status: int = 200, **headers: str) -> Act:
    """Answer with these bytes."""
    return lambda exchange: exchange.send(status, body, {k.replace("_", "-"): v for k, v in headers.items()})


def stall(exchange: Exchange) -> None:
    """Never answer."""
    exchange.closing.wait()


def drip(exchange: Exchange) -> None:
    """Answer a byte at a time, and never come to an end."""
    exchange.connection.sendall(exchange.head(200, 1_000_000))
    with suppress(OSError):
        while not exchange.closing.wait(0.005):
            exchange.connection.sendall(b" ")


def flood(exchange: Exchange) -> None:
    """Answer as fast as can be, and never come to an end."""
    exchange.connection.sendall(exchange.head(200, 10**12))
    with suppress(OSError):
        while not exchange.closing.is_set():
            exchange.connection.sendall(b" " * 65_536)


def reset(exchange: Exchange) -> None:
    """Break the connection off without a word."""
    exchange.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    exchange.over = True


def half(exchange: Exchange) -> None:
    """Promise a body, send half of it, and hang up."""
    exchange.connection.sendall(exchange.head(200, 1_000) + b'{"choices": [')
    exchange.over = True


# --- the server ---


@dataclass(kw_only=True)
class ModelServer:
    """A running server."""

    listener: socket.socket
    requests: list[Request] = field(default_factory=list)
    """What was asked, in order."""
    scripts: dict[str, list[Act]] = field(default_factory=dict)
    closing: threading.Event = field(default_factory=threading.Event)
    lock: threading.Lock = field(default_factory=threading.Lock)

    @property
    def url(self) -> str:
        """Return the base URL of both APIs."""
        return f"http://127.0.0.1:{self.listener.getsockname()[1]}/v1"

    def plays(self, *acts: Act, model: str = "small") -> None:
        """Give a model its script; one without a script has nothing to say."""
        self.scripts[model] = list(acts)

    def asked(self, model: str) -> int:
        """Return how often a model was asked."""
        return sum(request.model == model for request in self.requests)

    def next_act(self, request: Request) -> Act:
        """Return what the model does now."""
        with self.lock:
            self.requests.append(request)
            script = self.scripts.get(request.model) or [answer()]
            return script.pop(0) if len(script) > 1 else script[0]

    def serve(self) -> None:
        """Take connections until the server is closed."""
        with suppress(OSError):
            while True:
                connection, _ = self.listener.accept()
                threading.Thread(target=self.converse, args=(connection,), daemon=True).start()

    def converse(self, connection: socket.socket) -> None:
        """Answer the requests of one connection, one after another."""
        with suppress(OSError), connection, connection.makefile("rb") as stream:
            while (request := _read(stream)) is not None:
                exchange = Exchange(request=request, connection=connection, closing=self.closing)
                self.next_act(request)(exchange)
                if exchange.over:
                    return

    def close(self) -> None:
        """Stop listening: who connects from now on is refused."""
        self.closing.set()
        with suppress(OSError):
            self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()


@contextmanager
def running() -> Iterator[ModelServer]:
    """Return a server that runs until it is no longer needed."""
    server = ModelServer(listener=socket.create_server(("127.0.0.1", 0)))
    threading.Thread(target=server.serve, daemon=True).start()
    try:
        yield server
    finally:
        server.close()


def _read(stream: Any) -> Request | None:
    line = stream.readline().decode()
    headers: dict[str, str] = {}
    while (header := stream.readline().decode().strip()) != "":
        name, _, value = header.partition(":")
        headers[name.strip().lower()] = value.strip()
    if not line:
        return None
    body = stream.read(int(headers.get("content-length", "0")))
    return Request(path=line.split()[1], headers=headers, body=json.loads(body))


def _chat(text: str, finish: str, used: tuple[int, int] | None, refusal: str) -> dict[str, Any]:
    said: dict[str, Any] = {"role": "assistant", "content": text} | ({"refusal": refusal} if refusal else {})
    body: dict[str, Any] = {"id": "1", "object": "chat.completion", "created": 1, "model": "m"}
    body["choices"] = [{"index": 0, "message": said, "finish_reason": finish or "stop"}]
    return body | ({} if used is None else {"usage": {"prompt_tokens": used[0], "completion_tokens": used[1]}})


_STOPS: Mapping[str, str] = {"length": "max_tokens", "content_filter": "refusal"}


def _message(text: str, finish: str, used: tuple[int, int] | None, refusal: str) -> dict[str, Any]:
    blocks: Sequence[Any] = [{"type": "text", "text": text}]
    reason = "refusal" if refusal else _STOPS.get(finish, finish or "end_turn")
    body: dict[str, Any] = {"id": "1", "type": "message", "role": "assistant", "model": "m", "content": blocks}
    body["stop_reason"] = reason
    return body | ({} if used is None else {"usage": {"input_tokens": used[0], "output_tokens": used[1]}})
