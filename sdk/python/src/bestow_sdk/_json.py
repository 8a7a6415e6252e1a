from __future__ import annotations

import json
import math
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
    return json.dumps(body, ensure_ascii=False, allow_nan=False).encode()


def check_text(name: str, text: str) -> None:
    """Refuse half of a surrogate pair, which UTF-8 cannot hold. Python's own error would have the text."""
    if any("\ud800" <= character <= "\udfff" for character in text):
        raise ValueError(f"{name} has half of a surrogate pair. Pass text that was decoded without errors.")


def _check(path: str, value: object, level: int) -> None:
    """path: of the field, such as `gifts[0].amount`."""
    name = path or "The body"
    if level > _MOST_LEVELS:
        raise ValueError(f"{name.partition('.')[0]} is nested in itself, or too deeply.")
    if isinstance(value, dict):
        for key, member in cast("dict[object, object]", value).items():
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
    elif not (value is None or isinstance(value, (int, float))):
        kind = type(value).__name__
        raise TypeError(f"{name} is of the type {kind}, which JSON cannot hold. Pass a text, a number, a list or a dict.")
