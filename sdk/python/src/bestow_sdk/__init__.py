"""The client of Bestow, a gift ordering service: an order is never charged twice."""

from ._answer import Response, response_of
from ._async.client import AsyncBestow
from ._async.lists import AsyncListing
from ._errors import (
    ApiError,
    AuthenticationError,
    BestowError,
    ConnectionError,
    InsufficientBalanceError,
    InvalidRequestError,
    RateLimitError,
    ServiceError,
    StoreError,
    TimeoutError,
)
from ._event_types import Event, WebhookEvent
from ._ledger import (
    Checkpoint,
    LedgerVerificationError,
    open_checkpoint,
    verify_consistency,
    verify_inclusion,
    verify_statement,
)
from ._options import VERSION, Attempt
from ._resumed import AsyncResumption, Resumed, Resumption
from ._store import FolderStore, Store
from ._sync.client import Bestow
from ._sync.lists import Listing
from ._webhooks import WebhookVerificationError, sign_test_webhook, verify_webhook

__version__ = VERSION
__all__ = [
    "ApiError",
    "AsyncBestow",
    "AsyncListing",
    "AsyncResumption",
    "Attempt",
    "AuthenticationError",
    "Bestow",
    "BestowError",
    "Checkpoint",
    "ConnectionError",
    "Event",
    "FolderStore",
    "InsufficientBalanceError",
    "InvalidRequestError",
    "LedgerVerificationError",
    "Listing",
    "RateLimitError",
    "Response",
    "Resumed",
    "Resumption",
    "ServiceError",
    "Store",
    "StoreError",
    "TimeoutError",
    "WebhookEvent",
    "WebhookVerificationError",
    "open_checkpoint",
    "response_of",
    "sign_test_webhook",
    "verify_consistency",
    "verify_inclusion",
    "verify_statement",
    "verify_webhook",
]
