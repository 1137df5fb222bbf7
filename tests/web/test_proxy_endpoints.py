"""Every way to reach an endpoint, as clients and their base URLs make them, in every format."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import httpx
import pytest

from siting import Headers, header, site
from wired import LONG, answer, refusal, turns

AZURE = b"api-version=2024-10-21"

REPLIES = {
    "openai_chat": {"choices": [{"index": 0, "message": {"role": "assistant", "content": "All right."}}]},
    "openai_responses": {"object": "response", "output": []},
    "anthropic_messages": {"type": "message", "content": []},
}
ENDPOINTS = {
    "openai_chat": "/chat/completions",
    "openai_responses": "/responses",
    "anthropic_messages": "/messages",
}
OPENAIS = ["openai_chat", "openai_responses"]


def body(name: str, talk: list[dict[str, Any]]) -> bytes:
    """Return a request of a format that says this."""
    if name == "openai_responses":
        return json.dumps({"model": "m", "input": talk}).encode()
    if name == "anthropic_messages":
        rest = [message for message in talk if message["role"] != "system"]
        return json.dumps({"model": "m", "max_tokens": 99, "system": "rules", "messages": rest}).encode()
    return json.dumps({"model": "m", "messages": talk}).encode()


def reply(name: str) -> httpx.Response:
    """Return a whole answer of a format."""
    return httpx.Response(200, json=REPLIES[name])


@pytest.mark.parametrize("prefix", ["/v1", "/v1/v1", "", "//v1", "/s/mine/v1", "/s/mine/v1/v1"])
@pytest.mark.parametrize("end", ["", "/", "?beta=true"])
@pytest.mark.parametrize("name", ENDPOINTS)
def test_base_url_may_have_the_version_twice_or_not(name: str, prefix: str, end: str) -> None:
    """Some clients add `/v1` to a base URL that has it, some leave it out: all are served, and compacted."""

    async def run() -> None:
        async with site(reply(name), reply(name)) as here:
            for talk, action in ((turns(2), b"none"), (LONG, b"compacted")):
                call = here.call(prefix + ENDPOINTS[name] + end, body(name, talk))
                await call.read()
                assert (call.status, header(call, b"x-haversack-action")) == (200, action)
            small, long = here.edge.seen
            query = "?beta=true" if end.startswith("?") else ""
            assert small.target == long.target == f"/v1{ENDPOINTS[name]}{query}".encode()
            assert small.body == body(name, turns(2))
            assert len(long.body) < len(body(name, LONG))

    asyncio.run(run())


@pytest.mark.parametrize("root", ["/openai/deployments/my-gpt", "/openai/v1", "/openai"])
@pytest.mark.parametrize("name", OPENAIS)
def test_azure_is_compacted_too(name: str, root: str) -> None:
    """Azure's paths, version and key go out as they came; its window is the deployment's."""

    async def run() -> None:
        async with site(reply(name), reply(name)) as here:
            path = f"{root}{ENDPOINTS[name]}?{AZURE.decode()}"
            for talk, action in ((turns(2), b"none"), (LONG, b"compacted")):
                call = here.call(path, body(name, talk), headers=[(b"api-key", b"k")])
                await call.read()
                assert (call.status, header(call, b"x-haversack-action")) == (200, action)
            assert {seen.target for seen in here.edge.seen} == {path.encode()}
            assert {seen.header(b"api-key") for seen in here.edge.seen} == {b"k"}
            assert here.edge.bodies[0] == body(name, turns(2))

    asyncio.run(run())


def test_what_azure_refuses_is_rescued() -> None:
    """Its body names no model, and its error is the vendor's own."""

    async def run() -> None:
        path = "/openai/deployments/unknown/chat/completions?" + AZURE.decode()
        plain = json.dumps({"messages": LONG[:12]}).encode()
        async with site(refusal(560, 500), answer()) as here:
            call = here.call(path, plain, headers=[(b"api-key", b"k")])
            await call.read()
            assert (call.status, header(call, b"x-haversack-action")) == (200, b"rescued")
            assert here.edge.bodies[0] == plain
            assert len(here.edge.bodies[1]) < len(plain)

    asyncio.run(run())


PROMPT = json.dumps({"model": "m", "prompt": "word " * 3000, "max_tokens": 5}).encode()
TOO_LONG = {
    "error": {
        "message": "This model's maximum context length is 1000 tokens, however you requested 3005 tokens "
        "(3000 in your prompt; 5 for the completion). Please reduce your prompt; or completion length.",
        "type": "invalid_request_error",
        "param": None,
        "code": None,
    }
}


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/v1/completions", "/v1/completions"),
        ("/v1/v1/completions", "/v1/completions"),
        ("/completions", "/v1/completions"),
        (
            "/openai/deployments/d/completions?api-version=2024-10-21",
            "/openai/deployments/d/completions?api-version=2024-10-21",
        ),
    ],
)
@pytest.mark.parametrize("status", [200, 400])
def test_legacy_completions_pass(path: str, target: str, status: int) -> None:
    """A prompt is no conversation: it goes as it came, and what the vendor says of its length comes back."""

    async def run() -> None:
        told = httpx.Response(status, json=TOO_LONG if status == 400 else {"object": "text_completion"})
        async with site(told) as here:
            call = here.call(path, PROMPT)
            assert await call.read() == told.content
            assert call.status == status
            [seen] = here.edge.seen
            assert (seen.target, seen.body) == (target.encode(), PROMPT)
            assert here.requests(endpoint="other", status=str(status)) == 1

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "target"),
    [
        ("/v1/messages/count_tokens?beta=true", "/v1/messages/count_tokens?beta=true"),
        ("/v1/v1/messages/count_tokens", "/v1/messages/count_tokens"),
        ("/messages/count_tokens", "/v1/messages/count_tokens"),
        ("/s/mine/v1/messages/count_tokens", "/v1/messages/count_tokens"),
        ("/v1/responses/input_tokens", "/v1/responses/input_tokens"),
        ("/v1/responses/compact", "/v1/responses/compact"),
        ("/openai/v1/responses/compact", "/openai/v1/responses/compact"),
    ],
)
def test_counting_and_compacting_by_the_vendor_pass(path: str, target: str) -> None:
    """What is asked about a list is asked about the client's own list, whatever its size."""

    async def run() -> None:
        async with site(httpx.Response(200, json={"input_tokens": 860})) as here:
            asked = body("openai_responses" if "responses" in path else "anthropic_messages", LONG)
            call = here.call(path, asked)
            assert json.loads(await call.read()) == {"input_tokens": 860}
            [seen] = here.edge.seen
            assert (seen.target, seen.body) == (target.encode(), asked)

    asyncio.run(run())


@pytest.mark.parametrize(
    ("upstream", "headers"),
    [("anthropic", [(b"x-api-key", b"k")]), ("openai", [(b"api-key", b"k")])],
)
def test_refusals_of_the_gateway_speak_the_clients_dialect(upstream: str, headers: Headers) -> None:
    """A library finds an error where its vendor puts one, on whatever path."""

    async def run() -> None:
        async with site() as here:
            call = here.call("/v1/models", b"x" * 5, headers=[*headers, (b"x-haversack-policy", b"none")])
            told = json.loads(await call.read())
            assert 400 <= (call.status or 0) < 500
            assert ("type" in told) == (upstream == "anthropic")
            assert told["error"]["message"]

    asyncio.run(run())
