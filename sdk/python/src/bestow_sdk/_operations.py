# Code generated from openapi.json by npm run generate. DO NOT EDIT.
"""The operations of the service, as the document has them."""

from __future__ import annotations

from collections.abc import Mapping

from ._operation import Operation

OPERATIONS: Mapping[str, Operation] = {
    "getHealth": Operation("GET", "/v1/health", "status", "ok"),
    "getOpenapi": Operation("GET", "/v1/openapi.json", "openapi"),
    "listCategories": Operation("GET", "/v1/categories", "object", "list"),
    "createOrder": Operation("POST", "/v1/orders", "order_id", takes_key=True, takes_expand=True),
    "listOrders": Operation("GET", "/v1/orders", "object", "list"),
    "cancelOrder": Operation("POST", "/v1/orders/{order_id}/cancel", "order_id", takes_key=True, takes_expand=True),
    "retrieveOrder": Operation("GET", "/v1/orders/{order_id}", "order_id", takes_expand=True),
    "listGifts": Operation("GET", "/v1/gifts", "object", "list"),
    "retrieveGift": Operation("GET", "/v1/gifts/{gift_id}", "gift_id", takes_expand=True),
    "redirectGift": Operation("PUT", "/v1/gifts/{gift_id}/delivery", "gift_id", takes_key=True, takes_expand=True),
    "replaceGiftLink": Operation("POST", "/v1/gifts/{gift_id}/link", "gift_id", takes_key=True, takes_expand=True),
    "resendGift": Operation("POST", "/v1/gifts/{gift_id}/resend", "gift_id", takes_key=True, takes_expand=True),
    "cancelGift": Operation("POST", "/v1/gifts/{gift_id}/cancel", "gift_id", takes_key=True, takes_expand=True),
    "scheduleGift": Operation("POST", "/v1/gifts/{gift_id}/schedule", "gift_id", takes_key=True, takes_expand=True),
    "listContacts": Operation("GET", "/v1/contacts", "object", "list"),
    "saveContact": Operation("PUT", "/v1/contacts", "contact_id"),
    "retrieveContact": Operation("GET", "/v1/contacts/{contact_id}", "contact_id"),
    "deleteContact": Operation("DELETE", "/v1/contacts/{contact_id}", "contact_id", is_sent_once=True),
    "retrieveBalance": Operation("GET", "/v1/balance", "object", "balance"),
    "listBalanceEntries": Operation("GET", "/v1/balance/entries", "object", "list"),
    "retrieveLedgerStatement": Operation("GET", "/v1/balance/statements/{month}", "object", "ledger_statement"),
    "retrieveLedgerCheckpoint": Operation("GET", "/v1/ledger/checkpoint", "object", "ledger_checkpoint"),
    "retrieveLedgerProof": Operation("GET", "/v1/ledger/proof", "object", "ledger_proof"),
    "simulateDelivery": Operation(
        "POST", "/v1/sandbox/gifts/{gift_id}/deliver", "gift_id", takes_expand=True, is_sent_once=True
    ),
    "simulateOpen": Operation("POST", "/v1/sandbox/gifts/{gift_id}/open", "gift_id", takes_expand=True),
    "simulateClaim": Operation(
        "POST", "/v1/sandbox/gifts/{gift_id}/claim", "gift_id", takes_expand=True, is_sent_once=True
    ),
    "simulateSpend": Operation("POST", "/v1/sandbox/gifts/{gift_id}/spend", "gift_id", takes_expand=True),
    "resetSandbox": Operation(
        "POST", "/v1/sandbox/reset", "object", "sandbox_reset", is_sent_once=True, may_use_all_time=True
    ),
    "createWebhookEndpoint": Operation("POST", "/v1/webhook_endpoints", "endpoint_id", takes_key=True),
    "listWebhookEndpoints": Operation("GET", "/v1/webhook_endpoints", "object", "list"),
    "retrieveWebhookEndpoint": Operation("GET", "/v1/webhook_endpoints/{endpoint_id}", "endpoint_id"),
    "updateWebhookEndpoint": Operation("PATCH", "/v1/webhook_endpoints/{endpoint_id}", "endpoint_id"),
    "deleteWebhookEndpoint": Operation(
        "DELETE", "/v1/webhook_endpoints/{endpoint_id}", "endpoint_id", is_sent_once=True
    ),
    "rotateWebhookSecret": Operation(
        "POST", "/v1/webhook_endpoints/{endpoint_id}/rotate_secret", "endpoint_id", takes_key=True
    ),
    "enableWebhookEndpoint": Operation(
        "POST", "/v1/webhook_endpoints/{endpoint_id}/enable", "endpoint_id", takes_key=True
    ),
    "testWebhookEndpoint": Operation(
        "POST", "/v1/webhook_endpoints/{endpoint_id}/test", "duration_ms", int, is_sent_once=True
    ),
    "listWebhookDeliveries": Operation("GET", "/v1/webhook_endpoints/{endpoint_id}/deliveries", "object", "list"),
    "resendWebhookDelivery": Operation(
        "POST", "/v1/webhook_endpoints/{endpoint_id}/deliveries/{event_id}/resend", "resent", int, takes_key=True
    ),
    "resendWebhookDeliveries": Operation(
        "POST", "/v1/webhook_endpoints/{endpoint_id}/resend", "resent", int, takes_key=True
    ),
    "listEvents": Operation("GET", "/v1/events", "object", "list"),
}
