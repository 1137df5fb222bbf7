"""An image costs what its size says, wherever its header keeps it, and no URL raises."""

from __future__ import annotations

import struct
from base64 import b64encode

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.core.images import DEFAULT, LOW, describe, image_tokens, tile_tokens


def png(width: int, height: int) -> bytes:
    return (
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", width, height) + b"\x08\x06\0\0\0" + bytes(99)
    )


def gif(width: int, height: int) -> bytes:
    return b"GIF89a" + struct.pack("<HH", width, height) + bytes(40)


def jpeg(width: int, height: int, metadata: int = 100, marker: int = 0xC2) -> bytes:
    app = b"\xff\xe1" + struct.pack(">H", metadata + 2) + bytes(metadata)
    tables = b"\xff\xff\xc4" + struct.pack(">H", 12) + bytes(10)
    frame = bytes((0xFF, marker)) + struct.pack(">HBHH", 17, 8, height, width) + bytes(12)
    return b"\xff\xd8" + app + app + tables + frame + bytes(1000)


def webp(chunk: bytes) -> bytes:
    return b"RIFF\x24\0\0\0WEBP" + chunk + bytes(30)


def extended(width: int, height: int) -> bytes:
    size = (width - 1).to_bytes(3, "little") + (height - 1).to_bytes(3, "little")
    return webp(b"VP8X\x0a\0\0\0" + bytes(4) + size)


def lossless(width: int, height: int) -> bytes:
    return webp(b"VP8L\x0a\0\0\0\x2f" + struct.pack("<I", (width - 1) | (height - 1) << 14))


def lossy(width: int, height: int) -> bytes:
    return webp(b"VP8 \x0a\0\0\0" + bytes(3) + b"\x9d\x01\x2a" + struct.pack("<HH", width, height))


def url(data: bytes, media: str = "image/png") -> str:
    return f"data:{media};base64,{b64encode(data).decode()}"


@pytest.mark.parametrize("make", [png, gif, jpeg, extended, lossless, lossy])
@pytest.mark.parametrize(
    ("width", "height", "tokens"),
    [
        (1, 1, 255),
        (512, 512, 255),
        (1024, 1024, 765),
        (2048, 4096, 1105),
        (10_000, 100, 765),
        (16_000, 9, 765),
    ],
)
def test_the_size_in_the_header_decides(make, width: int, height: int, tokens: int) -> None:  # type: ignore[no-untyped-def]  # six makers of one shape
    """Every common format is costed by its tiles: 85 and 170 for each that the fitted picture touches."""
    assert image_tokens(url(make(width, height))) == tokens


@pytest.mark.parametrize("metadata", [0, 1, 2, 60_000])
def test_a_photo_with_large_metadata_is_read(metadata: int) -> None:
    """A preview or colour profile before the frame header does not hide the size of a photo."""
    assert image_tokens(url(jpeg(512, 512, metadata), "image/jpeg")) == 255


def test_low_detail_has_one_price() -> None:
    """Low detail costs 85 whatever the picture is."""
    assert image_tokens(url(png(4000, 4000)), "low") == LOW
    assert image_tokens("https://example.org/a.png", "low") == LOW


@pytest.mark.parametrize(
    "bad",
    [
        "",
        "https://example.org/a.png",
        "data:",
        "data:image/png;base64",
        "data:image/png;base64,",
        "data:image/png;base64,iVBORw0K",
        "data:image/png;base64,iVBORw0KGgoé",
        "data:image/png;base64,a",
        "data:image/svg+xml,<svg width='4000'/>",
        "data:image/png;base64," + "iVBORw0K" * 1000,
        url(png(0, 10)),
        url(gif(0, 0)),
        url(webp(b"ALPH" + bytes(20))),
        url(b"\xff\xd8" + b"\xff\xe0\0\2" * 400),
        url(b"\xff\xd8" + bytes(400)),
        url(jpeg(512, 512)[:100]),
        url(b"BM" + bytes(100)),
        "data:" + "x" * 1_000_000,
    ],
)
def test_what_cannot_be_read_has_a_fixed_price(bad: str) -> None:
    """A picture behind a link, in an unknown format or broken costs 765; it is never counted as text."""
    assert image_tokens(bad) == DEFAULT


@given(
    data=st.binary(max_size=200),
    start=st.sampled_from([b"", png(9, 9), jpeg(9, 9), lossy(9, 9), b"\xff\xd8"]),
)
def test_no_payload_raises(data: bytes, start: bytes) -> None:
    """Whatever bytes a client calls a picture, it gets a price."""
    assert image_tokens(url(start[: len(data)] + data)) >= LOW


@given(width=st.integers(1, 2**32 - 1), height=st.integers(1, 2**32 - 1))
def test_no_size_costs_more_than_eight_tiles(width: int, height: int) -> None:
    """A header that claims billions of pixels cannot make a conversation look too long."""
    assert LOW < tile_tokens(width, height) <= 85 + 8 * 170


def test_image_is_described_by_what_its_header_and_url_say() -> None:
    """Type, size and bytes of what is sent along; the URL of what is not, its end left out if it is long."""
    assert describe(url(png(640, 480))) == f"image/png, 640x480 pixels, {len(png(640, 480))} bytes"
    assert describe("data:image/svg+xml;base64,PHN2Zy8+") == "image/svg+xml, 6 bytes"
    assert describe("https://example.org/" + "a" * 300) == "image https://example.org/" + "a" * 180 + "…"


@pytest.mark.parametrize("bad", ["", "data:", "data:,", "DATA:x]\n;base64,!!", "data:" + "a" * 1000])
def test_whatever_stands_for_an_image_is_described(bad: str) -> None:
    """Nothing raises, and nothing of a strange media type gets into the description."""
    assert describe(bad).startswith("image")
    assert "]" not in describe(bad)
