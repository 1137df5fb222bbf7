"""What records look like inside a database."""

from __future__ import annotations

import asyncio
import os
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gateway.store import pack
from gateway.store.base import Learned


@given(st.binary(max_size=3000))
def test_content_comes_back(content: bytes) -> None:
    """Whatever is stored is read again, byte for byte."""
    assert pack.unpack(pack.pack(content)) == content


@given(st.text(st.characters(exclude_categories=()), max_size=80))
def test_names_come_back(text: str) -> None:
    """Names with NUL, half an emoji or any other character survive."""
    assert pack.text(pack.key(text)) == text
    assert pack.text(pack.name(text)) == text


def test_large_content_is_compressed() -> None:
    """A log of a hundred kilobytes takes a few on the disk."""
    assert len(pack.pack(b"GET /index.html 200\n" * 5000)) < 5000


def test_content_that_does_not_shrink_costs_one_byte() -> None:
    """An image is not made larger by trying to compress it."""
    assert len(pack.pack(os.urandom(5000))) == 5001


def test_long_keys_stay_apart() -> None:
    """Two names that differ only far behind are two keys, and neither is long."""
    assert pack.key("x" * 9000 + "a") != pack.key("x" * 9000 + "b")
    assert len(pack.key("é" * 9000)) < 100


def test_long_names_are_cut() -> None:
    """A tool's name of a megabyte does not fill the database."""
    assert pack.text(pack.name("é" * 9000)) == "é" * 255


@given(st.lists(st.integers(0, 2**31) | st.binary(max_size=50), max_size=20))
def test_items_come_back(items: list[int | bytes]) -> None:
    """A frozen prefix is replayed exactly as it was frozen."""
    assert pack.unpack_items(pack.pack_items(tuple(items))) == tuple(items)


def test_thousand_kept_messages_are_small() -> None:
    """A checkpoint that keeps a thousand messages takes less than four kilobytes for them."""
    assert len(pack.pack_items(tuple(range(1000)))) < 4000


def test_learned_comes_back() -> None:
    """What was learned is read again with the names it belongs to."""
    learned = Learned("http://a/\ud83d", "m", 8192, 5.5, 1.25, True, True)
    stored = pack.pack_learned(learned)
    assert pack.unpack_learned(pack.key("http://a/\ud83d"), b"m", stored) == learned


@pytest.mark.parametrize("stored", [b"", b"\x07abc", b"\x01abc"])
def test_rotten_content_is_refused(stored: bytes) -> None:
    """What `pack` did not write is an error, never some other content."""
    with pytest.raises((ValueError, zlib.error)):
        pack.unpack(stored)


def test_large_contents_are_packed_alike() -> None:
    """Contents large enough to be worked out in a thread come out like small ones, in order."""
    contents = [b"a" * 200_000, b"b", os.urandom(100_000)]

    async def run() -> list[bytes]:
        return await pack.unpacked(await pack.packed(contents))

    assert asyncio.run(run()) == contents
