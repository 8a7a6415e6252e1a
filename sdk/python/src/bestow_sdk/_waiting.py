"""What waits: once for tasks, once for threads."""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

Result = TypeVar("Result")
_END_SECONDS = 1.0
"""How long a cancelled attempt may take to end. A transport of the caller may swallow its cancellation."""


class DeadlinePassed(Exception):
    """The attempt took too long."""


async def sleep_async(seconds: float) -> None:
    await asyncio.sleep(seconds)


async def blocking_async(function: Callable[..., Result], *arguments: Any) -> Result:
    """Call what blocks, such as a store."""
    return await asyncio.to_thread(function, *arguments)


async def settle_async(result: object) -> None:
    """Wait for what a function of the caller returned, if it is a coroutine."""
    if inspect.isawaitable(result):
        await result


def settle_sync(result: object) -> None:
    """Ignore what a function of the caller returned."""


async def limited_async(work: Callable[[], Coroutine[Any, Any, None]], seconds: float) -> None:
    """Do the work, or raise DeadlinePassed. `asyncio.wait_for` of Python 3.10 and 3.11 can lose a cancellation."""
    task = asyncio.ensure_future(work())
    try:
        done, _ = await asyncio.wait({task}, timeout=seconds)
    except asyncio.CancelledError:
        await _end(task)
        raise
    if not done:
        await _end(task)
        raise DeadlinePassed
    await task


async def _end(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task}, timeout=_END_SECONDS)
    if task.done() and not task.cancelled():
        task.exception()


def sleep_sync(seconds: float) -> None:
    time.sleep(seconds)


def blocking_sync(function: Callable[..., Result], *arguments: Any) -> Result:
    return function(*arguments)


_limit = threading.local()


def limited_sync(work: Callable[[], None], seconds: float) -> None:
    """Do the work. The deadline is checked between the parts of a body; httpx limits each read."""
    outer = getattr(_limit, "ends", None)
    _limit.ends = time.monotonic() + seconds
    try:
        work()
    finally:
        _limit.ends = outer


def check_deadline_sync() -> None:
    """Raise DeadlinePassed if the attempt of this thread took too long."""
    ends: float | None = getattr(_limit, "ends", None)
    if ends is not None and time.monotonic() >= ends:
        raise DeadlinePassed


async def check_deadline_async() -> None:
    """A task is cancelled at its deadline."""
