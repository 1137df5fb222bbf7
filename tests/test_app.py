"""The whole process in one: it starts, serves and ends, with its store or without."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import threading
from pathlib import Path
from typing import Any

import pytest

from gateway import app
from gateway.app import build
from gateway.cli_check import check
from gateway.core.errors import ConfigError
from gateway.policy.tenants import key_hash
from gateway.store.base import Learned
from gateway.web.asgi import Message
from stores import opened
from whole import database, page, settings, shown
from wired import LONG, chat


def test_it_starts_and_ends_with_its_server(tmp_path: Path) -> None:
    """The server's word is enough to open everything and to close it: no thread and no task is left."""

    async def run() -> None:
        said: list[str] = []
        words = iter(["lifespan.startup", "lifespan.shutdown"])

        async def receive() -> Message:
            return {"type": next(words)}

        async def send(message: Message) -> None:
            said.append(message["type"])
            if len(said) == 1:
                assert await page(gateway, "/healthz") == (200, b"ok\n")

        gateway = build(settings(tmp_path))
        await gateway({"type": "lifespan"}, receive, send)
        assert said == ["lifespan.startup.complete", "lifespan.shutdown.complete"]
        assert asyncio.all_tasks() == {asyncio.current_task()}

    before = set(threading.enumerate())
    asyncio.run(run())
    for thread in set(threading.enumerate()) - before:
        thread.join(20)
    assert set(threading.enumerate()) <= before


def test_policies_that_are_wrong_keep_it_from_starting(tmp_path: Path) -> None:
    """What is wrong is told before anything is opened."""
    (tmp_path / "mine.yaml").write_text("modus: off\n")
    with pytest.raises(ConfigError, match="modus"):
        build(settings(tmp_path, policies=tmp_path))
    assert not (tmp_path / "data").exists()


def test_variable_without_its_key_is_told_at_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Summaries would fail one by one otherwise; the value of one that is set is nowhere told."""
    told = "steps: [{{use: summarize}}]\nsummarizer: {{key_variable: {}}}\n"
    (tmp_path / "one.yaml").write_text(told.format("NOT_SET_ANYWHERE"))
    (tmp_path / "two.yaml").write_text(told.format("SET_HERE"))
    monkeypatch.setenv("SET_HERE", "sk-secret")

    build(settings(tmp_path, policies=tmp_path))

    (line,) = [vars(record) for record in caplog.records if record.levelname == "WARNING"]
    assert line["reason"].startswith("NOT_SET_ANYWHERE is not set")
    assert "sk-secret" not in str(line)


def test_check_and_start_name_what_is_not_read(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever wrote `tenant/` believes that keys are asked for; nothing but a sentence tells otherwise."""
    (tmp_path / "tenant").mkdir()
    (tmp_path / "other.yaml.txt").write_text("mode: off\n")

    build(settings(tmp_path, policies=tmp_path))
    check(settings(tmp_path, policies=tmp_path))

    told = [vars(line)["reason"] for line in caplog.records if line.message == "a file is not read"]
    assert f"{tmp_path}/tenant: is not read; the folder of tenants is called tenants: rename it." in told
    assert f"{tmp_path}/other.yaml.txt: is not read" in "".join(told)
    assert [f"Note: {text}" for text in told] == capsys.readouterr().out.splitlines()[1:]


def test_upstream_that_may_be_this_gateway_is_a_warning_of_the_start(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """In a container nobody knows; whoever reads the log of one that asks itself finds the reason."""
    upstream = "http://host.docker.internal:8080/v1"
    build(settings(tmp_path, host="0.0.0.0", port=8080, upstream=upstream))
    (told,) = [line for line in caplog.records if line.message == "an upstream may be this gateway"]
    assert told.levelname == "WARNING"
    assert vars(told)["reason"].startswith(
        f"--upstream or HAVERSACK_UPSTREAM: {upstream} may be this gateway"
    )


def test_tenant_whose_upstream_is_this_gateway_keeps_it_from_starting(tmp_path: Path) -> None:
    """It would ask itself again and again, as the gateway's own upstream would."""
    (tmp_path / "tenants").mkdir()
    told = f"keys: [{key_hash('hvs_x')}]\nupstream: http://127.0.0.1:8080/v1\n"
    (tmp_path / "tenants" / "acme.yaml").write_text(told)
    with pytest.raises(ConfigError, match=r"tenants/acme\.yaml: upstream: .* is this gateway"):
        build(settings(tmp_path, policies=tmp_path, port=8080))


def test_prices_that_are_wrong_keep_it_from_starting(tmp_path: Path) -> None:
    """A price file with a mistake is refused at the start: nothing is ever priced by half of it."""
    (tmp_path / "prices.yaml").write_text("gpt-4o*: {input: cheap, output: 10}\n")
    with pytest.raises(ConfigError, match=r"prices\.yaml:1: gpt-4o\*\.input: expects a number, not 'cheap'"):
        build(settings(tmp_path, prices=tmp_path / "prices.yaml"))


def test_open_or_closed_is_told_by_the_tenants(tmp_path: Path) -> None:
    """One tenant is enough for keys to be asked for."""
    assert build(settings(tmp_path)).is_open
    (tmp_path / "tenants").mkdir()
    (tmp_path / "tenants" / "acme.yaml").write_text(f"keys: [{key_hash('hvs_x')}]\n")
    assert not build(settings(tmp_path, policies=tmp_path)).is_open


def test_store_that_is_away_keeps_nobody_from_starting(tmp_path: Path) -> None:
    """Without a store the gateway serves all the same, says so at once, and counts it."""

    async def run() -> None:
        (tmp_path / "data").write_text("a file where a directory should be")
        async with build(settings(tmp_path)) as gateway:
            status, ready = await page(gateway, "/readyz")
            assert status == 200
            assert json.loads(ready)["store"].startswith("away")
            assert b'haversack_failed_open_total{reason="store"} 1.0' in (await page(gateway, "/metrics"))[1]
            status, body = await page(gateway, "/haversack/compact", body=chat(LONG))
            assert (status, json.loads(body)["report"]["action"]) == (200, "none")

    asyncio.run(run())


def test_what_was_learned_is_there_after_a_restart(tmp_path: Path) -> None:
    """A window that an upstream named is known to the next process from its first request on."""

    async def run() -> None:
        url = "http://upstream/v1"
        async with opened(database(tmp_path)) as store:
            await store.put_learned(Learned(url, "m", window=1500, window_at=4e9))
        async with build(settings(tmp_path, upstream=url)) as gateway:
            status, body = await page(gateway, "/haversack/compact", body=chat(LONG))
            assert status == 200
            report = json.loads(body)["report"]
            assert report["tokens_before"] > report["tokens_after"]
            assert report["action"] == "compacted"

    asyncio.run(run())


@pytest.mark.parametrize(
    ("host", "others", "status"),
    [
        (b"localhost:8080", {}, 200),
        (b"127.0.0.1", {}, 200),
        (b"127.8.8.8:1", {}, 200),
        (b"[::1]:8080", {}, 200),
        (b"", {}, 200),
        (b"evil.example", {}, 403),
        (b"127.0.0.1.evil.example", {}, 403),
        (b"box.lan:8080", {"allowed_hosts": ("box.lan",)}, 200),
        (b"box.lan:8080", {"allowed_hosts": ("Box.lan:8080",)}, 200),
        (b"evil.example", {"host": "0.0.0.0"}, 200),
    ],
)
def test_pages_of_others_cannot_lead_a_browser_here(
    tmp_path: Path, host: bytes, others: dict[str, Any], status: int
) -> None:
    """While everybody on this machine is let in, only names of this machine are answered."""

    async def run() -> None:
        gateway = build(settings(tmp_path, **others))
        assert (await page(gateway, "/healthz", [(b"host", host)]))[0] == status

    asyncio.run(run())


def test_any_host_is_answered_where_keys_are_asked_for(tmp_path: Path) -> None:
    """A page that leads a browser here has no key of a tenant."""

    async def run() -> None:
        (tmp_path / "tenants").mkdir()
        (tmp_path / "tenants" / "acme.yaml").write_text(f"keys: [{key_hash('hvs_x')}]\n")
        gateway = build(settings(tmp_path, policies=tmp_path))
        assert (await page(gateway, "/healthz", [(b"host", b"evil.example")]))[0] == 200

    asyncio.run(run())


def test_gauges_are_read_now_and_then(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A dashboard sees the size of the store, and which set of policies is in force."""
    monkeypatch.setattr(app, "LOOK_S", 0.001)

    async def run() -> None:
        async with build(settings(tmp_path)) as gateway:
            scrape = b""
            async with asyncio.timeout(20):
                while shown(scrape, "haversack_store_up") != 1:
                    scrape = (await page(gateway, "/metrics"))[1]
                    await asyncio.sleep(0.001)
            assert (shown(scrape, "haversack_store_bytes") or 0) > 0
            assert shown(scrape, "haversack_policy_generation") == 1
            assert shown(scrape, "haversack_policy_reload_problems") == 0

    asyncio.run(run())


def test_problems_of_policies_are_shown_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Who mends a file sees what its last reading found; what was told before is not told again."""
    monkeypatch.setattr(app, "LOOK_S", 3600.0)
    folder = tmp_path / "policies"
    folder.mkdir()
    (folder / "other.json").write_text("{}")

    async def run() -> None:
        async with build(settings(tmp_path, policies=folder)) as gateway:
            scrape = (await page(gateway, "/metrics"))[1]
            assert shown(scrape, "haversack_policy_generation") == 1
            await asyncio.sleep(0)  # until it listens to the signal
            (folder / "mine.yaml").write_text("windw: 5000\nmodus: off\n")
            os.kill(os.getpid(), signal.SIGHUP)
            async with asyncio.timeout(20):
                while shown(scrape, "haversack_policy_reload_problems") != 2:
                    await asyncio.sleep(0.001)
                    scrape = (await page(gateway, "/metrics"))[1]

    asyncio.run(run())
    assert [line.message for line in caplog.records].count("a file is not read") == 1


def test_store_that_cannot_be_opened_is_named(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A directory that cannot be used is in the log with the reason, so that its owner can mend it."""
    (tmp_path / "data").write_text("a file")

    async def run() -> None:
        async with build(settings(tmp_path)) as gateway:
            assert b"away" in (await page(gateway, "/readyz"))[1]

    asyncio.run(run())
    [told] = [record for record in caplog.records if "store is away" in record.getMessage()]
    assert vars(told)["data_dir"] == str(tmp_path / "data")
    assert "exists" in vars(told)["reason"] or "Not a directory" in vars(told)["reason"]


def test_store_that_goes_away_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """A file that vanishes under the gateway is seen by its page and its metrics, and logged once."""
    monkeypatch.setattr(app, "LOOK_S", 0.001)

    async def run() -> None:
        async with build(settings(tmp_path)) as gateway:
            for file in (tmp_path / "data").iterdir():
                file.unlink()
            ready = b"ok"
            async with asyncio.timeout(20):
                while b"away" not in ready:
                    ready = (await page(gateway, "/readyz"))[1]
                    await asyncio.sleep(0.001)
            assert shown((await page(gateway, "/metrics"))[1], "haversack_store_up") == 0

    asyncio.run(run())
    events = [record.getMessage() for record in caplog.records]
    assert events.count("the store is away; going on without") == 1
