"""A client in several processes and event loops."""

from __future__ import annotations

import asyncio
import json
import multiprocessing
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import h11
import httpx
import pytest
from certificate import self_signed
from faulty_server import FaultyServer, answer
from harness import ADDRESS, GIFT, GIFTS, KEY, ORDER, World, broken, create, read

import bestow_sdk
from bestow_sdk import AsyncBestow, Bestow, response_of
from bestow_sdk.fake import FakeBestow

CAN_FORK = hasattr(os, "fork")
PROCESSES, ORDERS = 4, 40
pytestmark = pytest.mark.filterwarnings(
    "ignore:.*multi-threaded:DeprecationWarning", "ignore:unclosed:ResourceWarning"
)


class Echo(BaseHTTPRequestHandler):
    """Answers each order with its `external_id`, on connections that stay open."""

    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:
        order = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        content = json.dumps({**ORDER, "external_id": order["external_id"]}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *args: Any) -> None:
        pass


def in_child(act: Callable[[], object]) -> None:
    """Run it in a fork of this process; it must end without an error."""
    child = multiprocessing.get_context("fork").Process(target=act)
    child.start()
    child.join(30)
    assert child.exitcode == 0


@pytest.fixture(params=["http", "https"])
def server(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FaultyServer]:
    tls, file = self_signed(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    server = FaultyServer(answer({**GIFT, **ORDER}), tls=tls if request.param == "https" else None)
    yield server
    server.close()


@pytest.fixture
def echo() -> Iterator[str]:
    service = ThreadingHTTPServer(("127.0.0.1", 0), Echo)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{service.server_port}"
    service.shutdown()
    service.server_close()


_client: Any = None


def _order(name: str) -> str:
    return str(_client.orders.create(gifts=GIFTS, external_id=name)["external_id"])


def test_each_of_many_processes_gets_the_answers_to_its_own_orders(echo: str) -> None:
    if not CAN_FORK:
        return
    global _client
    with Bestow(KEY, echo) as _client:
        _order("first")
        names = [f"order-{number}" for number in range(ORDERS)]
        with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
            assert pool.map(_order, names, chunksize=1) == names


def test_a_fork_opens_its_own_connection_and_leaves_the_parents_open(server: FaultyServer) -> None:
    if not CAN_FORK:
        return

    def act() -> None:
        create(client)
        client.close()

    with Bestow(KEY, server.address) as client:
        create(client)
        in_child(act)
        assert server.connections == 2
        assert response_of(read(client)).attempts == 1
        assert server.connections == 2


def test_a_fork_of_tasks_opens_its_own_connection_too(server: FaultyServer) -> None:
    if not CAN_FORK:
        return

    async def act(client: AsyncBestow) -> None:
        await create(client)
        await client.aclose()

    async def main() -> None:
        async with AsyncBestow(KEY, server.address) as client:
            await create(client)
            in_child(lambda: asyncio.run(act(client)))
            assert server.connections == 2
            assert response_of(await read(client)).attempts == 1
            assert server.connections == 2

    asyncio.run(main())


def test_a_client_with_other_options_follows_into_a_fork(server: FaultyServer) -> None:
    if not CAN_FORK:
        return
    with Bestow(KEY, server.address) as client:
        patient = client.with_options(timeout=30)
        create(patient)
        in_child(lambda: create(patient))
        assert server.connections == 2


def test_an_http_client_of_the_caller_is_refused_after_a_fork_if_it_was_used(server: FaultyServer) -> None:
    if not CAN_FORK:
        return

    def refused() -> None:
        with pytest.raises(RuntimeError, match="used before the fork of this process"):
            create(client)

    with httpx.Client() as http, Bestow(KEY, server.address, http_client=http) as client:
        in_child(lambda: create(client))
        create(client)
        in_child(refused)
        assert len(server.bodies) == 2


def test_a_function_opens_an_http_client_for_each_process(server: FaultyServer) -> None:
    if not CAN_FORK:
        return
    with Bestow(KEY, server.address, http_client=httpx.Client) as client, FakeBestow() as fake:
        create(client)
        create(fake)
        in_child(lambda: [create(client), create(fake)])
        assert (server.connections, len(server.bodies)) == (2, 2)


def test_a_client_is_used_in_several_event_loops(server: FaultyServer) -> None:
    client = AsyncBestow(KEY, server.address)

    async def twice() -> None:
        for _ in range(2):
            assert response_of(await create(client)).attempts == 1

    for _ in range(3):
        asyncio.run(twice())
    asyncio.run(client.aclose())
    assert (server.connections, len(server.bodies)) == (3, 6)


def test_two_event_loops_at_once_have_their_own_connections() -> None:
    server, both = FaultyServer(answer(ORDER)), threading.Barrier(2)
    client = AsyncBestow(KEY, server.address)

    async def main() -> None:
        await create(client)
        await asyncio.to_thread(both.wait, 20)
        await create(client)

    other = threading.Thread(target=asyncio.run, args=(main(),))
    other.start()
    asyncio.run(main())
    other.join()
    server.close()
    assert (server.connections, len(server.bodies)) == (2, 4)


def test_an_http_client_of_the_caller_in_a_second_loop_fails_with_the_key_of_the_order() -> None:
    server, http = FaultyServer(answer(ORDER)), httpx.AsyncClient()
    client = AsyncBestow(KEY, server.address, http_client=http)
    asyncio.run(create(client))
    with pytest.raises(bestow_sdk.ConnectionError) as raised:
        asyncio.run(create(client))
    server.close()
    assert raised.value.idempotency_key is not None and raised.value.attempts == 1


@pytest.mark.parametrize(
    "error",
    [RuntimeError("Event loop is closed"), httpx.InvalidURL("no"), h11.LocalProtocolError("no"), httpx.StreamClosed()],
)
def test_a_foreign_error_of_sending_carries_the_key_and_is_not_repeated(world: World, error: Exception) -> None:
    failure = world.fails(bestow_sdk.ConnectionError, create, broken(error))
    assert (failure.attempts, failure.outcome_unknown, failure.__cause__) == (1, True, error)
    assert failure.idempotency_key == world.requests[0].headers["Idempotency-Key"]


def test_a_closed_client_sends_nothing() -> None:
    client = Bestow(KEY, ADDRESS)
    client.close()
    with pytest.raises(RuntimeError, match="The client is closed"):
        create(client)
