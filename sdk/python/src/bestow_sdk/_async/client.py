from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from types import TracebackType
from typing import Any

import httpx

from .._call import Session
from .._frames import hides_variables
from .._operation import later_operation
from .._options import ActOptions, Attempt, check_limits, checked_headers, merged_headers, options_of
from .._plan import Extra
from .._store import Store
from .._typing import Unpack
from .._waiting import sleep_async
from .balance import AsyncBalanceResource
from .categories import AsyncCategoriesResource
from .connections import AsyncConnections
from .contacts import AsyncContactsResource
from .events import AsyncEventsResource
from .gifts import AsyncGiftsResource
from .health import AsyncHealthResource
from .ledger import AsyncLedgerResource
from .orders import AsyncOrdersResource
from .sandbox import AsyncSandboxResource
from .send import AsyncSender
from .webhook_endpoints import AsyncWebhookEndpointsResource


@hides_variables
class AsyncBestow:
    """
    The client of one API key; the key decides between live and sandbox. It retries until `timeout` is over, if a retry
    is safe. Each call raises ApiError or ConnectionError. A wrong argument raises TypeError or ValueError, and nothing
    is sent.
    """

    orders: AsyncOrdersResource
    gifts: AsyncGiftsResource
    balance: AsyncBalanceResource
    events: AsyncEventsResource
    categories: AsyncCategoriesResource
    contacts: AsyncContactsResource
    webhook_endpoints: AsyncWebhookEndpointsResource
    ledger: AsyncLedgerResource
    sandbox: AsyncSandboxResource
    health: AsyncHealthResource

    def __init__(
        self,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        timeout: float = 60.0,
        try_timeout: float = 15.0,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
        store: Store | None = None,
        on_attempt: Callable[[Attempt], object] | None = None,
        allow_insecure_http: bool = False,
        http_client: httpx.AsyncClient | Callable[[], httpx.AsyncClient] | None = None,
        pause: Callable[[float], Awaitable[object]] = sleep_async,
    ) -> None:
        """
        api_key, base_url: `BESTOW_KEY` and `BESTOW_URL` of the environment by default.
        timeout: seconds for a call with all its attempts and pauses.
        try_timeout: seconds for one attempt.
        max_retries: how often a request is sent again; by default reads four times, and acts until `timeout`.
        headers: further headers of each request.
        store: keeps orders over a crash of the program; see `FolderStore` and `orders.resume`.
        on_attempt: called after each attempt, for logs and metrics. What it raises is logged.
        allow_insecure_http: allows an `http://` address on the internet, where others can read the key. This machine,
            private networks, and names without a dot or below `.localhost`, `.local` and `.internal` need no permission.
        http_client: for proxies, certificates and tests. The caller closes it. Or a function that opens one: the client
            calls it for each process and event loop, and closes what it returns.
        pause: waits between attempts; tests can replace it.
        """
        options = options_of(
            api_key,
            base_url,
            allow_insecure_http,
            timeout=timeout,
            try_timeout=try_timeout,
            max_retries=max_retries,
            headers=headers,
            store=store,
            on_attempt=on_attempt,
        )
        self._owns_connections = True
        self._open(AsyncSender(Session(options), AsyncConnections(http_client), pause))

    def _open(self, sender: AsyncSender) -> None:
        self._sender = sender
        self.orders = AsyncOrdersResource(sender)
        self.gifts = AsyncGiftsResource(sender)
        self.balance = AsyncBalanceResource(sender)
        self.events = AsyncEventsResource(sender)
        self.categories = AsyncCategoriesResource(sender)
        self.contacts = AsyncContactsResource(sender)
        self.webhook_endpoints = AsyncWebhookEndpointsResource(sender)
        self.ledger = AsyncLedgerResource(sender)
        self.sandbox = AsyncSandboxResource(sender)
        self.health = AsyncHealthResource(sender)

    def with_options(
        self,
        *,
        timeout: float | None = None,
        try_timeout: float | None = None,
        max_retries: int | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncBestow:
        """Return a client with other options that shares the connections of this one. `headers` are added."""
        given = {"timeout": timeout, "try_timeout": try_timeout, "max_retries": max_retries}
        changes: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        check_limits(changes)
        session = self._sender.session
        merged = merged_headers(session.options.headers, checked_headers(headers or {}))
        other = object.__new__(type(self))
        other._owns_connections = False
        options = replace(session.options, headers=merged, **changes)
        other._open(AsyncSender(replace(session, options=options), self._sender.connections, self._sender.pause))
        return other

    async def request(
        self, method: str, path: str, *, body: object = None, **options: Unpack[ActOptions]
    ) -> dict[str, Any]:
        """
        Call an operation that this version does not know, such as `request("POST", "/v1/later", body=body)`. A call
        other than GET is sent again after no answer only if it has an `idempotency_key`, which the operation must
        support.
        """
        operation = later_operation(method, path, "idempotency_key" in options)
        return await self._sender.send_to(operation, operation.path, options, Extra(body))

    async def aclose(self) -> None:
        """Close the connections of this event loop, but not an `http_client` that was passed. No call can follow."""
        if self._owns_connections:
            await self._sender.connections.aclose()

    async def __aenter__(self) -> AsyncBestow:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    def __repr__(self) -> str:
        return f"AsyncBestow({self._sender.session.options.base_url!r})"
