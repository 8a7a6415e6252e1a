from __future__ import annotations

import zlib

import httpx

LONGEST_ANSWER_BYTES = 16 * 1024 * 1024
"""The largest answer of the service is a page of a list, of less than 1 MB."""


class Body:
    """Collects the body of an answer. httpx would decompress 64 KiB to as much as 64 MiB at once."""

    def __init__(self, headers: httpx.Headers) -> None:
        is_compressed = headers.get("content-encoding", "").strip().lower() in ("gzip", "x-gzip", "deflate")
        # 32: the header of gzip or of zlib.
        self._decompressor = zlib.decompressobj(zlib.MAX_WBITS | 32) if is_compressed else None
        self._parts: list[bytes] = []
        self._left = LONGEST_ANSWER_BYTES

    def add(self, part: bytes) -> bool:
        """Return whether the body is still within the bound. Raise zlib.error if it is damaged."""
        if self._decompressor is not None:
            part = self._decompressor.decompress(part, self._left + 1)
        self._left -= len(part)
        self._parts.append(part)
        return self._left >= 0

    def whole(self) -> bytes:
        return b"".join(self._parts)
