"""What Schemathesis must know of the interface, and checks of what one error response for all statuses leaves open."""

import os
import re

import schemathesis

# The patterns of the document are portable and so wider than the service's rules (docs/decisions.md#versioning). Valid
# data must fit both. Invalid data must not fit the document, because the service accepts more than these rules.
NAME = {"pattern": r"^[A-Za-z0-9 .]+$"}
URL = {"pattern": r"^https://[a-z]{1,20}\.example/[a-z]{0,20}$"}
METADATA = {"additionalProperties": {"type": "string", "pattern": r"^[A-Za-z0-9 .]*$"}}
STRICT = {
    ("EmailDelivery", "email"): {"pattern": r"^[a-z0-9]{1,20}@[a-z0-9]{1,20}\.example$"},
    ("PhoneDelivery", "phone"): {"pattern": r"^\+[1-9][0-9]{6,14}$"},
    ("GiftInput", "category"): {"enum": ["coffee", "books", "travel"]},
    ("GiftInput", "external_id"): NAME,
    ("GiftInput", "metadata"): METADATA,
    ("OrderInput", "external_id"): NAME,
    ("OrderInput", "metadata"): METADATA,
    ("PersonalizationInput", "recipient_name"): NAME,
    ("PersonalizationInput", "sender_name"): NAME,
    ("PersonalizationInput", "message"): {"pattern": r"^[A-Za-z0-9 .]+(\n[A-Za-z0-9 .]+)*$"},
    ("CancelInput", "reason"): NAME,
    ("WebhookEndpointInput", "url"): URL,
    ("WebhookEndpointInput", "description"): {"anyOf": [{"type": "string", "pattern": r"^[A-Za-z0-9]{1,200}$"}]},
    ("WebhookEndpointChange", "url"): URL,
    ("WebhookEndpointChange", "description"): {"anyOf": [{"type": "string", "pattern": r"^[A-Za-z0-9]{1,200}$"}]},
    ("WebhookResendInput", "from"): {"pattern": r"^2026-11-[0-2][1-9]T[01][0-9]:[0-5][0-9]:[0-5][0-9]Z$"},
}
# A day of every year.
DAY = {"anyOf": [{"type": "string", "pattern": r"^(0[1-9]|1[0-2])-(0[1-9]|1[0-9]|2[0-8])$"}]}
TEXT = {"anyOf": [{"type": "string", "pattern": r"^[A-Za-z0-9]{1,200}$"}]}
STRICT |= {
    ("ContactInput", "name"): TEXT,
    ("ContactInput", "external_id"): TEXT,
    ("ContactInput", "tags"): {"items": {"type": "string", "pattern": r"^[A-Za-z0-9]{1,60}$"}},
    ("ContactInput", "birthday"): DAY,
    ("ContactInput", "work_anniversary"): DAY,
}
STRICT_QUERY = {
    "recipient": {"pattern": r"^([a-z0-9]{1,20}@[a-z0-9]{1,20}\.example|\+[1-9][0-9]{6,14})$"},
    "category": NAME,
    "external_id": NAME,
    "tag": NAME,
    "metadata": METADATA,
    "types": {"pattern": r"^(order\.created|gift\.(sent|opened|claimed))(,gift\.(sent|opened|claimed))*$"},
}
# All headers together have at most 16 kB.
MAX_URL_LENGTH = 15_000
STRICT_NAMES = {field for _, field in STRICT} | STRICT_QUERY.keys()


def has_one_of(body, *names):
    return isinstance(body, dict) and sum(body.get(name) is not None for name in names) == 1


# What a schema of single parameters cannot say, and when it is the reason.
BEYOND_SCHEMA = {
    # Two cursors at once.
    "ending_before": lambda case: "starting_after" in case.query,
    "limit": lambda case: "expand" in case.query,
    # The address that just failed.
    "email": lambda case: case.operation.method.upper() == "PUT",
    "phone": lambda case: case.operation.method.upper() == "PUT",
    # That of another contact.
    "delivery": lambda case: case.operation.method.upper() == "PUT",
    # A time within the coming year, and not for a link gift.
    "send_at": lambda case: True,
    # At most the next event's sequence.
    "from_sequence": lambda case: True,
    # A month such as 2026-11, and not in the future.
    "month": lambda case: True,
    # An endpoint has at most five secrets at once.
    "overlap_hours": lambda case: "webhook" in case.path,
    # One of the two, and no more than the tree has.
    "entry_id": lambda case: not has_one_of(case.query, "entry_id", "from_size"),
    "from_size": lambda case: True,
    "size": lambda case: True,
    # `null` is no field, so `minProperties` cannot say it.
    "failed": lambda case: not has_one_of(case.body, "failed", "from"),
}


def or_null(schema):
    return {"anyOf": [schema, {"type": "null"}]}


def parameters_of(raw_schema):
    for path in raw_schema["paths"].values():
        for operation in path.values():
            yield from (one for one in operation.get("parameters", []) if one.get("in") == "query")


@schemathesis.hook
def before_load_schema(context, raw_schema):
    schemas = raw_schema["components"]["schemas"]
    if os.environ["GENERATION_MODE"] == "positive":
        for (schema, field), rule in STRICT.items():
            schemas[schema]["properties"][field].update(rule)
        for parameter in parameters_of(raw_schema):
            parameter["schema"].update(STRICT_QUERY.get(parameter["name"], {}))
    # `null` for an optional field is no field, and for an optional body no body. The document does not say so: generated
    # clients would ask for it. Only schemas of requests are closed.
    for schema in schemas.values():
        if schema.get("additionalProperties") is False:
            for name in schema["properties"].keys() - set(schema.get("required", [])):
                schema["properties"][name] = or_null(schema["properties"][name])
    for path in raw_schema["paths"].values():
        for operation in path.values():
            body = operation.get("requestBody", {"required": True})
            if not body.get("required", False):
                content = body["content"]["application/json"]
                content["schema"] = or_null(content["schema"])


@schemathesis.hook
def before_call(context, case, kwargs):
    """A request that waits half a minute for an event costs all others of the run."""
    wait = (case.query or {}).get("wait")
    if re.fullmatch(r"[0-9]+", str(wait)) and 2 <= int(wait) <= 30:
        case.query["wait"] = 1


def error_of(response):
    return response.json()["error"] if response.status_code >= 400 else None


@schemathesis.check
def error_is_named(ctx, response, case):
    """An error is one that the operation names in `x-errors`; an undeclared method is 404 with `Allow`."""
    error = error_of(response)
    if error is None:
        return
    if response.request.method.lower() != case.operation.method.lower():
        assert (response.status_code, error["code"]) == (404, "resource_missing"), "an undeclared method is 404"
        return
    named = case.operation.definition.raw["x-errors"]
    assert error["code"] in named.get(str(response.status_code), []), f"{error['code']} is not in x-errors"
    assert (response.status_code in (409, 429, 500)) >= ("retry-after" in response.headers), "no such Retry-After"


@schemathesis.check
def valid_data_has_no_invalid_parameter(ctx, response, case):
    """Data that fits the schema is never `parameter_invalid`, nor an internal error."""
    error = error_of(response)
    if error is None or not case.meta.generation.mode.is_positive:
        return
    assert error["code"] not in ("internal_error", "request_body_invalid"), error["code"]
    # No schema says how long all parameters together may be.
    assert error["code"] != "request_body_too_large" or len(response.request.url) > MAX_URL_LENGTH, "413 for a small request"
    if error["code"] != "parameter_invalid":
        return
    name = re.search(r"\w+(?=(\[[^]]*\])?$)", error["param"]).group()
    # In the run with invalid data the rules of STRICT are not in the schema, and some data turns out valid.
    if os.environ["GENERATION_MODE"] == "negative" and name in STRICT_NAMES:
        return
    is_beyond = BEYOND_SCHEMA.get(name, lambda case: False)(case)
    assert is_beyond, f"{error['param']} is refused: {error['message']}"


@schemathesis.check
def request_id_is_of_the_service(ctx, response, case):
    """Every answer has a `Request-Id`, and an error repeats it."""
    request_id = response.headers["request-id"][0]
    assert re.fullmatch(r"req_[0-9a-z]{26}", request_id), request_id
    error = error_of(response)
    assert error is None or error["request_id"] == request_id
