"""What all wire formats share."""

from __future__ import annotations

import json

import pytest

from gateway.wire import WIRE_FORMATS
from gateway.wire.base import MOST_TOKENS, Request


def test_only_the_message_array_is_exchanged() -> None:
    """With other messages in it, a body keeps every byte around them."""
    body = b'{"model": "m",\n "messages": [ 1 , 2 ], "x":1.0 }'
    request = Request(body, "m", False, (b"1", b"2"), start=28, stop=37)

    assert request.with_messages([b"1", b"3"]) == b'{"model": "m",\n "messages": [1,3], "x":1.0 }'
    assert request.with_messages([]) == b'{"model": "m",\n "messages": [], "x":1.0 }'


@pytest.mark.parametrize("number", [-1, MOST_TOKENS + 1, 10**400, True, 0.5, "5"])
@pytest.mark.parametrize(
    ("name", "sent", "received"),
    [
        ("openai_chat", "prompt_tokens", "completion_tokens"),
        ("openai_responses", "input_tokens", "output_tokens"),
        ("anthropic_messages", "input_tokens", "output_tokens"),
    ],
)
def test_number_of_tokens_that_there_cannot_be_is_not_told(
    number: object, name: str, sent: str, received: str
) -> None:
    """Seen: with one of 400 digits no line was logged of the request, and sums were wrong from then on."""
    answer = json.dumps({"usage": {sent: 9, received: number}}).encode()

    usage = WIRE_FORMATS[name].usage(answer)
    assert usage is not None
    assert (usage.input_tokens, usage.output_tokens) == (9, 0)
