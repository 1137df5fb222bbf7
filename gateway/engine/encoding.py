"""Content codings, read from a bounded copy: the bytes that are relayed stay as they came."""

from __future__ import annotations

import sys
import zlib

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

from gateway.core.errors import InvalidRequest, TooLarge

READABLE = ("gzip", "x-gzip", "deflate", "identity", "")
"""Codings of an answer that the gateway reads; also what it lets a client ask a compacted endpoint for."""

_ZLIB_HEADER_BYTES = 2
_STEP_BYTES = 256 * 1024
"""How much is unpacked at once where only the end is wanted."""

_AMPLE_BYTES = 4 * 1024 * 1024
_RATIO = 100
"""A request body may unpack to the first of these, or to so many times its bytes: text packs to a tenth."""

_WINDOW_BITS = {"gzip": 31, "x-gzip": 31, "deflate": 47}


class Decoder:
    """Decodes an answer chunk by chunk, up to a bound; beyond it, or on garbage, it goes quiet."""

    def __init__(self, coding: str, max_bytes: int | None = None) -> None:
        coding = coding.strip().lower()
        self.readable = coding in READABLE
        self._left = max_bytes
        bits = _WINDOW_BITS.get(coding)
        self._inflate = zlib.decompressobj(bits) if bits else None
        self._may_be_raw = coding == "deflate"
        self._head = b""
        """What came of a deflate stream before it is known whether it has a header."""

    def feed(self, chunk: bytes) -> bytes:
        """Return what the chunk adds to the decoded text; empty once the decoder has gone quiet."""
        if not self.readable or self._left == 0:
            return b""
        plain = chunk if self._inflate is None else self._decompress(chunk, self._left or 0)
        if self._left is not None:
            plain = plain[: self._left]
            self._left -= len(plain)
        return plain

    def feed_tail(self, chunk: bytes, keep_bytes: int) -> bytes:
        """Return the last *keep_bytes* of what the chunk adds, in bounded memory whatever it unpacks to."""
        if self._inflate is None or not self.readable:
            return self.feed(chunk)[-keep_bytes:]
        tail = b""
        while chunk and self.readable:
            tail = (tail + self._decompress(chunk, _STEP_BYTES))[-keep_bytes:]
            chunk = self._inflate.unconsumed_tail
        return tail

    def _decompress(self, chunk: bytes, most_bytes: int) -> bytes:
        assert self._inflate is not None
        if self._may_be_raw:
            chunk = self._head = self._head + chunk
            if len(chunk) < _ZLIB_HEADER_BYTES:
                return b""
        try:
            plain = self._inflate.decompress(chunk, most_bytes)
        except zlib.error:
            if self._may_be_raw:
                # Some servers send deflate without the zlib header that RFC 9110 8.4.1.2 asks for.
                self._may_be_raw = False
                self._inflate = zlib.decompressobj(-15)
                return self._decompress(chunk, most_bytes)
            self.readable = False
            return b""
        self._may_be_raw = False
        return plain


def decode_request(body: bytes, coding: str, max_bytes: int) -> bytes | None:
    """Return the decoded request body; None if it is not for us to read.

    That is so if the coding is not one we know, if something stands behind its stream, and if it is packed as
    no text is: a few of these would take all memory. Raise TooLarge beyond *max_bytes*, and InvalidRequest if
    the body is not what its header says.
    """
    coding = coding.strip().lower()
    if coding in ("", "identity"):
        return body
    ample = max(_AMPLE_BYTES, len(body) * _RATIO)
    most = min(max_bytes, ample)
    try:
        if coding == "zstd":
            unpacked: zstd.ZstdDecompressor | zlib._Decompress = zstd.ZstdDecompressor()
        elif coding in _WINDOW_BITS:
            unpacked = zlib.decompressobj(_WINDOW_BITS[coding])
        else:
            return None
        plain = unpacked.decompress(body, most + 1)
    except (zlib.error, zstd.ZstdError) as exc:
        raise InvalidRequest(f"the request body is not {coding}, as its content-encoding says") from exc
    if len(plain) > max_bytes:
        raise TooLarge(f"the decoded request body is larger than {max_bytes} bytes")
    if len(plain) > most:
        return None
    if not unpacked.eof:
        raise InvalidRequest(f"the request body ends before its {coding} stream does")
    return plain if not unpacked.unused_data else None
