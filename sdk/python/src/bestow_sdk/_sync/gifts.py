# Made by scripts/make_sync.py from ../_async. Do not change it here.
# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from datetime import datetime

from .._frames import hides_variables
from .._options import ExpandActOptions, ExpandOptions
from .._params import GIFT_PARAMS, GiftParams
from .._plan import Extra, body_of
from .._types import Gift, RedirectInput
from .._typing import Unpack
from .lists import Listing
from .send import Sender


@hides_variables
class GiftsResource:
    """The status of each gift."""

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def list(self, **params: Unpack[GiftParams]) -> Listing[Gift]:
        """
        List gifts.

        All gifts of the organization in this environment, most recent purchase first. While an order is `processing`,
        its later gifts are not there yet; they come at the place of their purchase, so that a client that polls with
        `ending_before` may miss them: poll the orders. Lists also show expired redemption links; retrieve a single gift
        to renew its link.

        Codes of its errors: `cursor_invalid`.
        """
        return Listing[Gift](self._sender, "listGifts", params, GIFT_PARAMS, "gift_id")

    def retrieve(self, gift_id: str, **options: Unpack[ExpandOptions]) -> Gift:
        """
        Retrieve a gift.

        One gift and its status. An expired link of a link gift is renewed.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(Gift, "retrieveGift", options, gift_id)

    def redirect(self, gift_id: str, delivery: RedirectInput, **options: Unpack[ExpandActOptions]) -> Gift:
        """
        Send a gift to another address.

        Sends a gift whose delivery failed to a different address, or changes the address of a gift that is not sent
        yet. Links in earlier messages stop working, because the wrong person may have them. A gift can be redirected
        five times, unless the operator has set another number. The request can be repeated: with the same
        `Idempotency-Key`, or to the address to which a message is under way since a redirect, it changes nothing. In
        the sandbox the new address steers the gift, as in an order.

        Codes of its errors: `insufficient_balance`, `resource_missing`, `gift_resend_limit_reached`,
        `gift_delivery_not_updatable`.
        """
        return self._sender.send(Gift, "redirectGift", options, gift_id, extra=Extra(delivery))

    def replace_link(self, gift_id: str, **options: Unpack[ExpandActOptions]) -> Gift:
        """
        Replace a gift's link.

        Ends all links of an unclaimed gift, because someone else may have them. The answer has the new link of a link
        gift; an email or phone gift is sent again to its address. It counts as a redirect. Each call replaces the link
        again.

        Codes of its errors: `resource_missing`, `gift_already_redeemed`, `gift_resend_limit_reached`,
        `gift_delivery_not_updatable`, `gift_canceled`, `gift_scheduled`, `gift_on_hold`.
        """
        return self._sender.send(Gift, "replaceGiftLink", options, gift_id)

    def resend(self, gift_id: str, **options: Unpack[ExpandActOptions]) -> Gift:
        """
        Send a gift again.

        Sends an unclaimed email or phone gift once more to its address. Earlier links stay valid. It counts as a
        redirect. In the sandbox the address steers the delivery.

        Codes of its errors: `resource_missing`, `gift_already_redeemed`, `gift_resend_limit_reached`,
        `gift_delivery_not_updatable`, `gift_canceled`, `gift_scheduled`, `gift_on_hold`.
        """
        return self._sender.send(Gift, "resendGift", options, gift_id)

    def cancel(self, gift_id: str, *, reason: str | None = None, **options: Unpack[ExpandActOptions]) -> Gift:
        """
        Cancel a gift.

        Takes an unclaimed gift back, also one on hold. Its links end, its message is not sent if it still waits, and
        its amount returns to the balance. Canceling it again changes nothing. It cannot be undone.

        Codes of its errors: `resource_missing`, `gift_already_redeemed`.
        """
        return self._sender.send(Gift, "cancelGift", options, gift_id, extra=Extra(body_of(reason=reason)))

    def schedule(self, gift_id: str, *, send_at: str | datetime, **options: Unpack[ExpandActOptions]) -> Gift:
        """
        Change when a gift is sent.

        Changes the time of a gift that was ordered with `send_at`, until it is sent. A time that has come sends it at
        once. The days until it expires and until reminders count from the new time.

        Codes of its errors: `resource_missing`, `gift_already_redeemed`, `gift_canceled`, `gift_not_scheduled`,
        `gift_on_hold`.
        """
        return self._sender.send(Gift, "scheduleGift", options, gift_id, extra=Extra({"send_at": send_at}))
