from __future__ import annotations

import gzip
from typing import Any

import httpx
import pytest
from harness import World, ok, page, text


def orders(*numbers: int) -> list[dict[str, Any]]:
    return [{"order_id": f"ord_{number}"} for number in numbers]


def ids(items: list[Any]) -> list[str]:
    return [item["order_id"] for item in items]


def queries(world: World) -> list[dict[str, str]]:
    return [dict(request.url.params) for request in world.requests]


def test_all_pages_are_read_newest_first_also_over_a_fault(world: World) -> None:
    replies = [page(*orders(5, 4), has_more=True), text(502), page(*orders(3), has_more=False)]
    assert ids(world.items(lambda client: client.orders.list(status="processed"), *replies)) == [
        "ord_5",
        "ord_4",
        "ord_3",
    ]
    expected = {"limit": "100", "status": "processed"}
    assert queries(world) == [expected, *[{**expected, "starting_after": "ord_4"}] * 2]


def test_a_call_and_a_list_send_the_parts_that_they_ask_for(world: World) -> None:
    world.run(lambda client: client.gifts.retrieve("gift_1", expand=["history", "card"]), ok({"gift_id": "gift_1"}))
    world.items(lambda client: client.orders.list(expand=["history"]), page(*orders(1)))
    assert [query.get("expand") for query in queries(world)] == ["history,card", "history"]
    with pytest.raises(TypeError, match="no option 'expand'"):
        world.run(lambda client: client.balance.retrieve(expand=["history"]))


def test_a_list_is_asked_for_compressed_and_read(world: World) -> None:
    def compressed(request: httpx.Request) -> httpx.Response:
        assert "gzip" in request.headers["accept-encoding"]
        return httpx.Response(200, content=gzip.compress(page(*orders(1))(request).content), headers=encoding)

    encoding = {"content-encoding": "gzip", "content-type": "application/json"}
    assert ids(world.items(lambda client: client.orders.list(), compressed)) == ["ord_1"]


def test_newer_orders_are_read_oldest_first(world: World) -> None:
    replies = [page(*orders(3, 2), has_more=True), page(*orders(4))]
    found = world.items(lambda client: client.orders.list(ending_before="ord_1", limit=2), *replies)
    assert ids(found) == ["ord_2", "ord_3", "ord_4"]
    assert [query["ending_before"] for query in queries(world)] == ["ord_1", "ord_3"]


def test_a_next_cursor_is_used(world: World) -> None:
    replies = [page(*orders(2), has_more=True, next_cursor="c"), page(has_more=True, next_cursor="d"), page(*orders(1))]
    assert ids(world.items(lambda client: client.orders.list(), *replies)) == ["ord_2", "ord_1"]
    assert [query.get("starting_after") for query in queries(world)] == [None, "c", "d"]


def test_an_early_end_reads_no_further_page(world: World) -> None:
    more = page(*orders(3, 2, 1), has_more=True)
    assert len(world.items(lambda client: client.orders.list(), more, count=2)) == 2
    assert len(world.run(lambda client: client.orders.list().take(3), more)) == 3
    assert world.run(lambda client: client.orders.list().take(0), more) == []
    assert len(world.requests) == 2


def test_the_first_page(world: World) -> None:
    found = world.run(
        lambda client: client.orders.list(limit=2, metadata={"team": "a b", "x": "&"}).page(),
        page(*orders(2, 1), has_more=True),
    )
    assert (ids(found["data"]), found["has_more"]) == (["ord_2", "ord_1"], True)
    assert queries(world) == [{"limit": "2", "metadata[team]": "a b", "metadata[x]": "&"}]


@pytest.mark.parametrize(
    ("name", "params"),
    [
        ("metadata.team", {"metadata": {"team": None}}),
        ("status", {"status": {"claimed": 1}.values()}),
        ("category", {"category": ["books", None]}),
        ("recipient", {"recipient": b"ada@example.com"}),
    ],
)
def test_a_filter_that_is_no_text_number_or_time_is_refused(world: World, name: str, params: Any) -> None:
    with pytest.raises(TypeError, match=f"{name} must be a text, a number or a time"):
        world.run(lambda client: client.gifts.list(**params).page(), page())
    assert world.requests == []


def test_a_whole_catalog_is_one_page(world: World) -> None:
    found = world.items(lambda client: client.categories.list(), page({"id": "coffee"}, {"id": "books"}))
    assert [category["id"] for category in found] == ["coffee", "books"]
    assert queries(world) == [{}]
