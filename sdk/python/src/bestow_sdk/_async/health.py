from __future__ import annotations

from typing import Any

from .._frames import hides_variables
from .._options import CallOptions
from .._types import Health
from .._typing import Unpack
from .send import AsyncSender


@hides_variables
class AsyncHealthResource:
    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def __call__(self, **options: Unpack[CallOptions]) -> Health:
        """Ask whether the service is alive."""
        return await self._sender.send(Health, "getHealth", options)

    async def retrieve(self, **options: Unpack[CallOptions]) -> Health:
        """Deprecated: call `health()`, as in the other clients."""
        return await self(**options)

    async def openapi(self, **options: Unpack[CallOptions]) -> dict[str, Any]:
        """Read the OpenAPI document of the service."""
        return await self._sender.send(dict[str, Any], "getOpenapi", options)
