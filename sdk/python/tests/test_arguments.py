from __future__ import annotations

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
    ],
)
def test_a_wrong_option_is_refused(
    world: World, options: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("BESTOW_KEY", raising=False)
    monkeypatch.delenv("BESTOW_URL", raising=False)
    with pytest.raises(ValueError, match=message):
        world.run(lambda client: client, ok(ORDER), **options)


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
]


@pytest.mark.parametrize("act", WRONG)
def test_what_is_misspelt_or_cannot_be_sent_is_refused(world: World, act: Act) -> None:
    with pytest.raises((TypeError, ValueError)):
        world.run(act, ok(ORDER))
    assert world.requests == []
