from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from harness import GIFTS, ORDER, Act, World, ok


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"api_key": ""}, "The API key is missing"),
        ({"api_key": None}, "The API key is missing"),
        ({"api_key": "a\nb"}, "one line"),
        ({"base_url": None}, "The address of your Bestow is missing"),
        ({"base_url": "bestow.test"}, "base_url must be"),
        ({"base_url": "https://user@bestow.test"}, "base_url must be"),
        ({"base_url": "https://bestow.test/?a"}, "base_url must be"),
        ({"base_url": "https://bestow.test/#a"}, "base_url must be"),
        ({"base_url": "https://"}, "base_url must be"),
        ({"base_url": "https://bestow.test:99999"}, "base_url must be"),
        ({"timeout": 0}, "timeout must be"),
        ({"timeout": float("nan")}, "timeout must be"),
        ({"try_timeout": -1}, "try_timeout must be"),
        ({"max_retries": -1}, "max_retries must be"),
        ({"headers": {"authorization": "x"}}, "sets the header authorization itself"),
        ({"headers": {"user-agent": "x"}}, "sets the header user-agent itself"),
        ({"headers": {"X-A": "a\r\nb: c"}}, "one line"),
        ({"base_url": "https://bestow.test/v1/"}, "base_url must end before /v1, .*: https://bestow.test$"),
        ({"base_url": "https://bestow.test/gifts/v1"}, "https://bestow.test/gifts$"),
    ],
)
def test_a_wrong_option_is_refused(
    world: World, options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BESTOW_KEY", raising=False)
    monkeypatch.delenv("BESTOW_URL", raising=False)
    with pytest.raises(ValueError, match=message):
        world.run(lambda client: client, ok(ORDER), **options)


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "LOCALHOST:3000",
        "a.localhost",
        "127.0.0.1",
        "127.8.9.1:3000",
        "[::1]:3000",
        "0.0.0.0",
        "10.1.2.3",
        "172.16.0.1",
        "172.31.255.1",
        "192.168.1.1",
        "169.254.1.1",
        "100.64.0.1",
        "[fd00::1]",
        "[fe80::1]",
        "bestow",
        "bestow-1:3000",
        "gifts.local",
        "gifts.local.",
        "host.docker.internal",
    ],
)
def test_http_in_a_private_network_needs_no_permission(world: World, host: str) -> None:
    world.run(lambda client: client, ok(ORDER), base_url=f"http://{host}")


@pytest.mark.parametrize(
    "host",
    [
        "gifts.example.com",
        "8.8.8.8",
        "172.32.0.1",
        "100.128.0.1",
        "[2606:4700::1111]",
        "[::ffff:8.8.8.8]",
        "134744072",
        "0x08080808",
        "local.example.com",
        "evil-local.com",
        "10.example.com",
        "192.168.1.1.example.com",
    ],
)
def test_http_over_the_internet_needs_a_permission(world: World, host: str) -> None:
    with pytest.raises(ValueError) as raised:
        world.run(lambda client: client, ok(ORDER), base_url=f"http://{host}")
    assert str(raised.value).startswith(f"http://{host} would carry the API key over the internet unencrypted. Use")
    world.run(lambda client: client, ok(ORDER), base_url=f"http://{host}", allow_insecure_http=True)
    world.run(lambda client: client, ok(ORDER), base_url=f"https://{host}")


def test_a_hook_that_would_not_be_awaited_is_refused(world: World) -> None:
    async def hook(_: object) -> None:
        pass

    with pytest.raises(TypeError, match="plain function"):
        world.run(lambda client: client, ok(ORDER), on_attempt=hook)


@pytest.mark.parametrize(
    "options",
    [
        {"timeout": "5"},
        {"timeout": None},
        {"timeout": 0},
        {"timeout": True},
        {"max_retries": 1.5},
        {"max_retries": -1},
        {"headers": {"Idempotency-Key": "x"}},
        {"idempotency_key": None},
        {"idempotency_key": 7},
        {"idempotency_key": ""},
        {"idempotency_key": "a\nb"},
        {"idempotency_key": "é"},
        {"idempotency_key": "x" * 256},
        {"idempotencyKey": "a"},
        {"timeout_ms": 5},
        {"max_retires": 5},
    ],
)
def test_a_wrong_option_of_a_call_is_refused_before_anything_is_sent(world: World, options: dict[str, Any]) -> None:
    with pytest.raises((TypeError, ValueError)):
        world.run(lambda client: client.orders.create(gifts=GIFTS, **options), ok(ORDER))
    assert world.requests == []


@pytest.mark.parametrize("headers", ["X-A", {"X-A": 7}, {7: "a"}])
def test_headers_of_another_type_are_named(world: World, headers: Any) -> None:
    with pytest.raises(TypeError, match=r"^(headers must be a dict|The header ('X-A'|7) must be a text)"):
        world.run(lambda client: client.gifts.retrieve("g", headers=headers), ok(ORDER))


def nested() -> Any:
    inner: dict[str, Any] = {}
    inner["a"] = inner
    return inner


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"gifts": [{"amount": Decimal("10.00")}]}, r"^gifts\[0\]\.amount is of the type Decimal, which"),
        ({"gifts": ({"a": {"b": b"c"}},)}, r"^gifts\[0\]\.a\.b is of the type bytes,"),
        ({"gifts": [{"amount": float("inf")}]}, r"^gifts\[0\]\.amount is inf"),
        ({"gifts": [{"message": "a\ud800"}]}, r"^gifts\[0\]\.message has half of a surrogate pair"),
        ({"gifts": [], "metadata": {7: "a"}}, r"^metadata has a key of the type int"),
        ({"gifts": [], "metadata": {"\ud800": "a"}}, r"^A key of metadata has half"),
        ({"gifts": nested()}, r"^gifts is nested in itself"),
        ({"gifts": {1, 2}}, r"^gifts is of the type set"),
    ],
)
def test_a_field_that_cannot_be_sent_is_named(world: World, body: Any, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message) as raised:
        world.run(lambda client: client.orders.create(**body), ok(ORDER))
    assert (type(raised.value) in (TypeError, ValueError), world.requests) == (True, [])


def test_a_parameter_or_id_with_half_of_a_surrogate_pair_is_named(world: World) -> None:
    with pytest.raises(ValueError, match="^recipient has half"):
        world.run(lambda client: client.gifts.list(recipient="a\ud800").take(1), ok(ORDER))
    with pytest.raises(ValueError, match="^gift_id has half"):
        world.run(lambda client: client.gifts.retrieve("\ud800"), ok(ORDER))


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_a_file_of_certificates_that_cannot_be_read_is_named(
    world: World, content: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "ca.pem"
    if content is not None:
        file.write_text(content)
    monkeypatch.setenv("SSL_CERT_FILE", str(file))
    with pytest.raises(ValueError, match=f"SSL_CERT_FILE is '{file}'"):
        world.run(lambda client: client)


@pytest.mark.parametrize("identifier", ["", ".", "..", None, 7])
def test_an_id_that_is_none_is_refused(world: World, identifier: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        world.run(lambda client: client.gifts.retrieve(identifier), ok(ORDER))
    assert world.requests == []


def test_an_id_cannot_lead_to_another_path(world: World) -> None:
    gift = ok({"gift_id": "g"})
    world.run(lambda client: client.gifts.retrieve("../orders?a#b/é"), gift)
    assert world.requests[0].url.raw_path == b"/v1/gifts/..%2Forders%3Fa%23b%2F%C3%A9"


WRONG: list[Act] = [
    lambda client: client.orders.list(startingAfter="x"),
    lambda client: client.events.list(foo=1),
    lambda client: client.gifts.retrieve("g", idempotency_key="k"),
    lambda client: client.categories.list(limit=5),
    lambda client: client.request("GET", "v1/later"),
    lambda client: client.request("GET", "/v1/later", foo=1),
    lambda client: client.orders.create(gifts=[{"amount": float("nan")}]),
    lambda client: client.orders.create(gifts=object()),
    lambda client: client.contacts.save(delivery={"method": "link"}, idempotency_key="k"),
    lambda client: client.webhook_endpoints.update("wh_1", idempotency_key="k"),
]


@pytest.mark.parametrize("act", WRONG)
def test_what_is_misspelt_or_cannot_be_sent_is_refused(world: World, act: Act) -> None:
    with pytest.raises((TypeError, ValueError)):
        world.run(act, ok(ORDER))
    assert world.requests == []
