# Code generated from openapi.json by npm run generate. DO NOT EDIT.
"""Bodies and answers. Amounts are in cents, times are RFC 3339."""

from collections.abc import Mapping
from datetime import date, datetime
from typing import Literal

from ._pages import EventPage as EventPage
from ._pages import Item as Item
from ._pages import Page as Page
from ._typing import NotRequired, TypedDict


Language = Literal["en", "de", "fr", "es", "it", "pt-BR", "nl", "pl", "ja", "ar"]


class Health(TypedDict):
    """The service is alive."""

    status: Literal["ok"]


class Category(TypedDict):
    """Something that can be given."""

    id: str
    """Send it as a gift's `category`."""
    name: str
    """The name that people see."""
    description: str
    """A short text on whom it suits."""
    artwork: str | None
    """URL of the card's artwork; None without artwork."""
    product_details_url: str
    """A public page about this category."""


class EmailDelivery(TypedDict):
    """The service sends the gift by email."""

    method: Literal["email"]
    email: str
    """
    The recipient's email address. It must be an email address such as name@example.com, of at most 254 characters.
    """


class PhoneDelivery(TypedDict):
    """The service sends the gift by text message."""

    method: Literal["phone"]
    phone: str
    """
    The recipient's number in international format; spaces, dashes and parentheses are accepted and it is stored in
    E.164. It must be a phone number in international format, such as +1 202 555 0100.
    """


class LinkDelivery(TypedDict):
    """You hand the gift's link out yourself."""

    method: Literal["link"]


DeliveryInput = EmailDelivery | PhoneDelivery | LinkDelivery


class PersonalizationInput(TypedDict, total=False):
    """Names and a message shown to the recipient."""

    recipient_name: str
    """The recipient's name; shown to them. It must be 1 to 200 characters without line breaks or control characters."""
    sender_name: str
    """
    The sender's name. Defaults to the organization's name. It must be 1 to 200 characters without line breaks or
    control characters.
    """
    message: str
    """
    What the sender writes to the recipient, as plain text with line breaks. No address in it becomes a link. It must be
    1 to 500 characters, without control characters except line breaks.
    """


class GiftInput(TypedDict):
    """A gift to buy and send."""

    amount: int
    """The gift's value in cents. It must be a whole number of cents from 1000 to 50000."""
    category: str
    """
    The id of a category, from `categories.list`. Of the category `any`, if the catalog has it, the recipient chooses
    another one. It must be the id of a category of the catalog.
    """
    delivery: DeliveryInput
    personalization: NotRequired[PersonalizationInput]
    language: NotRequired[Language]
    """
    The language of the gift's page, email and text messages. Defaults to the organization's; then the page follows the
    recipient's browser, and messages are in English. The recipient can choose another one on the page.
    """
    external_id: NotRequired[str]
    """
    Your own id for it. Several gifts may have the same. It must be 1 to 255 characters without line breaks or control
    characters.
    """
    metadata: NotRequired[Mapping[str, str]]
    """
    Your own data, not shown to recipients: up to 20 keys of 1 to 40 letters, digits, `_`, `.`, `:` or `-`, with texts
    of up to 500 characters. Store no personal data here.
    """
    send_at: NotRequired[str | datetime]
    """
    When the gift is sent, at most 366 days ahead (RFC 3339); without it, at once. The order is paid for now. A time up
    to five minutes past counts as now. Not for a link gift.
    """


class OrderInput(TypedDict):
    """An order of 1 to 10 gifts."""

    gifts: list[GiftInput]
    """The gifts, 1 to 10. They are charged together, in one debit."""
    external_id: NotRequired[str]
    """
    Your own id for it. A second order with it is refused. It must be 1 to 255 characters without line breaks or control
    characters.
    """
    metadata: NotRequired[Mapping[str, str]]
    """
    Your own data, not shown to recipients: up to 20 keys of 1 to 40 letters, digits, `_`, `.`, `:` or `-`, with texts
    of up to 500 characters. Store no personal data here.
    """


class GiftDelivery(TypedDict):
    """The gift's delivery method, address and status."""

    method: str
    """How the gift reaches its recipient. Known values: `email`, `phone`, `link`. More may come."""
    status: str
    """
    The furthest state that the gift has reached: `sent` (on its way, delivered, a link, or waiting for the time in
    `scheduled_for`), `failed` (it could not be delivered; redirect it), `opened`, or `claimed` (redeemed onto a card,
    spent or not). Known values: `sent`, `failed`, `opened`, `claimed`. More may come.
    """
    email: NotRequired[str]
    """The address it is sent to. Only with the method `email`."""
    phone: NotRequired[str]
    """The number it is sent to, in E.164. Only with the method `phone`."""
    link: NotRequired[str]
    """
    The redemption link. Only with the method `link`. A link is valid for 30 days, unless the operator has set another
    time. Retrieving a single gift renews an expired link; lists do not.
    """


class GiftPersonalization(TypedDict, total=False):
    """The names and the message shown to the recipient."""

    sender_name: str
    """The sender's name; always present in a gift."""
    recipient_name: str
    """The recipient's name, if it was given."""
    message: str
    """The sender's message, if it was given."""


class GiftCancellation(TypedDict):
    """That the gift is void, and what returned to the balance."""

    canceled_at: str
    """When the gift was canceled."""
    reason: str | None
    """The reason that was given; `expired` if the gift was not claimed in time."""
    refunded: int
    """The cents that returned to the balance."""


class GiftOrder(TypedDict):
    """The order of a gift."""

    order_id: str
    """Begins with `ord_`."""
    external_id: NotRequired[str]
    """Your own id, if it was given."""


class DeliveryFailure(TypedDict):
    """Why a message could not be delivered."""

    reason: str
    """
    Why, in one word. Known values: `bad_address`, `mailbox_full`, `unreachable`, `blocked`, `content_refused`,
    `given_up`, `not_sent`, `erased`, `refused`, `unknown`. More may come.
    """
    retryable: bool
    """Whether the same address may work later."""
    provider_message: str | None
    """The words of the provider or mail server, without the address; None if it said nothing, as in the sandbox."""


class GiftSpending(TypedDict):
    """What was spent of the gift's card."""

    amount: int
    """The cents that are spent, less what shops gave back."""
    last_at: str | None
    """When the card last paid."""


class GiftHistory(TypedDict):
    """What happened to a gift, and when. A time is None until it happened."""

    state: str
    """
    What happened to the gift, in one word. `waiting`: it waits for its time. `sending`: its message is on its way to a
    mail or text message provider. `sent`: a provider accepted its message, or the outbox keeps it as none is
    configured, or its link was handed to you. `delivered`: its message arrived. `failed`: its message could not be
    delivered. `opened`: the recipient opened it. `declined`: the recipient said that they do not want it; they can
    still claim it. `claimed`: it was redeemed onto a card, of which nothing is spent. `partly_spent`: a part of the
    card is spent. `spent`: the whole card is spent. `on_hold`: it cannot be claimed, and its card cannot be seen.
    `canceled`: it is void, and its value is back in the balance. `expired`: it was not claimed in time, and its value
    is back in the balance. Known values: `waiting`, `sending`, `sent`, `delivered`, `failed`, `opened`, `declined`,
    `claimed`, `partly_spent`, `spent`, `on_hold`, `canceled`, `expired`. More may come.
    """
    ordered_at: str
    """When it was ordered and paid for."""
    scheduled_for: str | None
    """When it is or was sent, if its order or a change said so."""
    sent_at: str | None
    """When a provider accepted the latest message, or the link was handed to you."""
    delivered_at: str | None
    """When a message last arrived. Opening the gift proves it, unless the message had failed."""
    failed_at: str | None
    """When the latest message failed for good, or the recipient was erased before the gift was claimed."""
    failure: DeliveryFailure | None
    opened_at: str | None
    """When the recipient first opened it."""
    claimed_at: str | None
    """When it was redeemed onto a card."""
    spent: GiftSpending
    declined_at: str | None
    """When the recipient said that they do not want it."""
    canceled_at: str | None
    """When it became void, canceled or expired."""
    cancel_reason: str | None
    """The reason that was given; `expired` if its time was over."""
    refunded: int
    """The cents that returned to the balance; 0 unless it is void."""
    expires_at: str | None
    """When it becomes void unless it is claimed."""
    held_since: str | None
    """Since when it is on hold, by itself or with all gifts of the organization."""
    erased_at: str | None
    """When the address of the recipient was erased."""


class GiftMessage(TypedDict):
    """A message about a gift."""

    channel: str
    """How it was sent. Known values: `email`, `phone`. More may come."""
    address: str | None
    """Where it was sent; None if the recipient was erased."""
    provider: str | None
    """What accepted it, such as `smtp` or `twilio`; `outbox`: kept, as none is configured."""
    tries: int
    """How often it was handed to a provider."""
    state: str
    """How far it came. Known values: `sending`, `sent`, `delivered`, `failed`. More may come."""
    created_at: str
    """When it was written."""
    sent_at: str | None
    """When a provider accepted it."""
    delivered_at: str | None
    """When it arrived."""
    failed_at: str | None
    """When it failed for good."""
    failure: DeliveryFailure | None
    reminder_day: int | None
    """Of a reminder: days after the order."""


class GiftCard(TypedDict):
    """The card of a claimed gift, without its number or code."""

    kind: str
    """
    A payment card, a code of a shop, or a link to what the issuer offers. Known values: `card`, `code`, `link`. More
    may come.
    """
    category: str
    """The id of the category that it is for, chosen by the recipient or the sender."""
    left: int
    """The cents that are left on it."""


class Gift(TypedDict):
    """A gift that was bought."""

    gift_id: str
    """Begins with `gift_`."""
    amount: int
    """The gift's value in cents."""
    category: str
    """The id of its category."""
    chosen_category: NotRequired[str]
    """What the recipient chose for a gift of the category `any`, by its id."""
    delivery: GiftDelivery
    personalization: NotRequired[GiftPersonalization]
    language: NotRequired[str]
    """The language that the sender chose, if any."""
    external_id: NotRequired[str]
    """Your own id, if it was given."""
    metadata: NotRequired[dict[str, str]]
    """Your own data, if it was given."""
    scheduled_for: NotRequired[str]
    """When the gift is or was sent, if its order or a change said so."""
    cancellation: NotRequired[GiftCancellation]
    order: NotRequired[GiftOrder]
    """Only with `expand=["order"]`, as the next three with their names."""
    history: NotRequired[GiftHistory]
    deliveries: NotRequired[list[GiftMessage]]
    """The latest 50 messages about it, oldest first. Only with `expand=["deliveries"]`."""
    card: NotRequired[GiftCard | None]


class OrderedBy(TypedDict):
    """Who or what placed an order."""

    kind: str
    """
    An API key, an agent, a member in the portal, a file of gifts, or a rule of yearly gifts. Known values: `key`,
    `agent`, `member`, `file`, `rule`. More may come.
    """
    id: str
    """The id of the key, grant, member, file or rule."""
    name: str | None
    """The name of the key or grant, the address of the member; None of a file or rule."""


class OrderHistory(TypedDict):
    """Who ordered, when and what became of the gifts."""

    created_at: str
    """When it was placed and paid for."""
    amount: int
    """The cents that it cost."""
    currency: str
    """ISO 4217."""
    ordered_by: OrderedBy
    gifts_by_state: dict[str, int]
    """
    How many of its gifts are in each `state` of their `history`; only states that one has. Gifts that a `processing`
    order has not created yet are in none.
    """


class Order(TypedDict):
    """An order that was paid for."""

    order_id: str
    """Begins with `ord_`."""
    status: str
    """
    `processed`: every gift exists. `processing`: paid for; the remaining gifts are created soon. Known values:
    `processing`, `processed`. More may come.
    """
    gifts: list[Gift]
    """In submission order: the Nth gift returned is the Nth gift sent."""
    external_id: NotRequired[str]
    """Your own id, if it was given."""
    metadata: NotRequired[dict[str, str]]
    """Your own data, if it was given."""
    history: NotRequired[OrderHistory]
    """Only with `expand=["history"]`."""


RedirectInput = EmailDelivery | PhoneDelivery


class ContactDelivery(TypedDict):
    """The address of a contact."""

    method: str
    """How gifts reach the contact. Known values: `email`, `phone`. More may come."""
    email: NotRequired[str]
    phone: NotRequired[str]
    """In E.164."""


class Contact(TypedDict):
    """A person to whom the organization sends gifts."""

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


ContactDeliveryInput = EmailDelivery | PhoneDelivery


class ContactInput(TypedDict):
    """A contact. A field that is left out stays as it is; None removes it, and `[]` all tags."""

    delivery: ContactDeliveryInput
    name: NotRequired[str | None]
    """The recipient's name; shown to them. It must be 1 to 200 characters without line breaks or control characters."""
    language: NotRequired[Language | None]
    """
    The language of the gift's page, email and text messages. Defaults to the organization's; then the page follows the
    recipient's browser, and messages are in English. The recipient can choose another one on the page.
    """
    tags: NotRequired[list[str]]
    """All tags of the contact, at most 20; earlier ones are replaced."""
    external_id: NotRequired[str | None]
    """
    Your own id for it. No other contact of the environment has it. It must be 1 to 255 characters without line breaks
    or control characters.
    """
    birthday: NotRequired[str | date | None]
    """The birthday, as YYYY-MM-DD, or as MM-DD without the year."""
    work_anniversary: NotRequired[str | date | None]
    """The first day of work, as YYYY-MM-DD, or as MM-DD without the year."""


class DeletedContact(TypedDict):
    """What was deleted, and what is not sent because of it."""

    contact_id: str
    deleted: Literal[True]
    canceled_gifts: list[str]
    """Gifts that were ordered and not sent."""
    refunded: int
    """The cents that are back in the balance."""
    withdrawn_requests: list[str]
    """Requests that were open."""


class BalanceEntry(TypedDict):
    """A change of the balance. Entries are never changed."""

    entry_id: str
    """Begins with `led_`."""
    kind: str
    """
    `funding` added money, `adjustment` is a correction, `order` paid for an order, `refund` returned a canceled gift's
    amount. Known values: `funding`, `adjustment`, `order`, `refund`. More may come.
    """
    amount: int
    """Cents; negative for a debit."""
    balance_after: int
    """The balance after it, in cents."""
    order_id: NotRequired[str]
    """The order that it paid for. Only with the kind `order`."""
    gift_id: NotRequired[str]
    """The canceled gift. Only with the kind `refund`."""
    reference: NotRequired[str]
    """The operator's reference, if there is one."""
    created_at: str


class Balance(TypedDict):
    """The balance of the organization in this environment."""

    object: Literal["balance"]
    available: int
    """What orders can spend now, in cents."""
    currency: str
    """ISO 4217."""
    last_entry: NotRequired[BalanceEntry]


class LedgerLeg(TypedDict):
    """What an entry moves on another account."""

    account: str
    amount: int
    """Cents."""


class SealedEntry(TypedDict):
    """As hashed: `JSON.stringify` of it is the text of the leaf."""

    amount: int
    """Cents; negative for a debit."""
    balance_after: int
    created_at: str
    entry_id: str
    environment: str
    gift_id: NotRequired[str]
    kind: str
    legs: NotRequired[list[LedgerLeg]]
    """What the entry moves on other accounts, if that is more than the counter-account of its kind."""
    note: NotRequired[str]
    order_id: NotRequired[str]
    organization_id: str
    reference: NotRequired[str]
    type: Literal["ledger_entry"]
    version: int


class LedgerStatement(TypedDict):
    """A month of the ledger that can be verified without the service."""

    object: Literal["ledger_statement"]
    version: int
    """Of this form: 1."""
    organization_id: str
    environment: str
    month: str
    """In UTC."""
    is_final: bool
    """Whether the month is over and all its entries are sealed."""
    currency: str
    """ISO 4217."""
    opening_balance: int
    """Cents."""
    first_index: int
    """The leaf of the first entry."""
    before: list[str]
    """Roots of the complete subtrees before the first entry, largest first, in Base64."""
    entries: list[SealedEntry]
    """All sealed entries of the month, earliest first."""
    closing_balance: int
    """Cents: the opening balance and all entries."""
    checkpoint: str
    """The signed checkpoint right after the last entry; its fourth line is about this statement."""


class LedgerCheckpoint(TypedDict):
    """The signed root of the ledger's Merkle tree (RFC 6962)."""

    object: Literal["ledger_checkpoint"]
    origin: str
    """Names the tree. A sandbox has another one after each reset."""
    size: int
    """Sealed entries."""
    root: str
    """32 bytes in Base64."""
    key_id: str
    """Of the key that signed it."""
    note: str
    """Origin, size and root, one a line, and the signature (C2SP tlog-checkpoint and signed-note). Keep it."""


class LedgerProof(TypedDict):
    """A proof after RFC 6962, with the signed checkpoint that it leads to."""

    object: Literal["ledger_proof"]
    type: str
    """
    `inclusion`: an entry is in the tree. `consistency`: the tree continues an earlier one. Known values: `inclusion`,
    `consistency`. More may come.
    """
    entry_id: NotRequired[str]
    """Of an inclusion: the entry."""
    entry: NotRequired[str]
    """Of an inclusion: the text that is hashed as the leaf."""
    index: NotRequired[int]
    """Of an inclusion: the leaf, from 0."""
    from_size: NotRequired[int]
    """Of a consistency: the earlier size."""
    size: int
    """Sealed entries."""
    hashes: list[str]
    """The proof, from the leaves upwards."""
    checkpoint: str
    """Origin, size and root, one a line, and the signature (C2SP tlog-checkpoint and signed-note). Keep it."""


DeliveryResult = Literal["delivered", "failed"]


class SandboxResetResult(TypedDict):
    """What a reset deleted."""

    object: Literal["sandbox_reset"]
    orders_deleted: int
    """How many orders were deleted."""
    gifts_deleted: int
    """How many gifts were deleted."""
    balances_deleted: int
    """How many balances were deleted."""
    ledger_entries_deleted: int
    """How many entries of the balance's ledger were deleted."""
