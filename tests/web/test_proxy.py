"""What becomes of a request on its way to an upstream, message by message and without a socket."""

from __future__ import annotations

import asyncio
import gzip
import json

import httpx
import pytest

from siting import ACME, BIG, CHAT, Headers, error, header, site
from wired import (
    LONG,
    answer,
    chat,
    failed,
    message,
    said,
    turns,
)


def test_what_was_done_stands_in_the_headers() -> None:
    """A compacted request is answered as ever; headers say what was done, how much and by which steps."""

    async def run() -> None:
        async with site(answer()) as here:
            call = here.call(CHAT, chat(LONG), headers=[(b"x-session-id", b"1")])
            assert await call.read() == answer().content
            assert call.status == 200
            assert header(call, b"x-haversack-action") == b"compacted"
            assert (header(call, b"x-haversack-tokens") or b"").startswith(b"before=860;after=")
            assert header(call, b"x-haversack-policy") == b"default"
            assert header(call, b"x-haversack-steps") == b"trim_turns"
            assert len(header(call, b"x-haversack-session") or b"") == 24
            assert (said(here.edge.bodies[0])[0], said(here.edge.bodies[0])[-1]) == ("rules", "now")
            assert here.requests(action="compacted", status="200") == 1

    asyncio.run(run())


def test_what_is_only_observed_says_under_which_policy() -> None:
    """An answer tells that nothing was done because the policy only looks."""

    async def run() -> None:
        async with site(answer()) as here:
            call = here.call(CHAT, chat(LONG), headers=[(b"x-haversack-policy", b"observe")])
            await call.read()
            said = {name: header(call, b"x-haversack-" + name) for name in (b"action", b"policy")}
            assert said == {b"action": b"none", b"policy": b"observe"}

    asyncio.run(run())


def test_what_fits_goes_untouched() -> None:
    """Body and headers go out as they came, but for what is addressed to the gateway."""

    async def run() -> None:
        async with site(answer()) as here:
            body = chat(turns(2), temperature=1.0)
            headers = [(b"authorization", b"Bearer k"), (b"x-haversack-policy", b"default"), (b"x-a", b"1")]
            call = here.call(CHAT, body[:9], body[9:], headers=headers)
            await call.read()
            assert header(call, b"x-haversack-action") == b"none"
            assert header(call, b"x-haversack-steps") is None
            [seen] = here.edge.seen
            assert (seen.body, seen.target) == (body, b"/v1/chat/completions")
            assert seen.headers[:2] == [headers[0], headers[2]]

    asyncio.run(run())


@pytest.mark.parametrize(
    ("headers", "action"),
    [
        ([(b"x-haversack-bypass", b"1")], b"bypass"),
        ([(b"x-haversack-bypass", b" True ")], b"bypass"),
        ([(b"x-haversack-policy", b"off")], b"bypass"),
        ([(b"authorization", b"AWS4-HMAC-SHA256 Credential=k")], b"none"),
    ],
)
def test_who_wants_it_untouched_gets_it_untouched(headers: Headers, action: bytes) -> None:
    """Bypassed, switched off, or signed over its bytes: a request of any length goes as it came."""

    async def run() -> None:
        async with site(failed(400, "no")) as here:
            call = here.call(CHAT, chat(LONG), headers=headers)
            await call.read()
            assert (call.status, header(call, b"x-haversack-action")) == (400, action)
            assert here.edge.bodies == [chat(LONG)]

    asyncio.run(run())


def test_bypass_must_be_meant() -> None:
    """A header that says no is no bypass."""

    async def run() -> None:
        async with site(answer()) as here:
            call = here.call(CHAT, chat(LONG), headers=[(b"x-haversack-bypass", b"0")])
            await call.read()
            assert header(call, b"x-haversack-action") == b"compacted"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "method"),
    [("/v1/models", "GET"), (CHAT, "GET"), ("/v1/embeddings", "POST"), ("/v1/files", "POST")],
)
def test_everything_else_passes(path: str, method: str) -> None:
    """What is no conversation is relayed, body and answer, whatever it is."""

    async def run() -> None:
        async with site(httpx.Response(201, content=b"\xff")) as here:
            call = here.call(path, b"\x00", b"\xff", method=method)
            assert await call.read() == b"\xff"
            assert call.status == 201
            assert (here.edge.seen[0].method, here.edge.bodies) == (method, [b"\x00\xff"])

    asyncio.run(run())


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (b"{", b""),
        (b'{"model": "m"}', b""),
        (b"[]", b""),
        (b'{"model": "m", "messages": [], "model": "n"}', b""),
        (gzip.compress(chat(LONG))[:-9], b"gzip"),
        (b"not gzip", b"gzip"),
        (b"whatever", b"br"),
    ],
)
def test_body_that_cannot_be_read_passes(body: bytes, coding: bytes) -> None:
    """What we do not understand, the upstream may; it judges the bytes as they came."""

    async def run() -> None:
        async with site(failed(400, "no")) as here:
            headers = [(b"content-encoding", coding)] if coding else []
            call = here.call(CHAT, body, headers=headers)
            await call.read()
            assert call.status == 400
            assert here.edge.bodies == [body]
            assert here.edge.seen[0].header(b"content-encoding") == (coding or None)

    asyncio.run(run())


def test_compressed_body_is_compacted() -> None:
    """A client that compresses its requests is helped as well."""

    async def run() -> None:
        async with site(answer(), answer()) as here:
            for messages in (LONG, turns(2)):
                coded = gzip.compress(chat(messages))
                await here.call(CHAT, coded, headers=[(b"content-encoding", b"gzip")]).read()
            assert said(here.edge.bodies[0])[0] == "rules"
            assert here.edge.seen[0].header(b"content-encoding") is None
            assert gzip.decompress(here.edge.bodies[1]) == chat(turns(2))
            assert here.edge.seen[1].header(b"content-encoding") == b"gzip"

    asyncio.run(run())


@pytest.mark.parametrize("coding", [None, b"gzip"])
def test_body_that_is_too_large_is_refused(coding: bytes | None) -> None:
    """More than the gateway accepts, as sent or unpacked, is refused with a number."""

    async def run() -> None:
        async with site() as here:
            body = chat([message("user", BIG)])
            headers = [(b"content-encoding", coding)] if coding else []
            call = here.call(CHAT, gzip.compress(body) if coding else body, headers=headers)
            assert str(BIG) in error(await call.read())["message"]
            assert call.status == 413
            assert here.edge.seen == []

    asyncio.run(run())


def test_websocket_is_sent_back_to_http() -> None:
    """Clients that try a WebSocket first fall back on this status at once."""

    async def run() -> None:
        async with site(answer()) as here:
            call = here.call("/v1/responses", headers=[(b"upgrade", b"websocket")], method="GET")
            await call.read()
            assert call.status == 426
            assert here.edge.seen == []

    asyncio.run(run())


@pytest.mark.parametrize("path", [CHAT, "/v1/models", "/v1/messages"])
def test_nobody_gets_through_without_a_key(path: str) -> None:
    """Where there are tenants, nothing reaches an upstream for anybody else."""

    async def run() -> None:
        async with site(tenants=[ACME]) as here:
            call = here.call(path, chat(turns(1)), headers=[(b"authorization", b"Bearer sk-other")])
            body = json.loads(await call.read())
            assert call.status == 401
            assert "x-haversack-key" in body["error"]["message"]
            assert here.edge.seen == []

    asyncio.run(run())


def test_key_of_the_gateway_is_not_forwarded() -> None:
    """The upstream gets the vendor's key that came beside ours, and no trace of ours."""

    async def run() -> None:
        async with site(answer(), tenants=[ACME]) as here:
            headers = [(b"x-api-key", b"hvs_acme"), (b"authorization", b"Bearer sk")]
            headers += [(b"x-haversack-policy", b"default")]
            await here.call(CHAT, chat(turns(1)), headers=headers).read()
            assert b"hvs_acme" not in str(here.edge.seen).encode()
            assert here.edge.seen[0].header(b"authorization") == b"Bearer sk"
            assert here.requests(tenant="acme", status="200") == 1

    asyncio.run(run())


KEY = (b"authorization", b"Bearer hvs_acme")


@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        (CHAT, chat(turns(1), model="claude"), [KEY]),
        (CHAT, b"{", [KEY]),
        (CHAT, b'{"model": "m", "messages": [], "model": "claude"}', [KEY]),
        (CHAT, chat(turns(1), model="claude"), [KEY, (b"x-haversack-bypass", b"1")]),
        (CHAT, chat(turns(1), model="claude"), [KEY, (b"x-haversack-policy", b"off")]),
        (CHAT, b"\x01", [KEY, (b"x-haversack-bypass", b"1"), (b"content-type", b"text/plain")]),
        ("/v1/responses", b'{"model": "claude"}', [KEY]),
        ("/v1/embeddings", b'{"model": "claude", "input": "x"}', [KEY]),
        ("/openai/deployments/secret/chat/completions", b'{"messages": []}', [KEY]),
    ],
)
def test_restricted_models_stay_restricted(path: str, body: bytes, headers: Headers) -> None:
    """No body that names another model, or that nobody has read, gets around a tenant's models."""

    async def run() -> None:
        async with site(tenants=[ACME]) as here:
            call = here.call(path, body, headers=headers)
            assert error(await call.read())["code"] == "not_allowed"
            assert call.status == 403
            assert here.edge.seen == []

    asyncio.run(run())


@pytest.mark.parametrize(
    ("path", "body", "headers"),
    [
        (CHAT, chat(turns(1)), [KEY, (b"x-haversack-bypass", b"1")]),
        (CHAT, chat(turns(1)), [KEY, (b"x-haversack-policy", b"off")]),
        ("/v1/completions", b'{"model": "m", "prompt": 1E400}', [KEY]),
        ("/v1/files", b"--x", [KEY, (b"content-type", b"multipart/form-data; boundary=x")]),
    ],
)
def test_allowed_models_pass_unchanged(path: str, body: bytes, headers: Headers) -> None:
    """What a tenant may use goes out byte for byte, switched off or not."""

    async def run() -> None:
        async with site(answer(), tenants=[ACME]) as here:
            call = here.call(path, body, headers=headers)
            await call.read()
            assert call.status == 200
            assert here.edge.bodies == [body]

    asyncio.run(run())


def test_model_of_a_deployment_is_its_name() -> None:
    """Azure's bodies leave the model out; it is in the path."""

    async def run() -> None:
        async with site(answer(), tenants=[ACME]) as here:
            body = b'{"messages": [{"role": "user", "content": "Hi"}]}'
            call = here.call("/openai/deployments/gpt-x/chat/completions", body, headers=[KEY])
            await call.read()
            assert call.status == 200
            assert here.edge.bodies == [body]

    asyncio.run(run())
