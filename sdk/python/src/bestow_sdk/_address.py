from __future__ import annotations

import ipaddress
import re
from urllib.parse import urlsplit

_PRIVATE_NAME = re.compile(r"([a-z][a-z0-9_-]*|.*\.(localhost|local|internal))\.?")


def checked_address(address: str, allow_insecure_http: bool) -> str:
    """Return the address without slashes at its end. Raise ValueError that says what is wrong with it."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        parts = urlsplit("")
    host = parts.hostname
    if parts.scheme not in ("http", "https") or not host or re.search(r"[\s@?#\x00-\x1f]", address):
        raise ValueError("base_url must be an http:// or https:// address without user, query and fragment.")
    if parts.path.rstrip("/").endswith("/v1"):
        raise ValueError(f"base_url must end before /v1, which the client adds: {address.rstrip('/')[:-3]}")
    if parts.scheme == "http" and not allow_insecure_http and not _is_private(host):
        risk = f"http://{parts.netloc} would carry the API key over the internet unencrypted"
        raise ValueError(f"{risk}. Use https://, or pass allow_insecure_http=True.")
    return address.rstrip("/")


def _is_private(host: str) -> bool:
    """Whether a host is this machine, or is in a network that is not the internet."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return _PRIVATE_NAME.fullmatch(host) is not None
    return not (getattr(address, "ipv4_mapped", None) or address).is_global
