# Code generated from openapi.json by npm run generate. DO NOT EDIT.
"""Parameters of lists, and bodies that are given as keyword arguments together with the options of the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal

from ._options import ActOptions, CallOptions, GiftPart
from ._types import ContactInput
from ._webhook_types import WebhookEndpointChange, WebhookEndpointInput


class OrderParams(CallOptions, total=False):
    limit: int
    """How many a page has, 1 to 100."""
    starting_after: str
    """An id of this list: the page holds what comes after (older than) it. Not together with the other cursor."""
    ending_before: str
    """An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor."""
    created_after: str | datetime
    """Created later than this time (RFC 3339)."""
    created_before: str | datetime
    """Created earlier than this time (RFC 3339)."""
    ordered_after: str | datetime
    """Only gifts ordered later than this time (RFC 3339)."""
    ordered_before: str | datetime
    """Only gifts ordered earlier than this time (RFC 3339)."""
    delivered_after: str | datetime
    """Only gifts delivered later than this time (RFC 3339)."""
    delivered_before: str | datetime
    """Only gifts delivered earlier than this time (RFC 3339)."""
    opened_after: str | datetime
    """Only gifts opened later than this time (RFC 3339)."""
    opened_before: str | datetime
    """Only gifts opened earlier than this time (RFC 3339)."""
    claimed_after: str | datetime
    """Only gifts claimed later than this time (RFC 3339)."""
    claimed_before: str | datetime
    """Only gifts claimed earlier than this time (RFC 3339)."""
    state: str
    """Only gifts with this `state` of their `history`."""
    delivery_method: str
    """Only gifts with this method."""
    recipient: str
    """Only gifts to this email address or phone number, in any spelling that an order takes."""
    category: str
    """Only gifts of this category."""
    external_id: str
    """Only this `external_id`."""
    metadata: Mapping[str, str]
    """As `metadata[key]=value`: only those with this pair. It can be repeated with other keys."""
    status: str
    """Only these orders."""
    expand: Sequence[GiftPart]
    """What each gift has more than usual."""


ORDER_PARAMS = OrderParams.__optional_keys__ - CallOptions.__optional_keys__


class GiftParams(CallOptions, total=False):
    limit: int
    """How many a page has, 1 to 100."""
    starting_after: str
    """An id of this list: the page holds what comes after (older than) it. Not together with the other cursor."""
    ending_before: str
    """An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor."""
    created_after: str | datetime
    """Created later than this time (RFC 3339)."""
    created_before: str | datetime
    """Created earlier than this time (RFC 3339)."""
    ordered_after: str | datetime
    """Only gifts ordered later than this time (RFC 3339)."""
    ordered_before: str | datetime
    """Only gifts ordered earlier than this time (RFC 3339)."""
    delivered_after: str | datetime
    """Only gifts delivered later than this time (RFC 3339)."""
    delivered_before: str | datetime
    """Only gifts delivered earlier than this time (RFC 3339)."""
    opened_after: str | datetime
    """Only gifts opened later than this time (RFC 3339)."""
    opened_before: str | datetime
    """Only gifts opened earlier than this time (RFC 3339)."""
    claimed_after: str | datetime
    """Only gifts claimed later than this time (RFC 3339)."""
    claimed_before: str | datetime
    """Only gifts claimed earlier than this time (RFC 3339)."""
    state: str
    """Only gifts with this `state` of their `history`."""
    delivery_method: str
    """Only gifts with this method."""
    recipient: str
    """Only gifts to this email address or phone number, in any spelling that an order takes."""
    category: str
    """Only gifts of this category."""
    external_id: str
    """Only this `external_id`."""
    metadata: Mapping[str, str]
    """As `metadata[key]=value`: only those with this pair. It can be repeated with other keys."""
    status: str
    """
    Only gifts with this `delivery.status` that were not canceled and do not wait to be sent; `canceled` and
    `scheduled`: only those that were, or do.
    """
    order_id: str
    """Only the gifts of this order."""
    expand: Sequence[GiftPart]
    """What each gift has more than usual."""


GIFT_PARAMS = GiftParams.__optional_keys__ - CallOptions.__optional_keys__


class ContactParams(CallOptions, total=False):
    limit: int
    """How many a page has, 1 to 100."""
    starting_after: str
    """An id of this list: the page holds what comes after (older than) it. Not together with the other cursor."""
    ending_before: str
    """An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor."""
    tag: str
    """Only contacts with this tag."""
    external_id: str
    """Only the contact with this `external_id`."""
    recipient: str
    """Only the contact with this email address or phone number."""


CONTACT_PARAMS = ContactParams.__optional_keys__ - CallOptions.__optional_keys__


class EntryParams(CallOptions, total=False):
    limit: int
    """How many a page has, 1 to 100."""
    starting_after: str
    """An id of this list: the page holds what comes after (older than) it. Not together with the other cursor."""
    ending_before: str
    """An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor."""
    created_after: str | datetime
    """Created later than this time (RFC 3339)."""
    created_before: str | datetime
    """Created earlier than this time (RFC 3339)."""
    kind: str
    """Only entries of this kind."""


ENTRY_PARAMS = EntryParams.__optional_keys__ - CallOptions.__optional_keys__


class PageParams(CallOptions, total=False):
    limit: int
    """How many a page has, 1 to 100."""
    starting_after: str
    """An id of this list: the page holds what comes after (older than) it. Not together with the other cursor."""
    ending_before: str
    """An id of this list: the page holds what comes before (newer than) it. Not together with the other cursor."""


PAGE_PARAMS = PageParams.__optional_keys__ - CallOptions.__optional_keys__


class EventParams(CallOptions, total=False):
    after: int
    """Events after this sequence. Without it the page begins with the first event that is still held."""
    limit: int
    """How many a page has, 1 to 1000; with `expand` 1 to 100."""
    types: Sequence[str]
    """Only these types."""
    wait: int
    """If no event is there, wait so many seconds for one."""
    expand: str | Sequence[Literal["resource"] | GiftPart]
    """`resource`: each event has its order or gift as it is now; `["resource", "history"]`: with parts of its gifts."""


EVENT_PARAMS = EventParams.__optional_keys__ - CallOptions.__optional_keys__


class SaveContact(ContactInput, CallOptions):
    pass


class CreateWebhookEndpoint(WebhookEndpointInput, ActOptions):
    pass


class UpdateWebhookEndpoint(WebhookEndpointChange, CallOptions):
    pass
