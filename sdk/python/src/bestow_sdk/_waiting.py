"""What waits: once for tasks, once for threads."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

import httpcore
import httpx

Result = TypeVar("Result")
_END_SECONDS = 1.0
"""How long a cancelled attempt may take to end. A transport of the caller may swallow its cancellation."""


class DeadlinePassed(Exception):
    """The attempt took too long."""


async def sleep_async(seconds: float) -> None:
    await asyncio.sleep(seconds)


async def blocking_async(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call what blocks, such as a store."""
    return await asyncio.to_thread(function, *arguments)


async def settle_async(result: object) -> None:
    """Wait for what a function of the caller returned, if it is a coroutine."""
    if inspect.isawaitable(result):
        await result


def settle_sync(result: object) -> None:
    """Ignore what a function of the caller returned."""


async def limited_async(work: Callable[[], Coroutine[Any, Any, None]], seconds: float) -> None:
    """Do the work, or raise DeadlinePassed. `asyncio.wait_for` of Python 3.10 and 3.11 can lose a cancellation."""
    task = asyncio.ensure_future(work())
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _end(task)
        raise
    if not done:
        await _end(task)
        raise DeadlinePassed
    await task


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task}, timeout=_END_SECONDS)
    if task.done() and not task.cancelled():
        task.exception()


def sleep_sync(seconds: float) -> None:
    time.sleep(seconds)


def blocking_sync(function: Callable[..., Result], *arguments: Any) -> Result:
    return function(*arguments)


def limit_connections_async(_client: httpx.AsyncClient) -> None:
    """A task is cancelled at its deadline, so its connections need no limit."""


_limit = threading.local()


def limited_sync(work: Callable[[], None], seconds: float) -> None:
    """Do the work; each read and write of its connection ends at the deadline."""
    outer = getattr(_limit, "ends", None)
    _limit.ends = time.monotonic() + seconds
    try:
        work()
    finally:
        _limit.ends = outer


def check_deadline_sync() -> None:
    """Raise DeadlinePassed if the attempt of this thread took too long."""
    ends: float | None = getattr(_limit, "ends", None)
    if ends is not None and time.monotonic() >= ends:
        raise DeadlinePassed


async def check_deadline_async() -> None:
    """A task is cancelled at its deadline."""


def _seconds_left(given: float | None) -> float | None:
    check_deadline_sync()
    ends: float | None = getattr(_limit, "ends", None)
    left = given if ends is None else ends - time.monotonic()
    return left if given is None or left is None else min(given, left)


class _LimitedStream(httpcore.NetworkStream):
    """
    Ends each read and write at the deadline of the attempt. The read timeout of httpx begins again with each byte, so
    that a server that sends a byte now and then could hold an attempt for ever.
    """

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self._stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(max_bytes, _seconds_left(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, _seconds_left(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: Any, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return _LimitedStream(self._stream.start_tls(ssl_context, server_hostname, _seconds_left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _LimitedBackend(httpcore.NetworkBackend):
    def __init__(self, backend: httpcore.NetworkBackend) -> None:
        self._backend = backend

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        stream = self._backend.connect_tcp(host, port, _seconds_left(timeout), local_address, socket_options)
        return _LimitedStream(stream)


def limit_connections_sync(client: httpx.Client) -> None:
    """
    Let the deadline hold for every read of this client's connections. httpx has no public option for the backend of
    httpcore; without it the deadline is checked between the parts of a body only.
    """
    transports: list[Any] = [getattr(client, "_transport", None), *getattr(client, "_mounts", {}).values()]
    for transport in transports:
        pool: Any = getattr(transport, "_pool", None)
        backend = getattr(pool, "_network_backend", None)
        if isinstance(backend, httpcore.NetworkBackend):
            pool._network_backend = _LimitedBackend(backend)
