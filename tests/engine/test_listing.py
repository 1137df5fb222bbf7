"""The upstream's model list is asked for once, by nobody's key but the client's own, and may be anything."""

from __future__ import annotations

import asyncio

import httpx
import pytest

from gateway.engine.listing import LIST_BYTES, WORTH_TOKENS, Listing, elsewhere, read
from gateway.engine.upstream import Upstream
from gateway.engine.window import Source
from gateway.engine.windows import Windows
from gateway.policy.schema import Policy
from stores import Clock
from wired import URL, Edge, Feed

LISTED = b'{"data": [{"id": "m", "max_model_len": 4096}]}'
HEADERS = [
    (b"Authorization", b"Bearer k"),
    (b"cookie", b"c"),
    (b"content-type", b"application/json"),
    (b"OpenAI-Organization", b"o"),
]


def window(answer: httpx.Response | Exception) -> tuple[int | None, Edge, bool]:
    """Return what is believed after a list came, the upstream, and whether it would be asked again."""
    edge, windows = Edge(answer), Windows(Clock())
    listing, upstream = Listing(windows), Upstream("openai", URL, edge)
    assert listing.is_wanted(upstream, WORTH_TOKENS)
    asyncio.run(listing.ask(upstream, b"/v1/models", HEADERS))
    found = windows.window(Policy(name="p"), upstream.base_url, "m")
    assert found.source in (Source.LISTED, Source.UNKNOWN)
    return found.tokens, edge, listing.is_wanted(upstream, WORTH_TOKENS)


def test_list_tells_the_window() -> None:
    """A server that says how long its models' windows are is believed, and asked once."""
    tokens, edge, is_wanted = window(httpx.Response(200, content=LISTED))

    assert tokens == 4096
    assert not is_wanted
    assert (edge.seen[0].method, edge.seen[0].target) == ("GET", b"/v1/models")


def test_only_credentials_go_along() -> None:
    """The list is asked for with the client's key, and with nothing else of its request."""
    _, edge, _ = window(httpx.Response(200, content=LISTED))

    assert edge.seen[0].headers == [HEADERS[0], HEADERS[3]]


@pytest.mark.parametrize(
    "answer",
    [
        httpx.Response(404, content=LISTED),
        httpx.Response(200, content=LISTED, headers={"content-encoding": "br"}),
        httpx.Response(200, stream=Feed(b" " * LIST_BYTES, LISTED)),
        httpx.Response(200, content=b"<html>"),
        httpx.ConnectError("no"),
        httpx.ReadTimeout("no"),
    ],
)
def test_anything_else_teaches_nothing(answer: httpx.Response | Exception) -> None:
    """An upstream without a list, or one that is away, hurts nobody and is not asked again."""
    tokens, _, is_wanted = window(answer)

    assert tokens is None
    assert not is_wanted


def test_answer_is_let_go() -> None:
    """A connection that brought a list, or something else, is free again."""
    for feed, status in ((Feed(LISTED), 200), (Feed(LISTED, is_open=True), 500)):
        window(httpx.Response(status, stream=feed))
        assert feed.is_closed


def test_small_conversation_is_no_reason_to_ask() -> None:
    """Who sends a greeting does not make the gateway ask around."""
    listing = Listing(Windows(Clock()))

    assert not listing.is_wanted(Upstream("openai", URL, Edge()), WORTH_TOKENS - 1)


@pytest.mark.parametrize(
    ("body", "windows"),
    [
        (LISTED, {"m": 4096}),
        (b'[{"id": "m", "context_length": 8192}]', {"m": 8192}),
        (b'{"models": [{"id": "m", "context_window": 8192}, {"id": "n"}]}', {"m": 8192}),
        (b'{"data": [{"id": 7, "context_length": 8192}, "m", null]}', {}),
        (b'{"data": {"id": "m"}}', {}),
        (b'"m"', {}),
        (b"null", {}),
        (b"{", {}),
        (b"\xff", {}),
    ],
)
def test_list_of_any_form_is_read(body: bytes, windows: dict[str, int]) -> None:
    """Servers name the window by several names; what is not understood is passed over."""
    assert read(body) == windows


OLLAMA = b"""{"object": "list", "data": [
  {"id": "m:latest", "object": "model", "created": 1, "owned_by": "library"},
  {"id": "hf.co/a/b:Q4_K_M", "object": "model", "created": 1, "owned_by": "a"}]}"""
LOADED = b"""{"models": [{"name": "m:latest", "model": "m:latest", "size": 6591830464, "digest": "a2af",
  "details": {"format": "gguf", "family": "m", "parameter_size": "4.3B"}, "size_vram": 5333539264,
  "expires_at": "2026-10-17T16:47:07.93355-07:00", "context_length": 4096}]}"""
LM_STUDIO = b'{"object": "list", "data": [{"id": "m", "object": "model", "owned_by": "organization_owner"}]}'
STATES = b"""{"object": "list", "data": [
  {"id": "n", "object": "model", "type": "llm", "state": "not-loaded", "max_context_length": 131072},
  {"id": "m", "object": "model", "type": "llm", "state": "loaded", "max_context_length": 32768,
   "loaded_context_length": 8192}]}"""


@pytest.mark.parametrize(
    ("listed", "told", "place", "tokens"),
    [(OLLAMA, LOADED, b"/api/ps", 4096), (LM_STUDIO, STATES, b"/api/v0/models", 8192)],
)
def test_servers_of_ones_own_say_it_elsewhere(listed: bytes, told: bytes, place: bytes, tokens: int) -> None:
    """Ollama's and LM Studio's lists in OpenAI's form name no window; what they have loaded is in their own.

    Another model may be loaded next, so they are asked again when one is not known.
    """
    edge, windows = (
        Edge(httpx.Response(200, content=listed), httpx.Response(200, content=told)),
        Windows(Clock()),
    )
    listing, upstream = Listing(windows), Upstream("openai", URL, edge)

    asyncio.run(listing.ask(upstream, b"/v1/models", HEADERS))

    assert windows.window(Policy(name="p"), URL, "m").tokens == tokens
    assert windows.window(Policy(name="p"), URL, "n").source is Source.UNKNOWN
    assert [seen.target for seen in edge.seen] == [b"/v1/models", place]
    assert edge.seen[1].headers == [HEADERS[0], HEADERS[3]]
    assert listing.is_wanted(upstream, WORTH_TOKENS)


@pytest.mark.parametrize("answer", [httpx.Response(404), httpx.ConnectError("no")])
def test_older_ones_that_do_not_are_left_alone(answer: httpx.Response | Exception) -> None:
    """Before they had such a list, nothing can be known; nobody is hurt."""
    edge, windows = Edge(httpx.Response(200, content=OLLAMA), answer), Windows(Clock())

    asyncio.run(Listing(windows).ask(Upstream("openai", URL, edge), b"/v1/models", HEADERS))

    assert windows.window(Policy(name="p"), URL, "m").source is Source.UNKNOWN


@pytest.mark.parametrize(
    ("body", "target", "place"),
    [
        (OLLAMA, b"/ollama/v1/models", b"/ollama/api/ps"),
        (LM_STUDIO, b"/models", b"/api/v0/models"),
        (LISTED, b"/v1/models", b""),
        (b'{"data": [{"id": "m", "owned_by": "library", "n_ctx": 4096}]}', b"/v1/models", b""),
        (
            b'{"data": [{"id": "gpt-4o", "owned_by": "openai"}, {"id": "x", "owned_by": 7}]}',
            b"/v1/models",
            b"",
        ),
        (b"", b"/v1/models", b""),
    ],
)
def test_nobody_else_is_asked_for_a_page_of_theirs(body: bytes, target: bytes, place: bytes) -> None:
    """A page that only Ollama or LM Studio have is asked of them alone, under the path they are served at."""
    assert elsewhere(body, target) == place
