"""Faults of the network, on real sockets."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from certificate import self_signed
from faulty_server import Act, FaultyServer, answer, answer_of, cut, hang, send, trickle
from harness import GIFT, ORDER, World, claim, create, read

import bestow_sdk
from bestow_sdk import response_of
from bestow_sdk._body import LONGEST_ANSWER_BYTES, Body

Start = Callable[..., FaultyServer]
WHOLE = answer_of(ORDER, "201 Created")


@pytest.fixture
def start() -> Iterator[Start]:
    servers: list[FaultyServer] = []

    def start_server(*acts: Act, **options: Any) -> FaultyServer:
        servers.append(FaultyServer(*acts, **options))
        return servers[-1]

    yield start_server
    for server in servers:
        server.close()


@pytest.mark.parametrize(
    "fault",
    [
        cut(),
        cut(WHOLE[:5]),
        cut(WHOLE[:30]),
        cut(WHOLE[:-5]),
        cut(answer_of({"error": {"type": "x", "code": "y"}}, "422 Unprocessable Content")[:-5]),
        cut(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{"or'),
        cut(b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: 5\r\n\r\nabcde"),
        cut(b"nonsense\r\n\r\n"),
        answer({}, "502 Bad Gateway"),
    ],
)
def test_a_lost_answer_is_fetched_by_a_retry(world: World, start: Start, fault: Act) -> None:
    server = start(fault, answer(ORDER))
    order = world.run(create, base_url=server.address)
    assert (order, response_of(order).attempts) == (ORDER, 2)
    assert server.bodies[0] == server.bodies[1]


def test_an_answer_above_16_mib_is_no_answer_and_the_order_keeps_its_key(world: World, start: Start) -> None:
    largest = 16 * 1024 * 1024
    padded = {**ORDER, "padding": "a" * (largest - len(json.dumps({**ORDER, "padding": ""})))}
    too_large = {**padded, "padding": padded["padding"] + "a"}
    server = start(answer(too_large), answer(padded))
    order = world.run(create, base_url=server.address)
    assert (order, response_of(order).attempts) == (padded, 2)
    packed = gzip.compress(json.dumps(too_large).encode())
    head = f"HTTP/1.1 201 Created\r\nContent-Encoding: gzip\r\nContent-Length: {len(packed)}\r\n\r\n"
    server = start(send(head.encode() + packed))
    error = world.fails(bestow_sdk.ConnectionError, create, base_url=server.address, max_retries=0)
    assert error.outcome_unknown and error.idempotency_key is not None
    assert str(error) == f"HTTP 201 of {server.address} has more than the 16 MiB that the client reads: the outcome is unknown."


def test_a_compressed_part_is_read_only_up_to_the_bound() -> None:
    body = Body(httpx.Headers({"Content-Encoding": "gzip"}))
    assert not body.add(gzip.compress(bytes(64 * 1024 * 1024)))
    assert len(body.whole()) == LONGEST_ANSWER_BYTES + 1


@pytest.mark.parametrize(
    "act",
    [
        hang,
        trickle(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"),
        trickle(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 9999\r\n\r\n"),
    ],
)
def test_a_limit_holds_against_a_server_that_hangs_or_trickles(world: World, start: Start, act: Act) -> None:
    server = start(act, answer(ORDER))
    began = time.monotonic()
    assert world.run(create, base_url=server.address, try_timeout=0.5) == ORDER
    assert time.monotonic() - began > 0.49
    assert type(world.attempts[0].error) is bestow_sdk.TimeoutError
    assert "within 0.5 seconds: the outcome is unknown" in str(world.attempts[0].error)


@pytest.mark.parametrize("start_of_answer", [b"H", b"HTTP/1.1 200 OK\r\nX-A: "])
def test_a_limit_holds_against_trickled_headers_in_tasks(world: World, start: Start, start_of_answer: bytes) -> None:
    if not world.is_async:
        return  # In threads httpx limits each read of headers.
    server = start(trickle(start_of_answer), answer(ORDER))
    assert world.run(create, base_url=server.address, try_timeout=0.15) == ORDER
    assert type(world.attempts[0].error) is bestow_sdk.TimeoutError


def test_the_limit_of_a_call_ends_its_attempt(world: World, start: Start) -> None:
    server = start(trickle(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"))
    began = time.monotonic()
    error = world.fails(bestow_sdk.TimeoutError, create, base_url=server.address, timeout=0.15)
    assert "within 0.15 seconds" in str(error)
    assert time.monotonic() - began > 0.14


def test_a_limit_holds_on_a_connection_that_was_used_before(world: World, start: Start) -> None:
    server = start(answer(GIFT), trickle(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"))

    def act(client: Any) -> Any:
        return twice_async(client) if world.is_async else [read(client), claim(client)]

    async def twice_async(client: Any) -> None:
        await read(client)
        await claim(client)

    error = world.fails(bestow_sdk.TimeoutError, act, base_url=server.address, try_timeout=0.15)
    assert error.outcome_unknown
    assert server.connections == 1


@pytest.mark.parametrize("address", ["http://localhost:1", "https://unknown.invalid", "http://[::1]:1"])
def test_a_wrong_address_is_reported_within_two_seconds(world: World, address: str) -> None:
    error = world.fails(bestow_sdk.ConnectionError, create, base_url=address)
    assert sum(world.clock.pauses) < 2
    assert not error.outcome_unknown
    assert f"No answer came from {address} (" in str(error)
    assert "All connection attempts failed" not in str(error)


def test_a_service_that_has_answered_may_restart(world: World, start: Start) -> None:
    server = start(answer(GIFT))

    def act(client: Any) -> Any:
        return after_async(client) if world.is_async else after_sync(client)

    def after_sync(client: Any) -> None:
        read(client)
        server.close()
        create(client)

    async def after_async(client: Any) -> None:
        await read(client)
        server.close()
        await create(client)

    world.fails(bestow_sdk.ConnectionError, act, base_url=server.address)
    assert sum(world.clock.pauses) > 20


def test_an_untrusted_certificate_ends_at_once(world: World, start: Start, tmp_path: Path) -> None:
    context, _ = self_signed(tmp_path, "localhost")
    server = start(answer(ORDER), tls=context)
    error = world.fails(bestow_sdk.ConnectionError, create, base_url=server.address)
    assert (error.attempts, error.outcome_unknown, server.bodies) == (1, False, [])
    assert "certificate verify failed" in str(error)
    assert str(error).endswith("; check base_url and its certificate.")


def test_the_certificate_of_another_name_ends_at_once(
    world: World, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    context, file = self_signed(tmp_path, "elsewhere.test")
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    server = start(answer(ORDER), tls=context)
    error = world.fails(bestow_sdk.ConnectionError, create, base_url=server.address)
    assert (error.attempts, error.outcome_unknown) == (1, False)
    assert "not valid for 'localhost'" in str(error)


def test_a_limit_holds_with_tls(world: World, start: Start, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    context, file = self_signed(tmp_path, "localhost")
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    server = start(trickle(b"HTTP/1.1 200 OK\r\nContent-Length: 9999\r\n\r\n"), answer(ORDER), tls=context)
    assert world.run(create, base_url=server.address, try_timeout=0.5) == ORDER


def test_a_handshake_that_is_cut_is_retried(world: World, start: Start) -> None:
    server = start(cut(), greeting=None)
    error = world.fails(bestow_sdk.ConnectionError, create, base_url=f"https://localhost:{server.port}")
    assert error.attempts > 1
    assert not error.outcome_unknown


def test_https_to_a_plain_port_ends_at_once(world: World, start: Start) -> None:
    server = start(answer(ORDER), greeting=b"HTTP/1.1 400 Bad Request\r\n\r\n")
    error = world.fails(bestow_sdk.ConnectionError, create, base_url=f"https://localhost:{server.port}")
    assert (error.attempts, error.outcome_unknown) == (1, False)


def test_a_proxy_that_requires_authentication_is_named_at_once(
    world: World, start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    proxy = start(answer({}, "407 Proxy Authentication Required"))
    monkeypatch.setenv("HTTPS_PROXY", proxy.address)
    error = world.fails(bestow_sdk.ConnectionError, create, base_url="https://bestow.test")
    assert (error.attempts, error.outcome_unknown) == (1, False)
    assert "(HTTP 407: the proxy requires authentication)" in str(error)


def test_a_redirect_is_not_followed(world: World, start: Start) -> None:
    other = start(answer(ORDER))
    moved = f"HTTP/1.1 307 Moved\r\nLocation: {other.address}/v1/orders\r\nContent-Length: 0\r\n\r\n"
    server = start(send(moved.encode()))
    error = world.fails(bestow_sdk.ConnectionError, create, base_url=server.address)
    assert f"redirects to {other.address}" in str(error)
    assert other.bodies == []


def test_connections_are_used_again(world: World, start: Start) -> None:
    server = start(answer(ORDER))

    def act(client: Any) -> Any:
        return many_async(client) if world.is_async else [create(client) for _ in range(5)]

    async def many_async(client: Any) -> None:
        for _ in range(5):
            await create(client)

    world.run(act, base_url=server.address)
    assert (server.connections, len(server.bodies)) == (1, 5)
    assert json.loads(server.bodies[0])["gifts"]
