"""What the fake does in each operation that it has."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from .gift import present_gift, renew_link
from .gift_acts import GIFT_ACTS
from .lists import matches_gift, matches_order, page_of
from .memory import Json, Memory
from .orders import cancel_order, effect_of, place_order, present_order
from .refusal import Refusal, invalid
from .rules import RULES
from .webhooks import change_endpoint, create_endpoint, rotate_secret, with_secret

Item = TypeVar("Item")
_MOST_EVENTS = "100"


@dataclass(frozen=True)
class Call:
    """A request that was read and checked."""

    operation: Json
    id: str
    query: dict[str, str]
    body: Any
    key: str | None
    request: str
    """What a key is bound to: method, path and body."""
    sender_name: str

    @property
    def has_history(self) -> bool:
        return "history" in self.query.get("expand", "").split(",")


@dataclass(frozen=True)
class Done:
    body: Json
    status: int = 200
    is_replay: bool = False
    is_lost: bool = False
    """The caller gets no answer."""
    is_slow: bool = False
    """The answer takes five seconds, by the clock of the fake."""


Act = Callable[[Memory, Call], Done]


def _list(data: list[Json], has_more: bool = False, **more: int) -> Done:
    return Done({"object": "list", "data": data, "has_more": has_more, **more})


def _found(items: Mapping[str, Item], item_id: str) -> Item:
    if item_id not in items:
        raise Refusal("resource_missing")
    return items[item_id]


def _once(memory: Memory, key: str | None, call: Call, act: Callable[[], str]) -> tuple[str, bool]:
    """Do the act unless its key did it before; return the id of what it made, and whether it is a replay."""
    earlier = memory.used_keys.get(key) if key is not None else None
    if earlier is not None and earlier[0] != call.request:
        raise Refusal("idempotency_key_reused", param="Idempotency-Key")
    made = earlier[1] if earlier is not None else act()
    if key is not None:
        memory.used_keys[key] = (call.request, made)
    return made, earlier is not None


def _create_order(memory: Memory, call: Call) -> Done:
    key = call.key or ""
    # Keys of orders are apart from those of other acts.
    made, is_replay = _once(
        memory, f"order {key}", call, lambda: place_order(memory, key, call.body, call.sender_name).order_id
    )
    effects = [] if is_replay else [effect_of(given["delivery"]) for given in call.body["gifts"]]
    order = present_order(_found(memory.orders, made), call.has_history)
    return Done(order, 200 if is_replay else 201, is_replay, "response_lost" in effects, "slow" in effects)


def _act_on_gift(memory: Memory, call: Call) -> Done:
    gift = _found(memory.gifts, call.id)
    name = call.operation["id"]

    def act() -> str:
        GIFT_ACTS[name](memory, gift, call.body)
        return gift.gift_id

    _, is_replay = _once(memory, call.key, call, act)
    effect = effect_of(gift.delivery) if name == "redirectGift" and not is_replay else None
    return Done(present_gift(gift, call.has_history), 200, is_replay, effect == "response_lost", effect == "slow")


def _retrieve_gift(memory: Memory, call: Call) -> Done:
    gift = _found(memory.gifts, call.id)
    renew_link(memory, gift)
    return Done(present_gift(gift, call.has_history))


def _cancel_order(memory: Memory, call: Call) -> Done:
    order = _found(memory.orders, call.id)

    def act() -> str:
        cancel_order(memory, order, call.body.get("reason"))
        return order.order_id

    _, is_replay = _once(memory, call.key, call, act)
    return Done(present_order(order, call.has_history), is_replay=is_replay)


def _list_orders(memory: Memory, call: Call) -> Done:
    query = call.query
    page, has_more = page_of(
        memory.orders.values(), lambda one: one.order_id, query, lambda one: matches_order(one, query)
    )
    return _list([present_order(order, call.has_history) for order in page], has_more)


def _list_gifts(memory: Memory, call: Call) -> Done:
    query = call.query
    page, has_more = page_of(
        memory.gifts.values(), lambda one: one.gift_id, query, lambda one: matches_gift(one, query)
    )
    return _list([present_gift(gift, call.has_history) for gift in page], has_more)


def _retrieve_balance(memory: Memory, _: Call) -> Done:
    last = {"last_entry": memory.entries[-1]} if memory.entries else {}
    return Done({"object": "balance", "available": memory.balance, "currency": "USD", **last})


def _list_entries(memory: Memory, call: Call) -> Done:
    kind = call.query.get("kind")
    page, has_more = page_of(
        memory.entries, lambda one: str(one["entry_id"]), call.query, lambda one: kind in (None, one["kind"])
    )
    return _list(page, has_more)


def _events(memory: Memory, call: Call) -> list[Json]:
    """Those that the call asks for. Raise Refusal for a type or a place that is not known."""
    after, types = call.query.get("after"), call.query.get("types")
    wanted = None if types is None else types.split(",")
    if wanted is not None and not set(wanted) <= set(RULES["event_types"]):
        raise invalid("types", "must be known types of events")
    if after is not None and not _first_sequence(memory) - 1 <= int(after) <= memory.sequence:
        raise Refusal("cursor_invalid", param="after")
    found = [event for event in memory.events if event["sequence"] > int(after or 0)]
    return [event for event in found if wanted is None or event["type"] in wanted]


def _first_sequence(memory: Memory) -> int:
    return memory.events[0]["sequence"] if memory.events else memory.sequence + 1


def waits_for_events(memory: Memory, call: Call) -> bool:
    """Whether the call wants to wait for an event, and none is there."""
    return call.operation["id"] == "listEvents" and call.query.get("wait", "0") != "0" and not _events(memory, call)


def _list_events(memory: Memory, call: Call) -> Done:
    limit = int(call.query.get("limit", _MOST_EVENTS))
    data = _events(memory, call)[:limit]
    next_after = data[-1]["sequence"] if len(data) == limit else memory.sequence
    if "resource" in call.query.get("expand", "").split(","):
        data = [{**event, "resource": _resource_of(memory, event["data"], call.has_history)} for event in data]
    return _list(
        data, next_after < memory.sequence, next_after=next_after, first_sequence=_first_sequence(memory)
    )


def _resource_of(memory: Memory, data: Json, has_history: bool) -> Json | None:
    if data.get("gift_id") in memory.gifts:
        return present_gift(memory.gifts[data["gift_id"]], has_history)
    if data.get("order_id") in memory.orders:
        return present_order(memory.orders[data["order_id"]], has_history)
    return None


def _reset(memory: Memory, _: Call) -> Done:
    deleted = {
        "orders_deleted": len(memory.orders),
        "gifts_deleted": len(memory.gifts),
        "balances_deleted": 1,
        "ledger_entries_deleted": len(memory.entries),
    }
    memory.clear()
    memory.emit("sandbox.reset", {})
    return Done({"object": "sandbox_reset", **deleted})


def _present_category(category: Json) -> Json:
    name = category["id"]
    address = "https://bestow.test"
    pictures = {"artwork": f"{address}/artwork/{name}.svg", "product_details_url": f"{address}/catalog/{name}"}
    return {**category, **pictures}


def _create_endpoint(memory: Memory, call: Call) -> Done:
    made, is_replay = _once(memory, call.key, call, lambda: create_endpoint(memory, call.body))
    return Done(with_secret(_found(memory.endpoints, made)), 201, is_replay)


def _update_endpoint(memory: Memory, call: Call) -> Done:
    endpoint = _found(memory.endpoints, call.id)
    change_endpoint(memory, endpoint, call.body)
    return Done(endpoint.shown)


def _delete_endpoint(memory: Memory, call: Call) -> Done:
    _found(memory.endpoints, call.id)
    del memory.endpoints[call.id]
    return Done({"endpoint_id": call.id, "deleted": True})


def _rotate_secret(memory: Memory, call: Call) -> Done:
    endpoint = _found(memory.endpoints, call.id)

    def act() -> str:
        rotate_secret(memory, endpoint, call.body)
        return call.id

    _, is_replay = _once(memory, call.key, call, act)
    return Done(with_secret(endpoint), is_replay=is_replay)


ACTS: dict[str, Act] = {
    "getHealth": lambda memory, call: Done({"status": "ok"}),
    "listCategories": lambda memory, call: _list([_present_category(one) for one in RULES["categories"]]),
    "createOrder": _create_order,
    "retrieveOrder": lambda memory, call: Done(present_order(_found(memory.orders, call.id), call.has_history)),
    "listOrders": _list_orders,
    "cancelOrder": _cancel_order,
    "retrieveGift": _retrieve_gift,
    "listGifts": _list_gifts,
    **dict.fromkeys(GIFT_ACTS, _act_on_gift),
    "retrieveBalance": _retrieve_balance,
    "listBalanceEntries": _list_entries,
    "listEvents": _list_events,
    "resetSandbox": _reset,
    "createWebhookEndpoint": _create_endpoint,
    "listWebhookEndpoints": lambda memory, call: _list([one.shown for one in memory.endpoints.values()]),
    "retrieveWebhookEndpoint": lambda memory, call: Done(_found(memory.endpoints, call.id).shown),
    "updateWebhookEndpoint": _update_endpoint,
    "deleteWebhookEndpoint": _delete_endpoint,
    "rotateWebhookSecret": _rotate_secret,
}
