"""Where a request belongs, by its path and headers."""

from __future__ import annotations

import pytest

from gateway.web.routes import ANTHROPIC, OPENAI, is_websocket, models_in_path, route, target


@pytest.mark.parametrize(
    "prefix", [b"", b"/v1", b"/v1/v1", b"//v1", b"/v1/", b"/s/a", b"/s/a/v1", b"/s/a//v1/v1"]
)
@pytest.mark.parametrize("end", [b"", b"/"])
@pytest.mark.parametrize(
    ("path", "wire_format"),
    [
        (b"/chat/completions", "openai_chat"),
        (b"/responses", "openai_responses"),
        (b"/messages", "anthropic_messages"),
    ],
)
def test_endpoints_are_known_however_the_base_url_was_set(
    prefix: bytes, end: bytes, path: bytes, wire_format: str
) -> None:
    """A client with `/v1` twice, once or not at all, with slashes too many, or with a session, is served."""
    found = route(prefix + path + end, b"", [])

    assert found.wire_format == wire_format
    assert target(found, b"/v1") == b"/v1" + path


@pytest.mark.parametrize(
    "path",
    [
        b"/v1/models",
        b"/v1/chat/completions/chatcmpl-1",
        b"/v1/responses/compact",
        b"/v1/messages/count_tokens",
        b"/v1/chat%2Fcompletions",
        b"/v1/chat/completions/..",
        b"/v1/CHAT/completions",
        b"/v1/threads/t/messages",
        b"/",
    ],
)
def test_everything_else_passes_through(path: bytes) -> None:
    """A path that is not exactly a known endpoint is not compacted."""
    assert route(path, b"", []).wire_format is None


@pytest.mark.parametrize(
    ("path", "base", "at_upstream"),
    [
        (b"/v1/models", b"/v1", b"/v1/models"),
        (b"/models", b"/v1", b"/v1/models"),
        (b"/v1/models", b"", b"/v1/models"),
        (b"/models", b"", b"/models"),
        (b"/v1/models", b"/api/v1", b"/api/v1/models"),
        (b"/v1/chat/completions", b"/api/paas/v4", b"/api/paas/v4/chat/completions"),
        (b"/v1/chat/completions", b"/v1beta/openai", b"/v1beta/openai/chat/completions"),
        (b"/v1/chat/completions", b"/prefix", b"/prefix/v1/chat/completions"),
        (b"/v1/v1/messages", b"", b"/v1/messages"),
        (b"/messages", b"", b"/v1/messages"),
        (b"/messages/count_tokens", b"/v1", b"/v1/messages/count_tokens"),
        (b"/v1/a%2Fb//%41/../c/", b"/v1", b"/v1/a%2Fb//%41/../c/"),
        (b"/v1//a", b"/v1", b"/v1/a"),
        (b"/v10/models", b"/v1", b"/v1/v10/models"),
        (b"/v1", b"/v1", b"/v1/"),
    ],
)
def test_path_joins_the_base_url(path: bytes, base: bytes, at_upstream: bytes) -> None:
    """The version is there once, whoever brings it; the rest of the path stays as it was written."""
    assert target(route(path, b"", []), base) == at_upstream


def test_query_stays_as_it_came() -> None:
    """The query is neither parsed nor sorted."""
    assert target(route(b"/v1/messages", b"beta=true&x=%20+", []), b"") == b"/v1/messages?beta=true&x=%20+"


@pytest.mark.parametrize(
    ("path", "wire_format", "deployment"),
    [
        (b"/openai/deployments/my%20gpt/chat/completions", "openai_chat", "my gpt"),
        (b"/openai/v1/responses", "openai_responses", None),
        (b"/openai/responses", "openai_responses", None),
        (b"/openai/deployments/d/embeddings", None, "d"),
        (b"/openai/models", None, None),
    ],
)
def test_azure_paths_join_the_host(path: bytes, wire_format: str | None, deployment: str | None) -> None:
    """Azure's paths begin at the host, whatever the upstream's base path is; they name the model."""
    found = route(path, b"api-version=2024-10-21", [(b"api-key", b"k")])

    assert (found.wire_format, found.deployment, found.upstream) == (wire_format, deployment, OPENAI)
    assert target(found, b"/openai/v1") == path + b"?api-version=2024-10-21"


@pytest.mark.parametrize(
    ("path", "name", "upstream"),
    [
        (b"/v1/models", b"anthropic-version", ANTHROPIC),
        (b"/v1/models", b"x-api-key", ANTHROPIC),
        (b"/v1/models", b"authorization", OPENAI),
        (b"/v1/messages/batches", b"authorization", ANTHROPIC),
        (b"/v1/messagesque", b"authorization", OPENAI),
        (b"/v1/chat/completions", b"api-key", OPENAI),
    ],
)
def test_headers_and_path_choose_the_upstream(path: bytes, name: bytes, upstream: str) -> None:
    """What only an Anthropic client sends goes to the Anthropic upstream, all else to OpenAI's."""
    assert route(path, b"", [(name, b"v")]).upstream == upstream


@pytest.mark.parametrize(
    ("path", "session", "rest"),
    [
        (b"/s/my%2Fwork/v1/models", "my/work", b"/models"),
        (b"/s/%ff/v1/models", "\N{REPLACEMENT CHARACTER}", b"/models"),
        (b"/s/a", "a", b"/"),
        (b"/s/", None, b"/s/"),
        (b"/v1/s/a/models", None, b"/s/a/models"),
    ],
)
def test_session_comes_from_the_front_of_the_path(path: bytes, session: str | None, rest: bytes) -> None:
    """`/s/<session>` before the rest names the session, and is not forwarded."""
    found = route(path, b"", [])

    assert (found.session, found.path) == (session, rest)


def test_only_websockets_are_websockets() -> None:
    """An offer of another protocol is not an attempt to open a WebSocket."""
    assert is_websocket([(b"host", b"h"), (b"upgrade", b"WebSocket")])
    assert not is_websocket([(b"upgrade", b"h2c")])
    assert not is_websocket([(b"connection", b"websocket")])


@pytest.mark.parametrize(
    ("path", "models"),
    [
        (b"/openai/deployments/a/chat/completions", {"a"}),
        (b"/openai/./DEPLOYMENTS//a%2d1/embeddings", {"a-1"}),
        (b"/v1/engines/a/completions", {"a"}),
        (b"/v1beta/models/gemini-a:generateContent", {"gemini-a"}),
        (b"/model/a/invoke", {"a"}),
        (b"/v1/chat/completions", set()),
        (b"/v1/models", set()),
    ],
)
def test_models_are_read_out_of_a_path_as_upstreams_do(path: bytes, models: set[str]) -> None:
    """However it is written, and whichever vendor's it is."""
    assert models_in_path(route(path, b"", [])) == models
