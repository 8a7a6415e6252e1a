"""Runs the same call with the asynchronous and the synchronous client, against a scripted service."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import httpx
import pytest

from bestow_sdk import AsyncBestow, Attempt, Bestow

KEY = "bestow-sandbox-test"
ADDRESS = "https://bestow.test"
ORDER: dict[str, Any] = {"order_id": "ord_1", "status": "processed", "gifts": []}
GIFT: dict[str, Any] = {"gift_id": "gift_1", "amount": 1000, "category": "coffee", "delivery": {}}
GIFTS: Any = [{"amount": 1000, "category": "coffee", "delivery": {"method": "link"}}]

Reply = Callable[[httpx.Request], httpx.Response]
Act = Callable[[Any], Any]
"""What a test does with a client of either kind."""


def ok(body: object, status: int = 200, headers: Mapping[str, str] | None = None) -> Reply:
    return lambda _: httpx.Response(status, json=body, headers=headers)


def text(status: int, body: str = "<html>", headers: Mapping[str, str] | None = None) -> Reply:
    return lambda _: httpx.Response(status, text=body, headers=headers)


def refusal(
    status: int, code: str, kind: str = "invalid_request_error", headers: Mapping[str, str] | None = None, **more: str
) -> Reply:
    error = {"type": kind, "code": code, "message": f"No: {code}", "request_id": "req_1", **more}
    return ok({"error": error}, status, headers)


def broken(error: Exception) -> Reply:
    def reply(_: httpx.Request) -> httpx.Response:
        raise error

    return reply


def page(*items: object, has_more: bool = False, **more: object) -> Reply:
    return ok({"object": "list", "data": list(items), "has_more": has_more, **more})


@dataclass
class Clock:
    """Moves with the pauses of the client, which do not wait."""

    offset: float = 0.0
    pauses: list[float] = field(default_factory=list[float])

    def pause(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.offset += seconds

    async def pause_async(self, seconds: float) -> None:
        self.pause(seconds)
        await asyncio.sleep(0)


@dataclass
class World:
    """One kind of client and its service."""

    is_async: bool
    clock: Clock
    requests: list[httpx.Request] = field(default_factory=list[httpx.Request])
    attempts: list[Attempt] = field(default_factory=list[Attempt])

    def run(self, act: Act, *replies: Reply, **options: Any) -> Any:
        """Open a client whose service gives these replies, the last one again and again; act, and close it."""
        script = list(replies)

        def handle(request: httpx.Request) -> httpx.Response:
            self.requests.append(request)
            return (script.pop(0) if len(script) > 1 else script[0])(request)

        given: dict[str, Any] = {"api_key": KEY, "base_url": ADDRESS, "on_attempt": self.attempts.append, **options}
        if replies:
            transport = httpx.MockTransport(handle)
            kind = httpx.AsyncClient if self.is_async else httpx.Client
            given["http_client"] = kind(transport=transport)
        return asyncio.run(self._run_async(act, given)) if self.is_async else self._run_sync(act, given)

    async def _run_async(self, act: Act, options: Any) -> Any:
        options.setdefault("pause", self.clock.pause_async)
        async with AsyncBestow(**options) as client:
            result = act(client)
            return await result if inspect.isawaitable(result) else result

    def _run_sync(self, act: Act, options: Any) -> Any:
        options.setdefault("pause", self.clock.pause)
        with Bestow(**options) as client:
            return act(client)

    def fails(self, kind: type[Any], act: Act, *replies: Reply, **options: Any) -> Any:
        """Return the error, of exactly this class."""
        with pytest.raises(kind) as raised:
            self.run(act, *replies, **options)
        assert type(raised.value) is kind
        return raised.value

    def items(self, listing: Act, *replies: Reply, count: int = 1_000, **options: Any) -> list[Any]:
        """Iterate over a list or stream, up to `count` items."""
        found: list[Any] = self.run(lambda client: collect(listing(client), count), *replies, **options)
        return found

    def bodies(self) -> list[Any]:
        return [json.loads(request.content) for request in self.requests]


def collect(source: Any, count: int) -> Any:
    return _collect_async(source, count) if hasattr(source, "__aiter__") else _collect_sync(source, count)


async def _collect_async(source: Any, count: int) -> list[Any]:
    items: list[Any] = []
    async for item in source:
        items.append(item)
        if len(items) >= count:
            break
    return items


def _collect_sync(source: Any, count: int) -> list[Any]:
    items: list[Any] = []
    for item in source:
        items.append(item)
        if len(items) >= count:
            break
    return items


def create(client: Any) -> Any:
    return client.orders.create(gifts=GIFTS)


def read(client: Any) -> Any:
    return client.gifts.retrieve("gift_1")


def claim(client: Any) -> Any:
    return client.sandbox.claim("gift_1")
