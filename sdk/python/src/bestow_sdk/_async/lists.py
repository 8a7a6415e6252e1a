from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any, Generic, TypeVar

from .._frames import hides_variables
from .._options import split_options
from .._query import check_params
from .._types import Page
from .send import AsyncSender

Item = TypeVar("Item", bound=Mapping[str, Any])


@hides_variables
class AsyncListing(Generic[Item]):
    """
    `async for` reads all items and loads the pages on the way, newest first; with `ending_before` it goes towards newer
    items, oldest first. `page()` reads the first page, `take(limit)` at most so many items.
    """

    def __init__(
        self,
        sender: AsyncSender,
        name: str,
        given: Mapping[str, Any],
        known: frozenset[str],
        cursor: str,
        *ids: str,
    ) -> None:
        self._params, self._call = split_options(given)
        check_params(self._params, known)
        self._sender, self._name, self._cursor, self._ids = sender, name, cursor, ids

    async def page(self) -> Page[Item]:
        return await self._load(self._params)

    async def take(self, limit: int) -> list[Item]:
        items: list[Item] = []
        if limit > 0:
            async for item in self:
                items.append(item)
                if len(items) >= limit:
                    break
        return items

    async def __aiter__(self) -> AsyncIterator[Item]:
        is_newer = "ending_before" in self._params
        direction = "ending_before" if is_newer else "starting_after"
        is_paged = self._cursor != ""
        params = {"limit": 100, **self._params} if is_paged else self._params
        while True:
            page = await self._load(params)
            items = page["data"][::-1] if is_newer else page["data"]
            for item in items:
                yield item
            cursor = page.get("next_cursor") or (items[-1][self._cursor] if items and is_paged else None)
            if not page["has_more"] or cursor is None:
                return
            params = {**params, direction: cursor}

    async def _load(self, params: Mapping[str, Any]) -> Page[Item]:
        return await self._sender.send(Page[Item], self._name, self._call, *self._ids, params=params)
