from __future__ import annotations

from .._frames import hides_variables
from .._options import ActOptions, CallOptions, split_options
from .._params import PAGE_PARAMS, CreateEndpoint, PageParams, UpdateEndpoint
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
from .lists import AsyncListing
from .send import AsyncSender


@hides_variables
class AsyncWebhookEndpointsResource:
    """Addresses to which the service pushes events."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def create(self, **endpoint: Unpack[CreateEndpoint]) -> WebhookEndpointWithSecret:
        """Add an endpoint. The secret is in this answer only: keep it."""
        body, options = split_options(endpoint)
        if "idempotency_key" in body:
            options["idempotency_key"] = body.pop("idempotency_key")
        extra = Extra(body)
        return await self._sender.send(WebhookEndpointWithSecret, "createWebhookEndpoint", options, extra=extra)

    def list(self, **options: Unpack[CallOptions]) -> AsyncListing[WebhookEndpoint]:
        """All endpoints, on one page."""
        return AsyncListing[WebhookEndpoint](self._sender, "listWebhookEndpoints", options, frozenset(), "")

    async def retrieve(self, endpoint_id: str, **options: Unpack[CallOptions]) -> WebhookEndpoint:
        return await self._sender.send(WebhookEndpoint, "retrieveWebhookEndpoint", options, endpoint_id)

    async def update(self, endpoint_id: str, **change: Unpack[UpdateEndpoint]) -> WebhookEndpoint:
        """Change an endpoint. A field that is left out stays as it is."""
        body, options = split_options(change)
        extra = Extra(body)
        return await self._sender.send(WebhookEndpoint, "updateWebhookEndpoint", options, endpoint_id, extra=extra)

    async def delete(self, endpoint_id: str, **options: Unpack[CallOptions]) -> DeletedWebhookEndpoint:
        """Delete an endpoint. It is sent once, because a second request answers `resource_missing`."""
        return await self._sender.send(DeletedWebhookEndpoint, "deleteWebhookEndpoint", options, endpoint_id)

    async def rotate_secret(
        self, endpoint_id: str, *, overlap_hours: int | None = None, **options: Unpack[ActOptions]
    ) -> WebhookEndpointWithSecret:
        """Make a new secret. Each push is signed with both secrets for `overlap_hours`, 24 by default."""
        extra = Extra(body_of(overlap_hours=overlap_hours))
        kind = WebhookEndpointWithSecret
        return await self._sender.send(kind, "rotateWebhookSecret", options, endpoint_id, extra=extra)

    async def enable(
        self, endpoint_id: str, *, from_sequence: int | None = None, **options: Unpack[ActOptions]
    ) -> WebhookEndpoint:
        """Switch an endpoint on again: after its last event, or at `from_sequence`."""
        extra = Extra(body_of(from_sequence=from_sequence))
        return await self._sender.send(WebhookEndpoint, "enableWebhookEndpoint", options, endpoint_id, extra=extra)

    async def test(self, endpoint_id: str, **options: Unpack[CallOptions]) -> WebhookAttempt:
        """Push a `webhook.test` event, and return what the endpoint answered. It is sent once."""
        return await self._sender.send(WebhookAttempt, "testWebhookEndpoint", options, endpoint_id)

    def deliveries(self, endpoint_id: str, **params: Unpack[PageParams]) -> AsyncListing[WebhookDelivery]:
        """Events and the attempts to push them, the newest event first."""
        name = "listWebhookDeliveries"
        return AsyncListing[WebhookDelivery](self._sender, name, params, PAGE_PARAMS, "event_id", endpoint_id)

    async def resend_delivery(
        self, endpoint_id: str, event_id: str, **options: Unpack[ActOptions]
    ) -> WebhookResendResult:
        """Push one event again."""
        name = "resendWebhookDelivery"
        return await self._sender.send(WebhookResendResult, name, options, endpoint_id, event_id)

    async def resend_deliveries(
        self,
        endpoint_id: str,
        *,
        failed: bool | None = None,
        since: str | None = None,
        **options: Unpack[ActOptions],
    ) -> WebhookResendResult:
        """Push again all events that failed (`failed=True`), or all since a time (`since`, RFC 3339)."""
        extra = Extra(body_of(failed=failed or None, **{"from": since}))
        kind = WebhookResendResult
        return await self._sender.send(kind, "resendWebhookDeliveries", options, endpoint_id, extra=extra)
