from __future__ import annotations

from datetime import datetime

from .._frames import hides_variables
from .._options import ActOptions
from .._plan import Extra, body_of
from .._query import time_text
from .._typing import Unpack
from .._webhook_types import WebhookResendResult
from .webhook_endpoints_methods import AsyncWebhookEndpointsMethods


@hides_variables
class AsyncWebhookEndpointsResource(AsyncWebhookEndpointsMethods):
    """Addresses to which the service pushes events."""

    async def resend_deliveries(
        self,
        endpoint_id: str,
        *,
        failed: bool | None = None,
        since: str | datetime | None = None,
        **options: Unpack[ActOptions],
    ) -> WebhookResendResult:
        """Push again all events that failed (`failed=True`), or all since a time (`since`, RFC 3339)."""
        if bool(failed) == (since is not None):
            raise ValueError("Pass either failed=True or since.")
        start = None if since is None else time_text("since", since)
        extra = Extra(body_of(failed=failed or None, **{"from": start}))
        kind = WebhookResendResult
        return await self._sender.send(kind, "resendWebhookDeliveries", options, endpoint_id, extra=extra)
