# Buys with the client of openapi-generator and prints what it saw as JSON.
import json
import os

import bestow_client as bestow
import pydantic

configuration = bestow.Configuration(host=os.environ["BESTOW_URL"], access_token=os.environ["BESTOW_KEY"])
client = bestow.ApiClient(configuration)
catalog, gifts = bestow.CatalogApi(client), bestow.GiftsApi(client)
orders, sandbox = bestow.OrdersApi(client), bestow.SandboxApi(client)


def order_of(category: str) -> bestow.OrderInput:
    delivery = bestow.DeliveryInput(bestow.EmailDelivery(method="email", email="ada@example.com"))
    return bestow.OrderInput(gifts=[bestow.GiftInput(amount=2500, category=category, delivery=delivery)])


def error_of(call) -> str:
    try:
        call()
    except bestow.ApiException as error:
        return f"{error.status} {bestow.ErrorResponse.from_json(error.body).error.code}"
    raise AssertionError("There was no error.")


def place(category: str):
    return orders.create_order_with_http_info(os.environ["BESTOW_ORDER"], order_of(category))


wrong = error_of(lambda: place("nothing"))
placed = place("coffee")
replay = place("coffee")
gift = placed.data.gifts[0]

count, after = 0, None
while True:
    page = gifts.list_gifts(limit=2, starting_after=after)
    count += len(page.data)
    if not page.has_more:
        break
    after = page.data[-1].gift_id

try:
    filtered = len(gifts.list_gifts(metadata={"shop": "nothing"}).data)
except pydantic.ValidationError:
    filtered = "not sent"

print(
    json.dumps(
        {
            "wrong": wrong,
            "placed": f"{placed.status_code} {gift.delivery.status} {gift.amount}",
            "replay": f"{replay.status_code} {str(replay.data.order_id == placed.data.order_id).lower()}",
            "read": gifts.retrieve_gift(gift.gift_id).delivery.status,
            "delivered": sandbox.simulate_delivery(gift.gift_id).delivery.status,
            "missing": error_of(lambda: gifts.retrieve_gift("gift_none")),
            "categories": len(catalog.list_categories().data),
            "gifts": count,
            "filtered": filtered,
        }
    )
)
