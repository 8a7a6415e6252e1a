"""A server on a real socket that answers as a test says."""

from __future__ import annotations

import contextlib
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator

Act = Callable[[socket.socket], None]


def answer_of(body: object, status: str = "200 OK") -> bytes:
    content = json.dumps(body).encode()
    return f"HTTP/1.1 {status}\r\nContent-Length: {len(content)}\r\n\r\n".encode() + content


def send(content: bytes) -> Act:
    return lambda connection: connection.sendall(content)


def answer(body: object, status: str = "200 OK") -> Act:
    return send(answer_of(body, status))


def cut(content: bytes = b"") -> Act:
    """Send the content, and close the connection."""

    def act(connection: socket.socket) -> None:
        connection.sendall(content)
        raise ConnectionAbortedError

    return act


def hang(connection: socket.socket) -> None:
    """Say nothing until the client has gone."""
    with contextlib.suppress(OSError):
        connection.recv(1)


def trickle(start: bytes) -> Act:
    """Send the start at once, and then a byte every 20 ms."""

    def act(connection: socket.socket) -> None:
        connection.sendall(start)
        for _ in range(500):
            connection.sendall(b"a")
            time.sleep(0.02)

    return act


class FaultyServer:
    """Does these acts, one for each request; the last one again and again."""

    def __init__(self, *acts: Act, tls: ssl.SSLContext | None = None, greeting: bytes | None = b"") -> None:
        """
        greeting: sent before a request has come, as a plain port answers to the first bytes of TLS. With None the
            connection is closed instead.
        """
        self._greeting = greeting
        self._acts = list(acts)
        self._tls = tls
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        self.bodies: list[bytes] = []
        self.connections = 0
        self._open: list[socket.socket] = []
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"{'https' if self._tls else 'http'}://localhost:{self.port}"

    def close(self) -> None:
        for one in (self._listener, *self._open):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                self._open.append(connection)
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with contextlib.suppress(OSError), connection:
            peer = self._tls.wrap_socket(connection, server_side=True) if self._tls else connection
            with peer:
                if self._greeting is None:
                    return
                peer.sendall(self._greeting)
                for body in _requests_of(peer):
                    with self._lock:
                        self.bodies.append(body)
                        act = self._acts.pop(0) if len(self._acts) > 1 else self._acts[0]
                    act(peer)


def _requests_of(connection: socket.socket) -> Iterator[bytes]:
    """The body of each request."""
    content = b""
    while True:
        while b"\r\n\r\n" not in content:
            part = connection.recv(65_536)
            if part == b"":
                return
            content += part
        head, _, content = content.partition(b"\r\n\r\n")
        lengths = [line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")]
        length = int(lengths[0].split(b":")[1]) if lengths else 0
        while len(content) < length:
            content += connection.recv(65_536)
        yield content[:length]
        content = content[length:]
