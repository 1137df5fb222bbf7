"""Every wire format can ask for a plain completion, and no body asks for more than that."""

from __future__ import annotations

import json

import pytest

from gateway.wire import WIRE_FORMATS
from gateway.wire.plain import PLAIN
from gateway.wire.plain_call import Call

INHERITED = {
    "tools",
    "tool_choice",
    "stop",
    "stop_sequences",
    "n",
    "response_format",
    "stream_options",
    "text",
}


def test_every_format_has_one() -> None:
    """A summary can be asked for in whatever dialect a client speaks."""
    assert PLAIN.keys() == WIRE_FORMATS.keys()


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize("model", ["m", "gpt-5", "qwen3-8b", ""])
def test_body_is_a_request_of_its_format(name: str, model: str) -> None:
    """Each body is read by the format itself: one text, nothing inherited, and never the same twice."""
    bodies = PLAIN[name].bodies(Call(model, "Be brief \ud83d.", 'Say "é".', 100))

    assert len(set(bodies)) == len(bodies)
    for body in bodies:
        request = WIRE_FORMATS[name].read(body)
        assert (request.model, request.ambiguous) == (model, False)
        assert not INHERITED & json.loads(body).keys()
        assert 'Say \\"' in request.messages[-1].decode()


@pytest.mark.parametrize("name", PLAIN)
@pytest.mark.parametrize(
    "body", [b"", b"{}", b"[]", b"<html>", b'{"choices": [3]}', b'{"content": 4, "output": {}}']
)
def test_what_cannot_be_read_says_nothing(name: str, body: bytes) -> None:
    """An answer of another shape is an empty one, whose finish nobody knows."""
    answer = PLAIN[name].answer(body)

    assert (answer.text, answer.finish, answer.has_calls) == ("", "", False)
