"""Explains attempts without an answer of the service."""

from __future__ import annotations

import builtins
import socket
import ssl
import zlib
from dataclasses import dataclass
from urllib.parse import urljoin, urlsplit

import httpx

NETWORK_ERRORS = (
    httpx.TransportError,
    zlib.error,
    builtins.ConnectionError,
    builtins.TimeoutError,
    ssl.SSLError,
    socket.gaierror,
)
"""What a failed attempt raises, if a retry may help."""
_PACKAGES = ("anyio", "h11", "httpcore", "httpx")
PROXY_REFUSED = "HTTP 407: the proxy requires authentication"
_CONNECT_ERRORS = (httpx.ConnectError, httpx.ConnectTimeout, httpx.ProxyError, httpx.UnsupportedProtocol)


@dataclass(frozen=True)
class NoAnswer:
    reason: str
    """Without a full stop."""
    is_unconnected: bool = False
    """Whether the connection could not be made."""
    is_final: bool = False
    """Whether a retry cannot help: a wrong address or certificate."""


def is_of_sending(error: BaseException) -> bool:
    """Whether sending failed. Anything else is a mistake in a program, or ends the call from outside."""
    is_of_packages = type(error).__module__.partition(".")[0] in _PACKAGES
    # As asyncio says that a loop is closed. NotImplementedError is one by inheritance only.
    return is_of_packages or isinstance(error, NETWORK_ERRORS) or type(error) is RuntimeError


def explain_failure(base_url: str, error: BaseException) -> NoAnswer:
    """Explain an attempt that failed before the whole answer came."""
    causes = _causes_of(error)
    root = causes[-1]
    refused = next((cause for cause in causes if isinstance(cause, ssl.SSLError)), None)
    is_connecting = isinstance(error, _CONNECT_ERRORS)
    is_cut = isinstance(refused, (ssl.SSLEOFError, ssl.SSLZeroReturnError))
    is_refused = is_connecting and refused is not None and not is_cut
    reason = str(refused or root).strip() or str(error).strip() or type(root).__name__
    if isinstance(error, httpx.ProxyError) and reason.startswith("407"):
        return NoAnswer(f"No answer came from {base_url} ({PROXY_REFUSED})", is_connecting, True)
    advice = "; check base_url and its certificate" if is_refused else ""
    is_final = is_refused or not isinstance(error, NETWORK_ERRORS)
    return NoAnswer(f"No answer came from {base_url} ({reason}){advice}", is_connecting, is_final)


def _causes_of(error: BaseException) -> list[BaseException]:
    """The error and its causes, the deepest last."""
    causes = [error]
    while len(causes) < 20:
        last = causes[-1]
        group = getattr(last, "exceptions", None)
        cause = group[0] if group else last.__cause__ or last.__context__
        if cause is None or cause in causes:
            break
        causes.append(cause)
    return causes


def explain_foreign(base_url: str, status: int, headers: httpx.Headers) -> NoAnswer:
    """Explain an answer that the service did not write. A gateway may have sent the request on before it answered."""
    if status == 407:
        return NoAnswer(f"No answer came from {base_url} ({PROXY_REFUSED})", False, True)
    is_redirect = 300 <= status < 400
    is_final = is_redirect or (400 <= status < 500 and status not in (408, 425, 429))
    target = _origin_of(base_url, headers.get("Location")) if is_redirect else None
    what = f"redirects to {target}" if target else "did not come from Bestow"
    advice = "; check base_url and proxies" if is_final else ""
    return NoAnswer(f"HTTP {status} of {base_url} {what}{advice}", False, is_final)


def _origin_of(base_url: str, location: str | None) -> str | None:
    try:
        parts = urlsplit(urljoin(base_url, location)) if location else None
    except ValueError:
        return None
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}" if parts and parts.netloc else None
