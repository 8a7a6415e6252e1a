"""What `expand` sends, and what a program reads then."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness import GIFT, GIFTS, ORDER, Act, World, broken, ok, refusal, text

import bestow_sdk
from bestow_sdk import FolderStore

CUT = broken(httpx.RemoteProtocolError("cut"))
DELIVERY = {"method": "email", "email": "ada@example.com"}
HISTORY = {"state": "sent"}


def service(request: httpx.Request) -> httpx.Response:
    """Answer as the service does: with the history only if it is asked for."""
    path, is_asked = request.url.path, "history" in request.url.params.get("expand", "").split(",")
    more: dict[str, Any] = {"history": HISTORY} if is_asked else {}
    gift = {**GIFT, **more}
    order = {**ORDER, "external_id": "po-7", "gifts": [gift], **more}
    one = order if path.startswith("/v1/orders") else gift
    is_list = request.method == "GET" and path in ("/v1/orders", "/v1/gifts")
    return httpx.Response(200, json={"object": "list", "data": [one], "has_more": False} if is_list else one)


Call = Callable[[Any, dict[str, Any]], Any]
"""What a test does with a client, with these options."""

CALLS: dict[str, Call] = {
    "retrieve": lambda client, more: client.gifts.retrieve("gift_1", **more),
    "redirect": lambda client, more: client.gifts.redirect("gift_1", DELIVERY, **more),
    "replace_link": lambda client, more: client.gifts.replace_link("gift_1", **more),
    "resend": lambda client, more: client.gifts.resend("gift_1", **more),
    "schedule": lambda client, more: client.gifts.schedule("gift_1", send_at="2027-01-01T00:00:00Z", **more),
    "cancel": lambda client, more: client.gifts.cancel("gift_1", **more),
    "deliver": lambda client, more: client.sandbox.deliver("gift_1", **more),
    "open": lambda client, more: client.sandbox.open("gift_1", **more),
    "claim": lambda client, more: client.sandbox.claim("gift_1", **more),
    "spend": lambda client, more: client.sandbox.spend("gift_1", **more),
    "list": lambda client, more: client.gifts.list(**more).page(),
    "take": lambda client, more: client.gifts.list(**more).take(1),
    "create order": lambda client, more: client.orders.create(gifts=GIFTS, **more),
    "retrieve order": lambda client, more: client.orders.retrieve("ord_1", **more),
    "cancel order": lambda client, more: client.orders.cancel("ord_1", **more),
    "wait for order": lambda client, more: client.orders.wait_until_processed("ord_1", **more),
    "find order": lambda client, more: client.orders.find_by_external_id("po-7", **more),
    "list orders": lambda client, more: client.orders.list(**more).page(),
}


def things_of(answer: Any) -> list[Any]:
    """The gift, or the order and its gifts."""
    ones: list[Any] = answer.get("data", [answer]) if hasattr(answer, "get") else answer
    things: list[Any] = []
    for one in ones:
        things += [one, *one.get("gifts", [])]
    return things


@pytest.mark.parametrize("name", CALLS)
def test_a_call_has_the_parts_that_it_asks_for_and_no_others(world: World, name: str) -> None:
    plain = world.run(lambda client: CALLS[name](client, {}), service)
    assert all("history" not in thing for thing in things_of(plain))
    assert "expand" not in world.requests[-1].url.params
    whole = world.run(lambda client: CALLS[name](client, {"expand": ["history", "card"]}), service)
    assert all(thing["history"] == HISTORY for thing in things_of(whole))
    assert world.requests[-1].url.params["expand"] == "history,card"


@pytest.mark.parametrize("name", CALLS)
def test_no_parts_are_not_sent(world: World, name: str) -> None:
    world.run(lambda client: CALLS[name](client, {"expand": []}), service)
    assert "expand" not in world.requests[-1].url.params


def test_the_feed_has_parts_behind_its_resource(world: World) -> None:
    world.run(lambda client: client.events.list(expand=["resource", "history"]), ok({"object": "list"}))
    assert world.requests[0].url.params["expand"] == "resource,history"


def test_the_service_refuses_an_unknown_part(world: World) -> None:
    wrong = refusal(422, "parameter_invalid", param="expand")
    act: Act = lambda client: client.gifts.retrieve("gift_1", expand=["histroy"])
    assert world.fails(bestow_sdk.InvalidRequestError, act, wrong).param == "expand"
    assert world.requests[0].url.params["expand"] == "histroy"


def test_a_retry_asks_for_the_same_parts_with_the_same_key(world: World) -> None:
    locked = refusal(409, "resource_locked", "api_error")
    order = world.run(
        lambda client: client.orders.create(gifts=GIFTS, expand=["history", "order"]), CUT, text(502), locked, service
    )
    assert order["history"] == HISTORY
    sent = {(str(one.url.raw_path), one.headers["Idempotency-Key"], one.content) for one in world.requests}
    assert (len(world.requests), len(sent)) == (4, 1)
    assert world.requests[0].url.params["expand"] == "history,order"


def test_a_kept_order_that_asked_for_parts_is_resumed(world: World, tmp_path: Path) -> None:
    store = FolderStore(tmp_path)

    def fail() -> None:
        act: Act = lambda client: client.orders.create(gifts=GIFTS, idempotency_key="k", expand=["history"])
        world.fails(bestow_sdk.ConnectionError, act, CUT, store=store, max_retries=0)

    fail()
    first = world.requests[0]
    assert list(store.kept()) == [("k", first.content)]
    [plain] = world.run(lambda client: client.orders.resume(), service, store=store)
    assert plain.order is not None and "history" not in plain.order
    fail()
    [whole] = world.run(lambda client: client.orders.resume(expand=["history"]), service, store=store)
    assert whole.order is not None and whole.order["history"] == HISTORY
    assert {(one.headers["Idempotency-Key"], one.content) for one in world.requests} == {("k", first.content)}
    assert [one.url.params.get("expand") for one in world.requests] == ["history", None, "history", "history"]
    assert list(store.kept()) == []
