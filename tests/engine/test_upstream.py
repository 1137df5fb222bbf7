"""What the gateway asks of an upstream, and what it makes of its failures."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable

import httpx
import pytest

from gateway.core.errors import GatewayError, InvalidRequest, UpstreamTimeout, UpstreamUnreachable
from gateway.engine.upload import Body
from gateway.engine.upstream import Upstream


class _Recorder(httpx.AsyncBaseTransport):
    """An upstream that keeps what it was sent."""

    def __init__(self, answer: Callable[[], httpx.Response]) -> None:
        self._answer = answer
        self.headers: list[tuple[bytes, bytes]] = []
        self.body = b""
        self.target = b""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.headers = request.headers.raw
        self.target = request.extensions["target"]
        self.body = await request.aread()
        return self._answer()


def _sent(headers: list[tuple[bytes, bytes]], body: Body, target: bytes = b"/v1/x") -> _Recorder:
    recorder = _Recorder(lambda: httpx.Response(200, content=b"ok"))

    async def run() -> None:
        async with Upstream("openai", "http://host/v1/", recorder).open(
            "POST", target, headers, body
        ) as response:
            assert await response.read(10) == b"ok"

    asyncio.run(run())
    return recorder


async def _pieces() -> AsyncIterator[bytes]:
    yield b"one"
    yield b"two"


def test_length_of_a_rewritten_body_is_corrected_in_its_place() -> None:
    """A Content-Length that no longer fits is exchanged; its neighbours and its spelling stay."""
    sent = _sent([(b"A", b"1"), (b"Content-length", b"999"), (b"B", b"2")], b"body")

    assert sent.headers == [(b"A", b"1"), (b"Content-length", b"4"), (b"B", b"2")]
    assert sent.body == b"body"


def test_whole_body_without_a_length_gets_one() -> None:
    """A body that came in chunks and was read is sent with its length."""
    assert _sent([(b"A", b"1")], b"body").headers == [(b"A", b"1"), (b"Content-Length", b"4")]


def test_stream_of_unknown_length_goes_in_chunks() -> None:
    """There is never a length beside Transfer-Encoding."""
    sent = _sent([], _pieces())

    assert sent.headers == [(b"Transfer-Encoding", b"chunked")]
    assert sent.body == b"onetwo"


def test_stream_of_known_length_keeps_it() -> None:
    """An upload with a Content-Length is not turned into chunks."""
    assert _sent([(b"content-length", b"6")], _pieces()).headers == [(b"content-length", b"6")]


def test_request_without_body_gets_no_framing() -> None:
    """A GET leaves with the headers that it came with."""
    assert _sent([(b"a", b"1")], b"").headers == [(b"a", b"1")]


@pytest.mark.parametrize("target", [b"/v1/%zz/../x?a=%20", b"//x", b"/" + b"x" * 70_000])
def test_target_is_handed_on_as_it_is(target: bytes) -> None:
    """Whatever httpx thinks of a path, the transport gets the client's."""
    assert _sent([], b"", target).target == target


@pytest.mark.parametrize(
    ("failure", "error", "says"),
    [
        (httpx.ConnectError("x"), UpstreamUnreachable, "could not be reached"),
        (httpx.ProxyError("x"), UpstreamUnreachable, "outgoing proxy"),
        (httpx.ConnectTimeout("x"), UpstreamTimeout, "did not accept a connection in time"),
        (httpx.ReadTimeout("x"), UpstreamTimeout, "silent for too long"),
        (httpx.RemoteProtocolError("x"), UpstreamUnreachable, "not sent again"),
        (httpx.ReadError("x"), UpstreamUnreachable, "not sent again"),
        (httpx.LocalProtocolError("x"), InvalidRequest, "does not allow"),
    ],
)
def test_failures_say_in_which_phase_and_what_to_do(
    failure: httpx.TransportError, error: type[GatewayError], says: str
) -> None:
    """Each failure has its status, and a message that names the upstream and no key."""

    def fail() -> httpx.Response:
        raise failure

    async def run() -> None:
        upstream = Upstream("openai", "http://host/v1", _Recorder(fail))
        headers = [(b"authorization", b"Bearer sk-secret")]
        with pytest.raises(error, match=says) as caught:
            async with upstream.open("POST", b"/v1/x?key=sk-secret", headers, b""):
                pytest.fail("there was no answer")
        assert "The upstream openai (http://host)" in caught.value.message
        assert "sk-secret" not in caught.value.message

    asyncio.run(run())


def test_failure_in_the_middle_of_an_answer_is_translated_too() -> None:
    """Reading a body raises the gateway's errors, not the transport's."""

    class Cut(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            yield b"one"
            raise httpx.ReadError("x")

    async def run() -> None:
        upstream = Upstream("openai", "http://host", _Recorder(lambda: httpx.Response(200, stream=Cut())))
        async with upstream.open("GET", b"/", [], b"") as response:
            assert await anext(response) == b"one"
            with pytest.raises(UpstreamUnreachable):
                await anext(response)

    asyncio.run(run())


def test_reading_a_body_stops_at_its_bound() -> None:
    """Of an endless error body only as much is read as is asked for."""

    class Endless(httpx.AsyncByteStream):
        async def __aiter__(self) -> AsyncIterator[bytes]:
            while True:
                yield b"x" * 10

    async def run() -> bytes:
        upstream = Upstream("openai", "http://host", _Recorder(lambda: httpx.Response(400, stream=Endless())))
        async with upstream.open("GET", b"/", [], b"") as response:
            assert response.header("Content-Type") == ""
            return await response.read(25)

    assert len(asyncio.run(run())) == 30


@pytest.mark.parametrize("url", ["ftp://host/v1", "host/v1", "http://", "http://user:secret@host/v1"])
def test_base_url_that_cannot_work_is_refused(url: str) -> None:
    """What is no HTTP address, or holds credentials that would go out for everybody, is an error at start."""
    with pytest.raises(ValueError, match="upstream openai"):
        Upstream("openai", url, _Recorder(lambda: httpx.Response(200)))


def test_base_path_has_no_slash_at_its_end() -> None:
    """`…/v1/` and `…/v1` are the same base."""
    recorder = _Recorder(lambda: httpx.Response(200))

    assert Upstream("a", "http://h/api/v1/", recorder).base_path == b"/api/v1"
    assert Upstream("a", "http://h", recorder).base_path == b""
