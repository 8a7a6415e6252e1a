from __future__ import annotations

import logging
import pickle
from typing import Any

import pytest
from harness import ADDRESS, GIFT, GIFTS, KEY, ORDER, Act, World, create, ok, read, refusal, text

import bestow_sdk
from bestow_sdk import Attempt, Bestow, response_of


def test_what_is_sent(world: World) -> None:
    world.run(create, ok(ORDER, 201), base_url=f"{ADDRESS}/gifts/", headers={"X-Team": "sales"})
    [request] = world.requests
    assert str(request.url) == f"{ADDRESS}/gifts/v1/orders"
    assert request.headers["Authorization"] == f"Bearer {KEY}"
    assert request.headers["User-Agent"] == "bestow-sdk-python/1.3.2"
    assert request.headers["Cache-Control"] == "no-store"
    assert (request.headers["Content-Type"], request.headers["X-Team"]) == ("application/json", "sales")
    assert world.bodies() == [{"gifts": GIFTS}]


def test_a_body_that_changes_later_is_still_the_same_order(world: World) -> None:
    gifts = [dict(GIFTS[0])]

    def change(_: Attempt) -> None:
        gifts[0]["amount"] = 9_999

    world.run(lambda client: client.orders.create(gifts=gifts), text(502), ok(ORDER), on_attempt=change)
    assert [body["gifts"][0]["amount"] for body in world.bodies()] == [1000, 1000]


def test_key_and_address_come_from_the_environment(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BESTOW_KEY", "from-environment")
    monkeypatch.setenv("BESTOW_URL", "https://environment.test")
    world.run(read, ok(GIFT), api_key=None, base_url=None)
    assert world.requests[0].headers["Authorization"] == "Bearer from-environment"
    assert world.requests[0].url.host == "environment.test"


def test_the_hook_sees_each_attempt_and_its_mistakes_are_only_logged(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    seen: list[Attempt] = []

    def hook(attempt: Attempt) -> None:
        seen.append(attempt)
        raise RuntimeError("a mistake in the metrics")

    replayed = ok(ORDER, 200, {"Request-Id": "req_2", "Idempotent-Replayed": "true"})
    world.run(create, refusal(409, "resource_locked", "api_error"), replayed, on_attempt=hook)
    first, second = seen
    assert (first.method, first.path, first.attempt, first.status) == ("POST", "/v1/orders", 1, 409)
    assert (first.request_id, first.is_replay, type(first.error)) == ("req_1", False, bestow_sdk.ServiceError)
    assert first.pause is not None and first.duration < 10
    assert (second.request_id, second.is_replay, second.error, second.pause) == ("req_2", True, None, None)
    assert "a mistake in the metrics" in caplog.text


def test_the_log_and_the_errors_have_no_key_body_or_name(world: World, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG, "bestow_sdk")
    clients: list[Any] = []

    def act(client: Any) -> Any:
        clients.append(client)
        gift = {**GIFTS[0], "personalization": {"recipient_name": "Ada"}}
        return client.orders.create(gifts=[gift], idempotency_key="a-key")

    error = world.fails(bestow_sdk.InvalidRequestError, act, refusal(422, "parameter_invalid"))
    messages = "\n".join(record.getMessage() for record in caplog.records if record.name == "bestow_sdk")
    assert "POST /v1/orders attempt=1 status=422 request_id=req_1" in messages
    for secret in (KEY, "Ada", "a-key"):
        assert secret not in messages + str(error) + repr(error) + repr(clients)
    options = clients[0]._sender.session.options
    assert KEY not in repr(options)


def test_with_options_shares_the_connections(world: World) -> None:
    def act(client: Any) -> Any:
        return client.with_options(headers={"X-A": "b", "X-E": "f"}, timeout=1).gifts.retrieve(
            "gift_1", headers={"x-a": "d"}
        )

    world.run(act, ok(GIFT), headers={"x-e": "g"})
    headers = world.requests[0].headers
    assert [headers.get_list(name) for name in ("X-A", "X-E")] == [["d"], ["f"]]


def test_request_calls_a_later_operation(world: World) -> None:
    answer = world.run(lambda client: client.request("post", "/v1/later?a=b", body={"c": 1}), ok({"d": 2}))
    [request] = world.requests
    assert (answer, request.method, str(request.url)) == ({"d": 2}, "POST", f"{ADDRESS}/v1/later?a=b")


def test_later_members_pass_through(world: World) -> None:
    later = {**GIFT, "later": {"a": [1]}, "delivery": {"method": "pigeon", "status": "flying"}}
    assert world.run(read, ok(later, 202)) == later


def test_an_answer_is_a_plain_dict(world: World) -> None:
    gift = world.run(read, ok(GIFT))
    assert type(pickle.loads(pickle.dumps(gift))) is dict
    with pytest.raises(TypeError):
        response_of(dict(gift))


def test_errors_can_be_pickled(world: World) -> None:
    error = world.fails(bestow_sdk.InvalidRequestError, create, refusal(422, "parameter_invalid", param="a"))
    copy = pickle.loads(pickle.dumps(error))
    assert (str(copy), copy.__dict__) == (str(error), error.__dict__)


def test_an_own_http_client_stays_open_and_cannot_send_another_authorization() -> None:
    import httpx

    seen: list[httpx.Request] = []

    def handle(request: httpx.Request) -> httpx.Response:
        seen.append(request)
        return httpx.Response(200, json=GIFT)

    http = httpx.Client(transport=httpx.MockTransport(handle), auth=("user", "password"), follow_redirects=True)
    with Bestow(KEY, ADDRESS, http_client=http) as client:
        client.gifts.retrieve("gift_1")
    assert seen[0].headers["Authorization"] == f"Bearer {KEY}"
    assert not http.is_closed


def test_an_order_is_found_by_its_external_id(world: World) -> None:
    wanted = {**ORDER, "external_id": "b"}
    found = ok({"object": "list", "data": [wanted], "has_more": False})
    assert world.run(lambda client: client.orders.find_by_external_id("b"), found) == wanted
    assert world.run(lambda client: client.orders.find_by_external_id("B"), found) is None
    for missing in (None, ""):
        with pytest.raises(TypeError, match="The external id is missing"):
            world.run(lambda client: client.orders.find_by_external_id(missing), found)
    assert world.requests[0].url.query == b"external_id=b&limit=1"


def test_an_order_is_awaited_until_it_is_processed(world: World) -> None:
    processing = ok({**ORDER, "status": "processing"})
    wait: Act = lambda client: client.orders.wait_until_processed("ord_1", timeout=20)
    assert world.run(wait, processing, processing, ok(ORDER)) == ORDER
    assert world.clock.pauses == [0.5, 1]
    error = world.fails(bestow_sdk.TimeoutError, wait, processing)
    assert str(error) == "Order ord_1 is still processing after 20 seconds."
    assert sum(world.clock.pauses[2:]) < 20
