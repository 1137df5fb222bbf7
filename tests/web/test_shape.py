"""Telling an endpoint by the body alone."""

from __future__ import annotations

import pytest

from gateway.web.shape import CHAT, MESSAGES, RESPONSES, endpoint_of


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
