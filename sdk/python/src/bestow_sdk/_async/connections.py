from __future__ import annotations

import os
from collections.abc import Callable

import httpx

from .._options import open_http
from .._place import Place, place_async


class AsyncConnections:
    """
    The HTTP client of a Bestow, for each process and event loop its own. After a fork two processes have the same
    sockets, and one would read the answers of the other.
    """

    def __init__(self, given: httpx.AsyncClient | Callable[[], httpx.AsyncClient] | None) -> None:
        """given: an HTTP client, which the caller closes, or a function that opens one."""
        self._given = given if isinstance(given, httpx.AsyncClient) else None
        self._opens = given if callable(given) else lambda: open_http(httpx.AsyncClient)
        self._user: int | None = None
        """The process that has used the given one."""
        self._unused = [] if self._given else [self._opens()]
        """Opened at once, so that wrong settings show early. It has no sockets yet."""
        self._opened: dict[Place, httpx.AsyncClient] = {}
        """Those of another process stay here untouched: to close them would end TLS for both."""
        self._is_closed = False

    def current(self) -> httpx.AsyncClient:
        """Return the HTTP client of this process and event loop."""
        if self._is_closed:
            raise RuntimeError("The client is closed.")
        if self._given is not None:
            self._user = self._user or os.getpid()
            if self._user != os.getpid():
                advice = "Pass a function that opens one, or make the client after the fork."
                raise RuntimeError(f"The http_client was used before the fork of this process. {advice}")
            return self._given
        place = place_async()
        return self._opened.get(place) or self._open(place)

    def _open(self, place: Place) -> httpx.AsyncClient:
        for other in [one for one in self._opened if one.is_over]:
            self._opened.pop(other, None)
        try:
            http = self._unused.pop()
        except IndexError:
            http = self._opens()
        # Another thread may have been faster; then its one is taken.
        return self._opened.setdefault(place, http)

    async def aclose(self) -> None:
        """Close what was opened here for this process and event loop. Another event loop closes with its own."""
        self._is_closed = True
        mine = self._opened.pop(place_async(), None)
        for http in self._unused if mine is None else [mine, *self._unused]:
            await http.aclose()
