"""Content codings are read from a copy, within bounds, and garbage hurts nobody."""

from __future__ import annotations

import gzip
import sys
import zlib
from collections.abc import Callable

import pytest

from gateway.core.errors import InvalidRequest, TooLarge
from gateway.engine.encoding import Decoder, decode_request

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

TEXT = b'{"model": "m", "messages": []} ' * 50


def raw_deflate(text: bytes) -> bytes:
    """Compress without the zlib header, as some servers do."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(text) + packer.flush()


CODED = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    " GZIP ": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "zstd": zstd.compress(TEXT),
}


@pytest.mark.parametrize("coding", [*CODED, "", "identity"])
def test_request_body_is_read_in_every_coding(coding: str) -> None:
    """A client that compresses its requests is compacted like any other."""
    assert decode_request(CODED.get(coding, TEXT), coding, 10_000) == TEXT


def test_uncompressed_body_is_not_copied() -> None:
    """A body without a coding is the very same object, which is how a rewritten one is told from it."""
    assert decode_request(TEXT, "", 10) is TEXT


def test_coding_that_nobody_knows_is_left_alone() -> None:
    """A body in a coding that we do not read goes out as it came."""
    assert decode_request(b"x", "br", 10) is None


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
@pytest.mark.parametrize("more", [b"x", None])
def test_body_of_more_than_one_stream_is_not_read(coding: str, more: bytes | None) -> None:
    """An upstream may read on where we would stop, and find another model: such a body goes as it came."""
    behind = CODED[coding] if more is None else more
    assert decode_request(CODED[coding] + behind, coding, 10_000) is None


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_bomb_is_refused(coding: str) -> None:
    """A small body that unpacks to more than is accepted is refused, and not unpacked."""
    size = len(TEXT)
    assert decode_request(CODED[coding], coding, size) == TEXT
    with pytest.raises(TooLarge, match=str(size - 1)):
        decode_request(CODED[coding], coding, size - 1)


@pytest.mark.parametrize(
    ("coding", "pack"), [("gzip", gzip.compress), ("deflate", zlib.compress), ("zstd", zstd.compress)]
)
def test_body_packed_as_no_text_is_left_alone(coding: str, pack: Callable[[bytes], bytes]) -> None:
    """A few kilobytes that unpack to tens of megabytes go out as they came: twenty would take all memory."""
    assert decode_request(pack(b"a" * 30_000_000), coding, 60_000_000) is None
    assert decode_request(pack(b"a" * 3_000_000), coding, 60_000_000) == b"a" * 3_000_000


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_body_that_breaks_off_is_refused(coding: str) -> None:
    """Half a compressed body is not taken for a whole one."""
    with pytest.raises(InvalidRequest, match="ends before"):
        decode_request(CODED[coding][:-6], coding, 10_000)


@pytest.mark.parametrize("coding", ["gzip", "deflate", "zstd"])
def test_body_that_is_something_else_is_refused(coding: str) -> None:
    """A header that lies about the body is named in the error."""
    with pytest.raises(InvalidRequest, match=coding):
        decode_request(TEXT, coding, 10_000)


ANSWERS = {
    "gzip": gzip.compress(TEXT),
    "x-gzip": gzip.compress(TEXT),
    "deflate": zlib.compress(TEXT),
    "identity": TEXT,
    "": TEXT,
}


@pytest.mark.parametrize("coding", ANSWERS)
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_answer_is_read_however_it_is_cut(coding: str, size: int) -> None:
    """A coded answer gives the same text in chunks of any size."""
    decoder, coded = Decoder(coding), ANSWERS[coding]
    pieces = [decoder.feed(coded[at : at + size]) for at in range(0, len(coded), size)]

    assert b"".join(pieces) == TEXT
    assert decoder.readable


@pytest.mark.parametrize("size", [1, 2, 7, 10_000])
def test_deflate_without_its_header_is_read(size: int) -> None:
    """Servers that leave out the zlib header are understood, as browsers understand them.

    Seen: where the first chunk was a single byte, that byte was lost, and the answer with it.
    """
    decoder, coded = Decoder("deflate"), raw_deflate(TEXT)
    pieces = [decoder.feed(coded[at : at + size]) for at in range(0, len(coded), size)]

    assert b"".join(pieces) == TEXT


@pytest.mark.parametrize("coding", ["gzip", "deflate"])
def test_garbage_makes_it_go_quiet(coding: str) -> None:
    """An answer that is not what its header says is passed on unread; nothing fails."""
    decoder = Decoder(coding)

    assert decoder.feed(b"\xff" * 100) == b""
    assert not decoder.readable
    assert decoder.feed(ANSWERS[coding]) == b""


def test_coding_of_an_answer_that_nobody_knows_is_not_read() -> None:
    """An answer in Brotli is passed on unread."""
    decoder = Decoder("br")

    assert not decoder.readable
    assert decoder.feed(TEXT) == b""


@pytest.mark.parametrize("coding", ["", "gzip"])
@pytest.mark.parametrize("size", [1, 7, 10_000])
def test_only_so_much_is_read(coding: str, size: int) -> None:
    """The copy is bounded, whatever an answer unpacks to."""
    decoder, coded = Decoder(coding, max_bytes=100), ANSWERS[coding]
    pieces = [decoder.feed(coded[at : at + size]) for at in range(0, len(coded), size)]

    assert b"".join(pieces) == TEXT[:100]


def test_end_of_a_chunk_that_unpacks_to_a_hundred_times_its_size() -> None:
    """Only the end of a very dense chunk is kept, and what follows it is still read."""
    packed = gzip.compress(b"x" * 5_000_000 + b"the end")
    decoder = Decoder("gzip")

    assert decoder.feed_tail(packed[:-4], 7) + decoder.feed_tail(packed[-4:], 7) == b"the end"
    assert Decoder("").feed_tail(b"plain text", 4) == b"text"


def test_end_of_what_is_not_what_its_header_says() -> None:
    """An answer that only claims to be compressed has no end to read, and that is told at once."""
    decoder = Decoder("gzip")

    assert decoder.feed_tail(b"plain text", 7) == b""
    assert not decoder.readable
    assert decoder.feed_tail(b"more of it", 7) == b""
