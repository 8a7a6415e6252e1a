# Made by scripts/make_sync.py from ../_async. Do not change it here.
from __future__ import annotations

import os
from collections.abc import Callable

import httpx

from .._options import open_http
from .._place import Place, place_sync


class Connections:
    """
    The HTTP client of a Bestow, for each process and event loop its own. After a fork two processes have the same
    sockets, and one would read the answers of the other.
    """

    def __init__(self, given: httpx.Client | Callable[[], httpx.Client] | None) -> None:
        """given: an HTTP client, which the caller closes, or a function that opens one."""
        self._given = given if isinstance(given, httpx.Client) else None
        self._opens = given if callable(given) else lambda: open_http(httpx.Client)
        self._user: int | None = None
        """The process that has used the given one."""
        self._unused = [] if self._given else [self._opens()]
        """Opened at once, so that wrong settings show early. It has no sockets yet."""
        self._opened: dict[Place, httpx.Client] = {}
        """Those of another process stay here untouched: to close them would end TLS for both."""
        self._is_closed = False

    def current(self) -> httpx.Client:
        """Return the HTTP client of this process and event loop."""
        if self._is_closed:
            raise RuntimeError("The client is closed.")
        if self._given is not None:
            self._user = self._user or os.getpid()
            if self._user != os.getpid():
                advice = "Pass a function that opens one, or make the client after the fork."
                raise RuntimeError(f"The http_client was used before the fork of this process. {advice}")
            return self._given
        place = place_sync()
        return self._opened.get(place) or self._open(place)

    def _open(self, place: Place) -> httpx.Client:
        for other in [one for one in self._opened if one.is_over]:
            self._opened.pop(other, None)
        try:
            http = self._unused.pop()
        except IndexError:
            http = self._opens()
        # Another thread may have been faster; then its one is taken.
        return self._opened.setdefault(place, http)

    def close(self) -> None:
        """Close what was opened here for this process and event loop. Another event loop closes with its own."""
        self._is_closed = True
        mine = self._opened.pop(place_sync(), None)
        for http in self._unused if mine is None else [mine, *self._unused]:
            http.close()
