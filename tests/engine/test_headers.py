"""Which headers cross the gateway."""

from __future__ import annotations

import pytest

from gateway.engine.headers import (
    CONNECTION_HEADERS,
    REQUEST_ONLY,
    narrow_accept_encoding,
    request_headers,
    response_headers,
)


@pytest.mark.parametrize("name", sorted(CONNECTION_HEADERS | REQUEST_ONLY))
def test_named_request_headers_are_dropped_in_any_case(name: bytes) -> None:
    """A header on the written list does not reach the upstream, however its name is spelled."""
    assert request_headers([(name, b"v"), (name.title(), b"v"), (b"x", b"1")]) == [(b"x", b"1")]


@pytest.mark.parametrize("name", sorted(CONNECTION_HEADERS))
def test_named_response_headers_are_dropped_in_any_case(name: bytes) -> None:
    """A header on the written list does not reach the client, however its name is spelled."""
    assert response_headers([(name, b"v"), (name.title(), b"v"), (b"X", b"1")]) == [(b"X", b"1")]


def test_all_that_connection_names_is_dropped() -> None:
    """Several Connection headers with several names each all count."""
    sent = [(b"connection", b"X-One, x-two"), (b"Connection", b"x-three"), (b"X-ONE", b"1")]

    assert request_headers([*sent, (b"x-two", b"2"), (b"x-three", b"3"), (b"x-four", b"4")]) == [
        (b"x-four", b"4")
    ]


def test_everything_else_passes_as_it_came() -> None:
    """Order, case, duplicates and empty values are kept."""
    sent = [(b"B", b"2"), (b"a", b""), (b"B", b"1"), (b"content-length", b"7"), (b"cookie", b"c")]

    assert request_headers(sent) == sent
    assert response_headers(sent) == sent


@pytest.mark.parametrize("value", [b"a\x01b", b"\x7f", b"a\r\nb: c"])
def test_header_that_no_server_can_send_is_left_out(value: bytes) -> None:
    """A control character in one header of an answer does not cost the client the answer."""
    sent = [(b"a", b"1\t2"), (b"b", "caf\u00e9".encode())]

    assert response_headers([*sent, (b"c", value)]) == sent


def test_what_another_gateway_did_is_not_told_beside_what_this_one_did() -> None:
    """Where two stand in a row, the client reads one action and one session, those of the one it talks to."""
    sent = [(b"a", b"1"), (b"X-Haversack-Action", b"none"), (b"x-haversack-session", b"2")]

    assert response_headers(sent) == sent
    assert response_headers(sent, less_own=True) == sent[:1]


def test_own_headers_of_the_gateway_go_no_further() -> None:
    """What a client tells the gateway is not told to the vendor."""
    assert request_headers([(b"x-haversack-policy", b"off"), (b"X-Haversack-Bypass", b"1")]) == []


def test_accept_encoding_is_narrowed_to_what_is_known() -> None:
    """Codings that the gateway cannot read are not offered to an upstream whose answer it has to read."""
    known = frozenset({b"gzip", b"identity"})

    assert narrow_accept_encoding([(b"Accept-Encoding", b"br, GZIP;q=0.5 ,zstd, identity;q=0")], known) == [
        (b"Accept-Encoding", b"GZIP;q=0.5, identity;q=0")
    ]
    assert narrow_accept_encoding([(b"accept-encoding", b"br")], known) == [(b"accept-encoding", b"identity")]
    assert narrow_accept_encoding([(b"accept", b"br")], known) == [(b"accept", b"br")]
