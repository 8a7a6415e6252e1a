"""
Runs the calls of the table of faults with the Python client: reads JSON lines, writes one JSON line for each call.
`--sync` runs the synchronous client in threads.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypedDict

import httpx

import bestow_sdk
from bestow_sdk import AsyncBestow, Attempt, Bestow, BestowError, response_of

Line = dict[str, Any]
_CLASSES: list[type[BaseException]] = [
    bestow_sdk.InvalidRequestError,
    bestow_sdk.AuthenticationError,
    bestow_sdk.InsufficientBalanceError,
    bestow_sdk.RateLimitError,
    bestow_sdk.ServiceError,
    bestow_sdk.ApiError,
    bestow_sdk.TimeoutError,
    bestow_sdk.ConnectionError,
]
_NAMES = {one: one.__name__ for one in _CLASSES}
_writing = threading.Lock()
_LIMITS = httpx.Limits(max_connections=None)
"""As of the client's own. One for all calls, since each would read the certificates again."""


class ClientOptions(TypedDict, total=False):
    timeout: float
    try_timeout: float
    max_retries: int


def options_of(line: Line) -> ClientOptions:
    given: Line = line.get("options") or {}
    options = ClientOptions()
    if "timeout_ms" in given:
        options["timeout"] = given["timeout_ms"] / 1000
    if "try_timeout_ms" in given:
        options["try_timeout"] = given["try_timeout_ms"] / 1000
    if "max_retries" in given:
        options["max_retries"] = given["max_retries"]
    return options


def order_of(line: Line) -> Any:
    """The keyword arguments of `orders.create`."""
    key = line.get("idempotency_key")
    return {**line["body"], **({} if key is None else {"idempotency_key": key})}


def pauses_of(attempts: list[Attempt]) -> list[int]:
    return [round(attempt.pause * 1000) for attempt in attempts if attempt.pause is not None]


def success(line: Line, answer: Any, attempts: list[Attempt]) -> Line:
    response = response_of(answer)
    return {
        "id": line["id"],
        "result": "ok",
        "order_id": answer.get("order_id"),
        "attempts": response.attempts,
        "is_replay": response.is_replay,
        "pauses_ms": pauses_of(attempts),
    }


def failure(line: Line, error: BaseException, attempts: list[Attempt]) -> Line:
    # A cancellation has no facts: the hook has told them.
    known = attempts[-1].error if attempts else None
    is_abort = isinstance(error, asyncio.CancelledError)
    facts = error if isinstance(error, BestowError) else known if is_abort else None
    name = "AbortError" if is_abort else _NAMES.get(type(error), "Other")
    return {
        "id": line["id"],
        "result": "error",
        "error": name,
        "code": getattr(error, "code", ""),
        "message": str(facts or error),
        "attempts": facts.attempts if facts else len(attempts),
        "outcome_unknown": facts.outcome_unknown if facts else False,
        "idempotency_key": facts.idempotency_key if facts else line.get("idempotency_key"),
        "status": facts.status if facts else None,
        "pauses_ms": pauses_of(attempts),
    }


def write(result: Line) -> None:
    with _writing:
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


async def call_async(client: AsyncBestow, line: Line) -> Any:
    if line["call"] == "read":
        return await client.categories.list().page()
    if line["call"] == "gift":
        return await client.gifts.retrieve(line["gift_id"])
    if line["call"] == "claim":
        return await client.sandbox.claim(line["gift_id"])
    creating = asyncio.ensure_future(client.orders.create(**order_of(line)))
    if line["call"] == "order_abort":
        asyncio.get_running_loop().call_later(line["abort_after_ms"] / 1000, creating.cancel)
    return await creating


async def place_orders_async(client: AsyncBestow, line: Line) -> Line:
    """Place orders one after another, each with its own key."""
    ids: list[str] = []
    for number in range(line["count"]):
        key = f"{line['idempotency_key']}-{number}"
        ids.append((await client.orders.create(**line["body"], idempotency_key=key))["order_id"])
    return {"id": line["id"], "result": "ok", "order_ids": ids}


async def read_events_async(client: AsyncBestow, line: Line) -> Line:
    """Read the feed from its beginning."""
    sequences: list[int] = []
    async for event in client.events.stream(after=0, types=["order.created"]):
        sequences.append(event["sequence"])
        if len(sequences) == line["count"]:
            break
    return {"id": line["id"], "result": "ok", "sequences": sequences}


async def run_async(http: httpx.AsyncClient, line: Line) -> None:
    attempts: list[Attempt] = []
    hook = attempts.append
    try:
        options = options_of(line)
        async with AsyncBestow(line["key"], line["base_url"], http_client=http, on_attempt=hook, **options) as client:
            if line["call"] == "orders":
                result = await place_orders_async(client, line)
            elif line["call"] == "stream":
                result = await read_events_async(client, line)
            else:
                result = success(line, await call_async(client, line), attempts)
    except (Exception, asyncio.CancelledError) as error:
        result = failure(line, error, attempts)
    write(result)


def call_sync(client: Bestow, line: Line) -> Any:
    if line["call"] == "read":
        return client.categories.list().page()
    if line["call"] == "gift":
        return client.gifts.retrieve(line["gift_id"])
    if line["call"] == "claim":
        return client.sandbox.claim(line["gift_id"])
    return client.orders.create(**order_of(line))


def pause_of(line: Line) -> Callable[[float], None]:
    """A thread cannot be cancelled from outside; its pause can end the call."""
    ends = time.monotonic() + line.get("abort_after_ms", float("inf")) / 1000

    def pause(seconds: float) -> None:
        time.sleep(max(min(seconds, ends - time.monotonic()), 0))
        if time.monotonic() >= ends:
            raise asyncio.CancelledError

    return pause


def place_orders_sync(client: Bestow, line: Line) -> Line:
    ids: list[str] = []
    for number in range(line["count"]):
        key = f"{line['idempotency_key']}-{number}"
        ids.append(client.orders.create(**line["body"], idempotency_key=key)["order_id"])
    return {"id": line["id"], "result": "ok", "order_ids": ids}


def read_events_sync(client: Bestow, line: Line) -> Line:
    sequences: list[int] = []
    for event in client.events.stream(after=0, types=["order.created"]):
        sequences.append(event["sequence"])
        if len(sequences) == line["count"]:
            break
    return {"id": line["id"], "result": "ok", "sequences": sequences}


def run_sync(http: httpx.Client, line: Line) -> None:
    attempts: list[Attempt] = []
    hook, pause = attempts.append, pause_of(line)
    try:
        options = options_of(line)
        with Bestow(
            line["key"], line["base_url"], http_client=http, on_attempt=hook, pause=pause, **options
        ) as client:
            if line["call"] == "orders":
                result = place_orders_sync(client, line)
            elif line["call"] == "stream":
                result = read_events_sync(client, line)
            else:
                result = success(line, call_sync(client, line), attempts)
    except (Exception, asyncio.CancelledError) as error:
        result = failure(line, error, attempts)
    write(result)


async def main_async() -> None:
    loop = asyncio.get_running_loop()
    running: list[asyncio.Task[None]] = []
    async with httpx.AsyncClient(limits=_LIMITS) as http:
        while text := await loop.run_in_executor(None, sys.stdin.readline):
            running.append(asyncio.create_task(run_async(http, json.loads(text))))
        await asyncio.gather(*running)


def main_sync() -> None:
    with httpx.Client(limits=_LIMITS) as http, ThreadPoolExecutor(1000) as threads:
        for text in sys.stdin:
            threads.submit(run_sync, http, json.loads(text))


if __name__ == "__main__":
    if "--sync" in sys.argv:
        main_sync()
    else:
        asyncio.run(main_async())
