"""Cancellation, and many calls at once."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from faulty_server import FaultyServer, answer_of, hang
from harness import ADDRESS, GIFTS, KEY, ORDER, Clock, World, create, text

import bestow_sdk
from bestow_sdk import AsyncBestow, Attempt, Bestow

QUICK_SECONDS = 4.0
"""Without its limit a call would take longer. A busy machine needs the rest."""


def test_a_cancellation_passes_through_at_once_and_the_hook_tells_the_outcome() -> None:
    attempts: list[Attempt] = []

    server = FaultyServer(hang)

    async def main() -> None:
        async with AsyncBestow(KEY, server.address, on_attempt=attempts.append) as client:
            creating = asyncio.create_task(client.orders.create(gifts=GIFTS, idempotency_key="k"))
            while not server.bodies:
                await asyncio.sleep(0.01)
            creating.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await creating
            assert time.monotonic() - began < QUICK_SECONDS
            assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    server.close()
    [attempt] = attempts
    assert attempt.error is not None and attempt.error.outcome_unknown
    assert str(attempt.error) == "The call was cancelled: the outcome is unknown."
    assert (attempt.error.idempotency_key, attempt.pause) == ("k", None)


def test_a_late_attempt_leaves_no_task_behind() -> None:
    async def main() -> None:
        async with AsyncBestow(KEY, server.address, try_timeout=0.05, max_retries=0) as client:
            with pytest.raises(bestow_sdk.TimeoutError):
                await client.orders.create(gifts=GIFTS)
            assert asyncio.all_tasks() == {asyncio.current_task()}

    server = FaultyServer(hang)
    asyncio.run(main())
    server.close()


def test_a_pause_can_be_cancelled() -> None:
    async def main() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(text(502)))
        async with http, AsyncBestow(KEY, ADDRESS, http_client=http) as client:
            creating = asyncio.create_task(client.orders.create(gifts=GIFTS))
            await asyncio.sleep(0.05)
            creating.cancel()
            with pytest.raises(asyncio.CancelledError):
                await creating

    began = time.monotonic()
    asyncio.run(main())
    assert time.monotonic() - began < QUICK_SECONDS


def test_a_transport_that_swallows_its_cancellation_cannot_hold_a_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bestow_sdk._waiting._END_SECONDS", 0.05)

    class Deaf(httpx.AsyncBaseTransport):
        is_deaf = True

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            while self.is_deaf:
                with contextlib.suppress(asyncio.CancelledError):
                    await asyncio.sleep(0.01)
            return httpx.Response(200)

    async def main() -> None:
        deaf = Deaf()
        http = httpx.AsyncClient(transport=deaf)
        async with http, AsyncBestow(KEY, ADDRESS, http_client=http, try_timeout=0.05, max_retries=0) as client:
            with pytest.raises(bestow_sdk.TimeoutError):
                await client.orders.create(gifts=GIFTS)
            deaf.is_deaf = False

    asyncio.run(asyncio.wait_for(main(), 10))


def test_ctrl_c_passes_through_and_the_hook_tells_the_outcome(clock: Clock) -> None:
    attempts: list[Attempt] = []

    def interrupt(_: httpx.Request) -> httpx.Response:
        raise KeyboardInterrupt

    with (
        httpx.Client(transport=httpx.MockTransport(interrupt)) as http,
        Bestow(KEY, ADDRESS, http_client=http, on_attempt=attempts.append) as client,
        pytest.raises(KeyboardInterrupt),
    ):
        client.orders.create(gifts=GIFTS)
    assert attempts[0].error is not None and attempts[0].error.outcome_unknown


def keys_of(world: World) -> set[str]:
    return {request.headers["Idempotency-Key"] for request in world.requests}


def test_many_calls_at_once_have_their_own_keys_and_facts(world: World) -> None:
    def flaky(request: httpx.Request) -> httpx.Response:
        is_first = world.requests.count(request) == 1 and hash(request.headers["Idempotency-Key"]) % 2 == 0
        is_repeat = sum(request.headers["Idempotency-Key"] == one.headers["Idempotency-Key"] for one in world.requests)
        return httpx.Response(502 if is_first and is_repeat == 1 else 200, json=ORDER)

    async def all_async(client: Any) -> Any:
        return await asyncio.gather(*(create(client) for _ in range(200)))

    def all_sync(client: Any) -> Any:
        with ThreadPoolExecutor(50) as threads:
            return list(threads.map(create, [client] * 200))

    answers = world.run(all_async if world.is_async else all_sync, flaky)
    assert (len(answers), len(keys_of(world))) == (200, 200)
    assert {bestow_sdk.response_of(answer).attempts for answer in answers} == {1, 2}
    assert {bestow_sdk.response_of(answer).idempotency_key for answer in answers} == keys_of(world)


def test_no_call_waits_for_a_connection_of_another(clock: Clock) -> None:
    before, all_are_there = threading.active_count(), threading.Barrier(150)

    def answer_together(connection: socket.socket) -> None:
        all_are_there.wait(20)
        connection.sendall(answer_of(ORDER))

    server = FaultyServer(answer_together)
    with Bestow(KEY, server.address, try_timeout=30) as client, ThreadPoolExecutor(150) as threads:
        assert list(threads.map(create, [client] * 150)) == [ORDER] * 150
    server.close()
    deadline = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < deadline:
        time.sleep(0.01)
    assert threading.active_count() <= before
