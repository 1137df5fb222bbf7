"""What every wire format provides: a lens over one client dialect.

Two laws, held by tests for every format:

    write(request, view(request)) == request.body        nothing changes unless a step changed it
    an edited message keeps every byte outside the edit
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import msgspec

from gateway.core import json
from gateway.core.conversation import Conversation, Count, Message, Role
from gateway.core.errors import GatewayError


@dataclass(frozen=True, slots=True)
class OutputCap:
    """A field by which the client bounds the answer."""

    field: str
    """As the client wrote it: `max_tokens` or `max_completion_tokens`."""
    tokens: int
    is_required: bool = False
    """Whether the format takes no request without one, so that it says little about the answer."""


class Joined(msgspec.Struct, frozen=True):
    """An item of the client's list that was cut into several slices."""

    start: int
    """Index of its first slice, and"""
    stop: int
    """of the first behind it."""
    raw: bytes


class Request(msgspec.Struct, frozen=True):
    """A request body, taken apart as far as compaction needs: slices, nothing decoded that need not be."""

    body: bytes
    model: str
    stream: bool
    messages: tuple[bytes, ...]
    """The items of the message array."""
    start: int
    """Where the message array begins in the body, and"""
    stop: int
    """where it ends."""
    extras: tuple[bytes, ...] = ()
    """Slices that spend tokens beside the messages: tools, functions, response_format."""
    output: OutputCap | None = None
    wants_usage: bool = False
    """Whether a streamed answer will carry usage because the client asked for it."""
    ambiguous: bool = False
    """A top-level key that matters is there twice: the upstream may read it otherwise. Not compacted."""
    joined: tuple[Joined, ...] = ()
    """The items that were cut, where the format cuts any."""

    def with_messages(self, raws: Iterable[bytes]) -> bytes:
        """Return the body with these items in its message array; everything else is the same bytes."""
        return b"".join((self.body[: self.start], b"[", b",".join(raws), b"]", self.body[self.stop :]))


class Usage(msgspec.Struct, frozen=True, gc=False):
    """What the upstream says it spent."""

    input_tokens: int
    """All of them, those of the cache included."""
    output_tokens: int
    cached_tokens: int | None = None
    """Input read from the prompt cache; None: the upstream does not say, which is not the same as none."""
    written_tokens: int = 0
    """Input written to the prompt cache, where the upstream bills that apart."""
    is_ended_by_window: bool = False
    """The stream says at its end that the window, and no cap, ended the answer."""
    is_edited: bool = False
    """The upstream left out parts of what was sent, as the client asked: its count is of the rest."""


MOST_TOKENS = 10**9
"""No context comes near it: an upstream that tells more is mistaken, and sums would keep it for ever."""


def told_tokens(value: Any) -> int | None:
    """Return a number of tokens as an upstream tells it; None if there cannot be so many.

    >>> told_tokens(5), told_tokens(-1), told_tokens(True), told_tokens(10**40)
    (5, None, None, None)
    """
    return value if type(value) is int and 0 <= value <= MOST_TOKENS else None


class Lens:
    """What the formats do alike: writing, and usage that every answer tells."""

    def compose(self, message: Message) -> bytes:
        """Return the JSON of a text message that the gateway made. Raise ValueError for any other."""
        if message.role is Role.TOOL:
            raise ValueError("a result comes from a tool; the gateway makes none")
        return json.encode({"role": message.role.value, "content": message.text})

    def write(self, request: Request, view: Conversation) -> bytes:
        """Return the request's body saying what the view says: the same bytes if that is what it says."""
        slices = tuple(message.raw or self.compose(message) for message in view.messages)
        return request.body if slices == request.messages else request.with_messages(slices)

    def ask_usage(self, body: bytes) -> bytes:
        """Return the body as it is: every answer says what was spent."""
        return body

    def is_usage_only(self, data: bytes) -> bool:
        """Return whether an event is one that a client gets only if it asked for usage: there is none."""
        return False


class WireFormat(Protocol):
    """One client dialect."""

    name: str

    def read(self, body: bytes) -> Request:
        """Return the request taken apart. Raise `json.Malformed` if it is not this format's."""
        ...

    def message(self, raw: bytes, count: Count, origin: int | None = None) -> Message:
        """Return one item of the list as the view sees it. Never raises: what it cannot read is opaque."""
        ...

    def write(self, request: Request, view: Conversation) -> bytes:
        """Return the request's body saying what the view says."""
        ...

    def compose(self, message: Message) -> bytes:
        """Return the JSON of a message that the gateway made."""
        ...

    def repair(self, view: Conversation, count: Count) -> Conversation:
        """Return a list that the format's own rules accept, reached by taking away, to a fixed point."""
        ...

    def problems(self, view: Conversation) -> Sequence[str]:
        """Return what an upstream would refuse about the list, in its vendor's words; empty if nothing."""
        ...

    def error(self, error: GatewayError) -> bytes:
        """Return the body of an error response in this dialect."""
        ...

    def clamp(self, body: bytes, cap: OutputCap | None, tokens: int) -> bytes:
        """Return the body asking for at most *tokens* of answer; *cap* is what `read` found."""
        ...

    def ask_usage(self, body: bytes) -> bytes:
        """Return the body asking for usage at the end of the stream; unchanged if that is not ours to ask."""
        ...

    def usage(self, data: bytes) -> Usage | None:
        """Return what an answer, or one event's data of a stream, says was spent."""
        ...

    def is_delta(self, data: bytes) -> bool:
        """Return whether this event's data carries a piece of the answer, so that the request is accepted."""
        ...

    def is_usage_only(self, data: bytes) -> bool:
        """Return whether this is the extra event that a client gets only if it asked for usage."""
        ...
