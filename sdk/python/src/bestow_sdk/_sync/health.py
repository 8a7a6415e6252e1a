# Made by scripts/make_sync.py from ../_async. Do not change it here.
from __future__ import annotations

from typing import Any

from .._frames import hides_variables
from .._options import CallOptions
from .._types import Health
from .._typing import Unpack
from .send import Sender


@hides_variables
class HealthResource:
    def __init__(self, sender: Sender) -> None:
        self._sender = sender

    def __call__(self, **options: Unpack[CallOptions]) -> Health:
        """Ask whether the service is alive."""
        return self._sender.send(Health, "getHealth", options)

    def retrieve(self, **options: Unpack[CallOptions]) -> Health:
        """Deprecated: call `health()`, as in the other clients."""
        return self(**options)

    def openapi(self, **options: Unpack[CallOptions]) -> dict[str, Any]:
        """Read the OpenAPI document of the service."""
        return self._sender.send(dict[str, Any], "getOpenapi", options)
