"""What a gateway has decided outlives it, and outlives the key it was decided for.

`kill` is kill -9. What the upstream received is compared item by item as bytes.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from answers import sse
from gateway.policy.tenants import key_hash
from known import POLICY, Known, knowing, talk
from running import Running
from upstream import ScriptedUpstream

SHARED = "the data directory is shared"


@pytest.fixture
def app(upstream: ScriptedUpstream, tmp_path: Path) -> Iterator[Known]:
    """An application before a gateway of its own."""
    with knowing(tmp_path, upstream) as gateway:
        yield Known(gateway, upstream)


@pytest.mark.parametrize("model", ["gpt-test", "unknown"])
def test_kill_and_restart(model: str, app: Known) -> None:
    """After kill -9 and a restart the next request sends the same compacted prefix, byte for byte."""
    if model == "unknown":
        app.upstream.window = 4000
    said = app.send(talk(20), model=model)
    assert said.action in ("compacted", "rescued")

    app.gateway.kill()
    app.gateway.start()

    app.grow(talk(20), model=model)


def test_every_policy_remembers_its_own(app: Known) -> None:
    """After kill -9 each policy finds what it has decided itself about the same list, and no other's."""
    sent = {}
    for name in ("known", "sparing"):
        assert app.send(talk(20), x_haversack_policy=name).action == "compacted"
        sent[name] = app.last

    app.gateway.kill()
    app.gateway.start()

    for name, before in sent.items():
        assert app.send(talk(20), x_haversack_policy=name).action == "frozen"
        assert app.last == before


def test_kill_at_the_first_byte(app: Known) -> None:
    """The decision is on disk before the first byte of the answer is out."""
    event = 'data: {"choices": [{"index": 0, "delta": {"content": "Hi"}}]}\n\n'
    app.upstream.queue(sse([event], end="hang"))
    body = json.dumps({"model": "gpt-test", "stream": True, "messages": talk(20)}).encode()
    headers = {"authorization": "Bearer k"}
    with (
        contextlib.suppress(httpx.RemoteProtocolError),
        httpx.stream(
            "POST", f"{app.gateway.url}/chat/completions", content=body, headers=headers
        ) as response,
    ):
        assert next(response.iter_bytes()).startswith(b"data:")
        app.gateway.kill()
    app.gateway.start()

    app.grow(talk(20))


def test_a_rotated_key_keeps_the_state(upstream: ScriptedUpstream, tmp_path: Path) -> None:
    """A tenant whose key was exchanged while the gateway runs goes on where it was; the old key is out."""
    tenant = tmp_path / "policies" / "tenants" / "acme.yaml"
    tenant.parent.mkdir(parents=True)
    (tmp_path / "policies" / "known.yaml").write_text(POLICY)
    tenant.write_text(f"keys: [{key_hash('hvs_old')}]\npolicy: known\n")
    with Running(upstream.url, tmp_path / "data", "--policies", str(tmp_path / "policies")) as gateway:
        app = Known(gateway, upstream, key="hvs_new")
        assert app.send(talk(20), key="hvs_old").action == "compacted"

        tenant.write_text(f"keys: [{key_hash('hvs_new')}]\npolicy: known\n")
        upstream.wait(lambda: status(gateway, "hvs_new") == 404, within_s=20)

        app.grow(talk(20))
        assert status(gateway, "hvs_old") == 401


def status(gateway: Running, key: str) -> int:
    """Return 404 for a key that is let in, 401 for one that is not."""
    headers = {"authorization": f"Bearer {key}"}
    return httpx.get(f"{gateway.origin}/haversack/originals/none", headers=headers).status_code


def test_an_older_branch_first_after_a_restart(app: Known) -> None:
    """Going on with an old branch after a restart does not hide what was decided for the newest one."""
    app.send(talk(12))
    assert app.send(talk(24)).action == "compacted"
    newest = app.last
    app.gateway.kill()
    app.gateway.start()

    assert app.send(talk(12)).action == "frozen"
    assert app.send(talk(24)).action == "frozen"
    assert app.last == newest


def test_second_gateway_on_the_same_data_is_warned_and_works(app: Known, tmp_path: Path) -> None:
    """What one has decided the other replays; who starts the second reads what both do, once."""
    assert app.send(talk(20)).action == "compacted"
    assert SHARED not in app.gateway.log
    flags = ("--policies", str(tmp_path / "policies"), "--policy", "known")
    with Running(app.upstream.url, tmp_path / "data", *flags) as second:
        Known(second, app.upstream).grow(talk(20))
        app.grow(talk(20))
        assert app.gateway.log.count(SHARED) == 1
        assert "name another --data-dir" in app.gateway.log
