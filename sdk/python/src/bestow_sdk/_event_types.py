"""
Events, told apart by their `type`. Types that this version does not know come through. Type checkers tell the members
of a union apart only if each has literal texts, so the last member stands for all later types.
"""

from typing import Any, Generic, Literal, TypeVar

from ._typing import NotRequired, TypedDict

Kind = TypeVar("Kind", bound=str)
Data = TypeVar("Data")


class EventOf(TypedDict, Generic[Kind, Data]):
    event_id: str
    type: Kind
    created_at: str
    sequence: int
    data: Data
    resource: NotRequired[dict[str, Any] | None]
    """The order or gift as it is now; None for other events. Only with `expand="resource"`."""


class WebhookEventOf(TypedDict, Generic[Kind, Data]):
    type: Kind
    timestamp: str
    """When it happened."""
    created_at: str
    """The same as `timestamp`, under its name in the feed."""
    data: Data
    event_id: str
    """The same in every attempt: remember it to do nothing twice."""
    sequence: int | None
    """None for `webhook.test`."""
    previous_sequence: int | None
    """The event that was pushed to this endpoint before; None for the first one."""


class OrderData(TypedDict):
    order_id: str
    status: str


class Cancellation(TypedDict):
    canceled_at: str
    reason: str | None
    refunded: int


class OrderCanceledData(TypedDict):
    order_id: str
    cancellation: Cancellation


class OrderRequestData(TypedDict):
    order_request_id: str
    order_id: NotRequired[str]
    """Once approved."""


class DeliveryStatus(TypedDict):
    status: str


class GiftData(TypedDict):
    order_id: str
    gift_id: str
    delivery: DeliveryStatus


class GiftRedirectedData(GiftData):
    reason: str
    """`redirected`, `link_replaced`, `resent`."""


class Purchase(TypedDict):
    amount: int
    amount_left: int


class GiftSpentData(TypedDict):
    order_id: str
    gift_id: str
    purchase: Purchase


class GiftPlainData(TypedDict):
    order_id: str
    gift_id: str


class GiftCanceledData(TypedDict):
    order_id: str
    gift_id: str
    cancellation: Cancellation


class BalanceFundedData(TypedDict):
    entry_id: str
    kind: str
    amount: int
    balance: int


class BalanceLowData(TypedDict):
    balance: int
    threshold: int


class KeyData(TypedDict):
    key_id: str


class DatabaseRestoredData(TypedDict):
    restored_to: str
    last_sequence: int


OrderPlaced = Literal["order.created", "order.processed"]
OrderRequest = Literal["order_request.approved", "order_request.declined", "order_request.expired"]
GiftChanged = Literal[
    "gift.sent", "gift.delivered", "gift.delivery_failed", "gift.opened", "gift.claimed", "gift.declined"
]
GiftVoid = Literal["gift.canceled", "gift.expired"]
KeyChanged = Literal["key.created", "key.revoked"]
Other = Literal[
    "organization.suspended",
    "organization.reinstated",
    "organization.gifts_held",
    "organization.gifts_released",
    "sandbox.reset",
]
GiftPlain = Literal["gift.held", "gift.released", "gift.thanked"]
LaterType = Literal["a later type"]

Event = (
    EventOf[OrderPlaced, OrderData]
    | EventOf[Literal["order.canceled"], OrderCanceledData]
    | EventOf[OrderRequest, OrderRequestData]
    | EventOf[GiftChanged, GiftData]
    | EventOf[Literal["gift.redirected"], GiftRedirectedData]
    | EventOf[Literal["gift.spent"], GiftSpentData]
    | EventOf[GiftPlain, GiftPlainData]
    | EventOf[GiftVoid, GiftCanceledData]
    | EventOf[Literal["balance.funded"], BalanceFundedData]
    | EventOf[Literal["balance.low"], BalanceLowData]
    | EventOf[KeyChanged, KeyData]
    | EventOf[Literal["database.restored"], DatabaseRestoredData]
    | EventOf[Other, dict[str, Any]]
    | EventOf[LaterType, dict[str, Any]]
)

WebhookEvent = (
    WebhookEventOf[OrderPlaced, OrderData]
    | WebhookEventOf[Literal["order.canceled"], OrderCanceledData]
    | WebhookEventOf[OrderRequest, OrderRequestData]
    | WebhookEventOf[GiftChanged, GiftData]
    | WebhookEventOf[Literal["gift.redirected"], GiftRedirectedData]
    | WebhookEventOf[Literal["gift.spent"], GiftSpentData]
    | WebhookEventOf[GiftPlain, GiftPlainData]
    | WebhookEventOf[GiftVoid, GiftCanceledData]
    | WebhookEventOf[Literal["balance.funded"], BalanceFundedData]
    | WebhookEventOf[Literal["balance.low"], BalanceLowData]
    | WebhookEventOf[KeyChanged, KeyData]
    | WebhookEventOf[Literal["database.restored"], DatabaseRestoredData]
    | WebhookEventOf[Other | Literal["webhook.test"], dict[str, Any]]
    | WebhookEventOf[LaterType, dict[str, Any]]
)
