from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import pytest
from harness import GIFTS, ORDER, Act, World, broken, create, ok, refusal, text

import bestow_sdk
from bestow_sdk import Attempt, FolderStore

CUT = broken(httpx.RemoteProtocolError("cut"))
LOCKED = refusal(409, "resource_locked", "api_error")


def files(folder: Path) -> list[str]:
    return sorted(os.listdir(folder))


def test_an_order_is_kept_while_it_is_sent_and_forgotten_after_its_answer(world: World, tmp_path: Path) -> None:
    store, kept = FolderStore(tmp_path / "a" / "b"), list[tuple[str, bytes]]()

    def look(_: Attempt) -> None:
        kept.extend(store.kept())

    world.run(create, CUT, ok(ORDER), store=store, on_attempt=look)
    key = world.requests[0].headers["Idempotency-Key"]
    assert kept == [(key, world.requests[0].content)] * 2
    assert list(store.kept()) == []


@pytest.mark.parametrize(
    ("replies", "is_kept"),
    [
        ([refusal(422, "parameter_invalid")], False),
        ([refusal(402, "insufficient_balance", "insufficient_balance_error")], False),
        ([LOCKED], True),
        ([CUT, refusal(422, "parameter_invalid")], True),
        ([CUT], True),
        ([text(403)], True),
        ([broken(RuntimeError("a mistake"))], True),
    ],
)
def test_an_order_is_forgotten_only_after_a_final_answer(
    world: World, tmp_path: Path, replies: Any, is_kept: bool
) -> None:
    store = FolderStore(tmp_path)
    with pytest.raises((bestow_sdk.BestowError, RuntimeError)):
        world.run(create, *replies, store=store)
    assert (len(list(store.kept())) == 1) == is_kept


def test_resuming_sends_each_kept_order_with_its_own_key_and_body(world: World, tmp_path: Path) -> None:
    store = FolderStore(tmp_path)

    def with_key(key: str) -> Act:
        return lambda client: client.orders.create(gifts=GIFTS, metadata={"of": key}, idempotency_key=key)

    for key in ("a", "b", "c", "d"):
        world.fails(bestow_sdk.ConnectionError, with_key(key), CUT, store=store, max_retries=0)
    sent = {request.headers["Idempotency-Key"]: request.content for request in world.requests}
    world.requests.clear()

    def answer(request: httpx.Request) -> httpx.Response:
        key = request.headers["Idempotency-Key"]
        replies = {
            "a": ok(ORDER),
            "b": refusal(402, "insufficient_balance", "insufficient_balance_error"),
            "d": refusal(401, "api_key_revoked", "authentication_error"),
        }
        return replies.get(key, text(502))(request)

    resumed = world.run(lambda client: client.orders.resume(), answer, store=store, max_retries=0)
    assert {request.headers["Idempotency-Key"]: request.content for request in world.requests} == sent
    results = {one.idempotency_key: one for one in resumed}
    assert results["a"].order == ORDER and results["a"].body["metadata"] == {"of": "a"}
    assert type(results["b"].error) is bestow_sdk.InsufficientBalanceError
    assert results["c"].error.outcome_unknown
    assert {key for key, _ in store.kept()} == {"c", "d"}


@pytest.mark.parametrize(
    "content",
    ["", "{", "[]", "7", '{"idempotency_key": "b"}', '{"idempotency_key": "b", "body": "{"}', "of another key"],
)
def test_a_broken_file_is_named_and_the_other_orders_are_resumed(world: World, tmp_path: Path, content: str) -> None:
    store = FolderStore(tmp_path)
    for key in ("a", "b", "c"):
        store.keep(key, b'{"gifts": []}')
    broken_file, other = store._file_of("b"), store._file_of("a")
    broken_file.write_text(other.read_text() if content == "of another key" else content)
    resumed = world.run(lambda client: client.orders.resume(), ok(ORDER), store=store)
    *orders, last = resumed
    assert {one.idempotency_key: one.order for one in orders} == {"a": ORDER, "c": ORDER}
    assert (type(last.error), last.idempotency_key, last.body, last.order) == (bestow_sdk.StoreError, None, None, None)
    message = f"{broken_file} holds no order of this name. Repair the file, or remove it."
    assert str(last.error) == f"Kept orders cannot be read: {message}"
    assert last.error.outcome_unknown
    assert files(tmp_path) == [broken_file.name]
    with pytest.raises(ValueError, match=message):
        store.keep("b", b'{"gifts": []}')


def test_a_key_that_no_request_can_carry_is_named_and_the_other_orders_are_resumed(world: World, tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    for key in ("a", " blank", "geburtstag-Jürgen"):
        store.keep(key, b'{"gifts": []}')
    first, last = world.run(lambda client: client.orders.resume(), ok(ORDER), store=store)
    assert (first.idempotency_key, first.order) == ("a", ORDER)
    assert isinstance(last.error, bestow_sdk.StoreError)
    assert "' blank'" in str(last.error) and "'geburtstag-Jürgen'" in str(last.error)


def test_an_order_that_another_client_kept_is_the_same_order(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    store.keep("k", b'{"gifts":[{"amount":2500}],"external_id":"a"}')
    store.keep("k", b'{"external_id": "a", "gifts": [{"amount": 2500}]}')
    with pytest.raises(ValueError, match="A new key is a new order"):
        store.keep("k", b'{"external_id": "b", "gifts": [{"amount": 2500}]}')


def test_a_file_that_may_not_be_read_is_named(world: World, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = FolderStore(tmp_path)
    store.keep("a", b"{}")

    def refuse(path: Path) -> bytes:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "read_bytes", refuse)
    [only] = world.run(lambda client: client.orders.resume(), ok(ORDER), store=store)
    assert str(store._file_of("a")) in str(only.error)


def test_an_order_that_is_resumed_shows_no_body(world: World, tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    store.keep("k", b'{"gifts": [], "external_id": "Ada"}')
    [resumed] = world.run(lambda client: client.orders.resume(), ok({**ORDER, "external_id": "Ada"}), store=store)
    assert resumed.body["external_id"] == resumed.order["external_id"] == "Ada"
    assert repr(resumed) == "Resumed(idempotency_key='k', error=None)"


def test_orders_are_resumed_one_after_another_in_a_loop(world: World, tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    for key in ("a", "b", "c"):
        store.keep(key, b"{}")
    [first] = world.items(lambda client: client.orders.resume(), ok(ORDER), count=1, store=store)
    assert first.order == ORDER
    assert len(world.requests) == (1 if world.is_async else 3)
    rest = world.items(lambda client: client.orders.resume(), ok(ORDER), store=store)
    assert len(rest) == (2 if world.is_async else 0)


def test_nothing_is_sent_if_the_order_cannot_be_kept(world: World, tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    store.keep("k", b"{}")
    with pytest.raises(bestow_sdk.StoreError, match="not sent.* Another order is kept") as refused:
        world.run(lambda client: client.orders.create(gifts=GIFTS, idempotency_key="k"), ok(ORDER), store=store)
    assert (refused.value.idempotency_key, refused.value.outcome_unknown) == ("k", False)
    tmp_path.joinpath(files(tmp_path)[0]).unlink()
    tmp_path.rmdir()
    with pytest.raises(bestow_sdk.StoreError, match="No such file"):
        world.run(create, ok(ORDER), store=store)
    with pytest.raises((TypeError, ValueError)):
        world.run(lambda client: client.orders.create(gifts=GIFTS, timeout=0), ok(ORDER), store=store)
    assert world.requests == []


def test_an_order_is_returned_even_if_the_store_cannot_forget_it(
    world: World, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    class FailingStore(FolderStore):
        def forget(self, key: str) -> None:
            raise OSError("the disk is full")

    assert world.run(create, ok(ORDER), store=FailingStore(tmp_path)) == ORDER
    assert "the disk is full" in caplog.text


def test_without_a_store_nothing_can_be_resumed(world: World) -> None:
    with pytest.raises(ValueError, match="no store"):
        world.run(lambda client: client.orders.resume(), ok(ORDER))


def test_the_files_are_private_and_have_no_api_key(world: World, tmp_path: Path) -> None:
    folder = tmp_path / "orders"
    world.fails(bestow_sdk.ConnectionError, create, CUT, store=FolderStore(folder), max_retries=0)
    [file] = folder.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert "bestow-sandbox" not in file.read_text()


def test_keeping_twice_and_forgetting_twice_is_harmless(tmp_path: Path) -> None:
    store = FolderStore(tmp_path)
    for key in ("a/../b", "k" * 255):
        store.keep(key, '{"a": "é"}'.encode())
        store.keep(key, '{"a": "é"}'.encode())
    assert sorted(FolderStore(tmp_path).kept())[0] == ("a/../b", '{"a": "é"}'.encode())
    store.forget("a/../b")
    store.forget("a/../b")
    assert len(list(store.kept())) == 1


def test_the_files_are_those_of_the_other_clients(tmp_path: Path) -> None:
    """The same file is in the tests of the clients for TypeScript and Go."""
    file = tmp_path / "8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a.json"
    file.write_text('{"idempotency_key":"k","body":"{\\"gifts\\":[]}"}')
    store = FolderStore(tmp_path)
    assert list(store.kept()) == [("k", b'{"gifts":[]}')]
    store.forget("k")
    store.keep("k", '{"gifts": [], "external_id": "é"}'.encode())
    content = r'{"idempotency_key": "k", "body": "{\"gifts\": [], \"external_id\": \"\u00e9\"}"}'
    assert file.read_text() == content


def test_a_temporary_file_of_a_killed_program_is_removed_after_an_hour(tmp_path: Path) -> None:
    old, new = tmp_path / "old.tmp", tmp_path / "new.tmp"
    for file in (old, new):
        file.write_text("{")
    os.utime(old, (0, 0))
    assert list(FolderStore(tmp_path).kept()) == []
    assert files(tmp_path) == ["new.tmp"]


PROGRAM = """
import sys, time
import httpx
from bestow_sdk import Bestow, FolderStore

def never(request):
    print(request.headers["Idempotency-Key"], flush=True)
    time.sleep(60)

http = httpx.Client(transport=httpx.MockTransport(never))
with Bestow("key", "https://bestow.test", http_client=http, store=FolderStore(sys.argv[1])) as bestow:
    bestow.orders.create(gifts=[{"amount": 1000, "category": "coffee", "delivery": {"method": "link"}}])
"""


def test_an_order_survives_the_kill_of_its_program(world: World, tmp_path: Path) -> None:
    program = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(tmp_path)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert program.stdout is not None
    key = program.stdout.readline().strip()
    program.send_signal(signal.SIGKILL)
    program.wait()
    program.stdout.close()
    [resumed] = world.run(lambda client: client.orders.resume(), ok(ORDER), store=FolderStore(tmp_path))
    assert (resumed.order, resumed.idempotency_key, key != "") == (ORDER, key, True)
    assert world.bodies() == [{"gifts": GIFTS}]
    assert files(tmp_path) == []


def test_an_order_is_on_the_disk_before_its_name_and_the_name_before_it_is_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []
    flush, rename = os.fsync, os.replace

    def watched_flush(descriptor: int) -> None:
        done.append("folder" if stat.S_ISDIR(os.fstat(descriptor).st_mode) else "file")
        flush(descriptor)

    def watched_rename(source: Path, target: Path) -> None:
        done.append("name")
        rename(source, target)

    monkeypatch.setattr(os, "fsync", watched_flush)
    monkeypatch.setattr(os, "replace", watched_rename)
    FolderStore(tmp_path).keep("k", b"{}")
    assert done == ["file", "name", "folder"]


def test_a_path_of_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "orders"
    file.write_text("")
    for path in (file, file / "below"):
        with pytest.raises(bestow_sdk.StoreError, match=f"^{path} is a file, or is below one"):
            FolderStore(path)
