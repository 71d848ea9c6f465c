"""A real HTTP server on loopback that does what its script says, byte for byte."""

from __future__ import annotations

import os
import socket
import ssl
import struct
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Self, TypeAlias

__all__ = ["Answer", "Loopback", "Received", "drip", "flood", "hang_up", "http", "reset", "stall"]


@dataclass(frozen=True, kw_only=True)
class Received:
    """One request."""

    line: str
    headers: dict[str, str]
    """Names in lower case."""
    body: bytes
    connection: int
    """The number of the connection that it came on, from 1."""


Answer: TypeAlias = "bytes | Callable[[Loopback, socket.socket], None]"
"""What is sent, or what is done with the connection."""


def http(status: int, body: bytes | str = b"", **headers: str) -> bytes:
    """Return an answer as it goes over the wire; a header given as "" is left out."""
    data = body.encode() if isinstance(body, str) else body
    lines = {"Content-Length": str(len(data)), **{name.replace("_", "-"): text for name, text in headers.items()}}
    head = "".join(f"{name}: {text}\r\n" for name, text in lines.items() if text)
    return f"HTTP/1.1 {status} Whatever\r\n{head}\r\n".encode() + data


def stall(*first: bytes) -> Answer:
    """Return what sends these bytes and then nothing, and does not hang up."""

    def act(server: Loopback, peer: socket.socket) -> None:
        peer.sendall(b"".join(first))
        server.closed.wait(30)

    return act


def drip(head: bytes) -> Answer:
    """Return what sends these bytes, and then a blank each 10 ms until nobody listens."""

    def act(server: Loopback, peer: socket.socket) -> None:
        peer.sendall(head)
        while not server.closed.wait(0.01):
            peer.sendall(b" ")

    return act


def flood(head: bytes) -> Answer:
    """Return what sends these bytes, and then blanks as fast as it can until nobody listens."""

    def act(server: Loopback, peer: socket.socket) -> None:
        peer.sendall(head)
        while not server.closed.is_set():
            peer.sendall(b" " * 65_536)

    return act


def hang_up(*first: bytes) -> Answer:
    """Return what sends these bytes and closes the connection."""

    def act(server: Loopback, peer: socket.socket) -> None:
        peer.sendall(b"".join(first))
        peer.shutdown(socket.SHUT_RDWR)

    return act


def reset(server: Loopback, peer: socket.socket) -> None:
    """Reset the connection."""
    peer.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    os.close(peer.detach())  # Closing it would wait for the file that reads from it.


class Loopback:
    """Answers each request with the next entry of the script, and with the last one from then on."""

    def __init__(self, *script: Answer, certificate: str = "", greeting: bytes = b"") -> None:
        self._script, self._greeting = list(script), greeting
        self._tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER) if certificate else None
        if self._tls is not None:
            self._tls.load_cert_chain(certificate)
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._threads: list[threading.Thread] = []
        self._peers: list[socket.socket] = []
        self.received: list[Received] = []
        """In the order in which they came."""
        self.connections = 0
        self.asked, self.closed = threading.Event(), threading.Event()

    def url(self, path: str = "/review", scheme: str = "http") -> str:
        """Return the address of a path."""
        return f"{scheme}://127.0.0.1:{self._socket.getsockname()[1]}{path}"

    def __enter__(self) -> Self:
        """Start to answer."""
        self._begin(self._accept)
        return self

    def __exit__(self, *_: object) -> None:
        """Close every connection and wait for all threads."""
        self.closed.set()
        for one in (self._socket, *self._peers):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        for thread in self._threads:
            thread.join(10)
        for one in (self._socket, *self._peers):
            one.close()

    def _begin(self, work: Callable[..., None], *arguments: object) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                peer, _ = self._socket.accept()
                self.connections += 1
                self._peers.append(peer)
                self._begin(self._serve, peer, self.connections)

    def _serve(self, peer: socket.socket, number: int) -> None:
        with suppress(OSError, ValueError):
            if self._tls is not None:
                peer = self._tls.wrap_socket(peer, server_side=True)
                self._peers.append(peer)
            peer.sendall(self._greeting)
            with peer.makefile("rb") as lines:
                while (line := lines.readline()).strip():
                    self._answer(peer, line.decode("ascii").strip(), lines, number)

    def _answer(self, peer: socket.socket, line: str, lines: object, number: int) -> None:
        headers: dict[str, str] = {}
        while text := lines.readline().decode("latin-1").strip():  # type: ignore[attr-defined]
            name, _, value = text.partition(":")
            headers[name.casefold()] = value.strip()
        body = lines.read(int(headers.get("content-length", "0")))  # type: ignore[attr-defined]
        self.received.append(Received(line=line, headers=headers, body=body, connection=number))
        self.asked.set()
        entry = self._script.pop(0) if len(self._script) > 1 else self._script[0]
        if callable(entry):
            entry(self, peer)
        else:
            peer.sendall(entry)
