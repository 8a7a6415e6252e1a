"""What mypy and pyright must accept, and after each ignored line what they must refuse. Not run."""

from __future__ import annotations

from datetime import date, datetime, timezone
from types import MappingProxyType
from typing import Any

from typing_extensions import assert_type

import bestow_sdk
from bestow_sdk import AsyncBestow, Bestow, Event, Resumed, response_of, verify_webhook
from bestow_sdk.types import Gift, GiftCard, GiftHistory, GiftInput, GiftMessage, Order, OrderHistory, OrderInput


async def allowed(client: AsyncBestow) -> list[Gift]:
    gift: GiftInput = {"amount": 1000, "category": "coffee", "delivery": {"method": "email", "email": "a@b.cd"}}
    body: OrderInput = {"gifts": [gift], "metadata": {"a": "b"}}
    order = await client.orders.create(**body, idempotency_key="k", timeout=5)
    assert_type(order, Order)
    assert_type(await client.orders.find_by_external_id("x"), Order | None)
    assert_type(response_of(order).is_replay, bool)
    async for category in client.categories.list():
        assert_type(category["artwork"], str | None)
    async for event in client.events.stream(after=5):
        print(text_of(event))
    whole = await client.gifts.retrieve("g", expand=["history", "card"])
    assert_type(whole.get("history"), GiftHistory | None)
    assert_type(whole.get("card"), GiftCard | None)
    async for each in client.orders.list(expand=["history", "deliveries"]):
        assert_type(each.get("history"), OrderHistory | None)
        assert_type(each["gifts"][0].get("deliveries"), list[GiftMessage] | None)
    await client.events.list(expand=["resource", "history"])
    await client.contacts.save(delivery={"method": "phone", "phone": "+1"}, name=None, max_retries=1)
    async for resumed in client.orders.resume():
        assert_type(resumed.order, Order | None)
    assert_type(await client.orders.resume(expand=["history"]), list[Resumed])
    await client.contacts.save(delivery={"method": "phone", "phone": "+1"}, birthday=date(1985, 3, 14))
    await client.gifts.schedule("g", send_at=datetime.now(timezone.utc))
    await client.orders.create(gifts=[{**gift, "send_at": datetime.now(timezone.utc)}], metadata=MappingProxyType({}))
    client.balance.entries(created_after=datetime.now(timezone.utc))
    return await client.gifts.list(limit=5, metadata={"a": "b"}).take(9)


def text_of(event: Event) -> str:
    if event["type"] == "gift.spent":
        assert_type(event["data"]["purchase"]["amount_left"], int)
    if event["type"] == "order.created":
        return event["data"]["status"]
    if event["type"] == "a later type":
        return str(event["data"].get("anything"))
    return event["event_id"]


def pushed(body: bytes, headers: dict[str, str]) -> str | None:
    event = verify_webhook(body, headers, "whsec_x")
    return event["data"]["gift_id"] if event["type"] == "gift.claimed" else None


def refused(client: Bestow, error: bestow_sdk.BestowError) -> Any:
    client.orders.create(gifts=[{"amount": "1000", "category": "c", "delivery": {"method": "link"}}])  # type: ignore
    client.orders.create(gifts=[], idempotencyKey="k")  # type: ignore
    client.gifts.retrieve("g", idempotency_key="k")  # type: ignore
    client.orders.list(startingAfter="x")  # type: ignore
    client.sandbox.deliver("g", outcome="lost")  # type: ignore
    client.gifts.retrieve("g", expand=["histroy"])  # type: ignore
    client.gifts.redirect("g", {"method": "phone", "phone": "+1"}, expand=["histroy"])  # type: ignore
    client.gifts.list(expand=["histroy"])  # type: ignore
    client.orders.create(gifts=[], expand=["histroy"])  # type: ignore
    client.orders.cancel("o", expand=["histroy"])  # type: ignore
    client.orders.resume(expand=["histroy"])  # type: ignore
    client.events.list(expand=["histroy"])  # type: ignore
    client.sandbox.reset(expand=["history"])  # type: ignore
    return error.code  # type: ignore
