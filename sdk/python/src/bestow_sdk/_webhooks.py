from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import re
import time
import uuid
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ._event_types import WebhookEvent
from ._frames import hides_variables
from ._json import parse_json

_TOLERANCE_SECONDS = 300
_HEADERS = ("webhook-id", "webhook-timestamp", "webhook-signature")


class WebhookVerificationError(Exception):
    """The request was not signed with the secret, is too old, or is not an event. Answer 400."""


@hides_variables
def verify_webhook(
    body: str | bytes, headers: Mapping[str, Any] | Iterable[tuple[Any, Any]], secret: str | bytes
) -> WebhookEvent:
    """
    Check the signature of a webhook request (Standard Webhooks 1.0), and return its event.

    body: as it was received, not parsed and written again.
    headers: of the request; names in any case, also `HTTP_WEBHOOK_ID` of WSGI and the pairs of ASGI.
    secret: of the endpoint; it begins with `whsec_`.
    """
    if not isinstance(body, (str, bytes, bytearray, memoryview)):  # pyright: ignore[reportUnnecessaryIsInstance]
        _refuse(f"The body is a parsed {type(body).__name__}. Pass the body as received, as bytes or text.")
    content = _encode(body) if isinstance(body, str) else bytes(body)
    key = _key_of(secret)
    names = _normalized(headers)
    identifier, timestamp, signatures = (_required(names, name) for name in _HEADERS)
    if not re.fullmatch(r"[0-9]{1,15}", timestamp) or abs(time.time() - int(timestamp)) > _TOLERANCE_SECONDS:
        _refuse("The webhook's timestamp is more than five minutes away. Check your clock.")
    expected = _sign(key, identifier, timestamp, content).encode()
    if not any(hmac.compare_digest(expected, _encode(one)) for one in signatures.split(" ")):
        if _is_encoded(content):
            _refuse("The body is Base64 of JSON. Decode it first, as API Gateway's isBase64Encoded says.")
        _refuse("The signature does not fit. Pass the body as received, and this endpoint's secret.")
    parsed = parse_json(content)
    if not isinstance(parsed, dict):
        raise WebhookVerificationError("The webhook's body is not JSON, or not an object.")
    event = cast(dict[str, Any], parsed)
    if "timestamp" in event:
        event.setdefault("created_at", event["timestamp"])
    return cast(WebhookEvent, event)


@hides_variables
def sign_test_webhook(
    body: str | bytes, secret: str | bytes, *, id: str | None = None, timestamp: int | None = None
) -> dict[str, str]:
    """Return the headers of a signed push, for your own tests."""
    content = _encode(body) if isinstance(body, str) else body
    identifier = id or f"evt_{uuid.uuid4().hex}"
    seconds = str(int(time.time()) if timestamp is None else timestamp)
    signature = _sign(_key_of(secret), identifier, seconds, content)
    return dict(zip(_HEADERS, (identifier, seconds, signature), strict=True))


def _sign(key: bytes, identifier: str, timestamp: str, body: bytes) -> str:
    signed = _encode(f"{identifier}.{timestamp}.") + body
    return "v1," + base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()


def _encode(text: str) -> bytes:
    """Encode any text, also with half of a surrogate pair: then the signature does not fit."""
    return text.encode("utf-8", "surrogatepass")


def _refuse(message: str) -> None:
    raise WebhookVerificationError(message)


def _key_of(secret: object) -> bytes:
    if isinstance(secret, bytes):
        secret = secret.decode("latin-1")
    if not isinstance(secret, str) or secret.strip() == "":
        raise WebhookVerificationError("The secret is missing. Pass the endpoint's secret, which begins with whsec_.")
    text = secret.strip().removeprefix("whsec_")
    try:
        key = base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except (binascii.Error, ValueError):
        key = b""
    if key == b"":
        raise WebhookVerificationError("The secret is not one of a webhook endpoint, which begins with whsec_.")
    return key


def _normalized(headers: Mapping[str, Any] | Iterable[tuple[Any, Any]]) -> dict[str, str]:
    """Names in lower case with dashes. Refuse two values of a header that is signed: which one a proxy read is unknown."""
    items = getattr(headers, "items", None)
    names: dict[str, str] = {}
    try:
        pairs = cast("Iterable[tuple[object, object]]", items() if callable(items) else headers)
        for name, value in pairs:
            name = _text_of(name).lower().removeprefix("http_").replace("_", "-")
            values = cast("list[object]", value) if isinstance(value, (list, tuple)) else [value]
            for text in map(_text_of, values):
                if names.setdefault(name, text) != text and name in _HEADERS:
                    _refuse(f"The webhook has the header {name} more than once.")
    except (TypeError, ValueError):
        message = f"The headers are a {type(headers).__name__}. Pass the headers of the request."
        raise WebhookVerificationError(message) from None
    return names


def _text_of(value: object) -> str:
    return value.decode("latin-1") if isinstance(value, bytes) else str(value)


def _required(names: Mapping[str, str], name: str) -> str:
    value = names.get(name, "")
    if value == "":
        raise WebhookVerificationError(f"The webhook has no header {name}. Pass the headers of the request.")
    return value


def _is_encoded(content: bytes) -> bool:
    try:
        return base64.b64decode(content.strip(), validate=True).lstrip().startswith(b"{")
    except (binascii.Error, ValueError):
        return False
