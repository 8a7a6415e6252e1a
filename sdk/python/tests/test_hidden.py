"""The API key, bodies and queries are in no text, variable or line of the log that an error leaves behind."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import httpx
import pytest
from faulty_server import FaultyServer, answer, cut, hang
from harness import ADDRESS, GIFT, ORDER, Act, Reply, World, broken, ok, page, refusal, text

import bestow_sdk
from bestow_sdk import Attempt, Bestow, FolderStore, response_of, sign_test_webhook, verify_webhook

API_KEY = "bestow-live-4f2a91c0"
EMAIL = "ada@example.com"
NAME = "Ada Lovelace"
SECRETS = (API_KEY, EMAIL, "ada%40example.com", NAME, "header-of-a-program")
TESTS = Path(__file__).parent
ANSWER: dict[str, Any] = {**ORDER, "object": "list", "data": [], "has_more": False, "contact_id": "con_1"}
"""Of every call here."""
OPTIONS: dict[str, Any] = {"api_key": API_KEY, "headers": {"X-Team": "header-of-a-program"}, "timeout": 3}


def gifts(amount: Any = 1000) -> Any:
    delivery = {"method": "email", "email": EMAIL}
    return [
        {"amount": amount, "category": "c", "delivery": delivery, "personalization": {"recipient_name": NAME}}
    ]


def order(client: Any) -> Any:
    return client.orders.create(gifts=gifts(), metadata={"for": EMAIL}, external_id=NAME)


def listed(client: Any) -> Any:
    return client.gifts.list(recipient=EMAIL).take(5)


def saved(client: Any) -> Any:
    return client.contacts.save(delivery={"method": "email", "email": EMAIL}, name=NAME)


def redirected(client: Any) -> Any:
    return client.gifts.redirect("gift_1", {"method": "email", "email": EMAIL})


def requested(client: Any) -> Any:
    return client.request("POST", f"/v1/later?name={EMAIL}", body={"email": EMAIL})


def found(client: Any) -> Any:
    return client.orders.find_by_external_id(EMAIL)


def chain(error: BaseException) -> Iterator[BaseException]:
    pending, seen = [error], set[int]()
    while pending:
        one = pending.pop()
        if id(one) not in seen:
            seen.add(id(one))
            yield one
            pending += [cause for cause in (one.__cause__, one.__context__) if cause is not None]
            pending += getattr(one, "exceptions", ())


def frames_of(error: BaseException) -> Iterator[FrameType]:
    """All frames, except those of tests: a program's own variables are its own."""
    trace = error.__traceback__
    while trace is not None:
        if Path(trace.tb_frame.f_code.co_filename).parent != TESTS:
            yield trace.tb_frame
        trace = trace.tb_next


def rendered(error: BaseException) -> str:
    """What an error reporter, or a program that looks closely, can see of an error."""
    parts: list[str] = []
    for one in chain(error):
        parts += [str(one), repr(one), repr(vars(one)), repr(getattr(one, "__notes__", ()))]
        parts += [repr(dict(frame.f_locals)) for frame in frames_of(one)]
        request = getattr(one, "_request", None)
        if request is not None:
            parts += [str(request.url), repr(request.headers.raw), repr(request.content)]
    return "\n".join(parts)


def assert_hidden(shown: str) -> None:
    assert [secret for secret in SECRETS if secret in shown] == []


ERRORS: list[tuple[str, Act, Reply]] = [
    ("InvalidRequestError", order, refusal(422, "parameter_invalid")),
    ("AuthenticationError", listed, refusal(401, "api_key_invalid", "authentication_error")),
    ("InsufficientBalanceError", order, refusal(402, "insufficient_balance", "insufficient_balance_error")),
    ("RateLimitError", listed, refusal(429, "rate_limit_exceeded", "rate_limit_error")),
    ("ServiceError", saved, refusal(409, "resource_locked", "api_error")),
    ("ApiError", redirected, refusal(418, "later", "later_error")),
    ("ConnectionError", order, text(502)),
    ("ConnectionError", requested, text(307, headers={"Location": "https://elsewhere.test/?a=b"})),
    ("ConnectionError", redirected, broken(httpx.ConnectError("refused"))),
    ("ConnectionError", saved, broken(ConnectionResetError("reset"))),
    ("TimeoutError", listed, broken(httpx.ReadTimeout("late"))),
    ("ConnectionError", order, broken(RuntimeError("the loop is closed"))),
    ("KeyError", order, broken(KeyError("a mistake in a transport"))),
    ("KeyboardInterrupt", order, broken(KeyboardInterrupt())),  # type: ignore[arg-type]
    ("TypeError", lambda client: client.orders.create(gifts=gifts(object())), ok(ORDER)),
    ("ValueError", lambda client: client.orders.create(gifts=gifts(float("nan"))), ok(ORDER)),
    ("TypeError", lambda client: client.orders.create(gift=gifts()), ok(ORDER)),
    ("TypeError", lambda client: client.orders.create(gifts=gifts(), timeout_ms=5), ok(ORDER)),
    ("TypeError", lambda client: client.gifts.list(recipent=EMAIL), ok(ORDER)),
    ("TypeError", lambda client: client.contacts.save(name=NAME, max_retries="5"), ok(ORDER)),
    ("ValueError", lambda client: client.request("POST", "later", body={"email": EMAIL}), ok(ORDER)),
    ("ValueError", lambda client: client.with_options(headers={"X-A": f"{NAME}\n"}), ok(ORDER)),
    ("InvalidRequestError", found, refusal(422, "parameter_invalid")),
    ("InvalidRequestError", lambda client: client.orders.cancel("o", reason=NAME), refusal(404, "resource_missing")),
]


@pytest.mark.parametrize(("kind", "act", "reply"), ERRORS)
def test_no_error_of_a_call_shows_key_body_or_query(world: World, kind: str, act: Act, reply: Reply) -> None:
    if kind == "KeyboardInterrupt" and world.is_async:
        return  # It ends the loop, not the call.
    with pytest.raises(BaseException) as raised:
        world.run(act, reply, **OPTIONS)
    assert type(raised.value).__name__ == kind
    assert_hidden(rendered(raised.value))


@pytest.mark.parametrize("fault", [cut(), hang, answer({"error": {}}, "500 Internal Server Error")])
@pytest.mark.parametrize("act", [order, listed])
def test_no_error_of_the_network_shows_key_body_or_query(world: World, fault: Any, act: Act) -> None:
    server = FaultyServer(fault)
    options = {**OPTIONS, "base_url": server.address, "try_timeout": 0.1, "max_retries": 1}
    with pytest.raises(bestow_sdk.ConnectionError) as raised:
        world.run(act, **options)
    server.close()
    assert any(frames_of(one) for one in chain(raised.value))
    assert_hidden(rendered(raised.value))


def test_files_and_lines_stay(world: World) -> None:
    with pytest.raises(bestow_sdk.ConnectionError) as raised:
        world.run(order, broken(httpx.ReadError("cut")), **OPTIONS)
    names = [frame.f_code.co_name for frame in frames_of(raised.value)]
    assert ("create" in names, names[-1]) == (True, "_run")
    cause = raised.value.__cause__
    assert cause is not None and "_exchange" in [frame.f_code.co_name for frame in frames_of(cause)]


def test_the_frames_of_an_error_that_the_program_handles_stay_as_they_are(world: World) -> None:
    def mistake() -> None:
        price = "12,50"
        int(price)

    with pytest.raises(bestow_sdk.ConnectionError) as raised:
        try:
            mistake()
        except ValueError:
            world.run(order, text(403), **OPTIONS)
    own = next(one for one in chain(raised.value) if type(one) is ValueError)
    assert own.__traceback__ is not None and own.__traceback__.tb_next is not None
    assert own.__traceback__.tb_next.tb_frame.f_locals == {"price": "12,50"}


def test_a_list_and_a_stream_show_nothing_after_their_first_page(world: World) -> None:
    gift = {**GIFT, "delivery": {"method": "email", "email": EMAIL}}
    event = {"sequence": 1, "type": "gift.sent", "data": {"email": EMAIL}}
    first = page(gift, has_more=True, next_cursor="c")
    with pytest.raises(bestow_sdk.InvalidRequestError) as raised:
        world.items(lambda client: client.gifts.list(recipient=EMAIL), first, refusal(422, "x"), **OPTIONS)
    assert_hidden(rendered(raised.value))
    events = page(event, next_after=1, first_sequence=1)
    with pytest.raises(bestow_sdk.InvalidRequestError) as raised:
        world.items(lambda client: client.events.stream(types=[NAME]), events, refusal(422, "x"), **OPTIONS)
    assert_hidden(rendered(raised.value))


def test_a_cancelled_call_shows_nothing() -> None:
    async def main() -> None:
        async with bestow_sdk.AsyncBestow(API_KEY, server.address) as client:
            creating = asyncio.create_task(order(client))
            while not server.bodies:
                await asyncio.sleep(0.01)
            creating.cancel()
            await creating

    server = FaultyServer(hang)
    with pytest.raises(asyncio.CancelledError) as raised:
        asyncio.run(main())
    server.close()
    assert_hidden(rendered(raised.value))


def test_the_errors_of_options_webhooks_and_stores_show_nothing(tmp_path: Path) -> None:
    store, secret = FolderStore(tmp_path), "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"
    store.keep("k", b"{}")
    body = EMAIL.encode()
    wrong: list[tuple[type[Exception], Any]] = [
        (ValueError, lambda: Bestow(f"{API_KEY}\né", ADDRESS)),
        (ValueError, lambda: Bestow(API_KEY, f"{ADDRESS}/?{EMAIL}")),
        (ValueError, lambda: Bestow(API_KEY, ADDRESS, headers={"X-A": f"{NAME}\n"})),
        (TypeError, lambda: response_of({"email": EMAIL})),
        (ValueError, lambda: store.keep("k", body)),
        (bestow_sdk.WebhookVerificationError, lambda: verify_webhook(body, {}, secret)),
        (bestow_sdk.WebhookVerificationError, lambda: verify_webhook(body, sign_test_webhook("", secret), secret)),
        (bestow_sdk.WebhookVerificationError, lambda: verify_webhook(body, sign_test_webhook(body, secret), secret)),
    ]
    for kind, act in wrong:
        with pytest.raises(kind) as raised:
            act()
        shown = rendered(raised.value)
        assert_hidden(shown)
        assert secret not in shown


def test_the_hook_sees_no_key_body_or_query(world: World) -> None:
    seen: list[str] = []
    running: list[str] = []

    def look(attempt: Attempt) -> None:
        seen.append(repr(attempt) + (rendered(attempt.error) if attempt.error else ""))
        frame: FrameType | None = sys._getframe(1)
        while frame is not None and Path(frame.f_code.co_filename).parent != TESTS:
            running.append(repr(frame.f_locals))
            frame = frame.f_back

    for act in (order, listed, saved):
        world.run(act, broken(httpx.ReadError("cut")), ok(ANSWER), on_attempt=look, **OPTIONS)
    assert (len(seen), len(running) > 20) == (6, True)
    assert_hidden("\n".join(seen))
    # Calls that still run have their arguments, but show no key.
    assert API_KEY not in "\n".join(running)


def test_the_log_has_no_key_body_or_query(world: World, caplog: pytest.LogCaptureFixture, tmp_path: Path) -> None:
    class FailingStore(FolderStore):
        def forget(self, key: str) -> None:
            raise OSError("the disk is full")

    def hook(_: Attempt) -> None:
        raise RuntimeError("a mistake in the metrics")

    caplog.set_level(logging.DEBUG)
    server = FaultyServer(answer(ANSWER))
    options = {**OPTIONS, "base_url": server.address, "store": FailingStore(tmp_path), "on_attempt": hook}
    for act in (order, listed, redirected):
        try:
            world.run(act, **options)
        except bestow_sdk.ConnectionError:
            assert act is redirected  # A gift would have a gift_id.
    server.close()
    assert "HTTP Request: GET" in caplog.text and "/v1/gifts " in caplog.text
    assert {"a mistake in the metrics", "the disk is full"} < set(caplog.text.replace(": ", "\n").split("\n"))
    for record in caplog.records:
        assert_hidden(record.getMessage() + repr(record.args))
        if record.exc_info and record.exc_info[1]:
            assert_hidden(rendered(record.exc_info[1]))


def test_httpx_logs_the_requests_of_the_program_as_before(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with httpx.Client(transport=httpx.MockTransport(ok({}))) as http:
        http.get(f"{ADDRESS}/?a=b")
    assert f"GET {ADDRESS}/?a=b" in caplog.text
