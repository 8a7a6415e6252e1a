"""Pages of lists and of events."""

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
