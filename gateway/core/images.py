"""What an image costs in tokens, by its size, without looking at its pixels.

OpenAI's rule for models that see in tiles, which also bounds what other vendors charge for the same picture:
85 tokens in low detail; otherwise the picture is fitted into 2048 x 2048, its shorter side to 768, and every
tile of 512 x 512 that it touches costs 170 more. What the size is not known of costs like a picture of
1024 x 1024. The payload is never decoded beyond its header, so a picture of 20 MB takes as long as an icon.
"""

from __future__ import annotations

import re
import struct
from base64 import b64decode
from binascii import Error
from math import ceil

LOW = 85
TILE = 170
DEFAULT = 765
"""A picture whose size cannot be read: one behind a URL, or in a format not known here."""

Size = tuple[int, int]
"""Width and height in pixels."""

_HEADER_BYTES = 32
_URL_CHARS = 200
"""A longer URL is not shown to its end."""

_MEDIA_TYPE = re.compile(r"image/[\w.+-]{1,40}")

_MAX_SEGMENTS = 64
"""JPEG: metadata before the frame header comes in segments; a profile or preview has a few of 64 KB."""


def image_tokens(url: str, detail: str = "auto") -> int:
    """Return what the image behind a URL costs; never raises.

    >>> image_tokens("https://example.org/cat.png"), image_tokens("https://example.org/cat.png", "low")
    (765, 85)
    """
    if detail == "low":
        return LOW
    size = _size(url) if url[:5].lower() == "data:" else None
    return tile_tokens(*size) if size else DEFAULT


def describe(url: str) -> str:
    """Return in a few words what the image behind a URL is; never raises.

    >>> describe("data:image/gif;base64,R0lGODlhAQABAAAAACw=")
    'image/gif, 1x1 pixels, 14 bytes'
    >>> describe("https://example.org/cat.png")
    'image https://example.org/cat.png'
    """
    if url[:5].lower() != "data:":
        shown = url if len(url) <= _URL_CHARS else url[:_URL_CHARS] + "…"
        return f"image {shown}".rstrip()
    comma = max(url.find(",", 0, 256), 0)
    kind = _MEDIA_TYPE.match(url, 5, comma)
    size = _size(url)
    pixels = f", {size[0]}x{size[1]} pixels" if size else ""
    return f"{kind[0] if kind else 'image'}{pixels}, {_size_bytes(url, comma + 1)} bytes"


def _size_bytes(url: str, start: int) -> int:
    return (len(url) - start) * 3 // 4 - url.count("=", max(start, len(url) - 2))


def tile_tokens(width: int, height: int) -> int:
    """Return what an image of this size costs in high detail.

    >>> tile_tokens(1024, 1024), tile_tokens(2048, 4096), tile_tokens(1, 1)
    (765, 1105, 255)
    """
    fit = min(1.0, 2048 / max(width, height))
    width_fit, height_fit = width * fit, height * fit
    shrink = min(1.0, 768 / min(width_fit, height_fit))
    tiles = ceil(width_fit * shrink / 512) * ceil(height_fit * shrink / 512)
    return LOW + TILE * tiles


def _size(url: str) -> Size | None:
    """Return the size that the header of a data URL's picture states."""
    comma = url.find(",", 0, 256)
    if comma < 0 or not url[:comma].lower().endswith(";base64"):
        return None
    try:
        return _read(url, comma + 1)
    except (Error, ValueError, struct.error, IndexError):
        return None


def _read(url: str, start: int) -> Size | None:
    head = _bytes(url, start, 0, _HEADER_BYTES)
    if head.startswith(b"\x89PNG\r\n\x1a\n"):
        size = struct.unpack_from(">II", head, 16)
    elif head.startswith((b"GIF87a", b"GIF89a")):
        size = struct.unpack_from("<HH", head, 6)
    elif head.startswith(b"RIFF") and head[8:12] == b"WEBP":
        size = _webp(head)
    elif head.startswith(b"\xff\xd8"):
        size = _jpeg(url, start)
    else:
        return None
    return (size[0], size[1]) if min(size) > 0 else None


def _webp(head: bytes) -> Size:
    """Return the size in a WebP header (RFC 9649): each of its three chunks keeps it elsewhere."""
    kind = head[12:16]
    if kind == b"VP8X":
        return 1 + int.from_bytes(head[24:27], "little"), 1 + int.from_bytes(head[27:30], "little")
    if kind == b"VP8L":
        bits = int.from_bytes(head[21:25], "little")
        return 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF)
    if kind == b"VP8 ":
        width, height = struct.unpack_from("<HH", head, 26)
        return width & 0x3FFF, height & 0x3FFF
    raise ValueError("no such chunk")


def _jpeg(url: str, start: int) -> Size:
    """Return the size in the frame header, found by stepping over the segments before it."""
    at = 2
    for _ in range(_MAX_SEGMENTS):
        segment = _bytes(url, start, at, 9)
        fill, marker, length, _, height, width = struct.unpack(">BBHBHH", segment)
        if fill != 0xFF:
            break
        if marker == 0xFF:
            at += 1  # padding is allowed before a marker
            continue
        # SOF0 to SOF15; C4, C8 and CC are tables that share the range.
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            return width, height
        at += 2 + length
    raise ValueError("no frame header")


def _bytes(url: str, start: int, at: int, count: int) -> bytes:
    """Return bytes *at* and after of the base64 that begins at *start*, decoding only what holds them."""
    group, skip = divmod(at, 3)
    begin = start + 4 * group
    groups = ceil((skip + count) / 3)
    text = url[begin : begin + 4 * groups]
    padded = text + "=" * (-len(text) % 4)
    return b64decode(padded, validate=True)[skip : skip + count]
