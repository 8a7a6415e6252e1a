"""Orders: placed, completed later, canceled."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta

from .gift import address_of, cancel, present_gift, replace_link, send, state_of
from .input import read_time
from .memory import Gift, Json, Memory, Order, text_of
from .refusal import Refusal, invalid
from .rules import RULES

_KEY_ID = "key_00000000000000000000000000"
"""Of the key that places every order."""
_MAIL_DOMAIN = "@sandbox.gift.test"
_PROCESSING = timedelta(seconds=20)
_LONGEST_WAIT = timedelta(days=366)
_LATEST = timedelta(minutes=5)
_PASSING = ("rate_limit_exceeded", "resource_locked", "idempotency_in_progress")
"""Only the first try of a key meets these."""
_FAILURES = (*_PASSING, "insufficient_balance", "internal_error")


def effect_of(delivery: dict[str, str]) -> str | None:
    """What the service does with gifts to this address, such as `claimed`."""
    address = address_of(delivery).lower()
    name = re.split("[+@]", address)[0] if address.endswith(_MAIL_DOMAIN) else address
    effect: str | None = RULES["steering"].get(name)
    return effect


def read_phone(text: str) -> str:
    """Without spaces, and the `(0)` that is dialed only at home."""
    return re.sub("[ ()-]", "", text.replace("(0)", "", 1))


def read_delivery(given: dict[str, str]) -> dict[str, str]:
    """The address as gifts keep it."""
    return {**given, "phone": read_phone(given["phone"])} if "phone" in given else given


def read_send_at(memory: Memory, text: str, path: str) -> str:
    time, now = read_time(text) or memory.time(), memory.time()
    if time < now - _LATEST:
        raise invalid(path, "must be in the future")
    if time > now + _LONGEST_WAIT:
        raise invalid(path, "must be at most 366 days ahead")
    return text_of(time)


def _gift_of(memory: Memory, order_id: str, given: Json, sender_name: str, path: str) -> Gift:
    if all(one["id"] != given["category"] for one in RULES["categories"]):
        raise invalid(f"{path}category", "is not a category of the catalog")
    send_at = given.get("send_at")
    if send_at is not None and given["delivery"]["method"] == "link":
        raise invalid(f"{path}send_at", "is only for gifts that the service sends")
    return Gift(
        gift_id=memory.next_id("gift"),
        order_id=order_id,
        amount=given["amount"],
        category=given["category"],
        delivery=read_delivery(given["delivery"]),
        personalization={"sender_name": sender_name, **given.get("personalization", {})},
        ordered_at=memory.now(),
        references={name: given[name] for name in ("language", "external_id", "metadata") if name in given},
        scheduled_for=None if send_at is None else read_send_at(memory, send_at, f"{path}send_at"),
    )


def _refuse(memory: Memory, key: str, order: Order) -> None:
    """Raise Refusal as an address asks for it, or if the balance is too low."""
    effects = [effect_of(gift.delivery) or "" for gift in [*order.gifts, *order.later]]
    failures = [effect for effect in effects if effect in _FAILURES]
    if failures and failures[0] in _PASSING and key not in memory.tried_keys:
        memory.tried_keys.add(key)
        raise Refusal(failures[0])
    for failure in failures:
        if failure not in _PASSING:
            raise Refusal(failure)
    if order.amount > memory.balance:
        raise Refusal("insufficient_balance")


def place_order(memory: Memory, key: str, body: Json, sender_name: str) -> Order:
    """Place an order. After Refusal nothing happened."""
    order_id = memory.next_id("ord")
    gifts = [
        _gift_of(memory, order_id, given, sender_name, f"gifts[{index}].") for index, given in enumerate(body["gifts"])
    ]
    references: Json = {name: body[name] for name in ("external_id", "metadata") if name in body}
    for earlier in memory.orders.values():
        if "external_id" in references and earlier.references.get("external_id") == references["external_id"]:
            raise Refusal("external_id_taken", order_id=earlier.order_id)
    effects = [effect_of(gift.delivery) for gift in gifts]
    first = effects.index("processing") if "processing" in effects else len(gifts)
    order = Order(order_id, memory.now(), references, gifts[:first], gifts[first:], memory.time() + _PROCESSING)
    _refuse(memory, key, order)
    memory.orders[order_id] = order
    memory.post("order", -order.amount, order_id=order_id)
    memory.emit("order.created", {"order_id": order_id, "status": order.status})
    for gift in order.gifts:
        _create(memory, gift)
    return order


def _create(memory: Memory, gift: Gift) -> None:
    memory.gifts[gift.gift_id] = gift
    replace_link(memory, gift)
    if gift.scheduled_for is None:
        send(memory, gift, effect_of(gift.delivery))


def _complete(memory: Memory, order: Order, are_sent: bool = True) -> None:
    """Create the gifts of an order that are not there yet, and send them unless they are to be canceled."""
    later, order.later = order.later, []
    if not later:
        return
    order.gifts.extend(later)
    memory.emit("order.processed", {"order_id": order.order_id, "status": "processed"})
    for gift in later:
        if are_sent:
            _create(memory, gift)
        else:
            memory.gifts[gift.gift_id] = gift


def catch_up(memory: Memory) -> None:
    """Do what has come due."""
    now = memory.time()
    for order in list(memory.orders.values()):
        if order.completes_at <= now:
            _complete(memory, order)
    for gift in list(memory.gifts.values()):
        if state_of(gift) == "waiting" and (gift.scheduled_for or "") <= text_of(now):
            send(memory, gift, effect_of(gift.delivery))


def present_order(order: Order, has_history: bool) -> Json:
    """The order as answers show it."""
    shown: Json = {
        "order_id": order.order_id,
        "status": order.status,
        "gifts": [present_gift(gift, has_history) for gift in order.gifts],
        **order.references,
    }
    if has_history:
        shown["history"] = {
            "created_at": order.created_at,
            "amount": order.amount,
            "currency": "USD",
            "ordered_by": {"kind": "key", "id": _KEY_ID, "name": "FakeBestow"},
            "gifts_by_state": dict(Counter(state_of(gift) for gift in order.gifts)),
        }
    return shown


def cancel_order(memory: Memory, order: Order, reason: str | None) -> None:
    """Cancel the gifts that are not claimed."""
    _complete(memory, order, are_sent=False)
    if all(gift.claimed_at is not None for gift in order.gifts):
        raise Refusal("gift_already_redeemed")
    open_gifts = [gift for gift in order.gifts if gift.claimed_at is None and gift.canceled_at is None]
    if not open_gifts:
        return
    cancellation = {
        "canceled_at": memory.now(),
        "reason": reason,
        "refunded": sum(gift.amount for gift in open_gifts),
    }
    memory.emit("order.canceled", {"order_id": order.order_id, "cancellation": cancellation})
    for gift in open_gifts:
        cancel(memory, gift, reason)
