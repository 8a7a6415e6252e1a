from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime
from typing import Any, cast
from urllib.parse import urlencode

from ._json import check_text, check_time


def path_with_query(path: str, params: Mapping[str, Any]) -> str:
    """Add the parameters; a list becomes `a,b`, and a mapping `name[key]=value`."""
    pairs: list[tuple[str, str]] = []
    for name, value in params.items():
        if isinstance(value, Mapping):
            entries = cast("Mapping[str, object]", value)
            pairs += [(f"{name}[{key}]", _text_of(f"{name}.{key}", one)) for key, one in entries.items()]
        elif value is not None and not (name == "expand" and not value):
            # No parts: the service refuses an empty text.
            pairs.append((name, _text_of(name, value)))
    for name, text in pairs:
        check_text(name, text)
    return f"{path}?{urlencode(pairs)}" if pairs else path


def _text_of(name: str, value: object) -> str:
    """Refuse what is no text, number, time, or list of these: as a text it would filter nothing, or all."""
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(_text_of(name, one) for one in cast("list[object]", value))
    if isinstance(value, datetime):
        check_time(name, value)
        return value.isoformat()
    if isinstance(value, date):
        raise TypeError(f"{name} must be a time with its zone, as a datetime: a day begins at another time in each zone.")
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (str, int, float)):
        return str(value)
    raise TypeError(f"{name} must be a text, a number or a time.")


def time_text(name: str, value: object) -> str:
    """Return a time as it is sent. Raise TypeError or ValueError with the name if it is none."""
    text = _text_of(name, value)
    if not re.fullmatch(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})", text):
        raise ValueError(f"{name} must be a time with its zone, such as 2026-11-21T12:00:00Z.")
    return text


def check_params(given: Mapping[str, Any], known: frozenset[str]) -> None:
    """Refuse a misspelt parameter: the service would ignore it in silence."""
    for name in given:
        if name not in known:
            raise TypeError(f"This list has no parameter {name!r}.")
