"""Whoever is refused at the gateway's own door is seen: counted, and logged without what was asked for."""

from __future__ import annotations

import asyncio
import logging

import pytest

from asgi import Call
from gateway.store.base import Original
from gateway.store.file import MEMORY
from gateway.store.sqlite import SqliteStore
from gateway.web.outcome import LINES
from paging import DRY, ME, ORIGINAL, pages
from siting import ACME, error
from wired import LONG, chat

SECRET = [(b"authorization", b"Bearer hvs_guess")]
THEIRS = [(b"authorization", b"Bearer hvs_acme")]


def lines(caplog: pytest.LogCaptureFixture) -> list[tuple[str, str, int, str]]:
    """Return of each line who, where, with what status and why."""
    told = [vars(record) for record in caplog.records if record.getMessage() == "request"]
    return [(one["tenant"], one["endpoint"], one["status"], one.get("failure", "")) for one in told]


@pytest.mark.parametrize(
    ("path", "method", "endpoint"),
    [(DRY, "POST", "dry_run"), (ORIGINAL, "GET", "originals"), (ORIGINAL, "DELETE", "originals")],
)
def test_guessed_key_is_counted_and_logged(
    path: str, method: str, endpoint: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Who tries keys on a page of the gateway's own leaves a trace in numbers and in the log."""
    caplog.set_level(logging.INFO)

    async def run() -> None:
        async with pages(tenants=[ACME]) as served:
            status, _, _ = await served.get(path, headers=SECRET, method=method)
            assert status == 401
            assert served.requests(endpoint, 401, tenant="") == 1

    asyncio.run(run())
    assert lines(caplog) == [("", endpoint, 401, "invalid_api_key")]


def test_guessed_id_is_counted_for_who_guesses(caplog: pytest.LogCaptureFixture) -> None:
    """A tenant that asks for what is not its own is named, in the log and in numbers; the id is not."""
    caplog.set_level(logging.INFO)
    id = "sha256-" + "a1" * 12

    async def run() -> None:
        async with pages(tenants=[ACME]) as served:
            await served.get(f"/haversack/originals/{id}", headers=THEIRS)
            assert served.requests("originals", 404, tenant="acme") == 1
            assert id.encode() not in served.engine.parts.metrics.render()

    asyncio.run(run())
    assert lines(caplog) == [("acme", "originals", 404, "not_found")]
    assert not any(id in str(vars(record)) for record in caplog.records)


@pytest.mark.parametrize(
    ("path", "host", "endpoint", "status", "failure"),
    [
        ("/haversack/secret-path", b"localhost", "unknown", 404, "not_found"),
        ("/v1/chat/completions", b"evil.example", "host", 403, "not_allowed"),
        ("/metrics", b"evil.example", "host", 403, "not_allowed"),
        ("/v1/../secret-path", b"localhost", "path", 400, "invalid_request"),
    ],
)
@pytest.mark.parametrize("method", ["GET", "POST", "PUT", "OPTIONS"])
def test_refusal_is_told_without_what_was_asked_for(
    path: str,
    host: bytes,
    endpoint: str,
    status: int,
    failure: str,
    method: str,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """A page that there is not, a host that is not the gateway's, a path that climbs: each has a name."""
    caplog.set_level(logging.INFO)

    async def run() -> None:
        async with pages() as served:
            got, body, _ = await served.get(path, headers=[*SECRET, (b"host", host)], method=method)
            assert (got, error(body)["code"]) == (status, failure)
            assert served.requests(endpoint, status, tenant="") == 1
            shown = served.engine.parts.metrics.render()
            assert not any(word in shown for word in (b"secret-path", b"evil.example", b"hvs_guess"))

    asyncio.run(run())
    assert lines(caplog) == [("", endpoint, status, failure)]
    said = str([vars(record) for record in caplog.records])
    assert not any(word in said for word in ("secret-path", "evil.example", "hvs_guess"))


def test_who_goes_on_guessing_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    """Of a thousand guesses a minute some are logged, all are counted; the next line says how many more."""
    caplog.set_level(logging.INFO)

    async def run() -> None:
        async with pages(tenants=[ACME]) as served:
            for _ in range(1000):
                await served.get(ORIGINAL, headers=SECRET)
            assert served.requests("originals", 401, tenant="") == 1000
            assert len(lines(caplog)) == LINES
            await served.get(ORIGINAL, headers=THEIRS)
            assert lines(caplog)[-1] == ("acme", "originals", 404, "not_found")
            served.engine.clock.now += 61
            await served.get(ORIGINAL, headers=SECRET)

    asyncio.run(run())
    assert vars(caplog.records[-1])["left_out"] == 1000 - LINES


def test_what_is_answered_is_for_debugging(caplog: pytest.LogCaptureFixture) -> None:
    """Who reads an original or tries a request is counted, and logged at the level for that only."""
    caplog.set_level(logging.DEBUG, "gateway.access")

    async def run() -> None:
        async with pages() as served:
            await served.get(ORIGINAL)
            await served.dry(chat(LONG))
            assert served.requests("originals", 200) == 1
            assert served.requests("dry_run", 200, policy="default") == 1
            for path in ("/healthz", "/readyz", "/metrics"):
                await served.get(path)

    asyncio.run(run())
    assert lines(caplog) == [("open", "originals", 200, ""), ("open", "dry_run", 200, "")]
    assert {record.levelno for record in caplog.records if record.name == "gateway.access"} == {logging.DEBUG}


class Broken(SqliteStore):
    """A store that meets a mistake of ours."""

    async def original(self, scope: str, id: str) -> Original | None:
        """Fail."""
        raise ValueError("what it quotes")


def test_mistake_is_answered_and_told(caplog: pytest.LogCaptureFixture) -> None:
    """A page that fails for a fault of the gateway says so; its line tells where, not what it held."""

    async def run() -> None:
        async with pages(Broken(MEMORY)) as served:
            status, body, _ = await served.get(ORIGINAL, headers=ME)
            assert (status, error(body)["code"]) == (500, "gateway_error")
            assert served.requests("originals", 500) == 1

    asyncio.run(run())
    assert "page failed" in caplog.messages
    assert "what it quotes" not in str([vars(record) for record in caplog.records])


def test_page_that_nobody_waits_for_is_told_as_such() -> None:
    """Who goes before its body is there has left; who is waiting when the gateway stops was cut off."""

    async def run() -> None:
        async with pages() as served:
            left = Call(served.app, DRY, body=[], headers=ME)
            left.hang_up()
            await left.read()
            assert served.requests("dry_run", 499, policy="default") == 1
            waiting = Call(served.app, DRY, body=[], headers=ME)
            await asyncio.sleep(0)
            waiting.task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await waiting.read()
            assert served.requests("dry_run", 503, policy="default") == 1

    asyncio.run(run())
