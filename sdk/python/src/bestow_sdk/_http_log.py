"""httpx logs the address of each request at level info. The query of a list may name a person, so it is cut off."""

from __future__ import annotations

import logging
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar

import httpx

_is_own = ContextVar("bestow_sdk_is_own_request", default=False)


class _WithoutQuery(logging.Filter):
    def filter(self, record: logging.LogRecord) -> bool:
        if _is_own.get() and isinstance(record.args, tuple):
            record.args = tuple(
                one.copy_with(query=None) if isinstance(one, httpx.URL) else one for one in record.args
            )
        return True


logging.getLogger("httpx").addFilter(_WithoutQuery())


@contextmanager
def own_request() -> Generator[None, None, None]:
    """Cut the queries that httpx logs in this context. Other requests of the program are logged as before."""
    token = _is_own.set(True)
    try:
        yield
    finally:
        _is_own.reset(token)
