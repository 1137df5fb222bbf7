"""A stream means the same, and keeps its bytes, wherever it is cut."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice, pairwise

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gateway.wire.stream import Event, Splitter, begins

untimed = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

CHAT = (
    b'data: {"id":"c1","choices":[{"index":0,"delta":{"role":"assistant","content":""}}]}\n\n'
    b'data: {"id":"c1","choices":[{"index":0,"delta":{"content":"a \xe2\x80\xa8 b \xc2\x85 c"}}]}\n\n'
    b'data: {"id":"c1","choices":[],"usage":{"prompt_tokens":9,"completion_tokens":2}}\n\n'
    b"data: [DONE]\n\n"
)
CHAT_DATA = [part.removeprefix(b"data: ") for part in CHAT.split(b"\n\n")[:-1]]

STREAMS: dict[str, tuple[bytes, list[tuple[str, bytes]]]] = {
    "line feeds": (CHAT, [("", data) for data in CHAT_DATA]),
    "carriage returns and line feeds": (CHAT.replace(b"\n", b"\r\n"), [("", data) for data in CHAT_DATA]),
    "carriage returns": (CHAT.replace(b"\n", b"\r"), [("", data) for data in CHAT_DATA]),
    "no space": (CHAT.replace(b"data: ", b"data:"), [("", data) for data in CHAT_DATA]),
    "byte order mark": (b"\xef\xbb\xbf" + CHAT, [("", data) for data in CHAT_DATA]),
    "byte order mark, empty line": (b"\xef\xbb\xbf\r\n" + CHAT, [("", b""), *(("", d) for d in CHAT_DATA)]),
    "cut off": (CHAT[:-1], [("", data) for data in CHAT_DATA]),
    "cut in a line": (CHAT + b'data: {"id":', [*(("", data) for data in CHAT_DATA), ("", b'{"id":')]),
    "named events": (
        b'event: message_start\ndata: {"type":"message_start"}\n\n'
        b'event:ping\r\ndata:{"type": "ping"}\r\n\r\n',
        [("message_start", b'{"type":"message_start"}'), ("ping", b'{"type": "ping"}')],
    ),
    "several lines": (b"data: {\ndata:  1\ndata\ndata:\ndata: }\n\n", [("", b"{\n 1\n\n\n}")]),
    "mixed ends": (
        b"data: a\rdata: b\r\ndata: c\n\r\ndata: d\r\rdata: e\n\n",
        [("", b"a\nb\nc"), ("", b"d"), ("", b"e")],
    ),
    "comment": (b": PROCESSING\n\n:\n\ndata: a\n\n", [("", b""), ("", b""), ("", b"a")]),
    "comment inside": (b": note\ndata: a\n:\ndata: b\n\n", [("", b"a\nb")]),
    "empty lines": (b"\n\r\n\rdata: a\n\n\n", [("", b""), ("", b""), ("", b""), ("", b"a"), ("", b"")]),
    "no events": (b'{"error": {"message": "x"}}\n', [("", b"")]),
    "nothing": (b"", []),
}


def split(pieces: Iterable[bytes]) -> list[Event]:
    """Return the events of a stream that arrives in these pieces."""
    splitter = Splitter()
    return [event for piece in pieces for event in splitter.feed(piece)] + splitter.close()


def in_pieces(data: bytes, size: int) -> list[bytes]:
    """Return the stream cut every *size* bytes."""
    return [data[start : start + size] for start in range(0, len(data), size)]


@pytest.mark.parametrize(("data", "said"), STREAMS.values(), ids=STREAMS)
def test_every_event_is_read(data: bytes, said: list[tuple[str, bytes]]) -> None:
    """Names and data come out as the standard says, for every kind of line end."""
    assert [(event.name, event.data) for event in split([data])] == said


@pytest.mark.parametrize(("data", "said"), STREAMS.values(), ids=STREAMS)
def test_cuts_make_no_difference(data: bytes, said: list[tuple[str, bytes]]) -> None:
    """Byte by byte, in pieces of every size and cut at every place: the same events, the same bytes."""
    whole = split([data])

    for size in range(1, len(data) + 1):
        assert split(in_pieces(data, size)) == whole
        assert split([data[:size], b"", data[size:]]) == whole


@pytest.mark.parametrize(("data", "said"), STREAMS.values(), ids=STREAMS)
def test_no_byte_is_lost(data: bytes, said: list[tuple[str, bytes]]) -> None:
    """The events together are the stream, byte for byte."""
    assert b"".join(event.raw for event in split([data])) == data


ODD = st.sampled_from(
    [b"\r", b"\n", b"\r\n", b"\n\n", b"data: a", b"data", b":", b" ", b"event: e", b"\xef\xbb\xbf", b"\xff"]
)


@untimed
@given(st.lists(ODD, max_size=12).map(b"".join), st.lists(st.integers(0, 40), max_size=6))
def test_any_bytes_in_any_pieces_are_the_same_events(data: bytes, cuts: list[int]) -> None:
    """Whatever a server sends and a network does to it: same events, same bytes."""
    bounds = [0, *sorted(min(cut, len(data)) for cut in cuts), len(data)]
    pieces = [data[start:stop] for start, stop in pairwise(bounds)]

    events = split(pieces)

    assert events == split([data])
    assert b"".join(event.raw for event in events) == data


@untimed
@given(st.lists(ODD, max_size=12).map(b"".join))
def test_line_ends_of_every_kind_mean_the_same(data: bytes) -> None:
    """A proxy that rewrites CRLF to LF on the way changes nothing about what is said."""
    plain = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")

    assert [event[1:] for event in split([data])] == [event[1:] for event in split([plain])]


def test_json_does_not_begin_as_a_stream() -> None:
    """Any field, comment or mark may begin a stream; what a model answers as JSON does not."""
    for text in (b"data:1", b"event: a", b"id: 1", b"retry: 9", b":", b"\xef\xbb\xbfdata: 1", b"\n\r\n: a"):
        assert begins(text)
    for text in (b"", b'{"data": 1}', b' {"id:": 1}', b"[1]", b'"data: 1"', b"<html>", b"\n\n"):
        assert not begins(text)


def test_an_event_is_delivered_with_its_last_byte() -> None:
    """A reader does not wait for the next event to get this one."""
    splitter = Splitter()

    assert splitter.feed(b"data: a\n") == []
    assert [event.data for event in splitter.feed(b"\n")] == [b"a"]


def test_half_a_line_end_is_waited_for() -> None:
    """A CRLF cut in two is one line end, and its second half belongs to the same event."""
    splitter = Splitter()

    assert splitter.feed(b"data: a\r\n\r") == []
    assert [event.raw for event in splitter.feed(b"\n")] == [b"data: a\r\n\r\n"]


@pytest.mark.parametrize(
    ("data", "is_comment"),
    [
        (b": keep-alive\n\n", True),
        (b"\n", True),
        (b":\r\n: two\r\n\r\n", True),
        (b"data: a\n\n", False),
        (b": note\ndata: a\n\n", False),
        (b"data:\n\n", False),
        (b"id: 1\n\n", False),
    ],
)
def test_comments_are_told_from_events(data: bytes, is_comment: bool) -> None:
    """A sign of life is no answer: only a field makes an event."""
    assert [event.is_comment for event in split([data])] == [is_comment]


def test_other_fields_are_kept() -> None:
    """Some servers say what went wrong in a field of their own."""
    (event,) = split([b'id: 7\nerror: {"code":\nerror: 400}\nevent: error\n\n'])

    assert event.fields == {"id": b"7", "error": b'{"code":\n400}'}
    assert (event.name, event.data) == ("error", b"")


def test_a_byte_order_mark_counts_only_at_the_start() -> None:
    """Anywhere else it is part of a field's name, which no reader knows."""
    first, second = split([b"\xef\xbb\xbfdata: a\n\n\xef\xbb\xbfdata: b\n\n"])

    assert (first.data, first.raw[:3]) == (b"a", b"\xef\xbb\xbf")
    assert (second.data, second.fields) == (b"", {"\ufeffdata": b"b"})


@pytest.mark.parametrize("size", [100, 65_536, 2_000_000])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n"])
def test_a_long_line_is_one_event(size: int, line_end: bytes) -> None:
    """A megabyte of base64 in one line comes out whole, in pieces of any size."""
    data = b"data: " + b"x" * 1_000_000 + 2 * line_end

    (event,) = split(in_pieces(data, size))

    assert event == Event(data, data[6 : -2 * len(line_end)])


@given(st.sampled_from([stream for stream, _ in STREAMS.values()]), st.integers(0, 3), st.integers(1, 200))
def test_events_that_nobody_asked_for_come_later(stream: bytes, taken: int, size: int) -> None:
    """Who stops at the first events of a piece finds the others before those of the next: no byte is lost."""
    splitter = Splitter()
    raws: list[bytes] = []
    for piece in in_pieces(stream, size):
        raws += [event.raw for event in islice(splitter.each(piece), taken)]

    rest = [event.raw for event in (*splitter.feed(b""), *splitter.close())]
    assert [*raws, *rest] == [event.raw for event in split([stream])]
