"""
Clients for unit tests that answer themselves: no service, no network, no waiting. They are a Bestow and an AsyncBestow, so
they take their place in your program. Test addresses of the sandbox, replays, errors, lists and events are the service's;
its guarantees under load are not.
"""

from __future__ import annotations

import asyncio
import json
import time
from datetime import timedelta
from typing import Any

import httpx

from ._async.client import AsyncBestow
from ._fake.memory import FakePush
from ._fake.service import FakeRequest, FakeService
from ._sync.client import Bestow

__all__ = ["AsyncFakeBestow", "FakeBestow", "FakePush", "FakeRequest"]

_BALANCE = 100_000_000
_POLL_SECONDS = 0.005
_SLOW_SECONDS = 5.0


class _Fake:
    _service: FakeService

    @property
    def requests(self) -> list[FakeRequest]:
        """Every request so far, oldest first: what your program sent, and how often."""
        return self._service.requests

    @property
    def pushes(self) -> list[FakePush]:
        """Every push to a webhook endpoint so far, oldest first; give them to your receiver. They are signed."""
        return self._service.memory.pushes

    def add_funds(self, cents: int) -> None:
        """Add money to the balance."""
        if cents < 0:
            raise ValueError("cents must not be below 0.")
        with self._service.lock:
            memory = self._service.memory
            if cents == 0:
                return
            entry = memory.post("funding", cents)
            funded = {"kind": "funding", "amount": cents, "balance": memory.balance, "entry_id": entry["entry_id"]}
            memory.emit("balance.funded", funded)

    def advance(self, seconds: float) -> None:
        """Move the clock: orders complete, gifts that wait are sent."""
        if seconds < 0:
            raise ValueError("seconds must not be below 0.")
        with self._service.lock:
            self._service.memory.ahead += timedelta(seconds=seconds)

    def fail_next(self, code: str) -> None:
        """
        Refuse the next call with this error, such as `internal_error`; call it again for each further one. With
        `response_lost` the call is done, and its answer is lost.
        """
        self._service.failures.append(code)


class FakeBestow(_Fake, Bestow):
    """A Bestow in memory. Pauses between attempts move its clock."""

    def __init__(
        self, *, balance: int = _BALANCE, organization_name: str = "Demo Organization", **options: Any
    ) -> None:
        """
        balance: what the sandbox can spend, in cents; a million dollars by default.
        organization_name: the sender of gifts without a `sender_name`.
        options: of the client, such as `store`.
        """
        service = self._service = FakeService(organization_name)

        def handle(request: httpx.Request) -> httpx.Response:
            asked, seconds = _read(request)
            until = time.monotonic() + seconds
            while time.monotonic() < until and service.waits(asked):
                time.sleep(_POLL_SECONDS)
            return _respond(service, request, asked)

        def open_client() -> httpx.Client:
            return httpx.Client(transport=httpx.MockTransport(handle))

        given: dict[str, Any] = {"api_key": "bestow-sandbox-fake", "base_url": "https://bestow.test", **options}
        super().__init__(http_client=open_client, pause=self.advance, **given)
        self.add_funds(balance)


class AsyncFakeBestow(_Fake, AsyncBestow):
    """An AsyncBestow in memory. Pauses between attempts move its clock."""

    def __init__(
        self, *, balance: int = _BALANCE, organization_name: str = "Demo Organization", **options: Any
    ) -> None:
        """As FakeBestow."""
        service = self._service = FakeService(organization_name)

        async def handle(request: httpx.Request) -> httpx.Response:
            asked, seconds = _read(request)
            until = time.monotonic() + seconds
            while time.monotonic() < until and service.waits(asked):
                await asyncio.sleep(_POLL_SECONDS)
            return _respond(service, request, asked)

        async def pause(seconds: float) -> None:
            self.advance(seconds)

        def open_client() -> httpx.AsyncClient:
            return httpx.AsyncClient(transport=httpx.MockTransport(handle))

        given: dict[str, Any] = {"api_key": "bestow-sandbox-fake", "base_url": "https://bestow.test", **options}
        super().__init__(http_client=open_client, pause=pause, **given)
        self.add_funds(balance)


def _read(request: httpx.Request) -> tuple[FakeRequest, float]:
    """The request, and how many seconds it wants to wait for events."""
    body = json.loads(request.content) if request.content else None
    path = request.url.raw_path.decode()
    asked = FakeRequest(request.method, path, body, request.headers.get("Idempotency-Key"))
    return asked, float(request.url.params.get("wait", "0"))


def _respond(service: FakeService, request: httpx.Request, asked: FakeRequest) -> httpx.Response:
    answer = service.answer(asked)
    if answer is None:
        raise httpx.ReadError("the test lost the answer", request=request)
    if answer.is_slow:
        limit = request.extensions["timeout"]["read"]
        with service.lock:
            service.memory.ahead += timedelta(seconds=min(limit, _SLOW_SECONDS))
        if limit < _SLOW_SECONDS:
            raise httpx.ReadTimeout("the answer comes later", request=request)
    return httpx.Response(answer.status, headers=answer.headers, json=answer.body)
