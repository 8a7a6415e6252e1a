from __future__ import annotations

import inspect
import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

import httpx

from ._address import checked_address
from ._errors import BestowError
from ._operation import is_key
from ._store import Store
from ._typing import TypedDict

VERSION = "1.3.2"
Http = TypeVar("Http")
_OWN_HEADERS = {
    "accept",
    "accept-encoding",
    "authorization",
    "cache-control",
    "content-length",
    "content-type",
    "host",
    "idempotency-key",
    "user-agent",
}


class CallOptions(TypedDict, total=False):
    """Options of every call."""

    timeout: float
    """Seconds for the call with all its attempts and pauses."""
    max_retries: int
    """How often the request is sent again at most."""
    headers: Mapping[str, str]
    """Further headers of the request."""


GiftPart = Literal["order", "history", "deliveries", "card"]
"""What a gift has only if a call asks for it. An order has `history`, too."""


class ActOptions(CallOptions, total=False):
    """Options of an act whose attempts all carry one `Idempotency-Key`, so that it is done once."""

    idempotency_key: str
    """1 to 255 printable ASCII characters; a random UUID by default."""


class ExpandOptions(CallOptions, total=False):
    """Options of a call whose answer has gifts."""

    expand: Sequence[GiftPart]
    """What each gift has more than usual: `expand=["history"]`."""


class ExpandActOptions(ActOptions, ExpandOptions, total=False):
    """Options of an act whose answer has gifts."""


@dataclass(frozen=True)
class Attempt:
    """What `on_attempt` gets after each attempt."""

    method: str
    path: str
    """Without the query, which may name a person."""
    attempt: int
    """1 for the first attempt."""
    duration: float
    """Seconds."""
    status: int | None
    """None if no answer came."""
    request_id: str | None
    is_replay: bool
    """Whether the answer is that of an earlier request with the same key."""
    error: BestowError | None
    """None if the attempt succeeded."""
    pause: float | None
    """Seconds before the next attempt; None if there is no next one."""


@dataclass(frozen=True)
class Options:
    """The checked options of a client."""

    api_key: str = field(repr=False)
    base_url: str
    timeout: float = 60.0
    try_timeout: float = 15.0
    max_retries: int | None = None
    headers: Mapping[str, str] = field(default_factory=dict[str, str], repr=False)
    store: Store | None = None
    on_attempt: Callable[[Attempt], object] | None = None


def options_of(api_key: str | None, base_url: str | None, allow_insecure_http: bool, **others: Any) -> Options:
    """Check the options of a client; a missing key or address comes from the environment."""
    key = os.environ.get("BESTOW_KEY") if api_key is None else api_key
    address = os.environ.get("BESTOW_URL") if base_url is None else base_url
    if not isinstance(key, str) or key.strip() == "":
        raise ValueError("The API key is missing. Pass api_key, or set BESTOW_KEY.")
    if not re.fullmatch(r"[ -~]*", key.strip()):
        raise ValueError("The API key must be one line of ASCII characters.")
    if not isinstance(address, str) or address == "":
        raise ValueError("The address of your Bestow is missing. Pass base_url, or set BESTOW_URL.")
    check_limits(others)
    if inspect.iscoroutinefunction(others.get("on_attempt")):
        raise TypeError("on_attempt must be a plain function; it would not be awaited.")
    headers = checked_headers(others.pop("headers", None) or {})
    return Options(key.strip(), checked_address(address, allow_insecure_http), headers=headers, **others)


def open_http(kind: Callable[..., Http]) -> Http:
    """Open an HTTP client. Raise ValueError if the file of certificates that the environment names cannot be read."""
    try:
        return kind(limits=httpx.Limits(max_connections=None))
    except OSError as error:
        name = next((name for name in ("SSL_CERT_FILE", "SSL_CERT_DIR") if os.environ.get(name)), None)
        if name is None:
            raise
        reason = error.strerror or error
        raise ValueError(f"{name} is {os.environ[name]!r}, which has no certificates to read ({reason}).") from error


def check_limits(options: Mapping[str, Any]) -> None:
    """Refuse times that are not above 0, and a negative count."""
    for name in ("timeout", "try_timeout"):
        seconds = options.get(name, 1.0)
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)):
            raise TypeError(f"{name} must be a number of seconds.")
        if not seconds > 0:
            raise ValueError(f"{name} must be a number of seconds above 0.")
    retries = options.get("max_retries")
    if retries is not None and (isinstance(retries, bool) or not isinstance(retries, int)):
        raise TypeError("max_retries must be a whole number.")
    if retries is not None and retries < 0:
        raise ValueError("max_retries must be a number from 0.")


def checked_headers(headers: Mapping[str, str]) -> dict[str, str]:
    """Refuse headers that the client sets itself, such as `Authorization`, and values that cannot be sent."""
    if not isinstance(headers, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError("headers must be a dict of texts.")
    for name, value in headers.items():
        if not (isinstance(name, str) and isinstance(value, str)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The header {name!r} must be a text.")
        if name.lower() in _OWN_HEADERS:
            raise ValueError(f"The client sets the header {name} itself.")
        if not re.fullmatch(r"[!#$%&'*+.^_`|~0-9A-Za-z-]+", name) or not re.fullmatch(r"[\t -~]*", value):
            raise ValueError(f"The header {name!r} must be one line of ASCII characters.")
    return merged_headers(headers)


def merged_headers(*parts: Mapping[str, str]) -> dict[str, str]:
    """Later parts replace earlier ones. Upper and lower case of a name are the same."""
    return {name.lower(): value for part in parts for name, value in part.items()}


def check_call(options: Mapping[str, Any], takes_key: bool, takes_expand: bool = False) -> None:
    """Refuse misspelt options of a call, and values that cannot be sent."""
    known = ("timeout", "max_retries", "headers")
    for name in options:
        if not (name in known or (takes_key and name == "idempotency_key") or (takes_expand and name == "expand")):
            raise TypeError(f"This call has no option {name!r}.")
    check_limits(options)
    checked_headers(options.get("headers") or {})
    if "idempotency_key" in options:
        check_key(options["idempotency_key"])


def check_key(key: object) -> None:
    if not isinstance(key, str):
        raise TypeError("idempotency_key must be a string.")
    if not is_key(key):
        raise ValueError("idempotency_key must be 1 to 255 printable ASCII characters, without blanks at its ends.")


def split_options(given: Mapping[str, Any], takes_key: bool = False) -> tuple[dict[str, Any], dict[str, Any]]:
    """Separate the parameters of a list, or the members of a body, from the options of the call."""
    if not takes_key and "idempotency_key" in given:
        raise TypeError("This call takes no idempotency_key.")
    names = ("timeout", "max_retries", "headers", *(("idempotency_key",) if takes_key else ()))
    options = {name: given[name] for name in names if name in given}
    return {name: value for name, value in given.items() if name not in options}, options
