"""
Error reporters send away the variables of all frames of an error. Those of this package and of httpx hold the API key,
bodies and queries, so an error leaves the package with empty frames. Files and lines stay.
"""

from __future__ import annotations

import functools
import inspect
import sys
import traceback
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import aclosing
from typing import Any, TypeVar, cast

Target = TypeVar("Target", bound="Callable[..., Any]")


def clear_variables(error: BaseException, handled: BaseException | None) -> None:
    """
    Empty the frames of an error and of its causes, except of those that still run.

    handled: the error that the caller handles during the call; its frames are the caller's.
    """
    pending, seen = [error], {id(handled)}
    while pending:
        one = pending.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        traceback.clear_frames(one.__traceback__)
        causes = (one.__cause__, one.__context__, *getattr(one, "exceptions", ()))
        pending += [cause for cause in causes if cause is not None]


def hides_variables(target: Target) -> Target:
    """Decorate a public function, or a class and so each of its methods: their errors leave them without variables."""
    if isinstance(target, type):
        for name, member in list(vars(target).items()):
            if inspect.isfunction(member):
                setattr(target, name, hides_variables(member))
        return cast(Target, target)
    if inspect.isasyncgenfunction(target):
        made = _generator_async(target)
    elif inspect.iscoroutinefunction(target):
        made = _function_async(target)
    elif inspect.isgeneratorfunction(target):
        made = _generator_sync(target)
    else:
        made = _function_sync(target)
    return cast(Target, functools.wraps(target)(made))


def _function_sync(function: Callable[..., Any]) -> Callable[..., Any]:
    def call(*arguments: Any, **named: Any) -> Any:
        handled = sys.exc_info()[1]
        try:
            return function(*arguments, **named)
        except BaseException as error:
            # This frame is the last one and still runs.
            arguments, named = (), {}
            clear_variables(error, handled)
            raise

    return call


def _function_async(function: Callable[..., Any]) -> Callable[..., Any]:
    async def call(*arguments: Any, **named: Any) -> Any:
        handled = sys.exc_info()[1]
        try:
            return await function(*arguments, **named)
        except BaseException as error:
            arguments, named = (), {}
            clear_variables(error, handled)
            raise

    return call


def _generator_sync(function: Callable[..., Any]) -> Callable[..., Any]:
    def iterate(*arguments: Any, **named: Any) -> Generator[Any, None, None]:
        handled = sys.exc_info()[1]
        try:
            yield from function(*arguments, **named)
        except BaseException as error:
            arguments, named = (), {}
            clear_variables(error, handled)
            raise

    return iterate


def _generator_async(function: Callable[..., Any]) -> Callable[..., Any]:
    async def iterate(*arguments: Any, **named: Any) -> AsyncGenerator[Any, None]:
        handled, item = sys.exc_info()[1], None
        try:
            async with aclosing(function(*arguments, **named)) as items:
                async for item in items:
                    yield item
        except BaseException as error:
            arguments, named, item = (), {}, None
            clear_variables(error, handled)
            raise

    return iterate
