from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterable
from dataclasses import dataclass, field
from typing import Any

from ._errors import BestowError
from ._frames import hides_variables
from ._types import Order, OrderInput


@dataclass(frozen=True)
class Resumed:
    """An order that the store had kept, and the result of sending it again: an order or an error."""

    idempotency_key: str | None
    """None if the store could not read orders; then `error` is a StoreError."""
    body: OrderInput | None = field(repr=False)
    order: Order | None = field(repr=False)
    error: BestowError | None
    """If its `outcome_unknown` or `retryable` is true, the store still keeps the order."""


@hides_variables
class AsyncResumption:
    """`async for` sends one order after another again. `await` sends them all, and returns the list of the results."""

    def __init__(self, results: Callable[[], AsyncIterator[Resumed]]) -> None:
        self._results = results

    def __aiter__(self) -> AsyncIterator[Resumed]:
        return self._results()

    def __await__(self) -> Generator[Any, None, list[Resumed]]:
        return self._all().__await__()

    async def _all(self) -> list[Resumed]:
        return [one async for one in self]


class Resumption(list[Resumed]):
    """The results of all orders that were sent again."""

    def __init__(self, results: Callable[[], Iterable[Resumed]]) -> None:
        super().__init__(results())
