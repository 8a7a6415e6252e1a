from typing import Literal

from ._typing import TypedDict


class WebhookEndpoint(TypedDict):
    endpoint_id: str
    url: str
    description: str | None
    types: list[str] | None
    ordered: bool
    status: str
    """`enabled`, `failing`, `disabled`."""
    disabled_reason: str | None
    """`failing`, `gone`, `requested`."""
    disabled_at: str | None
    failing_since: str | None
    paused_until: str | None
    sequence: int
    previous_secret_until: str | None
    created_at: str


class WebhookEndpointWithSecret(WebhookEndpoint):
    secret: str


class DeletedWebhookEndpoint(TypedDict):
    endpoint_id: str
    deleted: Literal[True]


class WebhookAttempt(TypedDict):
    status: int | None
    """None: no answer."""
    failure_reason: str | None
    body: str | None
    duration_ms: int
    accepted: bool


class WebhookPastAttempt(TypedDict):
    attempted_at: str
    status: int | None
    failure_reason: str | None
    body: str | None
    duration_ms: int


class WebhookDelivery(TypedDict):
    event_id: str
    type: str
    sequence: int
    previous_sequence: int | None
    status: str
    """`pending`, `delivered`, `failed`."""
    next_attempt_at: str | None
    created_at: str
    attempts: list[WebhookPastAttempt]
    """The latest first, at most 30."""


class WebhookResendResult(TypedDict):
    resent: int
    """How many deliveries are sent again; 0 if an earlier attempt of this request did it."""
