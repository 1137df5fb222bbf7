"""The head of an answer leaves with its body, and never waits for one that is not there yet."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from typing import cast

import pytest

from gateway.web.outgoing import Outgoing

HEAD = b"HTTP/1.1 200 OK\r\n\r\n"


class Wire:
    """Stands for a connection: what goes out at once is one entry."""

    def __init__(self) -> None:
        self.sent: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes) -> None:
        """Take a piece."""
        self.sent.append(data)

    def writelines(self, pieces: Iterable[bytes]) -> None:
        """Take several pieces as one."""
        self.sent.append(b"".join(pieces))

    def close(self) -> None:
        """Hang up."""
        self.is_closed = True

    def is_closing(self) -> bool:
        """Return whether it was hung up."""
        return self.is_closed


def sent(*steps: bytes | None, is_lost: bool = False) -> list[bytes]:
    """Return what goes out when these are written; at None the event loop comes round. It is closed then."""

    async def run() -> list[bytes]:
        wire = Wire()
        outgoing = Outgoing(cast(asyncio.Transport, wire), asyncio.get_running_loop())
        for step in steps:
            if step is None:
                await asyncio.sleep(0)
            else:
                outgoing.write(step)
        wire.is_closed = is_lost
        outgoing.close()
        assert outgoing.is_closing()
        return wire.sent

    return asyncio.run(run())


@pytest.mark.parametrize("body", [b"x", b"x" * 100_000])
def test_head_and_body_leave_together(body: bytes) -> None:
    """An answer that is whole is one write, whatever its size; so is the next one."""
    assert sent(HEAD, body, None, HEAD, body) == [HEAD + body, HEAD + body]


def test_head_does_not_wait_for_a_body_that_is_not_there() -> None:
    """A stream whose first event takes long has its status out at once, and each piece as it comes."""
    assert sent(HEAD, None, b"a", b"b", None, b"c") == [HEAD, b"a", b"b", b"c"]


def test_pieces_behind_the_first_do_not_wait() -> None:
    """Only a head waits."""
    assert sent(HEAD, b"a", b"b", b"c") == [HEAD + b"a", b"b", b"c"]


def test_closing_sends_what_waits() -> None:
    """A head without a body is not lost when the connection is closed right behind it."""
    assert sent(HEAD) == [HEAD]


def test_nothing_is_written_to_a_client_that_left() -> None:
    """A head that waits when the connection is lost goes nowhere."""
    assert sent(HEAD, is_lost=True) == []
