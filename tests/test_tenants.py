"""Tenants over HTTP: who is let in, what they may choose, and files that change while the gateway runs."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from agents import Message, lines
from gateway.policy.tenants import key_hash
from running import Running
from upstream import ScriptedUpstream

KNOWN = "extends: mechanical\nwindow: 4000\n"
ACME = f"keys: [{key_hash('hvs_acme')}]\npolicy: known\npolicies: [off]\nmodels: [gpt-*]\n"
BETA = f"keys: [{key_hash('hvs_beta')}]\nextends: known\nwindow: 100000\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of policies with two tenants."""
    policies = tmp_path / "policies"
    (policies / "tenants").mkdir(parents=True)
    (policies / "known.yaml").write_text(KNOWN)
    (policies / "tenants" / "acme.yaml").write_text(ACME)
    (policies / "tenants" / "beta.yaml").write_text(BETA)
    return policies


@pytest.fixture
def gateway(upstream: ScriptedUpstream, folder: Path, tmp_path: Path) -> Iterator[Running]:
    """A gateway with these tenants."""
    with Running(upstream.url, tmp_path / "data", "--policies", str(folder)) as running:
        yield running


def long_talk() -> list[Message]:
    """Return a conversation of about 5,000 tokens."""
    messages: list[Message] = []
    for turn in range(20):
        messages.append({"role": "user", "content": lines(f"u{turn}", 170)})
        messages.append({"role": "assistant", "content": f"Turn {turn} is done."})
    return messages[:-1]


def ask(
    gateway: Running, key: str, body: dict[str, Any] | bytes | None = None, **headers: str
) -> httpx.Response:
    """Send a chat request with that key."""
    body = {"model": "gpt-test", "messages": long_talk()} if body is None else body
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    marks = {name.replace("_", "-"): value for name, value in headers.items()}
    sent = {"authorization": f"Bearer {key}", **marks}
    return httpx.post(f"{gateway.url}/chat/completions", content=content, headers=sent, timeout=60)


def action(answer: httpx.Response) -> str:
    """Return what was done, of an answer that is one."""
    assert answer.status_code == 200
    return answer.headers["x-haversack-action"]


def test_who_is_let_in(gateway: Running, upstream: ScriptedUpstream) -> None:
    """Only keys of tenants are, with a refusal in OpenAI's shape; a gateway key goes no further than here."""
    for key in ("hvs_unknown", "sk-vendor", "-"):
        refused = ask(gateway, key)
        assert refused.status_code == 401
        assert refused.json()["error"]["code"] == "invalid_api_key"
        assert set(refused.json()["error"]) == {"message", "type", "param", "code"}
    assert httpx.get(f"{gateway.url}/models").status_code == 401
    assert upstream.requests == []

    assert ask(gateway, "hvs_acme").status_code == 200
    assert ask(gateway, "sk-vendor", x_haversack_key="hvs_acme").status_code == 200
    assert httpx.get(f"{gateway.url}/files", headers={"authorization": "Bearer hvs_acme"}).status_code == 200

    assert b"hvs_" not in b"".join(request.raw for request in upstream.requests)
    assert [request.header("authorization") for request in upstream.requests] == [
        None,
        "Bearer sk-vendor",
        None,
    ]


UNREADABLE = [
    b'{"model": "o9", "messages": []}',
    b'{"model": "gpt-a", "model": "o9", "messages": []}',
    b'{"model": "gpt-a", "MODEL": "o9", "messages": []}',
    b'{"messages": []}',
    b"no JSON",
]

AZURE = "/openai/deployments"
ELSEWHERE: list[tuple[str, dict[str, str], bytes]] = [
    (f"{AZURE}/o9/chat/completions", {}, b'{"model": "gpt-a", "messages": []}'),
    (f"{AZURE}/o9/embeddings", {}, b'{"model": "gpt-a"}'),
    (f"{AZURE}/o9/embeddings", {}, b""),
    ("/openai/Deployments/o9/embeddings", {}, b'{"model": "gpt-a"}'),
    ("/openai/./deployments/o%39/chat/completions", {}, b'{"model": "gpt-a", "messages": []}'),
    (f"{AZURE}/o9/audio/transcriptions", {"content-type": "audio/wav"}, b"RIFF"),
    ("/v1/embeddings", {"content-type": "Application/JSON"}, b'{"model": "o9"}'),
    ("/v1/embeddings", {}, b'{"model": "gpt-a", "Model": "o9"}'),
    ("/v1/embeddings", {}, '{"model": "o9"}'.encode("utf-16")),
    ("/v1/embeddings", {"content-encoding": "br"}, b"?"),
]
ALLOWED: list[tuple[str, dict[str, str], bytes]] = [
    (f"{AZURE}/gpt-a/chat/completions", {}, b'{"messages": []}'),
    (f"{AZURE}/gpt-a/embeddings", {}, b'{"model": "gpt-a"}'),
    (f"{AZURE}/gpt-a/audio/transcriptions", {"content-type": "audio/wav"}, b"RIFF"),
    ("/v1/embeddings", {"content-type": "Application/JSON"}, b'{"model": "gpt-a"}'),
    ("/v1/threads", {}, b"{}"),
    ("/v1/batches/b/cancel", {}, b""),
    ("/v1/files", {"content-type": "application/octet-stream"}, b"\xff"),
]


def test_restricted_models(gateway: Running, upstream: ScriptedUpstream) -> None:
    """A tenant whose models are restricted reaches no other, however the body names it, compacted or not."""
    for body in UNREADABLE:
        for headers in ({}, {"x-haversack-policy": "off"}, {"x-haversack-bypass": "1"}):
            assert ask(gateway, "hvs_acme", body, **headers).status_code == 403
    assert upstream.requests == []
    assert {ask(gateway, "hvs_beta", body).status_code for body in UNREADABLE} <= {200, 400}


def test_restricted_models_wherever_they_are_named(gateway: Running, upstream: ScriptedUpstream) -> None:
    """No path, no type of body and no second name leads to another model; what names none still passes."""
    with httpx.Client(headers={"authorization": "Bearer hvs_acme"}) as client:
        for method in ("POST", "PUT"):
            for path, headers, body in ELSEWHERE:
                answer = client.request(method, gateway.origin + path, headers=headers, content=body)
                assert answer.status_code == 403, (method, path, body)
        assert upstream.requests == []
        for path, headers, body in ALLOWED:
            assert client.post(gateway.origin + path, headers=headers, content=body).status_code != 403
    assert len(upstream.requests) == len(ALLOWED)


def test_policies_by_header(gateway: Running) -> None:
    """A tenant may choose what its file names, and nothing else."""
    assert action(ask(gateway, "hvs_acme")) == "compacted"
    assert action(ask(gateway, "hvs_beta")) == "none"
    for name in ("mechanical", "made-up"):
        assert ask(gateway, "hvs_acme", x_haversack_policy=name).status_code == 403
    assert ask(gateway, "hvs_beta", x_haversack_policy="off").status_code == 403


def test_files_change_while_it_runs(gateway: Running, folder: Path, upstream: ScriptedUpstream) -> None:
    """A changed policy applies within seconds; a wrong one changes nothing, and health and metrics say so."""
    assert action(ask(gateway, "hvs_beta")) == "none"
    (folder / "tenants" / "beta.yaml").write_text(BETA.replace("100000", "4000"))
    eventually(lambda: action(ask(gateway, "hvs_beta")) != "none")

    (folder / "tenants" / "beta.yaml").write_text(BETA.replace("window", "windwo"))
    eventually(lambda: "windwo" in ready(gateway)["policies"])
    assert action(ask(gateway, "hvs_beta")) == "frozen"
    assert "beta.yaml" in ready(gateway)["policies"]
    eventually(lambda: b"haversack_policy_reload_problems 1.0" in gateway.get("/metrics")[1])

    (folder / "tenants" / "beta.yaml").write_text(BETA)
    eventually(lambda: ready(gateway)["policies"] == "ok")
    assert action(ask(gateway, "hvs_beta")) == "none"


def eventually(happened: Callable[[], object]) -> None:
    """Return as soon as it is true; files are looked at every second."""
    deadline = time.monotonic() + 20
    while not happened():
        assert time.monotonic() < deadline, "it did not happen in time"
        time.sleep(0.1)


def ready(gateway: Running) -> dict[str, Any]:
    """Return what `/readyz` says."""
    found: dict[str, Any] = json.loads(gateway.get("/readyz")[1])
    return found


def test_tenants_that_vanish_do_not_open_the_gateway(
    gateway: Running, folder: Path, upstream: ScriptedUpstream
) -> None:
    """A folder that is empty for a while, as when a volume is exchanged, lets nobody in without a key."""
    for file in (folder / "tenants").iterdir():
        file.unlink()
    eventually(lambda: "tenant" in ready(gateway)["policies"])

    assert ask(gateway, "sk-anybody").status_code == 401
    assert ask(gateway, "hvs_acme").status_code == 200
