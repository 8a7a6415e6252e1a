# Made by scripts/make_sync.py from ../_async. Do not change it here.
from __future__ import annotations

from .._frames import hides_variables
from .._options import CallOptions, ExpandActOptions, ExpandOptions
from .._params import GIFT_PARAMS, GiftParams
from .._plan import Extra, body_of
from .._types import DeliveryResult, Gift, RedirectInput, SandboxResetResult
from .._typing import Unpack
from .lists import Listing
from .send import Sender


@hides_variables
class GiftsResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def retrieve(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """Read a gift. Renew the link of a link gift if the link has expired."""
        return self._sender.send(Gift, "retrieveGift", options, gift_id)

    def list(self, **params: Unpack[GiftParams]) -> Listing[Gift]:
        """Newest purchase first. Expired links are not renewed."""
        return Listing[Gift](self._sender, "listGifts", params, GIFT_PARAMS, "gift_id")

    def redirect(self, gift_id: str, delivery: RedirectInput, **options: Unpack[ExpandActOptions]) -> Gift:
        """Send a gift whose delivery failed to another address. All attempts carry one `Idempotency-Key`."""
        return self._sender.send(Gift, "redirectGift", options, gift_id, extra=Extra(delivery))

    def replace_link(self, gift_id: str, **options: Unpack[ExpandActOptions]) -> Gift:
        """
        End all links of an unclaimed gift. The answer has the new link of a link gift; an email or phone gift is sent
        again. It counts as a redirect.
        """
        return self._sender.send(Gift, "replaceGiftLink", options, gift_id)

    def resend(self, gift_id: str, **options: Unpack[ExpandActOptions]) -> Gift:
        """Send an unclaimed email or phone gift once more to its address; earlier links stay valid."""
        return self._sender.send(Gift, "resendGift", options, gift_id)

    def schedule(self, gift_id: str, *, send_at: str, **options: Unpack[ExpandActOptions]) -> Gift:
        """Set another time (RFC 3339) for a gift that is sent later."""
        return self._sender.send(Gift, "scheduleGift", options, gift_id, extra=Extra({"send_at": send_at}))

    def cancel(self, gift_id: str, *, reason: str | None = None, **options: Unpack[ExpandActOptions]) -> Gift:
        """Take an unclaimed gift back, and return its amount to the balance."""
        return self._sender.send(Gift, "cancelGift", options, gift_id, extra=Extra(body_of(reason=reason)))


@hides_variables
class SandboxResource:
    """Simulations. A live key gets `sandbox_endpoint_only`."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def deliver(
        self, gift_id: str, *, outcome: DeliveryResult = "delivered", **options: Unpack[ExpandOptions]
    ) -> Gift:
        """Settle a pending delivery. It is sent once."""
        extra = Extra({"outcome": outcome})
        return self._sender.send(Gift, "simulateDelivery", options, gift_id, extra=extra)

    def open(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """Mark the gift as opened."""
        return self._sender.send(Gift, "simulateOpen", options, gift_id)

    def claim(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """Redeem the gift onto a card. It is sent once."""
        return self._sender.send(Gift, "simulateClaim", options, gift_id)

    def spend(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """Spend what is left on the gift's card."""
        return self._sender.send(Gift, "simulateSpend", options, gift_id)

    def reset(self, **options: Unpack[CallOptions]) -> SandboxResetResult:
        """
        Delete every order, gift and cent of the sandbox, for good; keys stay. A large sandbox takes up to half a
        minute, so one attempt may take all of `timeout`. It is sent once.
        """
        return self._sender.send(SandboxResetResult, "resetSandbox", options)
