# Made by scripts/make_sync.py from ../_async. Do not change it here.
# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import ExpandActOptions, ExpandOptions
from .._params import ORDER_PARAMS, OrderParams
from .._plan import Extra, body_of
from .._types import Order
from .._typing import Unpack
from .lists import Listing
from .send import Sender


@hides_variables
class OrdersMethods:
    """Buy gifts: one debit per order, never twice."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, **params: Unpack[OrderParams]) -> Listing[Order]:
        """
        List orders.

        All paid orders of the organization in this environment, most recent first. A client that polls with
        `ending_before` never misses an order.

        Codes of its errors: `cursor_invalid`.
        """
        return Listing[Order](self._sender, "listOrders", params, ORDER_PARAMS, "order_id")

    def cancel(self, order_id: str, *, reason: str | None = None, **options: Unpack[ExpandActOptions]) -> Order:
        """
        Cancel an order.

        Takes every unclaimed gift of the order back in one step, as when each is canceled. Gifts that a `processing`
        order has not created yet are canceled too, and the order is `processed`. Claimed gifts stay as they are.
        Canceling it again changes nothing.

        Codes of its errors: `resource_missing`, `gift_already_redeemed`.
        """
        return self._sender.send(Order, "cancelOrder", options, order_id, extra=Extra(body_of(reason=reason)))

    def retrieve(self, order_id: str, **options: Unpack[ExpandOptions]) -> Order:
        """
        Retrieve an order.

        One order with its gifts, in submission order.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(Order, "retrieveOrder", options, order_id)
