"""The gateway's own pages, over HTTP: dry run, originals, metrics, health; and who is let in."""

from __future__ import annotations

import hashlib
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from prometheus_client.parser import text_string_to_metric_families

from agents import Message, lines
from running import Running
from upstream import ScriptedUpstream

POLICIES = {
    "known.yaml": "extends: mechanical\nwindow: 4000\n",
    "stubs.yaml": "extends: mechanical\nwindow: 4000\n"
    "steps: [{use: offload, min_tokens: 100, keep_last: 1}]\n",
    "strict.yaml": "extends: known\nstore: {required: true}\n",
}


def write_policies(folder: Path, **more: str) -> Path:
    """Write the policies of these tests, and tenants if any are given, and return their folder."""
    (folder / "tenants").mkdir(parents=True)
    for name, text in POLICIES.items():
        (folder / name).write_text(text)
    for name, text in more.items():
        (folder / "tenants" / f"{name}.yaml").write_text(text)
    return folder


@pytest.fixture(scope="module")
def upstream() -> Iterator[ScriptedUpstream]:
    """An upstream that takes any length."""
    with ScriptedUpstream() as scripted:
        yield scripted


@pytest.fixture(scope="module")
def gateway(upstream: ScriptedUpstream, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A gateway without tenants; every test uses a key of its own."""
    folder = tmp_path_factory.mktemp("pages")
    flags = ("--policies", str(write_policies(folder / "policies")), "--policy", "known")
    with Running(upstream.url, folder / "data", *flags) as running:
        yield running


def client(gateway: Running, key: str, **headers: str) -> httpx.Client:
    """Return a client with that key."""
    marks = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.Client(
        base_url=gateway.origin, headers={"authorization": f"Bearer {key}", **marks}, timeout=60
    )


def chat(messages: list[Message], **more: Any) -> dict[str, Any]:
    """Return the body of a chat request."""
    return {"model": "gpt-test", "messages": messages, **more}


def long_talk(turns: int = 20) -> list[Message]:
    """Return a conversation of about 5,000 tokens."""
    messages: list[Message] = [{"role": "system", "content": "Be brief."}]
    for turn in range(turns):
        messages.append({"role": "user", "content": lines(f"u{turn}", 170)})
        messages.append({"role": "assistant", "content": f"Turn {turn} is done."})
    return messages[:-1]


def tool_talk(results: int = 6) -> list[Message]:
    """Return a conversation with large tool results."""
    messages: list[Message] = [{"role": "user", "content": "Read all files."}]
    for n in range(results):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": lines(f"r{n}", 600)})
    return [*messages, {"role": "assistant", "content": "Read."}, {"role": "user", "content": "And now?"}]


def test_dry_run(gateway: Running, upstream: ScriptedUpstream) -> None:
    """A dry run tells what would be sent, and sends and stores nothing; the request then sends just that."""
    before, sent = stored(gateway), len(upstream.requests)
    with client(gateway, "dry") as http:
        found = http.post("/haversack/compact", json=chat(long_talk()))
        report = found.json()["report"]
        assert (stored(gateway), len(upstream.requests)) == (before, sent)
        gone = [item["id"] for item in report["removed"]]
        assert gone
        assert {http.get(f"/haversack/originals/{id}").status_code for id in gone} == {404}

        answer = http.post("/v1/chat/completions", json=chat(long_talk()))
        assert upstream.chats[-1].json == found.json()["request"]
        assert upstream.chats[-1].body in found.content
        tokens = f"before={report['tokens_before']};after={report['tokens_after']}"
        assert answer.headers["x-haversack-tokens"] == tokens
        assert [step["step"] for step in report["steps"] if step["outcome"] == "changed"] == ["digest"]
        originals = [http.get(f"/haversack/originals/{id}").content for id in gone]
        raws = [json.dumps(m, ensure_ascii=False, separators=(",", ":")).encode() for m in long_talk()]
        assert [hashlib.sha256(raw).hexdigest() for raw in originals] == [id[7:] for id in gone]
        assert set(originals) <= set(raws)


def stored(gateway: Running) -> list[int]:
    """Return how many records of each kind there are."""
    with sqlite3.connect(gateway.data_dir / "haversack.db") as database:
        return [
            database.execute(f"SELECT count(*) FROM {table}").fetchone()[0]
            for table in ("originals", "checkpoints")
        ]


@pytest.mark.parametrize("target", [400, 1000, 2500])
def test_dry_run_for_a_target(target: int, gateway: Running) -> None:
    """With a target the result fits it, whatever the policy would do by itself."""
    with client(gateway, "target") as http:
        found = http.post(f"/haversack/compact?target_tokens={target}", json=chat(long_talk())).json()

    assert found["report"]["tokens_before"] > 4000
    assert found["report"]["tokens_after"] <= target
    assert found["request"]["messages"][0] == long_talk()[0]
    assert found["request"]["messages"][-1] == long_talk()[-1]


def test_dry_run_of_what_fits(gateway: Running) -> None:
    """What needs no compaction comes back as it is, and so does everything with the policy `off`."""
    with client(gateway, "fits") as http:
        short = http.post("/haversack/compact", json=chat(long_talk(2))).json()
        off = http.post("/haversack/compact?policy=off", json=chat(long_talk())).json()

    assert (short["request"], short["report"]["removed"]) == (chat(long_talk(2)), [])
    assert (off["request"], off["report"]["removed"], off["report"]["steps"]) == (chat(long_talk()), [], [])


@pytest.mark.parametrize(
    ("query", "body"), [("policy=defualt", b'{"messages":[]}'), ("", b"no JSON"), ("target_tokens=-1", b"{}")]
)
def test_dry_run_of_nonsense(query: str, body: bytes, gateway: Running) -> None:
    """A wrong name, body or number is the client's mistake, and is called that."""
    with client(gateway, "wrong") as http:
        answer = http.post(f"/haversack/compact?{query}", content=body)

    assert (answer.status_code, answer.json()["error"]["code"]) == (400, "invalid_request")


def test_dry_run_knows_what_was_learned(upstream: ScriptedUpstream, gateway: Running) -> None:
    """The window that an upstream named in an error holds in a dry run, too."""
    upstream.window = 4000
    with client(gateway, "learn", x_haversack_policy="default") as http:
        body = chat(long_talk(), model="learning")
        assert http.post("/v1/chat/completions", json=body).headers["x-haversack-action"] == "rescued"
        upstream.window = None
        report = http.post("/haversack/compact?policy=default", json=body).json()["report"]

    assert report["action"] == "frozen"
    assert report["tokens_after"] < 4000


def test_originals(gateway: Running, upstream: ScriptedUpstream) -> None:
    """What stands behind a stub is served whole to its owner, to nobody else, and deleted on demand."""
    with client(gateway, "mine", x_haversack_policy="stubs") as http:
        http.post("/v1/chat/completions", json=chat(tool_talk()))
        paths = re.findall(r"GET (\S+?/originals/sha256-[0-9a-f]+)", upstream.chats[-1].body.decode())
        assert paths
        contents = [http.get(path).text for path in paths]
        assert contents == [lines(f"r{n}", 600) for n in range(len(paths))]

        with client(gateway, "other") as stranger:
            assert stranger.get(paths[0]).status_code == 404
            assert stranger.delete(paths[0]).status_code == 404
        assert http.get(paths[0]).status_code == 200
        assert http.delete(paths[0]).status_code == 204
        assert http.get(paths[0]).status_code == http.delete(paths[0]).status_code == 404
        assert http.get("/haversack/nothing").json()["error"]["code"] == "not_found"


def scraped(gateway: Running) -> dict[tuple[str, ...], float]:
    """Return every value of a scrape, by name and label values in the order of the labels' names."""
    families = text_string_to_metric_families(gateway.get("/metrics")[1].decode())
    return {
        (sample.name.removeprefix("haversack_"), *sample.labels.values()): sample.value
        for family in families
        for sample in family.samples
    }


def test_metrics_tell_what_happened(gateway: Running, upstream: ScriptedUpstream) -> None:
    """Requests, attempts, steps, tokens and overflows grow by what the answers say, and by nothing else."""
    before = scraped(gateway)
    upstream.window = 3000
    with client(gateway, "counted", x_haversack_policy="default") as http:
        answers = [
            http.post("/v1/chat/completions", json=chat(long_talk(turns), model="metered"))
            for turns in (2, 20, 20)
        ]
    upstream.window = None
    after = scraped(gateway)
    grown = {key: value - before.get(key, 0) for key, value in after.items() if value != before.get(key, 0)}

    assert [answer.headers["x-haversack-action"] for answer in answers] == ["none", "rescued", "frozen"]
    for action in ("none", "rescued", "frozen"):
        assert grown["requests_total", action, "openai_chat", "default", "200", "open"] == 1
        assert grown["added_latency_seconds_count", action, "default", "open"] == 1
    assert grown["attempts_total", "ok", "openai"] == 3
    assert grown["attempts_total", "overflow", "openai"] == 1
    assert grown["overflows_total", "rescued", "openai"] == 1
    assert grown["compactions_total", "changed", "default", "digest", "open"] == 1
    numbers = [re.findall(r"\d+", answer.headers["x-haversack-tokens"]) for answer in answers]
    for side, at in (("before", 0), ("after", 1)):
        assert grown["tokens_total", "default", side, "open"] == pytest.approx(
            sum(int(both[at]) for both in numbers), abs=2
        )
    spent = sum(answer.json()["usage"]["prompt_tokens"] for answer in answers)
    assert grown["upstream_tokens_total", "input", "openai"] == spent
    assert not any(key[0] == "failed_open_total" for key in grown)
    assert after["in_flight",] == 0


def test_health(gateway: Running) -> None:
    """A gateway that works says so."""
    assert gateway.get("/healthz") == (200, b"ok\n")
    status, body = gateway.get("/readyz")
    assert (status, json.loads(body)) == (200, {"ready": True, "policies": "ok", "store": "ok"})


@pytest.mark.parametrize(
    ("host", "allowed"),
    [
        ("localhost", True),
        ("127.0.0.1:1", True),
        ("[::1]", True),
        ("evil.example", False),
        ("127.0.0.1.evil.example", False),
    ],
)
def test_other_host_names_are_refused(host: str, allowed: bool, gateway: Running) -> None:
    """Without tenants, a web page that leads a browser here by a name of its own gets nothing."""
    with client(gateway, "host", host=host) as http:
        for path in ("/readyz", "/v1/models"):
            assert http.get(path).status_code == (200 if allowed else 403)


def test_open_to_the_world_is_refused(tmp_path: Path) -> None:
    """Without tenants, an address that others can reach is not listened on, unless that is asked for."""
    command = [sys.executable, "-m", "gateway", "serve", "--host", "0.0.0.0", "--data-dir", str(tmp_path)]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)

    assert ended.returncode == 2
    assert "--allow-open" in ended.stderr
