"""The operations of the service, as `openapi.json` has them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import cast
from urllib.parse import quote

from ._json import check_text


@dataclass(frozen=True)
class Operation:
    method: str
    path: str
    mark: str
    """The member that tells an answer of the service from other JSON, such as a gateway's."""
    expected: type | str = str
    """Its type, or its text."""
    takes_key: bool = False
    """Whether all attempts carry an `Idempotency-Key`."""
    is_sent_once: bool = False
    """Whether a repeat could do more than the first request, or answer something else."""
    may_use_all_time: bool = False
    """Whether one attempt may take as long as the whole call."""

    @property
    def takes_expand(self) -> bool:
        """Whether a call can ask for more about the gifts of the answer. A list takes it as a parameter."""
        return self.mark in ("order_id", "gift_id")

    def marks(self, answer: object) -> bool:
        """Whether the service wrote this answer."""
        if not isinstance(answer, dict):
            return False
        value = cast("dict[str, object]", answer).get(self.mark)
        return type(value) is self.expected if isinstance(self.expected, type) else value == self.expected

    def path_of(self, *ids: str) -> str:
        """Put the ids into the path. Refuse an id that would lead to another path."""
        path = self.path
        for one in ids:
            before, _, rest = path.partition("{")
            path = f"{before}{quoted_id(one)}{rest.partition('}')[2]}"
        return path


def quoted_id(text: str) -> str:
    if not isinstance(text, str):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("The id must be a string.")
    if text.strip(". ") == "":
        raise ValueError("The id is missing.")
    check_text("The id", text)
    return quote(text, safe="")


def later_operation(method: str, path: str, has_key: bool) -> Operation:
    """An operation that this version does not know. Its answer is any JSON object."""
    if not path.startswith("/"):
        raise ValueError("The path must begin with a slash.")
    if any(character <= " " or character in "#\x7f" for character in path):
        raise ValueError("The path must have no blanks and no fragment.")
    is_sent_once = method.upper() != "GET" and not has_key
    return Operation(method.upper(), path, "", object, takes_key=has_key, is_sent_once=is_sent_once)


_ORDER = "/v1/orders/{order_id}"
_GIFT = "/v1/gifts/{gift_id}"
_SANDBOX_GIFT = "/v1/sandbox/gifts/{gift_id}"
_CONTACT = "/v1/contacts/{contact_id}"
_ENDPOINTS = "/v1/webhook_endpoints"
_ENDPOINT = "/v1/webhook_endpoints/{endpoint_id}"

OPERATIONS: Mapping[str, Operation] = {
    "getHealth": Operation("GET", "/v1/health", "status", "ok"),
    "getOpenapi": Operation("GET", "/v1/openapi.json", "openapi"),
    "listCategories": Operation("GET", "/v1/categories", "object", "list"),
    "createOrder": Operation("POST", "/v1/orders", "order_id", takes_key=True),
    "listOrders": Operation("GET", "/v1/orders", "object", "list"),
    "retrieveOrder": Operation("GET", _ORDER, "order_id"),
    "cancelOrder": Operation("POST", f"{_ORDER}/cancel", "order_id", takes_key=True),
    "listGifts": Operation("GET", "/v1/gifts", "object", "list"),
    "retrieveGift": Operation("GET", _GIFT, "gift_id"),
    "redirectGift": Operation("PUT", f"{_GIFT}/delivery", "gift_id", takes_key=True),
    "replaceGiftLink": Operation("POST", f"{_GIFT}/link", "gift_id", takes_key=True),
    "resendGift": Operation("POST", f"{_GIFT}/resend", "gift_id", takes_key=True),
    "cancelGift": Operation("POST", f"{_GIFT}/cancel", "gift_id", takes_key=True),
    "scheduleGift": Operation("POST", f"{_GIFT}/schedule", "gift_id", takes_key=True),
    "listContacts": Operation("GET", "/v1/contacts", "object", "list"),
    "saveContact": Operation("PUT", "/v1/contacts", "contact_id"),
    "retrieveContact": Operation("GET", _CONTACT, "contact_id"),
    "deleteContact": Operation("DELETE", _CONTACT, "contact_id", is_sent_once=True),
    "retrieveBalance": Operation("GET", "/v1/balance", "object", "balance"),
    "listBalanceEntries": Operation("GET", "/v1/balance/entries", "object", "list"),
    "retrieveLedgerStatement": Operation("GET", "/v1/balance/statements/{month}", "object", "ledger_statement"),
    "retrieveLedgerCheckpoint": Operation("GET", "/v1/ledger/checkpoint", "object", "ledger_checkpoint"),
    "retrieveLedgerProof": Operation("GET", "/v1/ledger/proof", "object", "ledger_proof"),
    "simulateDelivery": Operation("POST", f"{_SANDBOX_GIFT}/deliver", "gift_id", is_sent_once=True),
    "simulateOpen": Operation("POST", f"{_SANDBOX_GIFT}/open", "gift_id"),
    "simulateClaim": Operation("POST", f"{_SANDBOX_GIFT}/claim", "gift_id", is_sent_once=True),
    "simulateSpend": Operation("POST", f"{_SANDBOX_GIFT}/spend", "gift_id"),
    "resetSandbox": Operation(
        "POST", "/v1/sandbox/reset", "object", "sandbox_reset", is_sent_once=True, may_use_all_time=True
    ),
    "createWebhookEndpoint": Operation("POST", _ENDPOINTS, "endpoint_id", takes_key=True),
    "listWebhookEndpoints": Operation("GET", _ENDPOINTS, "object", "list"),
    "retrieveWebhookEndpoint": Operation("GET", _ENDPOINT, "endpoint_id"),
    "updateWebhookEndpoint": Operation("PATCH", _ENDPOINT, "endpoint_id"),
    "deleteWebhookEndpoint": Operation("DELETE", _ENDPOINT, "endpoint_id", is_sent_once=True),
    "rotateWebhookSecret": Operation("POST", f"{_ENDPOINT}/rotate_secret", "endpoint_id", takes_key=True),
    "enableWebhookEndpoint": Operation("POST", f"{_ENDPOINT}/enable", "endpoint_id", takes_key=True),
    "testWebhookEndpoint": Operation("POST", f"{_ENDPOINT}/test", "accepted", bool, is_sent_once=True),
    "listWebhookDeliveries": Operation("GET", f"{_ENDPOINT}/deliveries", "object", "list"),
    "resendWebhookDelivery": Operation(
        "POST", f"{_ENDPOINT}/deliveries/{{event_id}}/resend", "resent", int, takes_key=True
    ),
    "resendWebhookDeliveries": Operation("POST", f"{_ENDPOINT}/resend", "resent", int, takes_key=True),
    "listEvents": Operation("GET", "/v1/events", "object", "list"),
}


def is_key(key: object) -> bool:
    """Return whether a request can carry the idempotency key as it is."""
    return isinstance(key, str) and re.fullmatch(r"[!-~]([ -~]{0,253}[!-~])?", key) is not None
