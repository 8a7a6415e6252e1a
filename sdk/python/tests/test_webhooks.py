from __future__ import annotations

import base64
import json
import random
from typing import Any

import pytest

from bestow_sdk import WebhookVerificationError, sign_test_webhook, verify_webhook

# The published vector of Standard Webhooks.
SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
OTHER = "whsec_" + base64.b64encode(b"another secret of an endpoint").decode()
SECONDS = 1_614_265_330
BODY = '{"test": 2432232314}'
HEADERS = {
    "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek",
    "webhook-timestamp": str(SECONDS),
    "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
}


@pytest.fixture(autouse=True)
def at_that_time(monkeypatch: pytest.MonkeyPatch) -> None:
    set_time(monkeypatch, SECONDS)


def set_time(monkeypatch: pytest.MonkeyPatch, seconds: int) -> None:
    monkeypatch.setattr("bestow_sdk._webhooks.time.time", lambda: float(seconds))


@pytest.mark.parametrize("body", [BODY, BODY.encode(), bytearray(BODY.encode())])
@pytest.mark.parametrize(
    "headers",
    [
        HEADERS,
        {name.title(): value for name, value in HEADERS.items()},
        {f"HTTP_{name.upper().replace('-', '_')}": value for name, value in HEADERS.items()},
        [(name.encode(), value.encode()) for name, value in HEADERS.items()],
        {name: [value] for name, value in HEADERS.items()},
    ],
)
def test_the_published_vector_is_verified(body: Any, headers: Any) -> None:
    assert verify_webhook(body, headers, SECRET) == json.loads(BODY)


def test_the_published_vector_is_signed() -> None:
    signed = sign_test_webhook(BODY, SECRET, id=HEADERS["webhook-id"], timestamp=SECONDS)
    assert signed == HEADERS
    assert verify_webhook(BODY, sign_test_webhook(BODY.encode(), SECRET), SECRET) == json.loads(BODY)


def test_a_push_and_the_feed_name_the_time_alike() -> None:
    body = '{"type": "gift.claimed", "timestamp": "2026-11-30T08:00:00.000Z"}'
    pushed = verify_webhook(body, sign_test_webhook(body, SECRET), SECRET)
    assert pushed["created_at"] == pushed["timestamp"] == "2026-11-30T08:00:00.000Z"


def test_one_of_several_signatures_is_enough() -> None:
    earlier = sign_test_webhook(BODY, OTHER, id=HEADERS["webhook-id"], timestamp=SECONDS)["webhook-signature"]
    both = {**HEADERS, "webhook-signature": f"{earlier} {HEADERS['webhook-signature']} v1a,x"}
    assert verify_webhook(BODY, both, SECRET) == json.loads(BODY)


@pytest.mark.parametrize(
    ("body", "headers", "secret", "message"),
    [
        (json.loads(BODY), {}, SECRET, "The body is a parsed dict. Pass the body as received"),
        (None, {}, SECRET, "Pass the body as received"),
        (json.dumps(json.loads(BODY), separators=(",", ":")), {}, SECRET, "Pass the body as received, and this"),
        (BODY, {}, OTHER, "this endpoint's secret"),
        (BODY, {}, "", "The secret is missing"),
        (BODY, {}, None, "The secret is missing"),
        (BODY, {}, "whsec_!", "not one of a webhook endpoint"),
        (BODY, {}, "whsec_", "not one of a webhook endpoint"),
        (base64.b64encode(BODY.encode()), {}, SECRET, "Base64 of JSON. Decode it first"),
        (BODY, {"webhook-id": "msg_1"}, SECRET, "does not fit"),
        (BODY, {"webhook-timestamp": str(SECONDS + 1)}, SECRET, "does not fit"),
        (BODY, {"webhook-timestamp": "now"}, SECRET, "five minutes"),
        (BODY, {"webhook-timestamp": "9" * 400}, SECRET, "five minutes"),
        (BODY, {"webhook-signature": "v1,é"}, SECRET, "does not fit"),
        (BODY, {"webhook-signature": HEADERS["webhook-signature"].replace("v1", "v2")}, SECRET, "does not fit"),
        (BODY, {"webhook-signature": ""}, SECRET, "no header webhook-signature"),
        # As aiohttp passes bytes that are not UTF-8, and as JSON may hold them.
        (BODY, {"webhook-signature": "v1,\udcff"}, SECRET, "does not fit"),
        (BODY, {"webhook-id": "\udcff"}, SECRET, "does not fit"),
        ("\ud800", {}, SECRET, "does not fit"),
        (BODY, {}, "whsec_\ud800", "not one of a webhook endpoint"),
    ],
)
def test_each_common_mistake_is_named(body: Any, headers: dict[str, str], secret: Any, message: str) -> None:
    with pytest.raises(WebhookVerificationError) as raised:
        verify_webhook(body, {**HEADERS, **headers}, secret)
    assert message in str(raised.value)


def test_a_missing_header_is_named() -> None:
    with pytest.raises(WebhookVerificationError, match="no header webhook-id"):
        verify_webhook(BODY, {}, SECRET)


@pytest.mark.parametrize("body", [b"{", b"\xff", b"", b"null", b"[]", b'"a"', b"[" * 100_000, "\ud800"])
def test_a_signed_body_that_is_not_an_event_is_refused(body: Any) -> None:
    with pytest.raises(WebhookVerificationError, match="not JSON, or not an object"):
        verify_webhook(body, sign_test_webhook(body, SECRET), SECRET)


@pytest.mark.parametrize("name", ["webhook-id", "webhook-timestamp", "webhook-signature"])
def test_a_header_with_two_values_is_refused(name: str) -> None:
    twice: list[Any] = [[*HEADERS.items(), (name.upper(), "another")], {**HEADERS, name: [HEADERS[name], "another"]}]
    for headers in twice:
        with pytest.raises(WebhookVerificationError, match=f"has the header {name} more than once"):
            verify_webhook(BODY, headers, SECRET)
    verify_webhook(BODY, [*HEADERS.items(), (name, HEADERS[name]), ("accept", "a"), ("accept", "b")], SECRET)


def test_a_secret_may_be_bytes() -> None:
    secret = SECRET.encode()
    assert verify_webhook(BODY, HEADERS, secret) == verify_webhook(BODY, sign_test_webhook(BODY, secret), SECRET)


@pytest.mark.parametrize("headers", [None, 7, "webhook-id", b"webhook-id", [1], [("webhook-id",)], [("a", "b", "c")]])
def test_headers_of_another_type_are_named(headers: Any) -> None:
    with pytest.raises(WebhookVerificationError, match="Pass the headers of the request"):
        verify_webhook(BODY, headers, SECRET)


def test_no_bytes_raise_another_error() -> None:
    chance = random.Random(20_261_130)
    for number in range(3_000):
        values = [chance.randbytes(chance.randrange(1, 60)) for _ in range(4)]
        texts = [one.decode("utf-8", "surrogateescape") if number % 2 else one for one in values]
        headers = {**HEADERS, "webhook-id": texts[0], "webhook-signature": texts[1]}
        if number % 3 == 0:
            headers["webhook-timestamp"] = texts[2]
        with pytest.raises(WebhookVerificationError):
            verify_webhook(texts[3], headers, SECRET)


@pytest.mark.parametrize(("seconds", "is_accepted"), [(300, True), (301, False), (-300, True), (-301, False)])
def test_a_request_is_accepted_for_five_minutes(
    seconds: int, is_accepted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    set_time(monkeypatch, SECONDS + seconds)
    if is_accepted:
        verify_webhook(BODY, HEADERS, SECRET)
    else:
        with pytest.raises(WebhookVerificationError, match="five minutes"):
            verify_webhook(BODY, HEADERS, SECRET)
