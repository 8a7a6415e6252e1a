from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, cast

_MOST_LEVELS = 100


def parse_json(body: bytes | None) -> Any:
    """Return None for what is not JSON."""
    if body is None:
        return None
    try:
        return json.loads(body, parse_constant=_refuse_constant)
    except (ValueError, RecursionError):
        return None


def _refuse_constant(text: str) -> None:
    """Refuse NaN and Infinity, which are not JSON."""
    raise ValueError(text)


def encode_json(body: object) -> bytes:
    """Raise TypeError or ValueError with the name of the field that JSON cannot hold."""
    if isinstance(body, bytes):
        return body
    _check("", body, 0)
    return json.dumps(body, ensure_ascii=False, allow_nan=False, default=_plain).encode()


def _plain(value: Any) -> object:
    """What JSON cannot hold and `_check` allows: a mapping or a time."""
    return dict(cast("Mapping[str, object]", value)) if isinstance(value, Mapping) else value.isoformat()


def check_time(name: str, time: datetime) -> None:
    """Refuse a time without its zone: it is another one in each zone."""
    if time.utcoffset() is None:
        example = "datetime.now(timezone.utc)"
        raise ValueError(f"{name} must be a time with its zone, such as {example} or naive.astimezone().")


def check_text(name: str, text: str) -> None:
    """Refuse half of a surrogate pair, which UTF-8 cannot hold. Python's own error would have the text."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{name} has half of a surrogate pair. Pass text that was decoded without errors.")


def _check(path: str, value: object, level: int) -> None:
    """path: of the field, such as `gifts[0].amount`."""
    name = path or "The body"
    if level > _MOST_LEVELS:
        raise ValueError(f"{name.partition('.')[0]} is nested in itself, or too deeply.")
    if isinstance(value, Mapping):
        for key, member in cast("Mapping[object, object]", value).items():
            if not isinstance(key, str):
                raise TypeError(f"{name} has a key of the type {type(key).__name__}. Keys are texts.")
            check_text(f"A key of {name}", key)
            _check(f"{path}.{key}" if path else key, member, level + 1)
    elif isinstance(value, (list, tuple)):
        for number, item in enumerate(cast("list[object]", value)):
            _check(f"{path}[{number}]", item, level + 1)
    elif isinstance(value, str):
        check_text(name, value)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError(f"{name} is {value}, which JSON cannot hold.")
    elif isinstance(value, datetime):
        check_time(name, value)
    elif not (value is None or isinstance(value, (int, float, date))):
        kind = type(value).__name__
        raise TypeError(f"{name} is of the type {kind}, which JSON cannot hold. Pass a text, a number, a time, a list or a dict.")
