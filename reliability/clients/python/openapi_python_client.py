# Buys with the client of openapi-python-client and prints what it saw as JSON.
import json
import os

from bestow_client import AuthenticatedClient
from bestow_client.api.catalog import list_categories
from bestow_client.api.gifts import list_gifts, retrieve_gift
from bestow_client.api.orders import create_order
from bestow_client.api.sandbox import simulate_delivery
from bestow_client.models import EmailDelivery, ErrorResponse, GiftInput, ListGiftsMetadata, OrderInput

client = AuthenticatedClient(base_url=os.environ["BESTOW_URL"], token=os.environ["BESTOW_KEY"])


def order_of(category: str) -> OrderInput:
    delivery = EmailDelivery(method="email", email="ada@example.com")
    return OrderInput(gifts=[GiftInput(amount=2500, category=category, delivery=delivery)])


def error_of(answer) -> str:
    assert isinstance(answer.parsed, ErrorResponse)
    return f"{answer.status_code.value} {answer.parsed.error.code}"


def place(category: str):
    return create_order.sync_detailed(
        client=client, body=order_of(category), idempotency_key=os.environ["BESTOW_ORDER"]
    )


wrong = place("nothing")
placed = place("coffee")
replay = place("coffee")
gift = placed.parsed.gifts[0]

count, after = 0, {}
while True:
    page = list_gifts.sync(client=client, limit=2, **after)
    count += len(page.data)
    if not page.has_more:
        break
    after = {"starting_after": page.data[-1].gift_id}

nothing = ListGiftsMetadata.from_dict({"shop": "nothing"})
# It sends the pair as a separate parameter.
answer = list_gifts.sync_detailed(client=client, metadata=nothing)
filtered = "refused" if answer.status_code == 422 else len(answer.parsed.data)

print(
    json.dumps(
        {
            "wrong": error_of(wrong),
            "placed": f"{placed.status_code.value} {gift.delivery.status} {gift.amount}",
            "replay": f"{replay.status_code.value} {str(replay.parsed.order_id == placed.parsed.order_id).lower()}",
            "read": retrieve_gift.sync(gift.gift_id, client=client).delivery.status,
            "delivered": simulate_delivery.sync(gift.gift_id, client=client).delivery.status,
            "missing": error_of(retrieve_gift.sync_detailed("gift_none", client=client)),
            "categories": len(list_categories.sync(client=client).data),
            "gifts": count,
            "filtered": filtered,
        }
    )
)
