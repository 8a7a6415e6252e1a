"""Checks bodies and parameters as the service does."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any, TypeGuard

from .refusal import Refusal, invalid
from .rules import RULES

Schema = dict[str, Any]
_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|[+-]\d{2}:\d{2})", re.IGNORECASE)
_KINDS: dict[str, type | tuple[type, ...]] = {
    "string": str,
    "integer": int,
    "boolean": bool,
    "null": type(None),
    "array": list,
}
_LARGEST = 2**53 - 1


def _is_object(value: Any) -> TypeGuard[dict[str, Any]]:
    return isinstance(value, dict)


def _is_list(value: Any) -> TypeGuard[list[Any]]:
    return isinstance(value, list)


def read_time(text: str) -> datetime | None:
    """The time of a text with its zone; None for other texts."""
    if not _TIME.fullmatch(text):
        return None
    # Python 3.10 reads neither Z nor fractions of other lengths.
    plain = re.sub(r"\.(\d+)", lambda part: "." + part[1][:6].ljust(6, "0"), text.upper().replace("Z", "+00:00"))
    try:
        return datetime.fromisoformat(plain)
    except ValueError:
        return None


def _resolved(schema: Schema) -> Schema:
    named: Schema = RULES["schemas"][schema["$ref"].rpartition("/")[2]] if "$ref" in schema else schema
    return named


def normalized(schema: Schema, value: Any) -> Any:
    """The value as JavaScript reads it, without members that are null, although they cannot be: they are absent."""
    named = _resolved(schema)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if _is_list(value):
        return [normalized(named.get("items", {}), one) for one in value]
    if not _is_object(value):
        return value
    if "discriminator" in named:
        reference = named["discriminator"]["mapping"].get(str(value.get(named["discriminator"]["propertyName"])))
        return value if reference is None else normalized({"$ref": reference}, value)
    members, required = named.get("properties", {}), named.get("required", [])

    def is_absent(name: str) -> bool:
        return value[name] is None and name in members and name not in required and not _is_valid(members[name], None)

    return {name: normalized(members.get(name, {}), one) for name, one in value.items() if not is_absent(name)}


def check_input(schema: Schema, value: Any, path: str = "") -> None:
    """Raise Refusal for the first part that is wrong."""
    named = _resolved(schema)
    rule = schema.get("x-rule") or named.get("x-rule") or "is not valid"
    pairs = named.get("additionalProperties")
    if "anyOf" in named:
        if not any(_is_valid(one, value) for one in named["anyOf"]):
            raise invalid(path, rule)
    elif _is_object(pairs):
        # A wrong pair makes the whole wrong.
        if not _is_object(value) or not _are_pairs(named, value):
            raise invalid(path, rule)
    elif "discriminator" in named or named.get("type") == "object":
        _check_object(named, value, path)
    elif not _is_plain(named, value):
        raise invalid(path, rule)
    elif _is_list(value):
        for index, one in enumerate(value):
            check_input(named.get("items", {}), one, f"{path}[{index}]")


def _is_valid(schema: Schema, value: Any) -> bool:
    try:
        check_input(schema, value)
    except Refusal:
        return False
    return True


def _are_pairs(schema: Schema, value: dict[str, Any]) -> bool:
    if len(value) > schema.get("maxProperties", len(value)):
        return False
    names, values = schema.get("propertyNames", {}), schema["additionalProperties"]
    return all(_is_valid(names, name) and _is_valid(values, one) for name, one in value.items())


def _check_object(schema: Schema, value: Any, path: str) -> None:
    if not _is_object(value):
        raise invalid(path, "must be an object") if path else invalid("body", "must be a JSON object")
    prefix = f"{path}." if path else ""
    if "discriminator" in schema:
        name, mapping = schema["discriminator"]["propertyName"], schema["discriminator"]["mapping"]
        if str(value.get(name)) not in mapping:
            raise invalid(prefix + name, f"must be one of {', '.join(mapping)}")
        return check_input({"$ref": mapping[value[name]]}, value, path)
    for name in schema.get("required", []):
        if name not in value:
            raise invalid(prefix + name, "is required")
    for name in value:
        if name not in schema.get("properties", {}):
            raise invalid(prefix + name, "is not known here")
    for name, member in schema.get("properties", {}).items():
        if name in value:
            check_input(member, value[name], prefix + name)
    return None


def _is_plain(schema: Schema, value: Any) -> bool:
    kind = schema.get("type")
    if kind is not None and not isinstance(value, _KINDS[kind]):
        return False
    if kind == "integer" and (isinstance(value, bool) or abs(value) > _LARGEST):
        return False
    if value != schema.get("const", value) or value not in schema.get("enum", [value]):
        return False
    if isinstance(value, str):
        return _is_text(schema, value)
    size = len(value) if _is_list(value) else int(value or 0)
    least: int | None = schema.get("minimum", schema.get("minItems"))
    most: int | None = schema.get("maximum", schema.get("maxItems"))
    return (least is None or least <= size) and (most is None or size <= most)


def _is_text(schema: Schema, text: str) -> bool:
    is_long_enough = schema.get("minLength", 0) <= len(text) <= schema.get("maxLength", len(text))
    # `$` of Python also matches before a line break at the end.
    is_like = "pattern" not in schema or re.fullmatch(schema["pattern"], text) is not None
    is_time = schema.get("format") != "date-time" or read_time(text) is not None
    return is_long_enough and is_like and is_time
