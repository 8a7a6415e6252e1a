"""What each operation does to a gift. They raise Refusal."""

from __future__ import annotations

from collections.abc import Callable

from .gift import address_of, cancel, claim, emit_delivery, open_gift, replace_link, send, send_again, settle, spend
from .gift import state_of, status_of
from .memory import Gift, Json, Memory
from .orders import effect_of, read_delivery, read_send_at
from .refusal import Refusal, invalid


def _require_open(gift: Gift, may_wait: bool = False) -> None:
    """Refuse what a caller cannot do any more, or not yet."""
    if gift.canceled_at is not None:
        raise Refusal("gift_canceled")
    if gift.claimed_at is not None:
        raise Refusal("gift_already_redeemed")
    if not may_wait and state_of(gift) == "waiting":
        raise Refusal("gift_scheduled")


_MOST_RESENDS = 5


def _require_resends(gift: Gift) -> None:
    if gift.resends >= _MOST_RESENDS:
        raise Refusal("gift_resend_limit_reached")


def _require_usable(gift: Gift, while_waiting: str, once_canceled: str = "gift_already_redeemed") -> None:
    """Refuse what the recipient could not do."""
    if gift.canceled_at is not None:
        raise Refusal(once_canceled, reason="gift_canceled")
    if state_of(gift) == "waiting":
        raise Refusal(while_waiting, reason="gift_scheduled")


def _cancel(memory: Memory, gift: Gift, body: Json) -> None:
    if gift.canceled_at is None:
        _require_open(gift, may_wait=True)
        cancel(memory, gift, body.get("reason"))


def _redirect(memory: Memory, gift: Gift, body: Json) -> None:
    delivery = read_delivery(body)
    is_same = address_of(delivery) == address_of(gift.delivery)
    is_waiting = state_of(gift) == "waiting"
    if gift.canceled_at is not None:
        raise Refusal("gift_delivery_not_updatable", reason="gift_canceled")
    if gift.resends and is_same and status_of(gift) == "sent" and (gift.is_pending or is_waiting):
        return  # It is under way.
    if status_of(gift) != "failed" and not is_waiting:
        raise Refusal("gift_delivery_not_updatable")
    _require_resends(gift)
    if is_same:
        raise invalid(delivery["method"], "is the address that the gift has. Send a different one")
    gift.delivery = delivery
    if is_waiting:
        gift.resends += 1
        emit_delivery(memory, "gift.redirected", gift, reason="redirected")
        return
    send_again(memory, gift, "redirected", effect_of(delivery))


def _replace_link(memory: Memory, gift: Gift, _: Json) -> None:
    _require_open(gift)
    _require_resends(gift)
    if gift.delivery["method"] != "link":
        send_again(memory, gift, "link_replaced", effect_of(gift.delivery))
        return
    replace_link(memory, gift)
    gift.resends += 1
    emit_delivery(memory, "gift.redirected", gift, reason="link_replaced")


def _resend(memory: Memory, gift: Gift, _: Json) -> None:
    _require_open(gift)
    if gift.delivery["method"] == "link":
        raise Refusal("gift_delivery_not_updatable")
    _require_resends(gift)
    send_again(memory, gift, "resent", effect_of(gift.delivery))


def _schedule(memory: Memory, gift: Gift, body: Json) -> None:
    time = read_send_at(memory, body["send_at"], "send_at")
    _require_open(gift, may_wait=True)
    if state_of(gift) != "waiting":
        raise Refusal("gift_not_scheduled")
    gift.scheduled_for = time
    if time <= memory.now():
        send(memory, gift, effect_of(gift.delivery))


def _simulate_delivery(memory: Memory, gift: Gift, body: Json) -> None:
    if gift.delivery["method"] == "link":
        raise Refusal("gift_delivery_not_simulatable")
    _require_usable(gift, "gift_delivery_not_simulatable", "gift_already_delivered")
    status, outcome = status_of(gift), body.get("outcome", "delivered")
    if status == outcome == "failed":
        return
    if status != "failed" and not (status == "sent" and gift.is_pending):
        raise Refusal("gift_already_delivered")
    settle(memory, gift, outcome)


def _simulate_open(memory: Memory, gift: Gift, _: Json) -> None:
    _require_usable(gift, "gift_delivery_not_simulatable")
    open_gift(memory, gift)


def _simulate_claim(memory: Memory, gift: Gift, _: Json) -> None:
    _require_usable(gift, "gift_already_redeemed")
    if gift.claimed_at is not None:
        raise Refusal("gift_already_redeemed")
    claim(memory, gift)


def _simulate_spend(memory: Memory, gift: Gift, _: Json) -> None:
    if gift.canceled_at is not None:
        raise Refusal("gift_not_claimed", reason="gift_canceled")
    if gift.claimed_at is None:
        raise Refusal("gift_not_claimed")
    spend(memory, gift)


GIFT_ACTS: dict[str, Callable[[Memory, Gift, Json], None]] = {
    "cancelGift": _cancel,
    "redirectGift": _redirect,
    "replaceGiftLink": _replace_link,
    "resendGift": _resend,
    "scheduleGift": _schedule,
    "simulateDelivery": _simulate_delivery,
    "simulateOpen": _simulate_open,
    "simulateClaim": _simulate_claim,
    "simulateSpend": _simulate_spend,
}
