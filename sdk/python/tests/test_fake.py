"""The fakes that programs put in place of a client."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

import bestow_sdk
from bestow_sdk import AsyncBestow, Bestow, response_of, verify_webhook
from bestow_sdk.fake import AsyncFakeBestow, FakeBestow
from bestow_sdk.types import GiftInput


def gifts_to(local_part: str) -> list[GiftInput]:
    email = f"{local_part}@sandbox.gift.test"
    return [{"amount": 2500, "category": "coffee", "delivery": {"method": "email", "email": email}}]


def thank(bestow: Bestow) -> str:
    return bestow.orders.create(gifts=gifts_to("claimed"))["gifts"][0]["delivery"]["status"]


async def thank_async(bestow: AsyncBestow) -> str:
    order = await bestow.orders.create(gifts=gifts_to("claimed"))
    return order["gifts"][0]["delivery"]["status"]


def test_a_program_that_takes_a_client_takes_a_fake() -> None:
    assert thank(FakeBestow()) == "claimed"
    assert asyncio.run(thank_async(AsyncFakeBestow())) == "claimed"


def test_a_fake_says_what_it_was_asked_with_the_keys_of_retries() -> None:
    bestow = FakeBestow()
    bestow.orders.create(gifts=gifts_to("response-lost"), idempotency_key="visit-1")
    sent = [(request.method, request.path, request.idempotency_key) for request in bestow.requests]
    assert sent == [("POST", "/v1/orders", "visit-1")] * 2
    assert len(list(bestow.orders.list())) == 1


def test_a_fake_fails_the_next_call_as_it_is_told() -> None:
    bestow = FakeBestow()
    bestow.fail_next("organization_suspended")
    with pytest.raises(bestow_sdk.AuthenticationError) as refused:
        bestow.balance.retrieve()
    assert refused.value.code == "organization_suspended"
    bestow.fail_next("response_lost")
    with pytest.raises(bestow_sdk.ConnectionError) as lost:
        bestow.orders.create(gifts=gifts_to("ada"), max_retries=0)
    assert lost.value.outcome_unknown
    assert bestow.balance.retrieve()["available"] == 100_000_000 - 2_500


def test_a_fake_without_enough_money_refuses_until_funds_are_added() -> None:
    bestow = FakeBestow(balance=0)
    with pytest.raises(bestow_sdk.InsufficientBalanceError):
        bestow.orders.create(gifts=gifts_to("ada"), idempotency_key="k")
    bestow.add_funds(2_500)
    bestow.orders.create(gifts=gifts_to("ada"), idempotency_key="k")
    assert bestow.balance.retrieve()["available"] == 0


def test_the_pushes_of_a_fake_are_signed_as_the_service_signs_them() -> None:
    bestow = FakeBestow()
    endpoint = bestow.webhook_endpoints.create(url="https://shop.example/hook", types=["gift.claimed"])
    bestow.orders.create(gifts=gifts_to("claimed"))
    [push] = bestow.pushes
    assert verify_webhook(push.body, push.headers, endpoint["secret"])["type"] == "gift.claimed"
    with pytest.raises(bestow_sdk.WebhookVerificationError):
        verify_webhook(push.body + b" ", push.headers, endpoint["secret"])


def test_a_stream_of_a_fake_waits_for_events() -> None:
    async def read(bestow: AsyncFakeBestow) -> str:
        async for event in bestow.events.stream(types=["gift.claimed"]):
            return event["type"]
        return ""

    async def run() -> str:
        bestow = AsyncFakeBestow()
        reading = asyncio.create_task(read(bestow))
        await asyncio.sleep(0)
        await bestow.orders.create(gifts=gifts_to("claimed"))
        return await reading

    assert asyncio.run(run()) == "gift.claimed"


def test_what_a_fake_does_not_have_fails_in_words() -> None:
    with pytest.raises(NotImplementedError, match="does not have the operation retrieveLedgerCheckpoint"):
        FakeBestow().ledger.checkpoint()
    with pytest.raises(NotImplementedError, match="does not have the part “card”"):
        list(FakeBestow().gifts.list(expand=["card"]))


def test_orders_of_threads_through_a_fake_are_charged_once_each() -> None:
    bestow = FakeBestow(balance=25_000)

    def order(number: int) -> bool:
        try:
            bestow.orders.create(gifts=gifts_to("ada"), idempotency_key=f"k{number % 20}")
        except bestow_sdk.InsufficientBalanceError:
            return False
        return True

    with ThreadPoolExecutor(8) as threads:
        assert sum(threads.map(order, range(40))) == 20
    assert bestow.balance.retrieve()["available"] == 0


def test_a_call_of_a_fake_gives_up_as_a_real_one_does() -> None:
    bestow = FakeBestow()
    with pytest.raises(bestow_sdk.ServiceError) as failed:
        bestow.orders.create(gifts=gifts_to("internal-error"))
    assert failed.value.code == "internal_error"
    assert 5 < len(bestow.requests) < 30
    for _ in range(70):
        bestow.fail_next("internal_error")
    with pytest.raises(bestow_sdk.ServiceError):
        bestow.orders.create(gifts=gifts_to("ada"), timeout=5)
    with pytest.raises(bestow_sdk.ServiceError):
        bestow.orders.cancel("ord_0", timeout=5)


def test_a_slow_answer_of_a_fake_takes_five_seconds_of_its_clock() -> None:
    bestow = FakeBestow(try_timeout=1)
    order = bestow.orders.create(gifts=gifts_to("slow"))
    response = response_of(order)
    assert (response.attempts, response.is_replay) == (2, True)
    with pytest.raises(bestow_sdk.TimeoutError, match="within 1 seconds") as late:
        bestow.orders.create(gifts=gifts_to("slow"), max_retries=0)
    assert late.value.outcome_unknown
    patient = FakeBestow()
    assert response_of(patient.orders.create(gifts=gifts_to("slow"))).attempts == 1
    with pytest.raises(bestow_sdk.TimeoutError, match="within 2 seconds"):
        patient.orders.create(gifts=gifts_to("slow"), timeout=2)


def test_a_slow_answer_of_an_asynchronous_fake_takes_five_seconds_too() -> None:
    async def play() -> int:
        bestow = AsyncFakeBestow(try_timeout=1)
        order = await bestow.orders.create(gifts=gifts_to("slow"))
        with pytest.raises(bestow_sdk.ServiceError):
            await bestow.orders.create(gifts=gifts_to("internal-error"))
        return response_of(order).attempts

    assert asyncio.run(play()) == 2


def test_a_wait_for_an_order_of_a_fake_ends_at_its_limit() -> None:
    bestow = FakeBestow()
    order = bestow.orders.create(gifts=gifts_to("processing"))
    with pytest.raises(bestow_sdk.TimeoutError):
        bestow.orders.wait_until_processed(order["order_id"], timeout=5)
    assert bestow.orders.wait_until_processed(order["order_id"])["status"] == "processed"


def test_a_disabled_endpoint_of_a_fake_gets_no_push_until_it_is_enabled() -> None:
    bestow = FakeBestow()
    endpoint_id = bestow.webhook_endpoints.create(url="https://shop.example/", types=["gift.claimed"])["endpoint_id"]
    bestow.webhook_endpoints.update(endpoint_id, status="disabled")
    thank(bestow)
    assert bestow.pushes == []
    bestow.webhook_endpoints.update(endpoint_id, status="enabled")
    assert len(bestow.pushes) == 1
