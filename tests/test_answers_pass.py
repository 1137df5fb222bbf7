"""What comes back: an upstream's answer reaches the client byte for byte, as it arrives, or visibly broken.

As in `test_transparency`: real sockets, uvicorn, the production transport, host name `localhost`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

import pytest

from raw_upstream import CLOSE, HOLD, RESET, WAIT, Answer, RawUpstream, Step
from serving import asked, relaying, talk

END = b"\r\nConnection: close\r\n\r\n"


def _answered(
    *answers: Answer | Step, request: bytes = b"GET /v1/models HTTP/1.1\r\nHost: gateway.test"
) -> bytes:
    return asyncio.run(asked(RawUpstream(*answers), request + END))[0]


def test_response_headers_come_back_in_order_with_duplicates() -> None:
    """Rate-limit, retry, request-id headers and every Set-Cookie reach the client, hop-by-hop ones do not."""
    answer = _answered(
        b"HTTP/1.1 429 Slow Down\r\nDate: yesterday\r\nServer: theirs\r\nRetry-After: 3\r\n"
        b"X-Ratelimit-Remaining: 0\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2, c\r\nx-request-id: r1\r\n"
        b"Connection: keep-alive, X-Hop\r\n"
        b"X-Hop: 1\r\nKeep-Alive: timeout=9\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
    )

    assert answer == (
        b"HTTP/1.1 429 Too Many Requests\r\ndate: yesterday\r\nserver: theirs\r\nretry-after: 3\r\n"
        b"x-ratelimit-remaining: 0\r\nset-cookie: a=1; Path=/\r\nset-cookie: b=2, c\r\nx-request-id: r1\r\n"
        b"content-type: application/json\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}"
    )


@pytest.mark.parametrize("status", [b"200", b"404"])
def test_head_has_headers_and_no_body(status: bytes) -> None:
    """HEAD is answered with the length that GET would have, and nothing after the headers."""
    answer = _answered(
        b"HTTP/1.1 " + status + b' X\r\nContent-Length: 1234\r\nETag: "x"\r\n\r\n',
        request=b"HEAD /v1/models HTTP/1.1\r\nHost: gateway.test",
    )

    assert answer.startswith(b"HTTP/1.1 " + status)
    assert answer.endswith(b'\r\ncontent-length: 1234\r\netag: "x"\r\nconnection: close\r\n\r\n')


@pytest.mark.parametrize("length", [b"", b"Content-Length: 99\r\n"])
def test_not_modified_has_no_body(length: bytes) -> None:
    """304 ends with its headers, whatever length it names for the body that the client has already."""
    answer = _answered(b"HTTP/1.1 304 Not Modified\r\n" + length + b'ETag: "x"\r\n\r\n')

    assert answer == b'HTTP/1.1 304 Not Modified\r\netag: "x"\r\nconnection: close\r\n\r\n'


def test_no_content_has_no_body() -> None:
    """204 ends with its headers, and no framing is added to it."""
    answer = _answered(b"HTTP/1.1 204 No Content\r\nx-a: 1\r\n\r\n")

    assert answer == b"HTTP/1.1 204 No Content\r\nx-a: 1\r\nconnection: close\r\n\r\n"


def test_redirects_are_the_clients_to_follow() -> None:
    """A 307 comes back as it is; the gateway sends nothing to the place it names."""
    upstream = RawUpstream(b"HTTP/1.1 307 X\r\nLocation: /elsewhere\r\nContent-Length: 0\r\n\r\n")
    [answer] = asyncio.run(
        asked(upstream, b"POST /v1/x HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 1" + END + b"x")
    )

    assert answer.startswith(b"HTTP/1.1 307 ")
    assert b"\r\nlocation: /elsewhere\r\n" in answer
    assert len(upstream.requests) == 1


def test_compressed_answers_stay_compressed() -> None:
    """The bytes of a body are not decoded, and its Content-Encoding stays with them."""
    body = b"\x1f\x8b\x08\x00not really gzip\x00\xff"
    answer = _answered(
        b"HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n" % len(body) + body
    )

    assert b"\r\ncontent-encoding: gzip\r\n" in answer
    assert answer.endswith(b"\r\n\r\n" + body)


CHUNKED = b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
STREAM = b'data: {"a":"\xc3\xa9\xe2\x80\xa8"}\n\n: ping\n\ndata: [DONE]\n\n'


def _chunked(*pieces: bytes) -> bytes:
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


def test_streams_cut_anywhere_arrive_identical() -> None:
    """Wherever the upstream cuts a stream into chunks, the client gets the same bytes."""
    answers = [CHUNKED + _chunked(STREAM[:cut], STREAM[cut:]) for cut in range(1, len(STREAM))]
    answers.append(CHUNKED + _chunked(*(STREAM[at : at + 1] for at in range(len(STREAM)))))
    request = b"POST /v1/chat/completions HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2" + END + b"{}"
    got = asyncio.run(asked(RawUpstream(*answers), *[request] * len(answers)))

    assert [_dechunked(answer) for answer in got] == [STREAM] * len(answers)


async def _rest_after_one(upstream: RawUpstream) -> bytes:
    """Return what follows a first chunk, once the upstream is let go on behind it."""
    async with upstream, relaying(upstream.url + "/v1") as port:
        reader, writer = await asyncio.open_connection("localhost", port)
        writer.write(b"GET /v1/x HTTP/1.1\r\nHost: gateway.test" + END)
        await reader.readuntil(b"3\r\none\r\n")
        upstream.go.set()
        rest = await reader.read()
        writer.close()
        return rest


def test_stream_is_not_held_back() -> None:
    """What the upstream has sent so far reaches the client while the rest is still to come."""
    upstream = RawUpstream([CHUNKED + b"3\r\none\r\n", WAIT, b"3\r\ntwo\r\n0\r\n\r\n"])

    assert asyncio.run(_rest_after_one(upstream)) == b"3\r\ntwo\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    "framing", [b"Transfer-Encoding: chunked\r\n\r\n3\r\none\r\n", b"Content-Length: 9\r\n\r\none"]
)
@pytest.mark.parametrize("ending", [RESET, CLOSE])
def test_answer_cut_short_has_no_clean_end(framing: bytes, ending: str) -> None:
    """An upstream that breaks off in the middle breaks the client's connection too."""
    answer = _answered([b"HTTP/1.1 200 OK\r\n" + framing, ending])

    assert b"one" in answer
    assert not answer.endswith(b"0\r\n\r\n")


def test_answer_that_leaves_http_has_no_clean_end() -> None:
    """An upstream that breaks the framing in the middle of an answer breaks the client's connection too."""
    upstream = RawUpstream([CHUNKED + b"3\r\none\r\n", WAIT, b"no size\r\n"])

    assert asyncio.run(_rest_after_one(upstream)) == b""


def test_upstream_that_is_down_is_a_502_in_the_clients_dialect() -> None:
    """OpenAI's clients and Anthropic's each get the error in the shape they know."""

    async def run() -> list[bytes]:
        async with RawUpstream() as gone:
            url = gone.url
        async with relaying(url) as port:
            chat = await talk(port, b"GET /v1/models HTTP/1.1\r\nHost: gateway.test" + END)
            claude = await talk(
                port, b"GET /v1/models HTTP/1.1\r\nHost: gateway.test\r\nanthropic-version: 1" + END
            )
            return [chat, claude]

    chat, claude = asyncio.run(run())

    assert chat.startswith(b"HTTP/1.1 502 ")
    assert b'"type":"server_error","param":null,"code":"upstream_unreachable"' in chat
    assert claude.startswith(b"HTTP/1.1 502 ")
    assert b'{"type":"error","error":{"type":"api_error","message":"The upstream anthropic' in claude


@pytest.mark.parametrize("begun", [False, True], ids=["before the first byte", "in mid-stream"])
def test_clients_that_leave_leave_nothing_behind(begun: bool) -> None:
    """When 100 clients leave, each upstream call is cancelled, and no task or connection stays."""
    clients = 100
    upstream = RawUpstream([CHUNKED + b"3\r\none\r\n", HOLD] if begun else [HOLD])

    async def leave(port: int, at: int) -> None:
        reader, writer = await asyncio.open_connection("localhost", port)
        writer.write(b"POST /v1/x HTTP/1.1\r\nHost: gateway.test\r\nContent-Length: 2\r\n\r\n{}")
        await upstream.seen(requests=clients // 2 if at % 2 else 1)
        if begun:
            await reader.readuntil(b"one")
        if at % 3 == 0:
            writer.transport.abort()
        writer.close()

    async def run() -> bytes:
        async with upstream, relaying(upstream.url) as port:
            before = len(asyncio.all_tasks())
            async with asyncio.TaskGroup() as group:
                for at in range(clients):
                    group.create_task(leave(port, at))
            await upstream.seen(hangups=len(upstream.requests))
            await _until(lambda: len(asyncio.all_tasks()) <= before)
            return await talk(port, b"GET /metrics HTTP/1.1\r\nHost: gateway.test" + END)

    metrics = asyncio.run(run())

    assert len(upstream.requests) >= clients // 2
    assert b"\nhaversack_in_flight 0.0\n" in metrics


async def _until(true: Callable[[], bool]) -> None:
    # Nothing tells when the last task has gone, so it is looked at once a turn of the loop.
    async with asyncio.timeout(30):
        while not true():  # noqa: ASYNC110
            await asyncio.sleep(0)


def _dechunked(answer: bytes) -> bytes:
    body, whole = answer.partition(b"\r\n\r\n")[2], b""
    while not body.startswith(b"0\r\n"):
        size, _, body = body.partition(b"\r\n")
        whole += body[: int(size, 16)]
        body = body[int(size, 16) + 2 :]
    return whole
