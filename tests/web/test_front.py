"""Which requests are the gateway's own, and which hosts it answers to."""

from __future__ import annotations

import asyncio
import json

import pytest

from asgi import Call
from gateway.web.asgi import App, Receive, Scope, Send, send_response
from gateway.web.front import REFUSAL, Front, host_name
from gateway.web.relay import send_error


def saying(word: bytes) -> App:
    """Return an application that says one word, and why a request is refused."""

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if REFUSAL in scope:
            await send_error(send, scope[REFUSAL].error, "openai_chat")
        else:
            await send_response(send, 200, [], word)

    return app


def asked(path: str, host: bytes | None = b"localhost") -> tuple[int | None, bytes]:
    """Return what is answered to a request for that path."""
    front = Front(saying(b"proxy"), saying(b"pages"), lambda name: name != "evil.example")

    async def run() -> tuple[int | None, bytes]:
        call = Call(front, path, headers=[(b"host", host)] if host is not None else [])
        body = await call.read()
        return call.status, body

    return asyncio.run(run())


@pytest.mark.parametrize(
    "path", ["/haversack/compact", "/haversack/originals/x", "/metrics", "/healthz", "/readyz"]
)
def test_own_pages_are_not_forwarded(path: str) -> None:
    """What is the gateway's own never reaches an upstream."""
    assert asked(path) == (200, b"pages")


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/", "/v1/haversack/", "/haversack", "/v1/metrics"])
def test_everything_else_is_the_proxys(path: str) -> None:
    """Any other path belongs to the upstream."""
    assert asked(path) == (200, b"proxy")


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/haversack/compact", "/metrics"])
def test_unknown_host_is_refused(path: str) -> None:
    """A page that leads a browser here by a name of its own gets nothing, from proxy or pages."""
    status, body = asked(path, b"evil.example")

    assert status == 403
    assert "HAVERSACK_ALLOWED_HOSTS" in json.loads(body)["error"]["message"]


@pytest.mark.parametrize(
    "path",
    ["/v1/../admin", "/v1/%2e%2E/admin", "/v1/%252e./admin", "/v1\\..\\admin", "/v1/..;a=b/admin", "/.."],
)
def test_path_that_climbs_is_refused(path: str) -> None:
    """A client reaches what is below the upstream's base URL, and nothing beside it."""
    assert asked(path)[0] == 400


def test_dots_that_do_not_climb_pass() -> None:
    """Dots are as good as any letter in a name."""
    assert asked("/v1/files/a..b/...") == (200, b"proxy")


def test_request_without_a_host_is_judged_too() -> None:
    """Old clients that name no host are asked about as such."""
    assert asked("/", None) == (200, b"proxy")


@pytest.mark.parametrize(
    ("header", "name"),
    [
        ("Localhost:8080", "localhost"),
        ("gateway.test", "gateway.test"),
        ("127.0.0.1:80", "127.0.0.1"),
        ("[::1]:8080", "[::1]"),
        ("[::1]", "[::1]"),
        ("", ""),
    ],
)
def test_host_is_what_stands_before_the_port(header: str, name: str) -> None:
    """The port, and the case of the name, make no difference."""
    assert host_name(header) == name
