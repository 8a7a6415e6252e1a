# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions, ExpandOptions
from .._plan import Extra, body_of
from .._types import DeliveryResult, Gift, SandboxResetResult
from .._typing import Unpack
from .send import AsyncSender


@hides_variables
class AsyncSandboxResource:
    """Simulate what a recipient does. Sandbox keys only."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def deliver(
        self, gift_id: str, *, outcome: DeliveryResult = "delivered", **options: Unpack[ExpandOptions]
    ) -> Gift:
        """
        Settle a delivery.

        Settles the pending delivery of an email or phone gift as delivered (the default) or failed. A failed gift can
        be redirected. It is sent once.

        Codes of its errors: `sandbox_endpoint_only`, `resource_missing`, `gift_already_delivered`,
        `gift_delivery_not_simulatable`.
        """
        return await self._sender.send(
            Gift, "simulateDelivery", options, gift_id, extra=Extra(body_of(outcome=outcome))
        )

    async def open(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """
        Open a gift.

        Stamps the gift as opened, once. A claimed gift still shows `claimed`.

        Codes of its errors: `sandbox_endpoint_only`, `resource_missing`, `gift_already_redeemed`,
        `gift_delivery_not_simulatable`.
        """
        return await self._sender.send(Gift, "simulateOpen", options, gift_id)

    async def claim(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """
        Claim a gift.

        Redeems the gift onto a card, once. This also opens an unopened gift. It is sent once.

        Codes of its errors: `sandbox_endpoint_only`, `resource_missing`, `gift_already_redeemed`.
        """
        return await self._sender.send(Gift, "simulateClaim", options, gift_id)

    async def spend(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """
        Spend a gift.

        Spends the rest of the gift's card. Repeating it changes nothing.

        Codes of its errors: `sandbox_endpoint_only`, `resource_missing`, `gift_not_claimed`.
        """
        return await self._sender.send(Gift, "simulateSpend", options, gift_id)

    async def reset(self, **options: Unpack[CallOptions]) -> SandboxResetResult:
        """
        Reset the sandbox.

        Deletes every order, gift, balance and ledger entry of the organization's sandbox, and with them the idempotency
        keys. API keys stay. Add funds before ordering again. It cannot be undone, and a second call deletes what has
        come since. It is sent once. One attempt may take all of `timeout`.

        Codes of its errors: `sandbox_endpoint_only`.
        """
        return await self._sender.send(SandboxResetResult, "resetSandbox", options)
