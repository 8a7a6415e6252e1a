# What the programs in this folder share: an order, and what is read after it.
import os

URL = os.environ["BESTOW_URL"] + "/mcp"
BUYER, READER = os.environ["BESTOW_TOKEN"], os.environ["BESTOW_READER_TOKEN"]
ORDER = {
    "gifts": [
        {
            "amount": 2500,
            "category": "coffee",
            "delivery": {"method": "email", "email": "delivered@sandbox.gift.test"},
            "personalization": {"recipient_name": "Ada"},
        }
    ]
}


def headers_of(token: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token}"}


async def buy(call) -> tuple[dict, dict]:
    """Previews an order, places it and repeats the call. Returns the order, and what was seen."""
    previewed = await call("preview_order", ORDER)
    given = {"preview_token": previewed["preview_token"]}
    placed = await call("place_order", given)
    again = await call("place_order", given)
    return placed, {"placed": placed["status"], "is_repeat_same": again["order_id"] == placed["order_id"]}


async def read(call, names: list[str], placed: dict) -> list[str]:
    """Calls each of these tools after an order, but not the one for an order that waits. Returns their names."""
    given = {
        "preview_order": ORDER,
        "get_order": {"order_id": placed["order_id"]},
        "get_gift": {"gift_id": placed["gifts"][0]["gift_id"]},
        "wait_for_events": {"after": 0, "wait": 0},
        "search_docs": {"query": "external_id_taken"},
    }
    called = sorted(name for name in names if name != "get_order_request")
    for name in called:
        await call(name, given.get(name, {}))
    return called
