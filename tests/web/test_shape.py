"""Telling an endpoint by the body alone."""

from __future__ import annotations

import pytest

from gateway.core import json
from gateway.web.shape import CHAT, FORMATS, MESSAGES, RESPONSES, TITLES, endpoint_of, problem


@pytest.mark.parametrize(
    ("body", "endpoint"),
    [
        (b'{"model":"m","messages":[{"role":"user","content":"hi"}]}', CHAT),
        (b'{"model":"m","input":"hi"}', RESPONSES),
        (b'{"model":"m","input":[],"tools":[]}', RESPONSES),
        (b'{"model":"m","system":"s","messages":[]}', MESSAGES),
        (b'{"model":"m","messages":[{"role":"user","content":[{"type": "tool_result"}]}]}', MESSAGES),
        (b'{"model":"m","messages":[],"tools":[{"name":"n","input_schema":{}}]}', MESSAGES),
        (b'{"model":"m","messages":[{"role":"user","content":"\\"input_schema\\":"}]}', CHAT),
        (b"{", CHAT),
        (b"", CHAT),
    ],
)
def test_endpoint_is_told_by_what_only_it_has(body: bytes, endpoint: str) -> None:
    """A dry run takes any format's body without being told which; what a text quotes says nothing."""
    assert endpoint_of(body) == endpoint


def test_header_of_a_vendor_decides() -> None:
    """What could be either is Messages where the client says which version of that API it speaks."""
    assert endpoint_of(b'{"messages":[]}', [(b"anthropic-version", b"2023-06-01")]) == MESSAGES


def test_every_endpoint_has_a_format_with_a_name() -> None:
    """What an endpoint is told to be can be read, and called by what people call it."""
    assert set(FORMATS) == {CHAT, RESPONSES, MESSAGES}
    assert set(TITLES) == set(FORMATS.values())


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"", "it is not JSON"),
        (b'{"messages": [}', "line 1 column 15"),
        (b"[]", "it must be an object, not a list"),
        (b"7", "it must be an object, not a number"),
        (b'{"model": "m"}', "there is neither `messages` nor `input`"),
        (b'{"messages": "x"}', "`messages` must be a list, not a string"),
        (b'{"messages": null}', "`messages` must be a list, not null"),
        (b'{"messages": {}, "input": []}', "`messages` must be a list, not an object"),
        (b'{"input": true}', "`input` must be a list, not a boolean"),
        (b'{"messages": []}', "as it was found"),
    ],
)
def test_whoever_wrote_a_body_is_told_what_is_wrong_with_it(body: bytes, told: str) -> None:
    """Not how it was read, but what is there and what should be."""
    assert told in problem(body, json.Malformed("as it was found"))
