"""Webhook endpoints and their signed pushes."""

from __future__ import annotations

import base64
import json
import re
import secrets
from datetime import timedelta

from .._webhooks import sign_test_webhook
from .memory import Endpoint, FakePush, Json, Memory, text_of
from .refusal import Refusal, invalid
from .rules import RULES

_SECRET_BYTES = 32
_OVERLAP_HOURS = 24
_MOST_ENDPOINTS = 10


def _new_secret() -> str:
    return f"whsec_{base64.b64encode(secrets.token_bytes(_SECRET_BYTES)).decode()}"


def with_secret(endpoint: Endpoint) -> Json:
    """The endpoint as only the answer that made it shows it."""
    return {**endpoint.shown, "secret": endpoint.secrets[0]}


def _read_url(url: str) -> str:
    """The address as it is requested."""
    if not re.fullmatch(RULES["endpoint"], url):
        rule = "must be an https:// address without user and fragment, with the port 443 or one from 1024 on"
        raise invalid("url", rule)
    if re.match(RULES["private_endpoint"], url):
        raise invalid("url", "must have a public address")
    return url if "/" in url.removeprefix("https://") else f"{url}/"


def create_endpoint(memory: Memory, given: Json) -> str:
    url = _read_url(given["url"])
    if len(memory.endpoints) >= _MOST_ENDPOINTS:
        raise Refusal("webhook_endpoint_limit_reached")
    endpoint_id = memory.next_id("wh")
    shown = {
        "endpoint_id": endpoint_id,
        "url": url,
        "description": given.get("description"),
        "types": given.get("types"),
        "ordered": given.get("ordered", False),
        "status": "enabled",
        "disabled_reason": None,
        "disabled_at": None,
        "failing_since": None,
        "paused_until": None,
        "sequence": memory.sequence,
        "previous_secret_until": None,
        "created_at": memory.now(),
    }
    memory.endpoints[endpoint_id] = Endpoint(shown, [_new_secret()])
    return endpoint_id


def change_endpoint(memory: Memory, endpoint: Endpoint, change: Json) -> None:
    shown = endpoint.shown
    status, url = shown["status"], change.get("url") or shown["url"]
    shown.update({**change, "url": _read_url(url)})
    if shown["status"] != status:
        is_disabled = shown["status"] == "disabled"
        shown["disabled_reason"] = "requested" if is_disabled else None
        shown["disabled_at"] = memory.now() if is_disabled else None


def rotate_secret(memory: Memory, endpoint: Endpoint, body: Json) -> None:
    """Sign with a new secret, and for some hours with the earlier one too."""
    hours = body.get("overlap_hours", _OVERLAP_HOURS)
    endpoint.secrets = [_new_secret(), *endpoint.secrets[: 1 if hours else 0]]
    endpoint.shown["previous_secret_until"] = text_of(memory.time() + timedelta(hours=hours))


def push(memory: Memory) -> None:
    """Push what happened to every endpoint that wants it."""
    for endpoint in memory.endpoints.values():
        if endpoint.shown["status"] == "disabled":
            continue
        types, after = endpoint.shown["types"], endpoint.shown["sequence"]
        endpoint.shown["sequence"] = memory.sequence
        for event in memory.events:
            if event["sequence"] > after and (types is None or event["type"] in types):
                _push_to(memory, endpoint, event)


def _push_to(memory: Memory, endpoint: Endpoint, event: Json) -> None:
    named = {name: event[name] for name in ("type", "data", "event_id", "sequence")}
    pushed = {**named, "timestamp": event["created_at"], "previous_sequence": endpoint.last_sequence}
    body = json.dumps(pushed, ensure_ascii=False).encode()
    signed = [sign_test_webhook(body, secret, id=event["event_id"]) for secret in endpoint.secrets]
    signature = " ".join(one["webhook-signature"] for one in signed)
    headers = {"content-type": "application/json", **signed[0], "webhook-signature": signature}
    endpoint.last_sequence = event["sequence"]
    memory.pushes.append(FakePush(endpoint.shown["url"], headers, body))
