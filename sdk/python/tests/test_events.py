from __future__ import annotations

from typing import Any

import httpx
import pytest
from harness import Reply, World, broken, ok, page, refusal, text

import bestow_sdk

CUT = broken(httpx.RemoteProtocolError("cut"))
GONE = refusal(422, "cursor_invalid")


def events(*sequences: int, after: int | None = None, first: int = 1) -> Reply:
    data: list[Any] = [{"sequence": sequence, "type": "later.type", "data": {}} for sequence in sequences]
    last = after if after is not None else sequences[-1]
    return page(*data, next_after=last, first_sequence=first)


def stream(world: World, count: int, *replies: Reply, **options: Any) -> list[int]:
    found = world.items(lambda client: client.events.stream(**options), *replies, count=count)
    return [event["sequence"] for event in found]


def test_a_stream_goes_on_after_restarts_gateways_and_cuts(world: World) -> None:
    busy = refusal(429, "rate_limit_exceeded", "rate_limit_error", {"Retry-After": "90"})
    faults = [CUT, text(502), text(503), text(200), ok({"object": "list"}, 500), busy, CUT, CUT, CUT, CUT, CUT, CUT]
    assert stream(world, 4, events(1, 2), *faults, events(3), events(4), after=0) == [1, 2, 3, 4]
    assert [request.url.params["after"] for request in world.requests] == ["0", *["2"] * 13, "3"]
    assert dict(world.requests[0].url.params) == {"after": "0", "limit": "1000", "wait": "30"}
    assert sum(world.clock.pauses) > 90


def test_it_reads_on_behind_events_of_other_types_and_waits_a_second_at_the_end(world: World) -> None:
    assert stream(world, 1, events(after=7), events(9), types=["gift.claimed", "gift.spent"]) == [9]
    assert [request.url.params.get("after") for request in world.requests] == [None, "7"]
    assert world.requests[0].url.params["types"] == "gift.claimed,gift.spent"
    assert world.clock.pauses == [1]


def test_deleted_events_are_an_error_or_a_told_gap(world: World) -> None:
    with pytest.raises(bestow_sdk.InvalidRequestError) as raised:
        stream(world, 1, GONE, after=5)
    assert raised.value.code == "cursor_invalid"
    gaps: list[tuple[int | None, int]] = []
    replies = [GONE, events(90, first=90), events(90, 91, first=90)]

    def on_gap(after: int | None, first: int) -> None:
        gaps.append((after, first))

    found = stream(world, 2, *replies, after=5, on_gap=on_gap)
    assert (found, gaps) == ([90, 91], [(5, 90)])
    assert [request.url.params.get("after") for request in world.requests[1:]] == ["5", None, "89"]


def test_headers_of_a_stream_are_sent_with_each_request(world: World) -> None:
    stream(world, 2, events(1), events(2), headers={"X-Team": "sales"})
    assert [request.headers["X-Team"] for request in world.requests] == ["sales"] * 2


def test_an_asynchronous_gap_is_awaited(world: World) -> None:
    if not world.is_async:
        pytest.skip("Only of the asynchronous client.")
    gaps: list[int] = []

    async def on_gap(_: int | None, first: int) -> None:
        gaps.append(first)

    assert stream(world, 1, GONE, events(3, first=3), events(3, first=3), after=1, on_gap=on_gap) == [3]
    assert gaps == [3]


def test_other_errors_end_a_stream(world: World) -> None:
    with pytest.raises(bestow_sdk.AuthenticationError):
        stream(world, 1, refusal(401, "api_key_revoked", "authentication_error"))


def test_a_page_of_the_feed(world: World) -> None:
    found = world.run(lambda client: client.events.list(after=3, wait=2, expand="resource"), events(4))
    assert (found["next_after"], found["data"][0]["sequence"]) == (4, 4)
    assert dict(world.requests[0].url.params) == {"after": "3", "wait": "2", "expand": "resource"}
