"""Parameters of lists, and bodies that are given as keyword arguments together with the options of the call."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from ._options import ActOptions, CallOptions, GiftPart
from ._types import ContactInput, WebhookEndpointChange, WebhookEndpointInput
from ._typing import TypedDict


class _PageQuery(TypedDict, total=False):
    limit: int
    """1 to 100. Iteration loads 100 at a time by default."""
    starting_after: str
    ending_before: str


class _TimeQuery(TypedDict, total=False):
    created_after: str
    created_before: str


class _PurchaseQuery(_PageQuery, _TimeQuery, total=False):
    ordered_after: str
    ordered_before: str
    delivered_after: str
    delivered_before: str
    opened_after: str
    opened_before: str
    claimed_after: str
    claimed_before: str
    state: str
    """The `state` of the `history` of a gift."""
    expand: Sequence[GiftPart]
    """What each gift has more than usual."""
    delivery_method: str
    recipient: str
    category: str
    external_id: str
    metadata: Mapping[str, str]
    status: str


class _GiftQuery(_PurchaseQuery, total=False):
    order_id: str


class _EntryQuery(_PageQuery, _TimeQuery, total=False):
    kind: str


class _ContactQuery(_PageQuery, total=False):
    tag: str
    external_id: str
    recipient: str


class _EventQuery(TypedDict, total=False):
    after: int
    """Events after this sequence. Without it the page begins with the first event that is still held."""
    limit: int
    """1 to 1000, 100 by default."""
    types: Sequence[str]
    """Only these types."""
    wait: int
    """Seconds to wait for an event if none is there, 30 at most."""
    expand: str | Sequence[Literal["resource"] | GiftPart]
    """`resource`: each event has its order or gift as it is now; `["resource", "history"]`: with parts of its gifts."""


class PageParams(_PageQuery, CallOptions, total=False):
    pass


class OrderParams(_PurchaseQuery, CallOptions, total=False):
    pass


class GiftParams(_GiftQuery, CallOptions, total=False):
    pass


class EntryParams(_EntryQuery, CallOptions, total=False):
    pass


class ContactParams(_ContactQuery, CallOptions, total=False):
    pass


class EventParams(_EventQuery, CallOptions, total=False):
    pass


class SaveContact(ContactInput, CallOptions):
    pass


class CreateEndpoint(WebhookEndpointInput, ActOptions):
    pass


class UpdateEndpoint(WebhookEndpointChange, CallOptions):
    pass


PAGE_PARAMS = _PageQuery.__optional_keys__
ORDER_PARAMS = _PurchaseQuery.__optional_keys__
GIFT_PARAMS = _GiftQuery.__optional_keys__
ENTRY_PARAMS = _EntryQuery.__optional_keys__
CONTACT_PARAMS = _ContactQuery.__optional_keys__
EVENT_PARAMS = _EventQuery.__optional_keys__
