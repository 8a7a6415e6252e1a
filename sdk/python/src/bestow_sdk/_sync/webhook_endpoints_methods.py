# Made by scripts/make_sync.py from ../_async. Do not change it here.
# Code generated from openapi.json by npm run generate. DO NOT EDIT.
from __future__ import annotations

from .._frames import hides_variables
from .._options import ActOptions, CallOptions, split_options
from .._params import PAGE_PARAMS, CreateWebhookEndpoint, PageParams, UpdateWebhookEndpoint
from .._plan import Extra, body_of
from .._typing import Unpack
from .._webhook_types import (
    DeletedWebhookEndpoint,
    WebhookAttempt,
    WebhookDelivery,
    WebhookEndpoint,
    WebhookEndpointWithSecret,
    WebhookResendResult,
)
from .lists import Listing
from .send import Sender


@hides_variables
class WebhookEndpointsMethods:
    """
    Addresses that events are pushed to, after Standard Webhooks 1.0. An event that is not accepted is tried ten times
    over 75 hours.
    """

    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def create(self, **members: Unpack[CreateWebhookEndpoint]) -> WebhookEndpointWithSecret:
        """
        Add a webhook endpoint.

        Pushes the events from now on to an address, at most ten addresses in each environment. The answer has the
        secret that signs the pushes; a retry with the same key has the same one.

        Codes of its errors: `resource_missing`, `webhook_endpoint_limit_reached`.
        """
        body, options = split_options(members, takes_key=True)
        return self._sender.send(WebhookEndpointWithSecret, "createWebhookEndpoint", options, extra=Extra(body))

    def list(self, **options: Unpack[CallOptions]) -> Listing[WebhookEndpoint]:
        """
        List webhook endpoints.

        All endpoints of the environment, the first one added first.
        """
        return Listing[WebhookEndpoint](self._sender, "listWebhookEndpoints", options, frozenset(), "")

    def retrieve(self, endpoint_id: str, **options: Unpack[CallOptions]) -> WebhookEndpoint:
        """
        Retrieve a webhook endpoint.

        One endpoint, and whether it accepts its events.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(WebhookEndpoint, "retrieveWebhookEndpoint", options, endpoint_id)

    def update(self, endpoint_id: str, **members: Unpack[UpdateWebhookEndpoint]) -> WebhookEndpoint:
        """
        Change a webhook endpoint.

        Changes the given fields. The next push is as they say. `status` switches the endpoint off, and on again without
        a loss.

        Codes of its errors: `resource_missing`.
        """
        body, options = split_options(members)
        return self._sender.send(
            WebhookEndpoint, "updateWebhookEndpoint", options, endpoint_id, extra=Extra(body)
        )

    def delete(self, endpoint_id: str, **options: Unpack[CallOptions]) -> DeletedWebhookEndpoint:
        """
        Remove a webhook endpoint.

        Removes the endpoint and what is known of its deliveries. The events stay in the feed. It is sent once.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(DeletedWebhookEndpoint, "deleteWebhookEndpoint", options, endpoint_id)

    def rotate_secret(
        self, endpoint_id: str, *, overlap_hours: int | None = None, **options: Unpack[ActOptions]
    ) -> WebhookEndpointWithSecret:
        """
        Replace the secret of a webhook endpoint.

        Signs each push with a new secret, and with the earlier one too for 24 hours or as long as you say. Earlier
        rotations keep what they said, up to 5 secrets at once. An overlap of 0 ends all earlier secrets at once.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(
            WebhookEndpointWithSecret,
            "rotateWebhookSecret",
            options,
            endpoint_id,
            extra=Extra(body_of(overlap_hours=overlap_hours)),
        )

    def enable(
        self, endpoint_id: str, *, from_sequence: int | None = None, **options: Unpack[ActOptions]
    ) -> WebhookEndpoint:
        """
        Switch a webhook endpoint on.

        Continues where the endpoint stopped: no event of the time in between is lost, as long as the feed keeps it. Or
        pushes every event from a sequence on again.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(
            WebhookEndpoint,
            "enableWebhookEndpoint",
            options,
            endpoint_id,
            extra=Extra(body_of(from_sequence=from_sequence)),
        )

    def test(self, endpoint_id: str, **options: Unpack[CallOptions]) -> WebhookAttempt:
        """
        Try a webhook endpoint.

        Pushes an event of the type `webhook.test` once, which is not in the feed, and returns the answer. It works for
        a disabled endpoint too, and changes nothing. It is sent once.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(WebhookAttempt, "testWebhookEndpoint", options, endpoint_id)

    def deliveries(self, endpoint_id: str, **params: Unpack[PageParams]) -> Listing[WebhookDelivery]:
        """
        List the deliveries of a webhook endpoint.

        Each event that was pushed to the endpoint in the last 30 days, with every answer.

        Codes of its errors: `resource_missing`, `cursor_invalid`.
        """
        return Listing[WebhookDelivery](
            self._sender, "listWebhookDeliveries", params, PAGE_PARAMS, "event_id", endpoint_id
        )

    def resend_delivery(
        self, endpoint_id: str, event_id: str, **options: Unpack[ActOptions]
    ) -> WebhookResendResult:
        """
        Send an event to a webhook endpoint again.

        Sends a delivery again, also one that was accepted, with ten tries.

        Codes of its errors: `resource_missing`.
        """
        return self._sender.send(WebhookResendResult, "resendWebhookDelivery", options, endpoint_id, event_id)
