"""Times, days and mappings that JSON cannot hold by itself."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone
from types import MappingProxyType
from typing import Any

import pytest
from harness import GIFT, ORDER, Act, World, ok, page

AT = datetime(2026, 12, 24, 9, tzinfo=timezone(timedelta(hours=1)))
NAIVE = datetime(2026, 12, 24, 9)
RESENT = {"object": "webhook_resend", "resent": 1}


def listed(before: object) -> Act:
    return lambda client: client.gifts.list(created_before=before).page()


def resent(**given: object) -> Act:
    return lambda client: client.webhook_endpoints.resend_deliveries("wh_1", **given)


def test_a_body_takes_times_with_zones_days_and_any_mapping(world: World) -> None:
    gift: Any = {"amount": 1000, "category": "coffee", "delivery": {"method": "link"}, "send_at": AT}
    metadata = MappingProxyType({"team": "sales"})
    world.run(lambda client: client.orders.create(gifts=[MappingProxyType(gift)], metadata=metadata), ok(ORDER))
    world.run(lambda client: client.gifts.schedule("gift_1", send_at=AT), ok(GIFT))
    saved = ok({"contact_id": "con_1"})
    link: Any = {"method": "email", "email": "a@b.test"}
    world.run(lambda client: client.contacts.save(delivery=link, birthday=date(1985, 3, 14)), saved)
    placed, scheduled, contact = world.bodies()
    assert placed == {"gifts": [{**gift, "send_at": "2026-12-24T09:00:00+01:00"}], "metadata": {"team": "sales"}}
    assert scheduled == {"send_at": "2026-12-24T09:00:00+01:00"}
    assert contact["birthday"] == "1985-03-14"


def test_a_time_without_its_zone_is_refused_by_its_name(world: World) -> None:
    body: Any = [{"send_at": NAIVE}]
    with pytest.raises(ValueError, match=r"^gifts\[0\]\.send_at must be a time with its zone, such as datetime\.now"):
        world.run(lambda client: client.orders.create(gifts=body), ok(ORDER))
    assert world.requests == []


def test_a_filter_takes_a_time_with_its_zone_and_refuses_a_day(world: World) -> None:
    world.run(lambda client: client.gifts.list(created_before=AT).page(), page())
    assert dict(world.requests[0].url.params) == {"created_before": "2026-12-24T09:00:00+01:00"}
    for wrong in (NAIVE, date(2026, 12, 24)):
        with pytest.raises((TypeError, ValueError), match="^created_before must be a time with its zone"):
            world.run(listed(wrong), page())


def test_deliveries_are_resent_since_a_time_that_errors_call_since(world: World) -> None:
    for since in (AT, "2026-12-24T08:00:00Z"):
        world.run(resent(since=since), ok(RESENT))
    assert world.bodies() == [{"from": "2026-12-24T09:00:00+01:00"}, {"from": "2026-12-24T08:00:00Z"}]
    wrong: list[Any] = [{"since": "yesterday"}, {"since": NAIVE}, {"since": object()}, {}, {"since": AT, "failed": True}]
    for given in wrong:
        with pytest.raises((TypeError, ValueError), match=r"\bsince\b"):
            world.run(resent(**given), ok(RESENT))
    assert len(world.requests) == 2


def test_a_month_of_another_type_is_named(world: World) -> None:
    with pytest.raises(TypeError, match="^month must be a text such as 2026-11"):
        world.run(lambda client: client.ledger.statement(date(2026, 11, 1)), ok({}))
