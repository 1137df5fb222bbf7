"""Browsers ask before they send a request with a key, and tell a page only what it may read."""

from __future__ import annotations

import asyncio
import json

import pytest

from siting import ACME, CHAT, Headers, header, site
from wired import answer, chat, turns

ORIGIN = (b"origin", b"https://app.example")
ASKED = [
    ORIGIN,
    (b"access-control-request-method", b"POST"),
    (b"access-control-request-headers", b"authorization,content-type"),
]


@pytest.mark.parametrize("path", [CHAT, "/v1/models", "/v1/messages"])
def test_browser_may_ask_without_a_key(path: str) -> None:
    """A preflight never carries a key, so where keys are checked it is answered here, and goes no further."""

    async def run() -> None:
        async with site(tenants=[ACME]) as here:
            call = here.call(path, headers=ASKED, method="OPTIONS")
            assert (await call.read(), call.status) == (b"", 200)
            assert header(call, b"access-control-allow-origin") == b"*"
            assert header(call, b"access-control-allow-methods") == b"POST"
            assert header(call, b"access-control-allow-headers") == b"authorization,content-type"
            assert header(call, b"access-control-allow-credentials") is None
            assert here.edge.seen == []

    asyncio.run(run())


@pytest.mark.parametrize("headers", [[], [ORIGIN], ASKED[1:]])
def test_other_options_need_a_key(headers: Headers) -> None:
    """What is no preflight is a request like any other."""

    async def run() -> None:
        async with site(tenants=[ACME]) as here:
            call = here.call(CHAT, headers=headers, method="OPTIONS")
            await call.read()
            assert (call.status, here.edge.seen) == (401, [])

    asyncio.run(run())


@pytest.mark.parametrize("headers", [[ORIGIN], []])
def test_page_can_read_why_it_was_refused(headers: Headers) -> None:
    """A browser hides an answer without that header, and the page learns only that the network failed."""

    async def run() -> None:
        async with site(tenants=[ACME]) as here:
            call = here.call(CHAT, chat(turns(1)), headers=headers)
            assert "x-haversack-key" in json.loads(await call.read())["error"]["message"]
            assert call.status == 401
            assert header(call, b"access-control-allow-origin") == (b"*" if headers else None)

    asyncio.run(run())


def test_upstream_answers_where_there_are_no_tenants() -> None:
    """In open mode the gateway adds no word of its own: it lets no page in that the upstream would not."""

    async def run() -> None:
        async with site(answer()) as here:
            call = here.call(CHAT, headers=ASKED, method="OPTIONS")
            await call.read()
            assert [seen.method for seen in here.edge.seen] == ["OPTIONS"]
            assert header(call, b"access-control-allow-origin") is None

    asyncio.run(run())
