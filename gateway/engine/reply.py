"""Listen to an upstream's answer before anything of it is released.

An overflow may hide in a 200: as the first event of a stream, as an error object, as an answer that ended
for length without a word. So status and first bytes are held until the first real event, for
a bounded time: after it the status, the headers and comments may go, while data stays held. What is read
here is a decoded copy; what is released are the upstream's own bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncIterator, Iterable, Iterator
from dataclasses import dataclass

import msgspec

from gateway.core import failures, silence
from gateway.core.errors import GatewayError
from gateway.core.failures import Failure
from gateway.engine.encoding import Decoder
from gateway.engine.headers import RawHeaders, lowered
from gateway.engine.refusal import Told, told
from gateway.engine.upstream import Response
from gateway.wire.base import Usage, WireFormat
from gateway.wire.stream import Event, Splitter, begins

FAILURE_BYTES = 256 * 1024
"""How much of an error body is read; a longer one passes through unread."""

LINGER_S = 1.0
"""How long the rest of an error inside a 200 is waited for."""

HELD = b": more to come\n\n"
"""Stands for data that is held. Every parser of event streams passes over it."""

ANSWER_BYTES = 2 * 1024 * 1024
"""How much of a whole JSON answer is held; a longer one is surely an answer."""


class Expected(msgspec.Struct, frozen=True):
    """What is known about the request, to tell a silent overflow from an answer."""

    estimate: int
    """True tokens of the prompt, as far as we can tell."""
    window: int | None
    """As far as anybody knows."""
    output: int | None
    """The output that was asked for."""
    stream: bool
    sure_window: int | None = None
    """The window, if somebody who must know has told it: an answer is judged by nothing less."""
    has_images: bool = False


@dataclass(frozen=True, slots=True)
class Spoken:
    """A failure read to its end, so that it can be told later."""

    status: int
    headers: RawHeaders
    body: bytes
    """The upstream's own bytes, less what was released."""
    text: bytes
    """What it says, decoded."""


class Reply:
    """One answer of the upstream, read as far as it takes to know what it is."""

    def __init__(self, response: Response, wire: WireFormat, expected: Expected, said: bytes = b"") -> None:
        self.status = response.status
        self.headers: RawHeaders = response.headers
        self.failure: Failure | None = None
        self.told = Told.SAID  # in what way a failure was told
        self.pending = True
        """Not yet known what it is."""
        self.usage: Usage | None = None
        """What a whole answer says was spent; a stream says so at its end."""
        self._response = response
        self._wire = wire
        self._expected = expected
        self._said = said  # the body of the request, which an error may quote
        self._chunks: list[bytes] = []
        self._held_bytes = 0
        self._ended = False
        self.is_stream = "event-stream" in response.header("content-type").lower()
        """The answer comes in events."""
        self.coding = response.header("content-encoding").strip().lower()
        self._is_identity = self.coding in ("", "identity")
        # What is not coded needs none, nor its bound: `_held_bytes` is one.
        self._decoder = None if self._is_identity else Decoder(self.coding, max_bytes=ANSWER_BYTES + 1)
        self._read = bytearray()
        self._splitter = Splitter()
        self._held: list[Event] = []
        self._released = False
        self._told: int | None = None  # how many events with data the client knows to be held

    async def listen(self, limit_s: float | None) -> None:
        """Read until it is known what the answer is, or until the time is up: then `pending` stays true.

        What cannot be held piece by piece (a compressed stream, a JSON body) is taken as an answer by then.
        """
        if self._response.is_here:
            await self._decide()
            self.pending = False
            return
        try:
            async with asyncio.timeout(limit_s):
                await self._decide()
        except TimeoutError:
            self.pending = self._can_wait
            if not self._is_success:
                self.failure = failures.Final()
        else:
            self.pending = False

    async def listen_on(self) -> None:
        """Read one more piece of a stream that is held for longer than the hold."""
        if self._judge(await self._next_events()) or self._held_bytes > ANSWER_BYTES:
            self.pending = False
        elif self._ended:
            self._judge_nothing()
            self.pending = False

    @property
    def _can_wait(self) -> bool:
        return self.is_stream and self.has_events and self._is_identity and self._is_success

    @property
    def has_events(self) -> bool:
        """Whether events end in the stream: where a server puts no empty line between them, none does."""
        return bool(self._held) or not self._chunks

    @property
    def _is_success(self) -> bool:
        return 200 <= self.status < 300

    async def _decide(self) -> None:
        if not self._is_success:
            await self._read_failure()
        elif self.status == 204 or (self._decoder is not None and not self._decoder.readable):
            return
        elif self.is_stream:
            await self._read_events()
        elif self._expected.stream and not self._response.is_here:
            begun = await self._next() or b""  # some servers do not say that it is a stream
            self.is_stream = begins(begun)
            await (self._read_events(begun) if self.is_stream else self._read_answer(begun))
        else:
            await self._read_answer()

    async def _next(self) -> bytes | None:
        """Return the next chunk, decoded; None at the end. The raw chunk is held."""
        try:
            return self._hold(await anext(self._response))
        except StopAsyncIteration:
            self._ended = True
            return None

    def _hold(self, chunk: bytes) -> bytes:
        self._chunks.append(chunk)
        self._held_bytes += len(chunk)
        return chunk if self._decoder is None else self._decoder.feed(chunk)

    async def _read_all(self, max_bytes: int) -> bool:
        """Read the whole body; return False if it is longer than is read."""
        if self._response.is_here:
            self._ended = True
            if rest := self._response.take():
                self._read += self._hold(rest)
            return len(self._read) <= max_bytes and self._held_bytes <= ANSWER_BYTES
        while len(self._read) <= max_bytes and self._held_bytes <= ANSWER_BYTES:
            plain = await self._next()
            if plain is None:
                return True
            self._read += plain
        return False

    async def _read_failure(self) -> None:
        self.failure = failures.Final()
        if await self._read_all(FAILURE_BYTES):
            body, expected, said = bytes(self._read), self._expected, self._said
            known = expected.estimate, expected.window, said
            self.failure = failures.read(self.status, body, lowered(self.headers), *known)
            self.told = told(body, is_answer=False)

    async def _read_answer(self, begun: bytes = b"") -> None:
        self._read += begun
        if not await self._read_all(ANSWER_BYTES):
            return
        body = bytes(self._read)
        if not (self._expected.stream and begins(body)):
            self._judge_whole(body)
        elif not self._judge(Splitter().each(body + b"\n\n")):
            self._judge_nothing()

    def _judge_whole(self, body: bytes) -> None:
        expected, said = self._expected, self._said
        estimate, window, asked = expected.estimate, expected.sure_window, expected.output
        self.failure = failures.read_answer(body, estimate, window, asked, said)
        self.told = Told.UNSAID if self.failure is None else told(body, is_answer=True)
        self.usage = self._wire.usage(body) if self.failure is None else None
        if self.usage is not None and not expected.has_images:
            self.failure = silence.truncated(expected.estimate, self.usage.input_tokens)

    async def _read_events(self, begun: bytes = b"") -> None:
        events = self._holding(self._splitter.each(begun))
        while not self._judge(events) and self._held_bytes <= ANSWER_BYTES:
            if self._ended:
                self._judge_nothing()
                return
            events = await self._next_events()

    async def _next_events(self) -> Iterator[Event]:
        plain = await self._next()
        return self._holding(self._splitter.close() if plain is None else self._splitter.each(plain))

    def _holding(self, events: Iterable[Event]) -> Iterator[Event]:
        for event in events:
            self._held.append(event)
            yield event

    def _judge(self, events: Iterable[Event]) -> bool:
        """Return whether these events tell what the answer is; those behind that one are not read."""
        for event in events:
            error = event.fields.get("error")
            data, name = (event.data or event.raw, event.name) if error is None else (error, "error")
            asked = self._expected.output
            if not event.is_comment and (failure := failures.read_event(data, name, asked, self._said)):
                self.failure, self.told = failure, told(data, is_answer=name != "error")
                return True
            if event.data and event.data.strip() != b"[DONE]" and self._wire.is_delta(event.data):
                return True
        return False

    def _judge_nothing(self) -> None:
        """Take a stream that ended without a piece of an answer for what it is."""
        said = b"".join(event.raw for event in self._held)
        if said.strip() and not begins(said):
            self.is_stream = False  # no event at all: it is only called one
            self._judge_whole(said)
        elif silence.is_suspect(self._expected.estimate, self._expected.sure_window):
            self.failure, self.told = failures.Overflow(), Told.UNSAID

    async def spoken(self) -> Spoken:
        """Return the whole failure, its rest read as far as it comes at once."""
        with contextlib.suppress(TimeoutError, GatewayError):
            async with asyncio.timeout(LINGER_S):
                while not self._ended and sum(map(len, self._chunks)) < FAILURE_BYTES:
                    deque(await self._next_events(), maxlen=0)
        body = self._unreleased() if self._released else b"".join(self._chunks)
        return Spoken(self.status, self.headers, body, self.text)

    @property
    def whole(self) -> bytes | None:
        """The upstream's bytes, if all of them are here and none was released."""
        return b"".join(self._chunks) if self._ended and not self._released else None

    @property
    def text(self) -> bytes:
        """What was read of the answer so far, decoded."""
        return bytes(self._read) or b"".join(event.data for event in self._held)

    def take_comments(self) -> bytes:
        """Return the comments held so far, and hold them no longer; data stays held.

        Of data that came since the last time a comment tells: where nobody hears an upstream's pings, a
        proxy on the way to the client gives the connection up.
        """
        data = [event for event in self._held if not event.is_comment]
        is_news = self.pending and self._told is not None and len(data) > self._told
        self._told = len(data)
        comments = b"".join(event.raw for event in self._held if event.is_comment)
        if comments:  # from now on what is held is told by event, not by chunk
            self._held, self._released = data, True
        return comments or (HELD if is_news else b"")

    def _unreleased(self) -> bytes:
        return b"".join(event.raw for event in (*self._held, *self._splitter.close()))

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield the upstream's bytes: what was held, then the rest as it arrives."""
        if self._released:
            if held := self._unreleased():
                yield held
        else:
            for chunk in self._chunks:
                yield chunk
        self._chunks.clear()
        self._held.clear()
        if not self._ended:
            async for chunk in self._response:
                yield chunk

    async def close(self) -> None:
        """Let go of the upstream; an answer not read to its end is cut off there."""
        await self._response.aclose()
