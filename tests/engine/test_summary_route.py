"""Whom a summary is asked of, and with which headers; a client's key goes nowhere but to its own upstream."""

from __future__ import annotations

from typing import Any

import pytest

from engine.summarising import HEADERS, KEY, RULES, TARGETS, Scripted
from gateway.core.frozen import replace
from gateway.engine.headers import RawHeaders
from gateway.engine.summary_route import Nobody, Route, Routes
from gateway.engine.upstream import Upstream
from gateway.wire import WIRE_FORMATS
from wired import URL


def routed(*given: Any, **rules: Any) -> Route:
    """Return how a model is asked."""
    found = asked(*given, **rules)
    assert isinstance(found, Route)
    return found


def asked(
    model: str = "m",
    headers: RawHeaders = HEADERS,
    target: bytes = TARGETS["openai_chat"],
    environment: dict[str, str] | None = None,
    wire: str = "openai_chat",
    **rules: Any,
) -> Route | Nobody:
    """Return how a model is asked, or why it is not."""
    routes = Routes(lambda url: Upstream("other", url, Scripted("")), environment or {})
    own = Route(WIRE_FORMATS[wire], Upstream("openai", URL, Scripted("")), target, headers, "m")
    return routes.of(replace(RULES, **rules), own, model)


def test_client_s_headers_go_along_less_those_of_its_request() -> None:
    """Key and organisation stay; what speaks of the client's body, answer or repetitions goes."""
    route = routed()

    assert route.headers == [
        (b"Authorization", KEY),
        (b"OpenAI-Organization", b"org"),
        (b"content-type", b"application/json"),
        (b"accept", b"application/json"),
        (b"accept-encoding", b"identity"),
    ]
    assert "sk-of-the-client" not in repr(route)


def test_signed_request_is_nobody_s_to_repeat() -> None:
    """A signature is of one body; with another it is none."""
    assert asked(headers=[(b"Authorization", b"AWS4-HMAC-SHA256 Credential=x")]) is Nobody.SIGNED


def test_key_of_the_policy_takes_the_place_of_the_client_s() -> None:
    """With a key of its own nothing of the client's headers goes along."""
    route = routed(environment={"K": "sk-own"}, key_variable="K")

    assert route.headers[0] == (b"authorization", b"Bearer sk-own")
    assert KEY not in dict(route.headers).values()
    assert asked(key_variable="K") is asked(environment={"K": " "}, key_variable="K") is Nobody.NO_KEY


def test_key_is_taken_without_its_line_feed() -> None:
    """Secrets come from files, and files end in one; no header may hold it."""
    assert routed(environment={"K": "sk-own\n"}, key_variable="K").headers[0][1] == b"Bearer sk-own"


@pytest.mark.parametrize(
    ("url", "wire", "target"),
    [
        ("http://small/v1", "openai_chat", b"/v1/chat/completions"),
        ("http://small", "openai_chat", b"/v1/chat/completions"),
        ("http://small/api/v1/", "openai_responses", b"/api/v1/responses"),
        ("http://small/api/paas/v4", "openai_chat", b"/api/paas/v4/chat/completions"),
        ("http://small/v1beta/openai", "openai_chat", b"/v1beta/openai/chat/completions"),
        ("http://small/prefix", "openai_chat", b"/prefix/v1/chat/completions"),
        ("http://small", "anthropic_messages", b"/v1/messages"),
    ],
)
def test_path_at_another_upstream_is_that_of_its_format(url: str, wire: str, target: bytes) -> None:
    """A base URL with a version or without leads to the same place, and takes no header of the client's."""
    route = routed(upstream=url, format=wire)

    assert route.target == target
    assert route.wire.name == wire
    assert KEY not in dict(route.headers).values()


def test_upstream_is_made_once() -> None:
    """Connections to a policy's summariser are kept from job to job."""
    made: list[str] = []

    def at(url: str) -> Upstream:
        made.append(url)
        return Upstream("other", url, Scripted(""))

    routes = Routes(at, {})
    own = Route(WIRE_FORMATS["openai_chat"], Upstream("openai", URL, Scripted("")), b"/", [], "m")
    for _ in range(2):
        routes.of(replace(RULES, upstream="http://small"), own, "tiny")

    assert made == ["http://small"]


def test_model_in_the_path_is_exchanged_there() -> None:
    """Azure names the deployment in the path; the client's own stays as it came."""
    target = b"/openai/deployments/gpt-4o/chat/completions?api-version=1"
    other = routed("gpt 5", target=target)
    own = routed("m", target=target)

    assert other.target == b"/openai/deployments/gpt%205/chat/completions?api-version=1"
    assert own.target == target
