"""
Plays the cases of `cases.json` with the FakeBestow of Python: reads JSON lines, writes one JSON line for each case.
`--async` plays them with AsyncFakeBestow.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta, timezone
from typing import Any

from bestow_sdk import ApiError, ConnectionError, response_of
from bestow_sdk.fake import AsyncFakeBestow, FakeBestow

Json = dict[str, Any]
Request = Callable[..., Awaitable[Json]]
BALANCE = 1_000_000


def part_of(body: Any, path: str) -> Any:
    for name in path.split("."):
        body = body[int(name) if name.isdigit() else name]
    return body


async def call_once(request: Request, call: str, body: Any, key: str | None) -> Json:
    method, path = call.split(" ")
    try:
        answer = await request(method, path, body=body, max_retries=0, **({} if key is None else {"idempotency_key": key}))
    except ApiError as error:
        names = ("type", "code", "param", "reason", "order_id")
        told = {name: getattr(error, name) for name in names if getattr(error, name) is not None}
        return {"call": call, "status": error.status, "isReplay": False, "body": told}
    except ConnectionError:
        return {"call": call, "isReplay": False, "body": "ConnectionError"}
    except (TypeError, ValueError):
        return {"call": call, "isReplay": False, "body": "TypeError"}
    response = response_of(answer)
    return {"call": call, "status": response.status, "isReplay": response.is_replay, "body": answer}


async def play(case: Json, bestow: FakeBestow | AsyncFakeBestow, request: Request) -> Json:
    start = (await request("GET", "/v1/events?limit=1000"))["next_after"]
    saved: Json = {"start": start}
    began = datetime.now(timezone.utc)

    def filled(text: str) -> str:
        def time(seconds: re.Match[str]) -> str:
            moment = began + timedelta(seconds=int(seconds[1]))
            return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

        text = re.sub(r"\{time([+-]\d+)\}", time, text)
        return re.sub(r"\{(\w+)\}", lambda name: str(saved[name[1]]), text)

    told: list[Json] = []
    for step in case["steps"]:
        bestow.add_funds(step.get("fund", 0))
        bestow.advance(step.get("advance_ms", 0) / 1000)
        if "call" not in step:
            continue
        body = json.loads(filled(json.dumps(step["body"]))) if "body" in step else None
        answer = await call_once(request, filled(step["call"]), body, step.get("key"))
        for name, path in step.get("save", {}).items():
            saved[name] = part_of(answer["body"], path) if answer.get("status", 400) < 400 else ""
        told.append({**answer, "call": step["call"]})
    return {"id": case["id"], "start": start, "told": told}


async def main() -> None:
    for line in sys.stdin:
        case = json.loads(line)
        options: Json = {"balance": BALANCE, "organization_name": "Test Organization"}
        if "--async" in sys.argv:
            async_fake = AsyncFakeBestow(**options)
            played = await play(case, async_fake, async_fake.request)
        else:
            fake = FakeBestow(**options)

            async def request(*arguments: Any, _fake: FakeBestow = fake, **named: Any) -> Json:
                return _fake.request(*arguments, **named)

            played = await play(case, fake, request)
        print(json.dumps(played))


asyncio.run(main())
