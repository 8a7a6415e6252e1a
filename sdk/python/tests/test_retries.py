from __future__ import annotations

from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import httpx
import pytest
from harness import GIFT, ORDER, Act, Reply, World, broken, claim, create, ok, read, refusal, text

import bestow_sdk
from bestow_sdk import response_of

CUT = broken(httpx.RemoteProtocolError("Server disconnected without sending a response."))
LATE = broken(httpx.ReadTimeout("late"))


@pytest.mark.parametrize(
    "fault",
    [
        CUT,
        LATE,
        text(502),
        text(500),
        text(429),
        text(408),
        text(425),
        text(200),
        text(200, ""),
        text(200, "[" * 100_000),
        text(201, '{"order_id": "ord_1"'),
        ok({"status": "logged in"}),
        ok({"order_id": 7}),
        ok([ORDER]),
        ok({"error": {"code": "x"}}, 500),
        refusal(200, "insufficient_balance", "insufficient_balance_error"),
        refusal(429, "rate_limit_exceeded", "rate_limit_error"),
        refusal(409, "resource_locked", "api_error"),
        refusal(409, "idempotency_in_progress", "api_error"),
        refusal(500, "internal_error", "api_error"),
        refusal(503, "later_code", "api_error", {"Retry-After": "1"}),
        refusal(500, "later_code", "later_type"),
        refusal(429, "later_code", "later_type"),
    ],
)
def test_an_order_is_sent_again_with_the_same_key_and_body(world: World, fault: Reply) -> None:
    order = world.run(create, fault, fault, ok(ORDER, 201, {"Idempotent-Replayed": "true", "Request-Id": "req_2"}))
    assert order == ORDER
    assert len({request.headers["Idempotency-Key"] for request in world.requests}) == 1
    assert len({request.content for request in world.requests}) == 1
    response = response_of(order)
    assert (response.attempts, response.is_replay, response.request_id) == (3, True, "req_2")
    assert response.idempotency_key == world.requests[0].headers["Idempotency-Key"]
    assert [attempt.pause is None for attempt in world.attempts] == [False, False, True]


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        (refusal(422, "parameter_invalid"), "InvalidRequestError"),
        (refusal(401, "api_key_invalid", "authentication_error"), "AuthenticationError"),
        (refusal(402, "insufficient_balance", "insufficient_balance_error"), "InsufficientBalanceError"),
        (refusal(429, "later_code", "rate_limit_error"), "RateLimitError"),
        (refusal(500, "later_code", "api_error"), "ServiceError"),
        (refusal(403, "later_code", "later_type"), "ApiError"),
        (refusal(403, "later_code", "later_type", {"Retry-After": "1"}), "ApiError"),
        (text(403), "ConnectionError"),
        (text(404), "ConnectionError"),
        (text(301, "", {"Location": "http://elsewhere.test/v1/orders"}), "ConnectionError"),
        (text(304), "ConnectionError"),
    ],
)
def test_what_a_retry_cannot_heal_ends_at_once(world: World, fault: Reply, name: str) -> None:
    error = world.fails(getattr(bestow_sdk, name), create, fault)
    assert (error.attempts, len(world.requests)) == (1, 1)
    assert error.outcome_unknown == (name == "ConnectionError")
    assert error.idempotency_key == world.requests[0].headers["Idempotency-Key"]
    assert world.attempts[0].error is error


def test_an_error_of_the_service_tells_everything(world: World) -> None:
    fault = refusal(409, "external_id_taken", param="external_id", order_id="ord_9", doc_url="https://x.test")
    error = world.fails(bestow_sdk.InvalidRequestError, create, fault)
    assert (error.type, error.code, error.param) == ("invalid_request_error", "external_id_taken", "external_id")
    assert (error.order_id, error.doc_url, error.request_id) == ("ord_9", "https://x.test", "req_1")
    assert (error.status, error.retryable, str(error)) == (409, False, "No: external_id_taken")


def test_the_messages_say_what_to_do(world: World) -> None:
    error = world.fails(bestow_sdk.ConnectionError, read, text(403))
    assert str(error) == "HTTP 403 of https://bestow.test did not come from Bestow; check base_url and proxies."
    moved = text(302, "", {"Location": "https://user:password@login.test/x"})
    error = world.fails(bestow_sdk.ConnectionError, read, moved)
    assert "redirects to https://login.test; check base_url" in str(error)
    error = world.fails(bestow_sdk.TimeoutError, claim, LATE)
    assert str(error) == "No answer came from https://bestow.test within 15 seconds: the outcome is unknown."


def test_the_outcome_of_an_order_stays_unknown_after_a_later_error(world: World) -> None:
    error = world.fails(bestow_sdk.InvalidRequestError, create, CUT, refusal(422, "parameter_invalid"))
    assert (error.outcome_unknown, error.attempts) == (True, 2)


@pytest.mark.parametrize("fault", [CUT, LATE, text(502), text(404), ok({})])
def test_the_outcome_of_a_read_is_never_unknown(world: World, fault: Reply) -> None:
    with pytest.raises(bestow_sdk.ConnectionError) as raised:
        world.run(read, fault)
    assert not raised.value.outcome_unknown


def test_a_read_is_sent_five_times_and_an_order_until_the_time_is_over(world: World) -> None:
    assert world.fails(bestow_sdk.ConnectionError, read, text(502)).attempts == 5
    longest = [0.5, 1, 2, 4]
    assert all(most / 2 <= pause <= most for pause, most in zip(world.clock.pauses, longest, strict=True))
    world.clock.pauses.clear()
    error = world.fails(bestow_sdk.ConnectionError, create, text(502))
    longest = [0.5, 1, 2, 4, 8] + [10] * (error.attempts - 6)
    assert all(most / 2 <= pause <= most for pause, most in zip(world.clock.pauses, longest, strict=True))
    assert 30 < sum(world.clock.pauses) < 60


@pytest.mark.parametrize("count", [0, 2])
def test_max_retries_binds_every_call(world: World, count: int) -> None:
    assert world.fails(bestow_sdk.ConnectionError, create, text(502), max_retries=count).attempts == count + 1
    acts: list[Act] = [
        lambda client: client.gifts.retrieve("g", max_retries=count),
        lambda client: client.with_options(max_retries=count).orders.create(gifts=[]),
        lambda client: client.sandbox.open("g", max_retries=count),
    ]
    for act in acts:
        assert world.fails(bestow_sdk.ConnectionError, act, text(502)).attempts == count + 1


def test_a_call_without_a_key_is_sent_once_unless_the_service_answers(world: World) -> None:
    error = world.fails(bestow_sdk.ConnectionError, claim, CUT)
    assert (error.attempts, error.outcome_unknown) == (1, True)
    locked = refusal(409, "resource_locked", "api_error")
    assert response_of(world.run(claim, locked, ok(GIFT))).attempts == 2
    assert response_of(world.run(lambda client: client.sandbox.open("g"), CUT, ok(GIFT))).attempts == 2
    later: Act = lambda client: client.request("POST", "/v1/later", body={})
    assert world.fails(bestow_sdk.ConnectionError, later, CUT).attempts == 1
    keyed: Act = lambda client: client.request("POST", "/v1/later", idempotency_key="k")
    assert world.run(keyed, CUT, ok({"later": 1})) == {"later": 1}


def test_retry_after_is_kept(world: World) -> None:
    world.run(create, refusal(429, "rate_limit_exceeded", "rate_limit_error", {"Retry-After": "3"}), ok(ORDER))
    assert 3 <= world.clock.pauses[0] <= 3.25
    date = format_datetime(datetime.now(timezone.utc) + timedelta(seconds=20), usegmt=True)
    world.run(create, text(429, headers={"Retry-After": date}), ok(ORDER))
    assert 18 <= world.clock.pauses[1] <= 20.25
    for wrong in ["soon", "-5", "1.5", "Mon, 31 Feb 2027 12:00:00 GMT", "Fri, 28 Nov 2036 12:00:00 +0000"]:
        world.run(create, text(429, headers={"Retry-After": wrong}), ok(ORDER))
        assert world.clock.pauses[-1] <= 0.5


def test_a_pause_that_the_limit_makes_useless_is_not_made(world: World) -> None:
    fault = refusal(429, "rate_limit_exceeded", "rate_limit_error", {"Retry-After": "3600"})
    error = world.fails(bestow_sdk.RateLimitError, create, fault)
    assert (error.attempts, error.retry_after, world.clock.pauses) == (1, 3600, [])


def test_an_attempt_has_its_own_limit(world: World) -> None:
    reset: Act = lambda client: client.sandbox.reset()
    feed: Act = lambda client: client.events.list(wait=20)
    world.run(read, ok(GIFT))
    world.run(reset, ok({"object": "sandbox_reset"}))
    world.run(feed, ok({"object": "list"}))
    world.run(reset, ok({"object": "sandbox_reset"}), timeout=float("inf"))
    limits = [request.extensions["timeout"]["read"] for request in world.requests]
    assert [round(limit) for limit in limits] == [15, 60, 35, 86_400]


@pytest.mark.parametrize("mistake", [KeyError("x"), FileNotFoundError("x"), NotImplementedError("x")])
def test_a_mistake_in_the_own_transport_passes_through_at_once(world: World, mistake: Exception) -> None:
    assert world.fails(type(mistake), create, broken(mistake)) is mistake
    assert len(world.requests) == 1
