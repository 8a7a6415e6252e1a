"""The client covers the interface. What is generated from `openapi.json` needs no test of its own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import pytest
from harness import ADDRESS, KEY, Act, World, ok

import bestow_sdk
from bestow_sdk import Bestow, _event_types
from bestow_sdk.types import EventPage

DOCUMENT: Any = json.loads(Path(__file__).parents[3].joinpath("openapi.json").read_text())
SCHEMAS: Any = DOCUMENT["components"]["schemas"]
DESCRIBED: dict[str, tuple[str, str, Any]] = {
    operation["operationId"]: (method.upper(), path, operation)
    for path, methods in DOCUMENT["paths"].items()
    for method, operation in methods.items()
}

def parameters(operation: Any, place: str) -> dict[str, bool]:
    return {one["name"]: one.get("required", False) for one in operation.get("parameters", []) if one["in"] == place}


def test_the_page_of_events_has_the_members_of_its_schema() -> None:
    assert EventPage.__required_keys__ == set(SCHEMAS["EventList"]["required"])


def types_of(union: Any) -> set[str]:
    """The texts of the literals that tell the members of a union apart."""
    texts: set[str] = set()
    for member in get_args(union):
        kind = get_args(member)[0]
        literals = [kind, *get_args(kind)]
        texts |= {one for one in literals if isinstance(one, str)}
        texts |= {one for literal in literals for one in get_args(literal) if isinstance(one, str)}
    return texts - {"a later type"}


def test_every_type_of_event_is_known() -> None:
    described = SCHEMAS["Event"]["properties"]
    assert types_of(bestow_sdk.Event) == set(described["type"]["x-extensible-enum"])
    assert set(_event_types.EventOf.__required_keys__) == set(SCHEMAS["Event"]["required"])
    assert set(_event_types.EventOf.__annotations__) == set(described)
    pushed = DOCUMENT["webhooks"]["event"]["post"]["requestBody"]["content"]["application/json"]["schema"]
    assert types_of(bestow_sdk.WebhookEvent) == set(pushed["properties"]["type"]["x-extensible-enum"])
    assert set(_event_types.WebhookEventOf.__required_keys__) == {*pushed["required"], "created_at"}


def test_error_types_are_those_of_the_document() -> None:
    from bestow_sdk import _errors

    classes = _errors._CLASSES  # pyright: ignore[reportPrivateUsage]
    assert set(classes) == set(SCHEMAS["ApiError"]["properties"]["type"]["x-extensible-enum"])


_DELIVERY: Any = {"method": "email", "email": "a@b.test"}
_CALLS: dict[str, Act] = {
    "getHealth": lambda bestow: bestow.health(),
    "getOpenapi": lambda bestow: bestow.health.openapi(),
    "listCategories": lambda bestow: bestow.categories.list().page(),
    "createOrder": lambda bestow: bestow.orders.create(gifts=[]),
    "listOrders": lambda bestow: bestow.orders.list().page(),
    "retrieveOrder": lambda bestow: bestow.orders.retrieve("x"),
    "cancelOrder": lambda bestow: bestow.orders.cancel("x", reason="y"),
    "listGifts": lambda bestow: bestow.gifts.list().page(),
    "retrieveGift": lambda bestow: bestow.gifts.retrieve("x"),
    "redirectGift": lambda bestow: bestow.gifts.redirect("x", _DELIVERY),
    "replaceGiftLink": lambda bestow: bestow.gifts.replace_link("x"),
    "resendGift": lambda bestow: bestow.gifts.resend("x"),
    "cancelGift": lambda bestow: bestow.gifts.cancel("x", reason="y"),
    "scheduleGift": lambda bestow: bestow.gifts.schedule("x", send_at="y"),
    "listContacts": lambda bestow: bestow.contacts.list().page(),
    "saveContact": lambda bestow: bestow.contacts.save(delivery=_DELIVERY, name=None),
    "retrieveContact": lambda bestow: bestow.contacts.retrieve("x"),
    "deleteContact": lambda bestow: bestow.contacts.delete("x", unsent_gifts="keep"),
    "retrieveBalance": lambda bestow: bestow.balance.retrieve(),
    "listBalanceEntries": lambda bestow: bestow.balance.entries().page(),
    "retrieveLedgerStatement": lambda bestow: bestow.ledger.statement("x"),
    "retrieveLedgerCheckpoint": lambda bestow: bestow.ledger.checkpoint(),
    "retrieveLedgerProof": lambda bestow: bestow.ledger.prove_consistency(5, size=9),
    "simulateDelivery": lambda bestow: bestow.sandbox.deliver("x"),
    "simulateOpen": lambda bestow: bestow.sandbox.open("x"),
    "simulateClaim": lambda bestow: bestow.sandbox.claim("x"),
    "simulateSpend": lambda bestow: bestow.sandbox.spend("x"),
    "resetSandbox": lambda bestow: bestow.sandbox.reset(),
    "createWebhookEndpoint": lambda bestow: bestow.webhook_endpoints.create(url="x", idempotency_key="k"),
    "listWebhookEndpoints": lambda bestow: bestow.webhook_endpoints.list().page(),
    "retrieveWebhookEndpoint": lambda bestow: bestow.webhook_endpoints.retrieve("x"),
    "updateWebhookEndpoint": lambda bestow: bestow.webhook_endpoints.update("x", description=None, timeout=9),
    "deleteWebhookEndpoint": lambda bestow: bestow.webhook_endpoints.delete("x"),
    "rotateWebhookSecret": lambda bestow: bestow.webhook_endpoints.rotate_secret("x", overlap_hours=0),
    "enableWebhookEndpoint": lambda bestow: bestow.webhook_endpoints.enable("x", from_sequence=5),
    "testWebhookEndpoint": lambda bestow: bestow.webhook_endpoints.test("x"),
    "listWebhookDeliveries": lambda bestow: bestow.webhook_endpoints.deliveries("x").page(),
    "resendWebhookDelivery": lambda bestow: bestow.webhook_endpoints.resend_delivery("x", "x"),
    "resendWebhookDeliveries": lambda bestow: bestow.webhook_endpoints.resend_deliveries("x", since="2026-11-21T12:00:00Z"),
    "listEvents": lambda bestow: bestow.events.list(),
}


def test_the_earlier_name_of_health_works(world: World) -> None:
    assert world.run(lambda bestow: bestow.health.retrieve(), ok({"status": "ok"})) == {"status": "ok"}


_BODIES: dict[str, Any] = {
    "createOrder": {"gifts": []},
    "cancelOrder": {"reason": "y"},
    "redirectGift": _DELIVERY,
    "cancelGift": {"reason": "y"},
    "scheduleGift": {"send_at": "y"},
    "saveContact": {"delivery": _DELIVERY, "name": None},
    "simulateDelivery": {"outcome": "delivered"},
    "createWebhookEndpoint": {"url": "x"},
    "updateWebhookEndpoint": {"description": None},
    "rotateWebhookSecret": {"overlap_hours": 0},
    "enableWebhookEndpoint": {"from_sequence": 5},
    "resendWebhookDeliveries": {"from": "2026-11-21T12:00:00Z"},
}


@pytest.mark.parametrize("name", sorted(_CALLS))
def test_each_operation_has_a_call_and_knows_its_answer(world: World, name: str) -> None:
    method, path, operation = DESCRIBED[name]
    answer = sample_of(operation)
    assert world.run(_CALLS[name], ok(answer)) == answer
    [request] = world.requests
    assert (request.method, request.url.path) == (method, re.sub(r"\{\w+\}", "x", path))
    assert ("Idempotency-Key" in request.headers) == ("Idempotency-Key" in parameters(operation, "header"))
    assert (json.loads(request.content) if request.content else None) == _BODIES.get(name)
    assert ("requestBody" in operation) == (name in _BODIES)


def sample_of(operation: Any) -> Any:
    """An answer with the required members of its schema."""
    response = next(value for status, value in operation["responses"].items() if status.startswith("2"))
    if "$ref" in response:
        response = DOCUMENT["components"]["responses"][response["$ref"].rpartition("/")[2]]
    schema = next(iter(response["content"].values()))["schema"]
    described = SCHEMAS[schema["$ref"].rpartition("/")[2]]
    samples: dict[str, Any] = {"string": "text", "boolean": True, "integer": 5, "array": [], "object": {}}
    members = {name: described["properties"][name] for name in described.get("required", [])}
    sample = {name: one.get("const", samples.get(one.get("type"))) for name, one in members.items()}
    return sample or {"openapi": "3.1.0"}


def test_the_client_has_every_resource_of_the_table() -> None:
    with Bestow(KEY, ADDRESS) as client:
        resources = [name for name in vars(client) if not name.startswith("_")]
    assert sorted(resources) == sorted(Bestow.__annotations__)
