"""A scripted upstream on a real socket, for every end-to-end test.

    with ScriptedUpstream(window=8_000) as upstream:
        client = OpenAI(base_url=upstream.url, api_key="k")           # or the gateway in front of it

It lives in a thread with a loop of its own, so `with` works in plain and in async tests alike. By default it
behaves like OpenAI: counts tokens (by its own means, `vendor.py`), refuses with OpenAI's 400 what does not
fit `window` or breaks a rule of the message list, and answers everything else with a short text, streamed
if that was asked. What happens instead is scripted:

    upstream.queue(json_answer({"error": ...}, status=429))      next requests, one answer each, in order
    upstream.queue(reset(), never(), sse(["data: {}\\n\\n"], delay_s=0.1, end="close"))
    upstream.script = lambda request: text_answer(request, "Hi") all requests that no queued answer waits for

The default is `upstream.vendor`; a script may ask it first, or `upstream.refusal(request)` for just its "no".
A queued answer may also be a function of the request. Everything seen is in `upstream.requests`:

    request.raw         the exact bytes that arrived, head and body (chunked framing included)
    request.head .headers .method .target .body .json .messages
    request.tokens      as this upstream counts them (`vendor.Count`); request.problems: what it would refuse
    request.status      what was answered; request.sent: bytes of the answer that were written
    request.left_at     monotonic time when the client was seen to leave early; None if it stayed
    request.left        threading.Event of the same; request.done: the answer is over, whatever the reason

`upstream.wait(lambda: len(upstream.requests) == 2)` waits for something to become true.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import struct
import threading
import time
from collections import deque
from collections.abc import Callable, Coroutine
from types import TracebackType
from typing import Any, Self, TypeVar

import vendor
from answers import Answer, End, Recorded, json_answer, text_answer
from gateway.core.summary.form import TASK

T = TypeVar("T")
Script = Callable[[Recorded], Answer]


class ScriptedUpstream:
    """The server; see the module. No *window*: any length; *alternating*: a strict template's rule, too."""

    def __init__(
        self, window: int | None = None, *, alternating: bool = False, host: str = "127.0.0.1"
    ) -> None:
        self.window = window
        self.alternating = alternating
        self.requests: list[Recorded] = []
        self.script: Script = self.vendor
        self.connections = 0
        """Open right now."""
        self.accepted = 0
        """Connections ever accepted."""
        self.keep_bytes = 64 << 20
        """Of longer bodies only the size is recorded, so that a huge upload does not fill the memory."""
        self._host = host
        self._queue: deque[Answer | Script] = deque()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="upstream", daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Self:
        self._thread.start()
        self._server = self._run(self._listen())
        self.port: int = self._server.sockets[0].getsockname()[1]
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._run(self._close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    @property
    def origin(self) -> str:
        """Scheme, host and port."""
        return f"http://{self._host}:{self.port}"

    @property
    def url(self) -> str:
        """The base URL a client of OpenAI's would be given."""
        return f"{self.origin}/v1"

    @property
    def chats(self) -> list[Recorded]:
        """The Chat Completions requests of clients among those seen."""
        return [request for request in self._chats() if TASK.encode() not in request.body]

    @property
    def summaries(self) -> list[Recorded]:
        """The Chat Completions requests by which the gateway itself has something summed up."""
        return [request for request in self._chats() if TASK.encode() in request.body]

    def _chats(self) -> list[Recorded]:
        return [request for request in self.requests if "/chat/completions" in request.target]

    def queue(self, *answers: Answer | Script) -> None:
        """Answer the next requests with these, one each."""
        self._queue.extend(answers)

    def vendor(self, request: Recorded) -> Answer:
        """Return what OpenAI would answer."""
        if "/chat/completions" in request.target:
            return self.refusal(request) or text_answer(request, "All right.")
        if request.target.endswith("/models"):
            return json_answer({"object": "list", "data": [{"id": "gpt-test", "object": "model"}]})
        return json_answer({"object": "ok"})

    def refusal(self, request: Recorded) -> Answer | None:
        """Return the vendor's 400 for a request that is malformed or too long; None for a good one."""
        if request.json is None:
            return json_answer(vendor.error("We could not parse the JSON body of your request."), status=400)
        problems = vendor.problems(request.json, alternating=self.alternating)
        if problems:
            return json_answer(vendor.error(problems[0], param="messages"), status=400)
        if self.window is not None and request.tokens.total > self.window:
            return json_answer(vendor.overflow(self.window, request.tokens), status=400)
        return None

    def wait(self, happened: Callable[[], object], within_s: float = 10.0) -> None:
        """Return as soon as *happened* is true. Raise AssertionError if it is not within that time."""
        deadline = time.monotonic() + within_s
        while not happened():
            assert time.monotonic() < deadline, "it did not happen in time"
            time.sleep(0.002)

    def _run(self, coroutine: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(coroutine, self._loop).result(timeout=30)

    async def _listen(self) -> asyncio.Server:
        return await asyncio.start_server(self._connected, self._host, 0, backlog=1024)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self.connections += 1
        self.accepted += 1
        try:
            await _Connection(self, reader, writer, self.accepted).serve()
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            self._tasks.discard(task)
            self.connections -= 1
            writer.close()

    async def _close(self) -> None:
        self._server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.sleep(0.01)

    def answer_to(self, request: Recorded) -> Answer:
        """Return the next queued answer, or what the script says."""
        scripted = self._queue.popleft() if self._queue else self.script
        return scripted if isinstance(scripted, Answer) else scripted(request)


class _Connection:
    """One connection: requests one after the other, and an eye on the client while it is answered."""

    def __init__(
        self, owner: ScriptedUpstream, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, number: int
    ) -> None:
        self._owner, self._reader, self._writer, self._number = owner, reader, writer, number
        self._buffer = bytearray()
        self._raw = bytearray()

    async def serve(self) -> None:
        while (request := await self._request()) is not None:
            self._owner.requests.append(request)
            answer = self._owner.answer_to(request)
            try:
                await self._answer(request, answer)
            finally:
                request.done.set()
            if request.left.is_set() or answer.end != "done" or answer.framing in ("close", "none"):
                return

    async def _request(self) -> Recorded | None:
        self._raw.clear()
        try:
            head = await self._until(b"\r\n\r\n")
        except asyncio.IncompleteReadError:
            return None
        request = Recorded(head=head, connection=self._number)
        if request.header("expect") == "100-continue":
            self._writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
        if "chunked" in (request.header("transfer-encoding") or ""):
            await self._chunked(request)
        else:
            await self._body(request, int(request.header("content-length") or 0))
        request.raw = bytes(self._raw)
        request.received_at = time.monotonic()
        return request

    async def _chunked(self, request: Recorded) -> None:
        while size := int((await self._until(b"\r\n")).split(b";")[0], 16):
            await self._body(request, size)
            await self._until(b"\r\n")
        while await self._until(b"\r\n") != b"\r\n":
            pass

    async def _body(self, request: Recorded, size: int) -> None:
        pieces = [request.body]
        while size:
            if not self._buffer:
                await self._more()
            piece = self._take(min(size, len(self._buffer)))
            size -= len(piece)
            request.size += len(piece)
            if request.size <= self._owner.keep_bytes:
                pieces.append(piece)
        request.body = b"".join(pieces)

    async def _until(self, marker: bytes) -> bytes:
        while (at := self._buffer.find(marker)) < 0:
            await self._more()
        return self._take(at + len(marker))

    async def _more(self) -> None:
        data = await self._reader.read(1 << 18)
        if not data:
            raise asyncio.IncompleteReadError(bytes(self._buffer), None)
        self._buffer += data

    def _take(self, size: int) -> bytes:
        taken = bytes(self._buffer[:size])
        del self._buffer[:size]
        if len(self._raw) <= self._owner.keep_bytes:
            self._raw += taken
        return taken

    async def _answer(self, request: Recorded, answer: Answer) -> None:
        """Write the answer, and stop as soon as the client is gone."""
        request.status = answer.status if answer.raw_head is None else 0
        async with asyncio.TaskGroup() as group:
            writing = group.create_task(self._write(request, answer))
            watching = group.create_task(self._watch())
            writing.add_done_callback(lambda _: watching.cancel())
            watching.add_done_callback(lambda _: writing.cancel())
        if writing.cancelled() or not writing.result():
            request.left_at = time.monotonic()
            request.left.set()

    async def _watch(self) -> None:
        """Return when the client has gone; keep what it sends ahead."""
        with contextlib.suppress(ConnectionError):
            while data := await self._reader.read(1 << 16):
                self._buffer += data

    async def _write(self, request: Recorded, answer: Answer) -> bool:
        """Return whether the client stayed to the end."""
        try:
            await asyncio.sleep(answer.delay_s)
            self._writer.write(answer.wire_head())
            if request.method != "HEAD":
                await self._write_body(request, answer)
            await self._writer.drain()
            await self._end(answer.end)
        except ConnectionError:
            return False
        return True

    async def _write_body(self, request: Recorded, answer: Answer) -> None:
        for chunk in answer.chunks:
            if isinstance(chunk, bytes):
                self._writer.write(answer.framed(chunk))
                await self._writer.drain()
                request.sent += len(chunk)
            else:
                await asyncio.sleep(chunk)
        if answer.framing == "chunked" and answer.end == "done":
            self._writer.write(b"0\r\n\r\n")

    async def _end(self, end: End) -> None:
        if end == "hang":
            await asyncio.Event().wait()
        if end == "reset":
            # Linger 0 turns the close into a reset.
            plain = self._writer.get_extra_info("socket")
            plain.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self._writer.transport.abort()
