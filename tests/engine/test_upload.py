"""Bodies that go out while the answer is waited for, over real sockets."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import httpx
import pytest

from gateway.engine.transport import Transport
from raw_upstream import OK, RawUpstream


def test_failing_source_of_a_body_is_what_the_caller_sees() -> None:
    """When the body cannot be had to its end, the upstream call ends and the source's own error comes out."""

    class Gone(Exception):
        pass

    async def source() -> AsyncIterator[bytes]:
        yield b"begun"
        raise Gone

    upstream = RawUpstream(OK)

    async def run() -> None:
        transport = Transport()
        async with upstream:
            with pytest.raises(Gone):
                await transport.handle_async_request(httpx.Request("POST", upstream.url, content=source()))
            await upstream.seen(hangups=1)
            await transport.aclose()

    asyncio.run(run())

    assert upstream.requests == []


def test_body_may_be_refused_before_it_has_been_sent() -> None:
    """An answer that comes while the body is still going out is passed on, and sending stops."""

    async def run() -> int:
        stopped = asyncio.Event()

        async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            writer.write(b"HTTP/1.1 413 X\r\nContent-Length: 0\r\n\r\n")
            await reader.read()
            writer.close()
            await writer.wait_closed()
            stopped.set()

        async def endless() -> AsyncIterator[bytes]:
            while True:
                yield b"x" * 1000
                await asyncio.sleep(0)

        transport = Transport()
        async with await asyncio.start_server(refuse, "localhost", 0) as server:
            url = f"http://localhost:{server.sockets[0].getsockname()[1]}/"
            response = await transport.handle_async_request(httpx.Request("POST", url, content=endless()))
            await response.aread()
            await response.aclose()
            await stopped.wait()
        await transport.aclose()
        return response.status_code

    assert asyncio.run(run()) == 413


def test_large_body_goes_out_while_nobody_reads_it() -> None:
    """A body larger than the network takes at once is sent whole, and its connection serves the next one."""
    size = 20_000_000

    async def run() -> tuple[int, int]:
        lengths = []

        async def swallow(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            for _ in range(2):
                await reader.readuntil(b"\r\n\r\n")
                await asyncio.sleep(0.05)  # the sender's buffers fill up
                lengths.append(len(await reader.readexactly(size)))
                writer.write(OK)
            writer.close()
            await writer.wait_closed()

        transport = Transport()
        async with await asyncio.start_server(swallow, "localhost", 0) as server:
            url = f"http://localhost:{server.sockets[0].getsockname()[1]}"
            for _ in range(2):
                answer = await transport.send(
                    url, "POST", b"/", [(b"Content-Length", b"%d" % size)], b"x" * size
                )
                assert [chunk async for chunk in answer] == [b"ok"]
        await transport.aclose()
        return lengths[0], lengths[1]

    assert asyncio.run(run()) == (size, size)
