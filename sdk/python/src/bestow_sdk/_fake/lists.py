"""Pages and filters."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TypeVar

from .gift import address_of, state_of, status_of
from .input import read_time
from .memory import Gift, Json, Order
from .orders import read_phone
from .refusal import Refusal

Query = dict[str, str]
Item = TypeVar("Item")
_DEFAULT_LIMIT = "10"


def page_of(
    oldest_first: Iterable[Item], id_of: Callable[[Item], str], query: Query, matches: Callable[[Item], bool]
) -> tuple[list[Item], bool]:
    """A page of what is given, newest first, and whether there is more."""
    limit, after, before = int(query.get("limit", _DEFAULT_LIMIT)), query.get("starting_after"), query.get("ending_before")
    items = list(oldest_first)[::-1]
    ids = [id_of(item) for item in items]
    if after is not None and after not in ids:
        raise Refusal("cursor_invalid", param="starting_after")
    if before is not None and before not in ids:
        raise Refusal("cursor_invalid", param="ending_before")
    first = 0 if after is None else ids.index(after) + 1
    last = len(items) if before is None else ids.index(before)
    found = [item for item in items[first:last] if matches(item)]
    return found[:limit] if before is None else found[-limit:], len(found) > limit


def _recipient_of(address: str) -> str:
    return read_phone(address) if address.startswith("+") else address.lower()


def _status_of(gift: Gift) -> str:
    shown = {"canceled": "canceled", "waiting": "scheduled"}
    return shown.get(state_of(gift)) or status_of(gift)


_TEXTS: dict[str, Callable[[Gift], str | None]] = {
    "state": state_of,
    "status": _status_of,
    "delivery_method": lambda gift: gift.delivery["method"],
    "recipient": lambda gift: _recipient_of(address_of(gift.delivery)),
    "category": lambda gift: gift.category,
    "external_id": lambda gift: gift.references.get("external_id"),
    "order_id": lambda gift: gift.order_id,
}
_TIMES: dict[str, Callable[[Gift], str | None]] = {
    "created": lambda gift: gift.ordered_at,
    "ordered": lambda gift: gift.ordered_at,
    "delivered": lambda gift: gift.delivered_at,
    "opened": lambda gift: gift.opened_at,
    "claimed": lambda gift: gift.claimed_at,
}


def _is_between(at: str | None, bound: str, wanted: str) -> bool:
    time, limit = read_time(at or ""), read_time(wanted)
    return time is not None and limit is not None and (time > limit if bound == "after" else time < limit)


def matches_gift(gift: Gift, query: Query) -> bool:
    """Whether the gift passes all filters."""
    for name, wanted in query.items():
        time, _, bound = name.rpartition("_")
        metadata = re.fullmatch(r"metadata\[(.*)\]", name)
        if time in _TIMES:
            passes = _is_between(_TIMES[time](gift), bound, wanted)
        elif metadata:
            passes = gift.references.get("metadata", {}).get(metadata[1]) == wanted
        elif name in _TEXTS:
            passes = _TEXTS[name](gift) == (_recipient_of(wanted) if name == "recipient" else wanted)
        else:
            passes = True
        if not passes:
            return False
    return True


_OF_ORDERS = re.compile(r"created_(after|before)|external_id|metadata\[.*\]")
"""Filters of an order by itself; the others ask for one gift that passes all of them."""


def matches_order(order: Order, query: Query) -> bool:
    of_gifts = {name: text for name, text in query.items() if not _OF_ORDERS.fullmatch(name)}
    of_order = {name: text for name, text in query.items() if name not in of_gifts}
    if of_gifts.pop("status", order.status) != order.status:
        return False
    nothing: Json = {"gift_id": "", "amount": 0, "category": "", "delivery": {}, "personalization": {}}
    itself = Gift(order_id=order.order_id, ordered_at=order.created_at, references=order.references, **nothing)
    filters = [name for name in of_gifts if name in _TEXTS or name.rpartition("_")[0] in _TIMES]
    return matches_gift(itself, of_order) and (
        not filters or any(matches_gift(gift, of_gifts) for gift in order.gifts)
    )
