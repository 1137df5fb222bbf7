"""What records look like inside a database: bytes, compact, and safe for whatever a client may send.

Text that came from outside may hold NUL and lone surrogates, which drivers refuse or cut, so it is kept as
bytes. Large content is compressed at the fastest level: conversations shrink to a third for a few
milliseconds per megabyte.
"""

from __future__ import annotations

import asyncio
import hashlib
import zlib
from collections.abc import Callable, Iterable, Sequence

import msgspec

from gateway.core.frozen import replace
from gateway.store.base import Learned

Items = tuple[int | bytes, ...]

_PLAIN, _DEFLATED = b"\x00", b"\x01"
COMPRESS_FROM_BYTES = 1024
"""Below it, compression saves less than a page of the database."""
_LONGEST_KEY_BYTES = 255
_LONGEST_NAME = 255
_INLINE_BYTES = 64 * 1024
"""Content up to this size is packed on the event loop: less than a millisecond."""

_encoder = msgspec.msgpack.Encoder()
_items_decoder = msgspec.msgpack.Decoder(Items)
_learned_decoder = msgspec.msgpack.Decoder(Learned)


def key(text: str) -> bytes:
    """Return text as part of a key: itself, or its hash where it is too long for an index.

    >>> key("acme")
    b'acme'
    >>> len(key("x" * 10_000))
    71
    """
    data = text.encode("utf-8", "surrogatepass")
    return data if len(data) <= _LONGEST_KEY_BYTES else b"sha256:" + hashlib.sha256(data).hexdigest().encode()


def name(text: str) -> bytes:
    """Return text that only people read; what is too long is cut."""
    return text[:_LONGEST_NAME].encode("utf-8", "surrogatepass")


def text(data: bytes) -> str:
    """Return what `key` or `name` was given."""
    return data.decode("utf-8", "surrogatepass")


def pack(content: bytes) -> bytes:
    """Return content as it is stored: a tag, then itself or its compressed form, whichever is shorter.

    >>> unpack(pack(b"x" * 5000)) == b"x" * 5000
    True
    """
    if len(content) >= COMPRESS_FROM_BYTES:
        shorter = zlib.compress(content, 1)
        if len(shorter) < len(content):
            return _DEFLATED + shorter
    return _PLAIN + content


def unpack(stored: bytes) -> bytes:
    """Return the content. Raise `zlib.error` or ValueError if that is not what `pack` wrote."""
    if stored[:1] == _DEFLATED:
        return zlib.decompress(memoryview(stored)[1:])
    if stored[:1] == _PLAIN:
        return stored[1:]
    raise ValueError(f"content with unknown tag {stored[:1]!r}")


def pack_items(items: Items) -> bytes:
    """Return the items of a checkpoint as they are stored."""
    return pack(_encoder.encode(items))


def unpack_items(stored: bytes) -> Items:
    """Return the items of a checkpoint. Raise as `unpack` does."""
    return _items_decoder.decode(unpack(stored))


def pack_learned(learned: Learned) -> bytes:
    """Return what was learned, less the names it was learned about."""
    return _encoder.encode(replace(learned, upstream="", model=""))


def unpack_learned(upstream: bytes, model: bytes, stored: bytes) -> Learned:
    """Return what was learned; fields that a later version wrote are ignored. Raise ValueError."""
    return replace(_learned_decoder.decode(stored), upstream=text(upstream), model=text(model))


async def packed(parts: Iterable[bytes]) -> list[bytes]:
    """Return contents as they are stored, worked out beside the event loop when they are large."""
    return await _beside(pack, list(parts))


async def unpacked(parts: Iterable[bytes]) -> list[bytes]:
    """Return the contents, worked out beside the event loop when they are large."""
    return await _beside(unpack, list(parts))


async def _beside(work: Callable[[bytes], bytes], parts: Sequence[bytes]) -> list[bytes]:
    if sum(map(len, parts)) <= _INLINE_BYTES:
        return [work(part) for part in parts]
    return await asyncio.to_thread(lambda: [work(part) for part in parts])
