from __future__ import annotations

import re
import time
from dataclasses import dataclass
from email.utils import format_datetime, parsedate_to_datetime
from typing import Any, cast

import httpx

_RETRYABLE_CODES = {"rate_limit_exceeded", "resource_locked", "idempotency_in_progress", "internal_error"}
_RETRYABLE_TYPES = {"rate_limit_error", "api_error"}


@dataclass(frozen=True)
class Facts:
    """What is known of a call when an error is raised."""

    idempotency_key: str | None = None
    outcome_unknown: bool = False
    attempts: int = 0
    status: int | None = None
    headers: httpx.Headers | None = None


class BestowError(Exception):
    """Base of every error that a call raises after its arguments were checked."""

    idempotency_key: str | None
    """The key of the call; all attempts carried it. Retry with this key and the same body."""
    outcome_unknown: bool
    """Whether the service may have carried out an order or another act. Always false for a read."""
    attempts: int
    """How many times the request was sent."""
    status: int | None
    """HTTP status of the last answer, which may be a gateway's."""
    headers: httpx.Headers | None
    """Headers of the last answer."""

    def __init__(self, message: str, facts: Facts = Facts()) -> None:
        super().__init__(message)
        self.message = message
        self.idempotency_key = facts.idempotency_key
        self.outcome_unknown = facts.outcome_unknown
        self.attempts = facts.attempts
        self.status = facts.status
        self.headers = facts.headers

    @property
    def retry_after(self) -> float:
        """Seconds that the last answer asked to wait before a retry; 0 without `Retry-After`."""
        return retry_after_seconds(self.headers)

    @property
    def request_id(self) -> str | None:
        """Give this id to the operator when you ask for help."""
        return None if self.headers is None else self.headers.get("Request-Id")

    def __reduce__(self) -> tuple[Any, ...]:
        return _rebuild, (type(self), self.message, self.__dict__)


def _rebuild(cls: type[BestowError], message: str, members: dict[str, Any]) -> BestowError:
    error = cls.__new__(cls, message)
    error.__dict__.update(members)
    return error


class ConnectionError(BestowError):
    """No answer of the service came. The message says why, and `__cause__` is the reason."""


class TimeoutError(ConnectionError):
    """No answer of the service came within `timeout` or `try_timeout`."""


class StoreError(BestowError):
    """
    The store could not keep an order, which was not sent; or it could not read orders that it keeps, and the others were
    resumed. The message names the files.
    """


class ApiError(BestowError):
    """The service answered with an error: this attempt changed nothing. Branch on `code`, never on the message."""

    type: str
    code: str
    reason: str | None
    """Why, if that is finer than `code`, such as `key_cap_reached`; a newer service may send more."""
    param: str | None
    """Path of the offending field, such as `gifts[0].amount`."""
    doc_url: str | None
    """The page that explains the code."""
    order_id: str | None
    """Of `external_id_taken`: the order that has the `external_id`."""

    def __init__(self, body: dict[str, Any], facts: Facts = Facts()) -> None:
        message = body.get("message")
        super().__init__(message if isinstance(message, str) else body["code"], facts)
        self.type = body["type"]
        self.code = body["code"]
        self.reason = body.get("reason")
        self.param = body.get("param")
        self.doc_url = body.get("doc_url")
        self.order_id = body.get("order_id")
        self._request_id: str = body["request_id"]

    @property
    def request_id(self) -> str:
        """Give this id to the operator when you ask for help."""
        return self._request_id

    @property
    def retryable(self) -> bool:
        """Whether the same request may succeed later. The client has already retried it."""
        if self.code in _RETRYABLE_CODES:
            return True
        if self.type in _CLASSES:
            return self.type in _RETRYABLE_TYPES and "Retry-After" in (self.headers or {})
        return self.status is not None and (self.status == 429 or self.status >= 500)


class InvalidRequestError(ApiError):
    """A wrong field, a missing resource, or a state that does not allow the call."""


class AuthenticationError(ApiError):
    """The key is wrong, revoked or of another environment, or the organization is suspended."""


class InsufficientBalanceError(ApiError):
    """The balance does not cover the order, or a cap does not allow it (`reason`). Then retry with the same body and key."""


class RateLimitError(ApiError):
    """Too many requests, until the client stopped retrying."""


class ServiceError(ApiError):
    """`api_error`: a lock, the same key still in progress, or an unexpected failure."""


_CLASSES: dict[str, type[ApiError]] = {
    "invalid_request_error": InvalidRequestError,
    "authentication_error": AuthenticationError,
    "insufficient_balance_error": InsufficientBalanceError,
    "rate_limit_error": RateLimitError,
    "api_error": ServiceError,
}


def api_error_of(answer: object, facts: Facts) -> ApiError | None:
    """Read the error of an answer; None if it has no `error` object, such as a gateway's answer."""
    body = cast("dict[str, Any]", answer).get("error") if isinstance(answer, dict) else None
    if not isinstance(body, dict):
        return None
    error = cast("dict[str, Any]", body)
    if not all(isinstance(error.get(name), str) for name in ("type", "code", "request_id")):
        return None
    return _CLASSES.get(error["type"], ApiError)(error, facts)


def retry_after_seconds(headers: httpx.Headers | None) -> float:
    """Read seconds, or the exact date of HTTP that a gateway may send. Ignore another text."""
    text = ("" if headers is None else headers.get("Retry-After", "")).strip()
    seconds = re.match(r"([0-9]+)\s*(?:,|$)", text)
    if seconds:
        return float(seconds[1][:20])
    try:
        date = parsedate_to_datetime(text)
        is_exact = format_datetime(date, usegmt=True) == text
    except (TypeError, ValueError):
        return 0
    return max(date.timestamp() - time.time(), 0) if is_exact else 0
