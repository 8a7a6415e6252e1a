# Code generated from openapi.json by npm run generate. DO NOT EDIT.
"""Bodies and answers about webhook endpoints."""

from typing import Literal

from ._typing import NotRequired, TypedDict


class WebhookEndpointInput(TypedDict):
    url: str
    """An `https` address with a public host."""
    description: NotRequired[str | None]
    """Your own note. It must be one line of 1 to 200 visible characters, without blanks at its ends."""
    types: NotRequired[list[str] | None]
    """The types of events to push; None: all, also those that may come."""
    ordered: NotRequired[bool]
    """Push one event after another, and none past one that was not accepted."""


class WebhookEndpoint(TypedDict):
    """An address that events are pushed to."""

    endpoint_id: str
    url: str
    description: str | None
    types: list[str] | None
    ordered: bool
    status: str
    """Failing: the last push was not accepted. Known values: `enabled`, `failing`, `disabled`. More may come."""
    disabled_reason: str | None
    """
    Why it was switched off: five days of failure, the answer 410, or a request of yours. Known values: `failing`,
    `gone`, `requested`. More may come.
    """
    disabled_at: str | None
    failing_since: str | None
    paused_until: str | None
    """Nothing is pushed until then, because the endpoint asked for it with `Retry-After`."""
    sequence: int
    """Every event up to this sequence was pushed, or is a delivery that waits."""
    previous_secret_until: str | None
    """Until when pushes are signed with earlier secrets too."""
    created_at: str


class WebhookEndpointWithSecret(WebhookEndpoint):
    """An endpoint and its new secret."""

    secret: str
    """The secret that signs each push. It is not shown again."""


class WebhookEndpointChange(TypedDict, total=False):
    """Only the given fields change."""

    url: str
    """An `https` address with a public host."""
    description: str | None
    """Your own note. It must be one line of 1 to 200 visible characters, without blanks at its ends."""
    types: list[str] | None
    """The types of events to push; None: all, also those that may come."""
    ordered: bool
    """Push one event after another, and none past one that was not accepted."""
    status: Literal["enabled", "disabled"]
    """
    Disabled: nothing is pushed. Enabled again, the endpoint continues after its last event, as long as the feed keeps
    the events since.
    """


class DeletedWebhookEndpoint(TypedDict):
    """What was removed."""

    endpoint_id: str
    deleted: Literal[True]


class WebhookAttempt(TypedDict):
    """What the endpoint answered."""

    status: int | None
    """None: no answer."""
    failure_reason: str | None
    """Why the event was not accepted."""
    body: str | None
    """The first kilobyte of the answer."""
    duration_ms: int
    accepted: bool


class WebhookPastAttempt(TypedDict):
    """An attempt to push an event."""

    attempted_at: str
    status: int | None
    """None: no answer."""
    failure_reason: str | None
    """Why the event was not accepted."""
    body: str | None
    """The first kilobyte of the answer."""
    duration_ms: int


class WebhookDelivery(TypedDict):
    """An event and the attempts to push it to an endpoint."""

    event_id: str
    type: str
    sequence: int
    previous_sequence: int | None
    """The event pushed to this endpoint before."""
    status: str
    """Failed: ten tries were not accepted. Known values: `pending`, `delivered`, `failed`. More may come."""
    next_attempt_at: str | None
    created_at: str
    attempts: list[WebhookPastAttempt]
    """The latest first, at most 30."""


class WebhookResendResult(TypedDict):
    """What is sent again."""

    resent: int
    """How many deliveries are sent again; 0 if a retry of this request did."""
