# Made by scripts/make_sync.py from ../_async. Do not change it here.
from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic

from .._answer import response_of
from .._call import FIRST_PAUSE_SECONDS
from .._errors import BestowError, Facts, TimeoutError
from .._frames import hides_variables
from .._operation import quoted_id
from .._options import ExpandActOptions, ExpandOptions, GiftPart, check_call
from .._plan import body_of
from .._resumed import Resumed, Resumption
from .._store import read_kept
from .._types import GiftInput, Order, Page
from .._typing import Unpack
from .._waiting import blocking_sync
from .orders_methods import OrdersMethods

_LONGEST_LOOK_SECONDS = 5.0


@hides_variables
class OrdersResource(OrdersMethods):
    """Orders. Amounts are in cents."""

    def create(
        self,
        *,
        gifts: Sequence[GiftInput],
        external_id: str | None = None,
        metadata: Mapping[str, str] | None = None,
        **options: Unpack[ExpandActOptions],
    ) -> Order:
        """
        Buy 1 to 10 gifts in one debit. All attempts carry one `Idempotency-Key`, so the order is placed once. After a
        crash, or an error with `outcome_unknown`, call it again with the same key and body to get the placed order.

        Codes of its errors: `insufficient_balance`, `external_id_taken`, `organization_not_configured`.
        """
        body = body_of(gifts=gifts, external_id=external_id, metadata=metadata)
        return self._sender.send_kept(Order, "createOrder", options, body)

    def resume(self, *, expand: Sequence[GiftPart] = ()) -> Resumption:
        """
        Send every order again that the store has kept, with its own key and body. Return the result of each, and last
        the error about orders that the store could not read. The store does not keep `expand`: say here what the orders
        have more than usual.
        """
        return Resumption(lambda: self._resume(expand))

    def _resume(self, expand: Sequence[GiftPart]) -> Iterator[Resumed]:
        store = self._sender.session.options.store
        if store is None:
            raise ValueError("The client has no store. Pass store, such as FolderStore('orders').")
        kept, failure = blocking_sync(read_kept, store)
        for key, body in kept:
            call = ExpandActOptions(idempotency_key=key, expand=expand)
            try:
                order = self._sender.send_kept(Order, "createOrder", call, body, is_resumed=True)
                result = Resumed(key, json.loads(body), order, None)
            except BestowError as error:
                result = Resumed(key, json.loads(body), None, error)
            yield result
        if failure is not None:
            yield Resumed(None, None, None, failure)

    def find_by_external_id(self, external_id: str, **options: Unpack[ExpandOptions]) -> Order | None:
        """Return the order with this `external_id`, or None."""
        check_call(options, False, True)
        if not isinstance(external_id, str) or external_id == "":  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError("The external id is missing.")
        params = {"external_id": external_id, "limit": 1, "expand": options.pop("expand", None)}
        page = self._sender.send(Page[Order], "listOrders", options, params=params)
        return next((order for order in page["data"] if order.get("external_id") == external_id), None)

    def wait_until_processed(self, order_id: str, **options: Unpack[ExpandOptions]) -> Order:
        """Read the order until it is no longer `processing`. Raise TimeoutError after `timeout`, the whole wait."""
        check_call(options, False, True)
        quoted_id("order_id", order_id)
        timeout = options.get("timeout", self._sender.session.options.timeout)
        until, left = monotonic() + timeout, timeout
        pause = FIRST_PAUSE_SECONDS
        while True:
            options["timeout"] = left
            order = self.retrieve(order_id, **options)
            if order["status"] != "processing":
                return order
            # A `pause` of tests takes less than it must.
            left = min(until - monotonic(), left) - pause
            if left <= 0:
                response = response_of(order)
                facts = Facts(attempts=response.attempts, status=response.status, headers=response.headers)
                raise TimeoutError(f"Order {order_id} is still processing after {timeout:g} seconds.", facts)
            self._sender.pause(pause)
            pause = min(2 * pause, _LONGEST_LOOK_SECONDS)
