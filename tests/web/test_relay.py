"""Passing requests through, message by message: who leaves when, and what the other side gets."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress

import httpx
import pytest

from asgi import Call
from gateway.core.errors import TooLarge, UpstreamTimeout, WindowExceeded
from gateway.engine.upstream import Upstream
from gateway.web.asgi import App, ClientLeft, Message, Receive, Scope, Send, incoming
from gateway.web.relay import AnswerCut, error_body, leaving, send_error, send_response


class _Answers(httpx.AsyncByteStream):
    """An answer that the test feeds: bytes, an exception, None for the end."""

    def __init__(self) -> None:
        self.queue: asyncio.Queue[bytes | Exception | None] = asyncio.Queue()
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while (item := await self.queue.get()) is not None:
            if isinstance(item, Exception):
                raise item
            yield item

    async def aclose(self) -> None:
        self.closed = True


class _Upstream(httpx.AsyncBaseTransport):
    """Reads each request to its end, then answers when `go` is set."""

    def __init__(self) -> None:
        self.answer = _Answers()
        self.go = asyncio.Event()
        self.asked = asyncio.Event()
        self.cancelled = False
        self.body = b""

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.body = await request.aread()
        self.asked.set()
        try:
            await self.go.wait()
        except asyncio.CancelledError:
            self.cancelled = True
            raise
        return httpx.Response(200, headers=[(b"X-A", b"1")], stream=self.answer)


def _app(transport: httpx.AsyncBaseTransport) -> App:
    """Return the least that passes requests on with the parts under test."""
    upstream = Upstream("test", "http://host", transport)

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        body, after = await incoming(receive)
        with suppress(ClientLeft):
            async with leaving(after), upstream.open(scope["method"], b"/", [], body) as response:
                await send_response(send, response, [(b"x-b", b"2")])

    return app


def test_chunks_pass_as_they_arrive() -> None:
    """Each chunk of the answer is a chunk for the client, before the next one is there."""

    async def run() -> None:
        upstream = _Upstream()
        call = Call(_app(upstream), "/v1/x", body=[b"up", b"load"])
        upstream.go.set()
        for chunk in (b"one", b"two"):
            upstream.answer.queue.put_nowait(chunk)
            assert await call.chunks.get() == chunk
        upstream.answer.queue.put_nowait(None)
        await call.task
        assert (upstream.body, call.status) == (b"upload", 200)
        assert call.headers == [(b"X-A", b"1"), (b"x-b", b"2")]
        assert upstream.answer.closed

    asyncio.run(run())


def test_client_leaving_before_the_first_byte_cancels_the_call() -> None:
    """The upstream call ends when nobody waits for it any more, long before it has an answer."""

    async def run() -> None:
        upstream = _Upstream()
        call = Call(_app(upstream))
        await upstream.asked.wait()
        call.hang_up()
        await call.task
        assert upstream.cancelled
        assert call.status is None

    asyncio.run(run())


def test_client_leaving_in_mid_stream_closes_the_answer() -> None:
    """The answer is not read to its end for nobody."""

    async def run() -> None:
        upstream = _Upstream()
        upstream.go.set()
        upstream.answer.queue.put_nowait(b"one")
        call = Call(_app(upstream))
        await call.chunks.get()
        call.hang_up()
        await call.task
        assert upstream.answer.closed

    asyncio.run(run())


def test_upstream_failing_before_the_first_byte_can_still_be_answered() -> None:
    """Nothing has been sent when the upstream cannot be reached, so the client gets a real error."""

    async def run() -> None:
        async def refuse(request: httpx.Request) -> httpx.Response:
            raise httpx.ConnectTimeout("x", request=request)

        call = Call(_app(httpx.MockTransport(refuse)))
        with pytest.raises(UpstreamTimeout):
            await call.task
        assert call.status is None

    asyncio.run(run())


def test_upstream_failing_after_the_first_byte_is_no_response() -> None:
    """What has begun as a success cannot end as an error, so it does not end: the server hangs up."""

    async def run() -> None:
        upstream = _Upstream()
        upstream.go.set()
        call = Call(_app(upstream))
        upstream.answer.queue.put_nowait(b"one")
        upstream.answer.queue.put_nowait(httpx.ReadError("x"))
        with pytest.raises(AnswerCut):
            await call.task
        assert call.status == 200
        assert await call.chunks.get() == b"one"

    asyncio.run(run())


def test_error_is_sent_whole() -> None:
    """An error has a length and a type besides its status."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send_error(send, TooLarge("m"), "anthropic_messages")

    async def run() -> None:
        call = Call(app)
        body = await call.read()
        assert (call.status, body) == (413, error_body(TooLarge("m"), "anthropic_messages"))
        assert call.headers == [
            (b"content-type", b"application/json"),
            (b"content-length", b"%d" % len(body)),
        ]

    asyncio.run(run())


def test_block_of_a_client_that_stays_is_left_alone() -> None:
    """A block that ends, or fails, by itself does so, and the client is not said to have left."""

    async def stays() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def run() -> None:
        async with leaving(stays) as client:
            await asyncio.sleep(0)
        assert not client.left
        with pytest.raises(KeyError):
            async with leaving(stays):
                raise KeyError

    asyncio.run(run())


def test_cancelling_from_outside_is_not_the_client_leaving() -> None:
    """When the server stops, the cancellation goes on through the block."""
    blocks: list[leaving] = []

    async def stays() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def block() -> None:
        async with leaving(stays) as client:
            blocks.append(client)
            await asyncio.Event().wait()

    async def run() -> None:
        async with asyncio.TaskGroup() as group:
            task = group.create_task(block())
            await asyncio.sleep(0)
            task.cancel()
        assert task.cancelled()

    asyncio.run(run())

    assert [client.left for client in blocks] == [False]


def test_leaving_and_being_cancelled_at_once_is_being_cancelled() -> None:
    """The client leaving does not swallow a cancellation that comes from elsewhere."""

    async def run() -> None:
        gone = asyncio.Event()

        async def receive() -> Message:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def block() -> None:
            async with leaving(receive):
                await asyncio.Event().wait()

        async with asyncio.TaskGroup() as group:
            task = group.create_task(block())
            await asyncio.sleep(0)
            gone.set()
            await asyncio.sleep(0)
            task.cancel()
        assert task.cancelled()

    asyncio.run(run())


@pytest.mark.parametrize(
    ("error", "openai", "anthropic"),
    [
        (TooLarge("m"), ("invalid_request_error", "request_too_large"), "request_too_large"),
        (WindowExceeded("m"), ("invalid_request_error", "context_length_exceeded"), "invalid_request_error"),
        (UpstreamTimeout("m"), ("server_error", "upstream_timeout"), "timeout_error"),
    ],
)
def test_errors_have_the_shape_of_each_vendor(
    error: TooLarge | WindowExceeded | UpstreamTimeout, openai: tuple[str, str], anthropic: str
) -> None:
    """An SDK finds type, code and message where its vendor puts them."""
    one, other = (
        json.loads(error_body(error, "openai_chat")),
        json.loads(error_body(error, "anthropic_messages")),
    )

    assert one == {"error": {"message": "m", "type": openai[0], "param": None, "code": openai[1]}}
    assert other == {"type": "error", "error": {"type": anthropic, "message": "m"}}
