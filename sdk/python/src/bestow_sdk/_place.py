from __future__ import annotations

import asyncio
import os
from dataclasses import dataclass


@dataclass(frozen=True)
class Place:
    """Where a connection can be used: in one process, and with asyncio in one event loop of it."""

    process: int
    loop: asyncio.AbstractEventLoop | None = None

    @property
    def is_over(self) -> bool:
        """Whether the event loop was closed. What another process has is its own."""
        return self.loop is not None and self.process == os.getpid() and self.loop.is_closed()


def place_async() -> Place:
    return Place(os.getpid(), asyncio.get_running_loop())


def place_sync() -> Place:
    return Place(os.getpid())
