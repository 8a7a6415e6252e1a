"""
Bodies and answers. Amounts are in cents, times are RFC 3339. Later services may send more members, and other texts
where a comment lists known ones.
"""

from typing import Generic, Literal, TypeVar

from ._event_types import Event
from ._typing import NotRequired, TypedDict

Item = TypeVar("Item")


class Page(TypedDict, Generic[Item]):
    object: Literal["list"]
    data: list[Item]
    has_more: bool
    """Whether more items follow in the direction of travel."""
    next_cursor: NotRequired[str]


class EventPage(TypedDict):
    object: Literal["list"]
    data: list[Event]
    has_more: bool
    next_after: int
    """The next `after`, also after a page without events."""
    first_sequence: int
    """The first sequence that is still held."""


class EmailDelivery(TypedDict):
    method: Literal["email"]
    email: str


class PhoneDelivery(TypedDict):
    method: Literal["phone"]
    phone: str
    """In international format, such as `+1 202 555 0100`."""


class LinkDelivery(TypedDict):
    """You hand the link out yourself."""

    method: Literal["link"]


DeliveryInput = EmailDelivery | PhoneDelivery | LinkDelivery
RedirectInput = EmailDelivery | PhoneDelivery
ContactDeliveryInput = EmailDelivery | PhoneDelivery
Language = Literal["en", "de", "fr", "es", "it", "pt-BR", "nl", "pl", "ja", "ar"]
DeliveryResult = Literal["delivered", "failed"]


class PersonalizationInput(TypedDict, total=False):
    recipient_name: str
    sender_name: str
    message: str


class GiftInput(TypedDict):
    amount: int
    """1000 to 50000 cents."""
    category: str
    delivery: DeliveryInput
    personalization: NotRequired[PersonalizationInput]
    language: NotRequired[Language]
    external_id: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    send_at: NotRequired[str]
    """When the gift is sent, at most 366 days ahead; without it, at once."""


class OrderInput(TypedDict):
    gifts: list[GiftInput]
    external_id: NotRequired[str]
    metadata: NotRequired[dict[str, str]]


class ContactInput(TypedDict):
    delivery: ContactDeliveryInput
    name: NotRequired[str | None]
    language: NotRequired[Language | None]
    tags: NotRequired[list[str]]
    external_id: NotRequired[str | None]
    birthday: NotRequired[str | None]
    work_anniversary: NotRequired[str | None]


class WebhookEndpointInput(TypedDict):
    url: str
    description: NotRequired[str | None]
    types: NotRequired[list[str] | None]
    """Only these types of events; all without it."""
    ordered: NotRequired[bool]
    """One event after another."""


class WebhookEndpointChange(TypedDict, total=False):
    url: str
    description: str | None
    types: list[str] | None
    ordered: bool
    status: Literal["enabled", "disabled"]


class GiftDelivery(TypedDict):
    method: str
    """`email`, `phone`, `link`."""
    status: str
    """`sent`, `failed`, `opened`, `claimed`."""
    email: NotRequired[str]
    phone: NotRequired[str]
    link: NotRequired[str]


class GiftPersonalization(TypedDict, total=False):
    sender_name: str
    recipient_name: str
    message: str


class GiftCancellation(TypedDict):
    canceled_at: str
    reason: str | None
    refunded: int


class DeliveryFailure(TypedDict):
    reason: str
    """`bad_address`, `mailbox_full`, `unreachable`, `blocked`, `content_refused`, `given_up`, `not_sent`, `refused`,
    `unknown`."""
    retryable: bool
    """Whether the same address may work later."""
    provider_message: str | None


class GiftSpending(TypedDict):
    amount: int
    last_at: str | None


class GiftHistory(TypedDict):
    """What happened to a gift, and when. A time is None until it happened."""

    state: str
    """`waiting`, `sending`, `sent`, `delivered`, `failed`, `opened`, `declined`, `claimed`, `partly_spent`, `spent`,
    `on_hold`, `canceled`, `expired`."""
    ordered_at: str
    scheduled_for: str | None
    sent_at: str | None
    delivered_at: str | None
    failed_at: str | None
    failure: DeliveryFailure | None
    opened_at: str | None
    claimed_at: str | None
    spent: GiftSpending
    declined_at: str | None
    canceled_at: str | None
    cancel_reason: str | None
    refunded: int
    expires_at: str | None
    held_since: str | None
    erased_at: str | None


class GiftMessage(TypedDict):
    """A message about a gift."""

    channel: str
    """`email`, `phone`."""
    address: str | None
    provider: str | None
    tries: int
    state: str
    """`sending`, `sent`, `delivered`, `failed`."""
    created_at: str
    sent_at: str | None
    delivered_at: str | None
    failed_at: str | None
    failure: DeliveryFailure | None
    reminder_day: int | None


class GiftOrder(TypedDict):
    order_id: str
    external_id: NotRequired[str]


class GiftCard(TypedDict):
    kind: str
    """`card`, `code`, `link`."""
    category: str
    left: int


class Gift(TypedDict):
    gift_id: str
    amount: int
    category: str
    chosen_category: NotRequired[str]
    delivery: GiftDelivery
    personalization: NotRequired[GiftPersonalization]
    language: NotRequired[str]
    external_id: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    scheduled_for: NotRequired[str]
    cancellation: NotRequired[GiftCancellation]
    order: NotRequired[GiftOrder]
    """Only with `expand=["order"]`, as the next three with their names."""
    history: NotRequired[GiftHistory]
    deliveries: NotRequired[list[GiftMessage]]
    card: NotRequired[GiftCard | None]


class OrderedBy(TypedDict):
    kind: str
    """`key`, `agent`, `member`, `file`, `rule`."""
    id: str
    name: str | None


class OrderHistory(TypedDict):
    """Who ordered, when, and what became of the gifts."""

    created_at: str
    amount: int
    currency: str
    ordered_by: OrderedBy
    gifts_by_state: dict[str, int]
    """How many gifts are in each state."""


class Order(TypedDict):
    order_id: str
    status: str
    """`processing`, `processed`."""
    gifts: list[Gift]
    external_id: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    history: NotRequired[OrderHistory]
    """Only with `expand=["history"]`."""


class Category(TypedDict):
    id: str
    name: str
    description: str
    artwork: str | None
    product_details_url: str


class ContactDelivery(TypedDict):
    method: str
    email: NotRequired[str]
    phone: NotRequired[str]


class Contact(TypedDict):
    contact_id: str
    delivery: ContactDelivery
    name: str | None
    language: str | None
    tags: list[str]
    external_id: str | None
    birthday: str | None
    work_anniversary: str | None
    created_at: str
    changed_at: str


class DeletedContact(TypedDict):
    contact_id: str
    deleted: Literal[True]
    canceled_gifts: list[str]
    """Gifts that were ordered for the contact and not sent."""
    refunded: int
    """The sum of their amounts in cents, which is back in the balance."""
    withdrawn_requests: list[str]


class BalanceEntry(TypedDict):
    entry_id: str
    kind: str
    """`funding`, `adjustment`, `order`, `refund`."""
    amount: int
    balance_after: int
    order_id: NotRequired[str]
    gift_id: NotRequired[str]
    reference: NotRequired[str]
    created_at: str


class Balance(TypedDict):
    object: Literal["balance"]
    available: int
    currency: str
    last_entry: NotRequired[BalanceEntry]


class SandboxResetResult(TypedDict):
    object: Literal["sandbox_reset"]
    orders_deleted: int
    gifts_deleted: int
    balances_deleted: int
    ledger_entries_deleted: int


class LedgerCheckpoint(TypedDict):
    object: Literal["ledger_checkpoint"]
    origin: str
    size: int
    root: str
    key_id: str
    note: str


class LedgerProof(TypedDict):
    object: Literal["ledger_proof"]
    type: str
    """`inclusion`, `consistency`."""
    entry_id: NotRequired[str]
    entry: NotRequired[str]
    index: NotRequired[int]
    from_size: NotRequired[int]
    size: int
    hashes: list[str]
    checkpoint: str


class LedgerLeg(TypedDict):
    account: str
    amount: int


class SealedEntry(TypedDict):
    amount: int
    balance_after: int
    created_at: str
    entry_id: str
    environment: str
    gift_id: NotRequired[str]
    kind: str
    legs: NotRequired[list[LedgerLeg]]
    note: NotRequired[str]
    order_id: NotRequired[str]
    organization_id: str
    reference: NotRequired[str]
    type: Literal["ledger_entry"]
    version: int


class LedgerStatement(TypedDict):
    object: Literal["ledger_statement"]
    version: int
    organization_id: str
    environment: str
    month: str
    is_final: bool
    currency: str
    opening_balance: int
    first_index: int
    before: list[str]
    entries: list[SealedEntry]
    closing_balance: int
    checkpoint: str


class Health(TypedDict):
    status: Literal["ok"]
