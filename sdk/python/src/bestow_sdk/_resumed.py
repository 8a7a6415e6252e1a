from __future__ import annotations

from dataclasses import dataclass

from ._errors import BestowError
from ._types import Order, OrderInput


@dataclass(frozen=True)
class Resumed:
    """An order that the store had kept, and the result of sending it again: an order or an error."""

    idempotency_key: str
    body: OrderInput
    order: Order | None
    error: BestowError | None
    """If its `outcome_unknown` or `retryable` is true, the store still keeps the order."""
