from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from time import monotonic

from .._errors import InvalidRequestError
from .._event_types import Event
from .._frames import hides_variables
from .._options import split_options
from .._params import EVENT_PARAMS, EventParams
from .._plan import Extra
from .._query import check_params
from .._types import EventPage
from .._typing import Unpack
from .._waiting import settle_async
from .send import AsyncSender

_WAIT_SECONDS = 30
_ANSWER_SECONDS = 15.0
"""For the answer after the wait."""
_PAUSE_SECONDS = 1.0
"""A busy service may answer without the wait."""


@hides_variables
class AsyncEventsResource:
    """What happened, in the order of commits and without holes."""

    def __init__(self, sender: AsyncSender) -> None:
        self._sender = sender

    async def list(self, **params: Unpack[EventParams]) -> EventPage:
        """Read a page of the feed."""
        query, call = split_options(params)
        check_params(query, EVENT_PARAMS)
        extra = Extra(try_timeout=params.get("wait", 0) + _ANSWER_SECONDS)
        return await self._sender.send(EventPage, "listEvents", call, params=query, extra=extra)

    async def stream(
        self,
        *,
        after: int | None = None,
        types: Sequence[str] | None = None,
        on_gap: Callable[[int | None, int], object] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> AsyncIterator[Event]:
        """
        Read for ever: wait for new events, and go on after restarts and lost connections. Store `sequence` with your
        own change, and begin there again (`after`).

        on_gap: called with `after` and the first sequence held if events between them were deleted or undone. The
            stream then goes on from there. Without it the stream raises InvalidRequestError `cursor_invalid`.
        headers: further headers of each request.
        """
        sent = headers or {}
        while True:
            started = monotonic()
            try:
                page = await self._read(after, types, 1000, _WAIT_SECONDS, sent)
            except InvalidRequestError as error:
                if on_gap is None or error.code != "cursor_invalid":
                    raise
                first = (await self._read(None, None, 1, 0, sent))["first_sequence"]
                await settle_async(on_gap(after, first))
                after = first - 1
                continue
            for event in page["data"]:
                yield event
            after = page["next_after"]
            is_at_end = not page["data"] and not page["has_more"]
            if is_at_end and monotonic() - started < _PAUSE_SECONDS:
                await self._sender.pause(_PAUSE_SECONDS)

    async def _read(
        self, after: int | None, types: Sequence[str] | None, limit: int, wait: int, headers: Mapping[str, str]
    ) -> EventPage:
        params = {"after": after, "types": types, "limit": limit, "wait": wait or None}
        extra = Extra(try_timeout=wait + _ANSWER_SECONDS, is_endless=True)
        call = {"timeout": float("inf"), "headers": headers}
        return await self._sender.send(EventPage, "listEvents", call, params=params, extra=extra)
