"""Everything that the fake keeps."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from typing import Any

Json = dict[str, Any]
_SUFFIX_LENGTH = 26


def text_of(time: datetime) -> str:
    return time.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")


@dataclass
class Gift:
    gift_id: str
    order_id: str
    amount: int
    category: str
    delivery: dict[str, str]
    personalization: dict[str, str]
    ordered_at: str
    references: Json
    """Language, external id and metadata, as they were given."""
    scheduled_for: str | None = None
    sent_at: str | None = None
    delivered_at: str | None = None
    failed_at: str | None = None
    opened_at: str | None = None
    claimed_at: str | None = None
    spent_at: str | None = None
    canceled_at: str | None = None
    cancel_reason: str | None = None
    resends: int = 0
    """How often it was sent again."""
    is_pending: bool = False
    """Whether a message is under way that has no outcome yet."""
    link_ends: datetime | None = None


@dataclass
class Order:
    order_id: str
    created_at: str
    references: Json
    """External id and metadata, as they were given."""
    gifts: list[Gift]
    later: list[Gift]
    """Those that are created later."""
    completes_at: datetime

    @property
    def status(self) -> str:
        return "processing" if self.later else "processed"

    @property
    def amount(self) -> int:
        return sum(gift.amount for gift in [*self.gifts, *self.later])


@dataclass
class Endpoint:
    shown: Json
    """As answers show it."""
    secrets: list[str]
    """The newest first."""
    last_sequence: int | None = None
    """The event that was pushed last."""


@dataclass(frozen=True)
class FakePush:
    """A push to a webhook endpoint, as the service would send it."""

    url: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Memory:
    ahead: timedelta = timedelta()
    balance: int = 0
    sequence: int = 0
    entries: list[Json] = field(default_factory=list[Json])
    events: list[Json] = field(default_factory=list[Json])
    orders: dict[str, Order] = field(default_factory=dict[str, Order])
    gifts: dict[str, Gift] = field(default_factory=dict[str, Gift])
    endpoints: dict[str, Endpoint] = field(default_factory=dict[str, Endpoint])
    used_keys: dict[str, tuple[str, str]] = field(default_factory=dict[str, tuple[str, str]])
    """What each `Idempotency-Key` was used for, and the id of what it made."""
    tried_keys: set[str] = field(default_factory=set[str])
    pushes: list[FakePush] = field(default_factory=list[FakePush])
    last_id: int = 0

    def time(self) -> datetime:
        return datetime.now(timezone.utc) + self.ahead

    def now(self) -> str:
        return text_of(self.time())

    def next_id(self, prefix: str) -> str:
        """Ids rise, as the service's do."""
        self.last_id += 1
        return f"{prefix}_{self.last_id:0{_SUFFIX_LENGTH}}"

    def post(self, kind: str, amount: int, **of: str) -> Json:
        """Write a change of the balance."""
        self.balance += amount
        entry = {"entry_id": self.next_id("led"), "kind": kind, "amount": amount, "balance_after": self.balance}
        self.entries.append({**entry, "created_at": self.now(), **of})
        return self.entries[-1]

    def emit(self, kind: str, data: Json) -> None:
        self.sequence += 1
        event_id, created_at = self.next_id("evt"), self.now()
        event = {"event_id": event_id, "type": kind, "created_at": created_at, "sequence": self.sequence, "data": data}
        self.events.append(event)

    def clear(self) -> None:
        """Forget all orders, gifts, money and events; endpoints and the count of events stay."""
        self.balance = 0
        for kept in (self.entries, self.events, self.orders, self.gifts, self.used_keys):
            kept.clear()
