from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast
from urllib.parse import urlencode

from ._json import check_text


def path_with_query(path: str, params: Mapping[str, Any]) -> str:
    """Add the parameters; a list becomes `a,b`, and a mapping `name[key]=value`."""
    pairs: list[tuple[str, str]] = []
    for name, value in params.items():
        if isinstance(value, Mapping):
            entries = cast("Mapping[str, object]", value)
            pairs += [(f"{name}[{key}]", str(one)) for key, one in entries.items()]
        elif value is not None and not (name == "expand" and not value):
            # No parts: the service refuses an empty text.
            pairs.append((name, _text_of(value)))
    for name, text in pairs:
        check_text(name, text)
    return f"{path}?{urlencode(pairs)}" if pairs else path


def _text_of(value: object) -> str:
    if isinstance(value, (list, tuple, set, frozenset)):
        return ",".join(str(one) for one in cast("list[object]", value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def check_params(given: Mapping[str, Any], known: frozenset[str]) -> None:
    """Refuse a misspelt parameter: the service would ignore it in silence."""
    for name in given:
        if name not in known:
            raise TypeError(f"This list has no parameter {name!r}.")
