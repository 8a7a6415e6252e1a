"""What happens to a gift, and how answers show it."""

from __future__ import annotations

from datetime import timedelta

from .memory import Gift, Json, Memory

_LINK_LASTS = timedelta(days=30)

_STEPS = {"delivered": 1, "opened": 2, "claimed": 3, "spent": 4}
"""How far an address takes its gift."""


def address_of(delivery: dict[str, str]) -> str:
    return delivery.get("email") or delivery.get("phone") or ""


def status_of(gift: Gift) -> str:
    if gift.claimed_at is not None:
        return "claimed"
    if gift.opened_at is not None:
        return "opened"
    return "sent" if gift.failed_at is None else "failed"


def state_of(gift: Gift) -> str:
    if gift.canceled_at is not None:
        return "canceled"
    if gift.spent_at is not None:
        return "spent"
    if gift.sent_at is None:
        return "waiting"
    status = status_of(gift)
    return "delivered" if status == "sent" and gift.delivered_at is not None else status


def _history_of(gift: Gift) -> Json:
    return {
        "state": state_of(gift),
        "ordered_at": gift.ordered_at,
        "scheduled_for": gift.scheduled_for,
        "sent_at": gift.sent_at,
        "delivered_at": gift.delivered_at,
        "failed_at": gift.failed_at,
        "failure": gift.failed_at and {"reason": "unknown", "retryable": False, "provider_message": None},
        "opened_at": gift.opened_at,
        "claimed_at": gift.claimed_at,
        "spent": {"amount": gift.amount if gift.spent_at else 0, "last_at": gift.spent_at},
        "declined_at": None,
        "canceled_at": gift.canceled_at,
        "cancel_reason": gift.cancel_reason,
        "refunded": gift.amount if gift.canceled_at else 0,
        "expires_at": None,
        "held_since": None,
        "erased_at": None,
    }


def _cancellation_of(gift: Gift) -> Json:
    return {"canceled_at": gift.canceled_at, "reason": gift.cancel_reason, "refunded": gift.amount}


def present_gift(gift: Gift, has_history: bool) -> Json:
    """The gift as answers show it."""
    address = {name: text for name, text in gift.delivery.items() if name != "method"}
    shown: Json = {
        "gift_id": gift.gift_id,
        "amount": gift.amount,
        "category": gift.category,
        "delivery": {"method": gift.delivery["method"], "status": status_of(gift), **address},
        "personalization": gift.personalization,
        **gift.references,
    }
    if gift.scheduled_for is not None:
        shown["scheduled_for"] = gift.scheduled_for
    if gift.canceled_at is not None:
        shown["cancellation"] = _cancellation_of(gift)
    if has_history:
        shown["history"] = _history_of(gift)
    return shown


def _emit(memory: Memory, kind: str, gift: Gift, **part: object) -> None:
    memory.emit(kind, {"order_id": gift.order_id, "gift_id": gift.gift_id, **part})


def emit_delivery(memory: Memory, kind: str, gift: Gift, **more: object) -> None:
    _emit(memory, kind, gift, **more, delivery={"status": status_of(gift)})


def settle(memory: Memory, gift: Gift, outcome: str) -> None:
    """Settle the delivery as `delivered` or `failed`."""
    gift.failed_at = memory.now() if outcome == "failed" else None
    gift.is_pending = False
    if outcome == "delivered":
        gift.delivered_at = memory.now()
    emit_delivery(memory, "gift.delivery_failed" if outcome == "failed" else "gift.delivered", gift)


def open_gift(memory: Memory, gift: Gift) -> None:
    if gift.opened_at is None:
        if gift.is_pending:
            settle(memory, gift, "delivered")
        gift.opened_at = memory.now()
        emit_delivery(memory, "gift.opened", gift)


def claim(memory: Memory, gift: Gift) -> None:
    open_gift(memory, gift)
    gift.claimed_at = memory.now()
    emit_delivery(memory, "gift.claimed", gift)


def spend(memory: Memory, gift: Gift) -> None:
    if gift.spent_at is None:
        gift.spent_at = memory.now()
        _emit(memory, "gift.spent", gift, purchase={"amount": gift.amount, "amount_left": 0})


def cancel(memory: Memory, gift: Gift, reason: str | None) -> None:
    gift.canceled_at = memory.now()
    gift.cancel_reason = reason
    memory.post("refund", gift.amount, gift_id=gift.gift_id)
    _emit(memory, "gift.canceled", gift, cancellation=_cancellation_of(gift))


def send_again(memory: Memory, gift: Gift, reason: str, effect: str | None) -> None:
    """Send the gift once more, perhaps to another address."""
    gift.failed_at = None
    gift.resends += 1
    status = "opened" if _STEPS.get(effect or "", 0) >= 2 else "sent"
    _emit(memory, "gift.redirected", gift, reason=reason, delivery={"status": status})
    send(memory, gift, effect)


def replace_link(memory: Memory, gift: Gift) -> None:
    """Give a link gift another link."""
    if gift.delivery["method"] == "link":
        gift.delivery = {**gift.delivery, "link": f"https://bestow.test/g/{memory.next_id('fake')}"}
        gift.link_ends = memory.time() + _LINK_LASTS


def renew_link(memory: Memory, gift: Gift) -> None:
    """Give a link gift another link if that has expired."""
    if gift.canceled_at is None and gift.link_ends is not None and gift.link_ends <= memory.time():
        replace_link(memory, gift)


def send(memory: Memory, gift: Gift, effect: str | None) -> None:
    """Send the gift; its address decides how far it gets."""
    gift.sent_at = memory.now()
    gift.is_pending = gift.delivery["method"] != "link"
    steps = _STEPS.get(effect or "", 0)
    if effect == "failed":
        settle(memory, gift, "failed")
    if steps >= 1:
        settle(memory, gift, "delivered")
    if steps >= 2:
        open_gift(memory, gift)
    if steps >= 3:
        claim(memory, gift)
    if steps >= 4:
        spend(memory, gift)
