"""What all wire formats share."""

from __future__ import annotations

from gateway.wire.base import Request


def test_only_the_message_array_is_exchanged() -> None:
    """With other messages in it, a body keeps every byte around them."""
    body = b'{"model": "m",\n "messages": [ 1 , 2 ], "x":1.0 }'
    request = Request(body, "m", False, (b"1", b"2"), start=28, stop=37)

    assert request.with_messages([b"1", b"3"]) == b'{"model": "m",\n "messages": [1,3], "x":1.0 }'
    assert request.with_messages([]) == b'{"model": "m",\n "messages": [], "x":1.0 }'
