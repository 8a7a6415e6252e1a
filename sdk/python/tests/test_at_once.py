"""Cancellation, and many calls at once."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from faulty_server import FaultyServer, answer_of, hang
from harness import ADDRESS, GIFTS, KEY, ORDER, Clock, World, create, text

import bestow_sdk
from bestow_sdk import AsyncBestow, Attempt, Bestow, BestowError, FolderStore

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
    assert str(attempt.error) == "The call was ended by CancelledError: the outcome is unknown."
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


def known(error: BaseException) -> BestowError:
    """The error with the facts, among the causes of what a program gets."""
    last: BaseException | None = error
    while not isinstance(last, BestowError):
        assert last is not None
        last = last.__cause__ or last.__context__
    return last


@pytest.mark.parametrize("waits_for", [asyncio.wait_for, getattr(asyncio, "timeout", None)])
def test_an_order_that_its_program_gives_up_carries_its_key(waits_for: Any) -> None:
    if waits_for is None:
        return  # asyncio.timeout came with Python 3.11.
    attempts: list[Attempt] = []

    async def main() -> None:
        async with AsyncBestow(KEY, server.address, on_attempt=attempts.append) as client:
            if waits_for is asyncio.wait_for:
                await asyncio.wait_for(client.orders.create(gifts=GIFTS), 0.5)
            async with waits_for(0.5):
                await client.orders.create(gifts=GIFTS)

    server = FaultyServer(hang)
    with pytest.raises((TimeoutError, asyncio.TimeoutError)) as raised:
        asyncio.run(main())
    server.close()
    failure = known(raised.value)
    assert attempts[0].error is failure
    assert failure.idempotency_key is not None and failure.outcome_unknown
    if sys.version_info >= (3, 11):
        notes = raised.value.__cause__.__notes__ if raised.value.__cause__ else []
        assert notes == [f"{failure} Its idempotency_key is {failure.idempotency_key!r}."]


def test_a_pause_can_be_cancelled_and_the_error_has_the_key() -> None:
    async def main() -> None:
        http = httpx.AsyncClient(transport=httpx.MockTransport(text(502)))
        async with http, AsyncBestow(KEY, ADDRESS, http_client=http, on_attempt=attempts.append) as client:
            creating = asyncio.create_task(client.orders.create(gifts=GIFTS, idempotency_key="k"))
            while not attempts:
                await asyncio.sleep(0.01)
            creating.cancel()
            await creating

    began, attempts = time.monotonic(), list[Attempt]()
    with pytest.raises(asyncio.CancelledError) as raised:
        asyncio.run(main())
    assert time.monotonic() - began < QUICK_SECONDS
    failure = known(raised.value)
    assert (failure.idempotency_key, failure.outcome_unknown, failure.attempts) == ("k", True, 1)
    assert len(attempts) == 1


def test_an_order_that_is_cancelled_while_it_is_kept_carries_its_key(tmp_path: Path) -> None:
    keeping, may_end = threading.Event(), threading.Event()

    class SlowStore(FolderStore):
        def keep(self, key: str, body: bytes) -> None:
            keeping.set()
            may_end.wait(10)

    async def main() -> None:
        async with AsyncBestow(KEY, ADDRESS, store=SlowStore(tmp_path)) as client:
            creating = asyncio.create_task(client.orders.create(gifts=GIFTS, idempotency_key="k"))
            await asyncio.to_thread(keeping.wait)
            creating.cancel()
            may_end.set()
            await creating

    with pytest.raises(asyncio.CancelledError) as raised:
        asyncio.run(main())
    failure = known(raised.value)
    assert (failure.idempotency_key, failure.attempts, failure.outcome_unknown) == ("k", 0, False)


def test_a_cancelled_read_stays_as_it_is() -> None:
    async def main() -> None:
        async with AsyncBestow(KEY, server.address) as client:
            reading = asyncio.create_task(client.gifts.retrieve("gift_1"))
            while not server.bodies:
                await asyncio.sleep(0.01)
            reading.cancel()
            await reading

    server = FaultyServer(hang)
    with pytest.raises(asyncio.CancelledError) as raised:
        asyncio.run(main())
    server.close()
    assert not hasattr(raised.value, "__notes__")


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


class Limit(Exception):
    """As Celery raises it out of a signal, in the middle of a call."""


@pytest.mark.parametrize("end", [KeyboardInterrupt, SystemExit, Limit])
def test_what_ends_a_call_from_outside_passes_through_with_its_key(clock: Clock, end: type[BaseException]) -> None:
    attempts: list[Attempt] = []

    def interrupt(_: httpx.Request) -> httpx.Response:
        raise end

    with (
        httpx.Client(transport=httpx.MockTransport(interrupt)) as http,
        Bestow(KEY, ADDRESS, http_client=http, on_attempt=attempts.append) as client,
        pytest.raises(end) as raised,
    ):
        client.orders.create(gifts=GIFTS)
    failure = known(raised.value)
    assert attempts[0].error is failure
    assert failure.idempotency_key is not None and failure.outcome_unknown
    assert str(failure) == f"The call was ended by {end.__name__}: the outcome is unknown."


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
