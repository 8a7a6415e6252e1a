"""What a call sends in each attempt, checked and built once."""

from __future__ import annotations

import math
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from ._json import encode_json
from ._operation import Operation
from ._options import VERSION, Options, check_call, merged_headers
from ._query import path_with_query

READ_RETRIES = 4


@dataclass(frozen=True)
class Plan:
    """What to send, checked and built once: if the caller changes the body later, a retry is still the same request."""

    operation: Operation
    path: str = field(repr=False)
    """With the query."""
    body: bytes | None = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    idempotency_key: str | None
    timeout: float
    try_timeout: float
    max_retries: float


@dataclass(frozen=True)
class Extra:
    """What a caller inside of this package wants."""

    body: object = field(default=None, repr=False)
    """Sent as JSON; None for no body."""
    try_timeout: float | None = None
    is_endless: bool = False
    """A stream: as many retries as it takes."""


def plan_call(
    options: Options, operation: Operation, path: str, call: Mapping[str, Any], extra: Extra = Extra()
) -> Plan:
    check_call(call, operation.takes_key, operation.takes_expand)
    path = path_with_query(path, {"expand": call.get("expand")})
    timeout = call.get("timeout", options.timeout)
    key = call.get("idempotency_key", str(uuid.uuid4())) if operation.takes_key else None
    body = None if extra.body is None else encode_json(extra.body)
    headers = {
        **merged_headers(options.headers, call.get("headers") or {}),
        "authorization": f"Bearer {options.api_key}",
        "user-agent": f"bestow-sdk-python/{VERSION}",
        "accept": "application/json",
        "accept-encoding": "gzip",
        "cache-control": "no-store",
    }
    if body is not None:
        headers["content-type"] = "application/json"
    if key is not None:
        headers["idempotency-key"] = key
    given = call.get("max_retries", options.max_retries)
    most = READ_RETRIES if operation.method == "GET" else math.inf
    retries = math.inf if extra.is_endless else most if given is None else given
    try_timeout = math.inf if operation.may_use_all_time else extra.try_timeout or options.try_timeout
    return Plan(operation, path, body, headers, key, timeout, try_timeout, retries)


def body_of(**members: object) -> dict[str, object]:
    """The members that were given."""
    return {name: value for name, value in members.items() if value is not None}
