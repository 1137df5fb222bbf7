"""The gateway's own pages: the dry run, what was removed, and how it is doing."""

from __future__ import annotations

import asyncio
import json

import pytest

from gateway.engine.sessions import open_scope
from gateway.store.base import StoreError
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from paging import DRY, ME, MESSAGE, ORIGINAL, STUB, pages
from siting import ACME, error, header
from stores import opened
from wired import LONG, away, chat, message, said

NOBODYS = "sha256-" + "c" * 64


def test_dry_run_tells_what_would_be_sent() -> None:
    """The request in the answer is the one that would go out, and the report says what was done to it."""

    async def run() -> None:
        async with pages() as served:
            status, body = await served.dry(chat(LONG, temperature=1.0))
            told = json.loads(body)
            assert status == 200
            assert said(json.dumps(told["request"]).encode())[0] == "rules"
            assert b'"temperature": 1.0' in body
            report = told["report"]
            assert (report["action"], report["tokens_before"]) == ("compacted", 860)
            assert report["tokens_after"] <= 360
            assert report["steps"][0]["step"] == "trim_turns"
            assert report["steps"][0]["tokens_before"] == 860

    asyncio.run(run())


def test_dry_run_stores_nothing() -> None:
    """Its report names what would be removed by id; the store does not have it."""

    async def run() -> None:
        async with pages() as served:
            report = json.loads((await served.dry(chat(LONG)))[1])["report"]
            assert report["removed"]
            for gone in report["removed"]:
                assert (gone["kind"], gone["name"]) == ("message", "")
                assert gone["size"] > 0
                assert (await served.get(f"/haversack/originals/{gone['id']}"))[2].status == 404

    asyncio.run(run())


def test_dry_run_of_what_fits_returns_it() -> None:
    """A request that would go out as it came is shown byte for byte."""

    async def run() -> None:
        async with pages() as served:
            body = chat([message("user", 10)])
            _, told = await served.dry(body)
            assert told.startswith(b'{"request":' + body + b",")
            report = json.loads(told)["report"]
            assert (report["action"], report["steps"], report["removed"]) == ("none", [], [])

    asyncio.run(run())


def test_dry_run_with_another_policy_or_target() -> None:
    """Who thinks about another policy, or a smaller model, can see what it would do."""

    async def run() -> None:
        async with pages() as served:
            body = chat([*LONG[:5], message("user", 20, "now")])
            for query, most in ((b"", 230), (b"policy=tight", 200), (b"target_tokens=100", 100)):
                after = json.loads((await served.dry(body, query))[1])["report"]["tokens_after"]
                assert after <= most

    asyncio.run(run())


@pytest.mark.parametrize(
    ("query", "body", "word"),
    [
        (b"target_tokens=0", chat(LONG), "target_tokens"),
        (b"target_tokens=-5", chat(LONG), "target_tokens"),
        (b"target_tokens=many", chat(LONG), "target_tokens"),
        (b"target_tokens=%C2%B2", chat(LONG), "target_tokens"),
        (b"target_tokens=" + b"9" * 5000, chat(LONG), "target_tokens"),
        (b"target_token=3000", chat(LONG), "did you mean target_tokens?"),
        (b"policy=tigth", chat(LONG), "tight"),
        (b"", b"{", "any of the three formats"),
        (b"", b'{"messages": 1}', "Chat Completions"),
        (b"", b'{"model": "m"}', "messages"),
    ],
)
def test_dry_run_says_what_is_wrong(query: bytes, body: bytes, word: str) -> None:
    """A slip in the question is answered with what is expected."""

    async def run() -> None:
        async with pages() as served:
            status, told = await served.dry(body, query)
            assert status == 400
            assert word in error(told)["message"]

    asyncio.run(run())


@pytest.mark.parametrize(("path", "method"), [(DRY, "POST"), (ORIGINAL, "GET")])
def test_pages_are_for_tenants_where_there_are_any(path: str, method: str) -> None:
    """Nobody else may count, compact or read here."""

    async def run() -> None:
        async with pages(tenants=[ACME]) as served:
            _, body, call = await served.get(path, body=chat(LONG), method=method)
            assert (call.status, error(body)["code"]) == (401, "invalid_api_key")

    asyncio.run(run())


def test_original_is_shown_as_it_was() -> None:
    """A message is the client's own JSON; what stands behind a stub is text."""

    async def run() -> None:
        async with pages() as served:
            _, body, call = await served.get(ORIGINAL)
            assert (body, header(call, b"content-type")) == (MESSAGE.content, b"application/json")
            _, body, call = await served.get(f"/haversack/originals/{STUB.id}")
            assert (body, header(call, b"content-type")) == (STUB.content, b"text/plain; charset=utf-8")

    asyncio.run(run())


@pytest.mark.parametrize("method", ["GET", "DELETE"])
def test_original_of_another_is_not_there(method: str) -> None:
    """With another key there is neither reading nor deleting, nor a hint that it exists."""

    async def run() -> None:
        async with pages() as served:
            answers = [
                await served.get(f"/haversack/originals/{id}", headers=headers, method=method)
                for id, headers in ((MESSAGE.id, [(b"authorization", b"Bearer you")]), (NOBODYS, ME))
            ]
            assert answers[0][1] == answers[1][1]
            assert {call.status for _, _, call in answers} == {404}
            assert (await served.get(ORIGINAL))[2].status == 200

    asyncio.run(run())


@pytest.mark.parametrize("id", ["sha256-" + "a1" * 12, "sha256-" + "a1" * 32, "sha256-a1", "a1" * 12])
@pytest.mark.parametrize(
    "word", ["a key of the conversation", "copy the id whole", "name of a session", "`retention_days`"]
)
def test_original_that_is_not_there_leaves_a_way_out(id: str, word: str) -> None:
    """Who asks with another key, too late, or for part of an id is told what to try, in the same words."""

    async def run() -> None:
        async with pages() as served:
            _, body, call = await served.get(f"/haversack/originals/{id}")
            assert (call.status, error(body)["code"]) == (404, "not_found")
            assert word in error(body)["message"]

    asyncio.run(run())


def test_original_can_be_deleted() -> None:
    """What its owner deletes is gone."""

    async def run() -> None:
        async with pages() as served:
            statuses = [
                (await served.get(ORIGINAL, method=method))[2].status
                for method in ("DELETE", "GET", "DELETE")
            ]
            assert statuses == [204, 404, 404]

    asyncio.run(run())


class ReadOnly(SqliteStore):
    """A store on a disk that can be read only."""

    async def delete_original(self, scope: str, id: str) -> bool:
        """Fail."""
        raise StoreError("read-only")


def test_store_that_is_away_is_told() -> None:
    """A page that needs the store says that it is away, instead of that there is nothing."""

    async def run() -> None:
        async with pages(away()) as served:
            _, body, call = await served.get(ORIGINAL)
            assert (call.status, error(body)["code"]) == (503, "store_unavailable")
        async with opened(ReadOnly(MEMORY)) as store, pages(store) as served:
            await store.put_originals(open_scope("me"), [MESSAGE])
            _, body, call = await served.get(ORIGINAL, method="DELETE")
            assert (call.status, error(body)["code"]) == (503, "store_unavailable")

    asyncio.run(run())


@pytest.mark.parametrize("method", ["GET", "POST", "PUT"])
@pytest.mark.parametrize("path", ["/haversack/", "/haversack/nothing/here", "/haversack/originals/"])
def test_page_that_is_not_there_is_told(path: str, method: str) -> None:
    """A wrong address is answered in JSON, whatever is done there, and not forwarded to anybody."""

    async def run() -> None:
        async with pages() as served:
            _, body, call = await served.get(path, method=method)
            assert (call.status, error(body)["code"]) == (404, "not_found")
            assert path in error(body)["message"]

    asyncio.run(run())


def test_health_and_metrics_need_no_key() -> None:
    """Probes and Prometheus have no key of a tenant."""

    async def run() -> None:
        async with pages(tenants=[ACME]) as served:
            for path, part in (
                ("/healthz", b"ok\n"),
                ("/readyz", b'"ready":true'),
                ("/metrics", b"haversack_"),
            ):
                _, body, call = await served.get(path, headers=[])
                assert call.status == 200
                assert part in body

    asyncio.run(run())


def test_gateway_that_is_not_ready_says_so() -> None:
    """A load balancer sees it by the status, a person by the parts."""

    async def run() -> None:
        async with pages(is_ready=False) as served:
            _, body, call = await served.get("/readyz")
            assert (call.status, json.loads(body)) == (503, {"ready": False, "store": "ok"})

    asyncio.run(run())
