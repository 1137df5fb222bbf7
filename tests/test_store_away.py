"""A store that breaks while the gateway runs costs nobody an answer.

What is compacted then carries no stub and no id: nothing may promise what cannot be kept. It is counted, and
only a policy that says so refuses instead.
"""

from __future__ import annotations

import contextlib
import json
import re
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest

from agents import Message, lines
from running import Running
from upstream import ScriptedUpstream

POLICIES = {
    "known.yaml": "extends: mechanical\nwindow: 4000\n"
    "steps: [{use: offload, min_tokens: 100, keep_last: 1}]\n",
    "required.yaml": "extends: known\nstore: {required: true}\n",
}


@pytest.fixture
def gateway(upstream: ScriptedUpstream, tmp_path: Path) -> Iterator[Running]:
    """A gateway with a policy that needs the store and one that does not."""
    folder = tmp_path / "policies"
    folder.mkdir()
    for name, text in POLICIES.items():
        (folder / name).write_text(text)
    with Running(upstream.url, tmp_path / "data", "--policies", str(folder), "--policy", "known") as running:
        yield running


def tool_talk(name: str, results: int = 8) -> list[Message]:
    """Return a conversation with large tool results, which are offloaded where they can be stored."""
    messages: list[Message] = [{"role": "user", "content": "Read all files."}]
    for n in range(results):
        call = {"id": f"c{n}", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}
        messages.append({"role": "assistant", "content": None, "tool_calls": [call]})
        messages.append({"role": "tool", "tool_call_id": f"c{n}", "content": lines(f"{name}{n}", 1500)})
    return [*messages, {"role": "assistant", "content": "Read."}, {"role": "user", "content": "And now?"}]


def ask(gateway: Running, name: str, policy: str = "known") -> httpx.Response:
    """Send a conversation that must be compacted."""
    body = json.dumps({"model": "gpt-test", "messages": tool_talk(name)})
    headers = {"authorization": "Bearer k", "x-haversack-policy": policy}
    return httpx.post(f"{gateway.url}/chat/completions", content=body, headers=headers, timeout=60)


def promises(upstream: ScriptedUpstream) -> list[str]:
    """Return the paths at which the list that went out last says there is more."""
    return re.findall(r"/haversack/originals/\S+?[0-9a-f]{24}", upstream.chats[-1].body.decode())


def failed_open(gateway: Running) -> float:
    """Return how often help has failed for reasons of the store."""
    found = re.findall(r'failed_open_total\{reason="store"\} (\S+)', gateway.get("/metrics")[1].decode())
    return float(found[0]) if found else 0.0


@contextlib.contextmanager
def folder_deleted(gateway: Running) -> Iterator[None]:
    """Delete the data directory."""
    shutil.rmtree(gateway.data_dir)
    yield


@contextlib.contextmanager
def folder_is_a_file(gateway: Running) -> Iterator[None]:
    """Put a file where the data directory was."""
    shutil.rmtree(gateway.data_dir)
    gateway.data_dir.write_text("")
    yield


@contextlib.contextmanager
def database_damaged(gateway: Running) -> Iterator[None]:
    """Write over the database and its log."""
    for file in gateway.data_dir.iterdir():
        file.write_bytes(b"not a database" * 5000)
    yield


@contextlib.contextmanager
def disk_full(gateway: Running) -> Iterator[None]:
    """Let no file of the gateway grow."""
    limits = resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, (1024, limits[1]))
    yield
    resource.prlimit(gateway.pid, resource.RLIMIT_FSIZE, limits)


@contextlib.contextmanager
def database_locked(gateway: Running) -> Iterator[None]:
    """Hold the right to write, as a backup may."""
    other = sqlite3.connect(gateway.data_dir / "haversack.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    yield
    other.execute("ROLLBACK")
    other.close()


BREAK = [folder_deleted, folder_is_a_file, database_damaged, disk_full, database_locked]
Breaking = Callable[[Running], contextlib.AbstractContextManager[None]]


@pytest.mark.parametrize("breaking", BREAK)
def test_requests_are_answered_without_a_store(
    breaking: Breaking, gateway: Running, upstream: ScriptedUpstream
) -> None:
    """Each is compacted, answered, promises nothing, is counted; a policy that needs the store refuses."""
    assert ask(gateway, "before").headers["x-haversack-action"] == "compacted"
    assert promises(upstream)
    counted = failed_open(gateway)

    with breaking(gateway):
        for name in ("first", "second"):
            answer = ask(gateway, name)
            assert (answer.status_code, answer.headers["x-haversack-action"]) == (200, "compacted")
            assert promises(upstream) == []
            assert upstream.chats[-1].tokens.total < 4000
        assert failed_open(gateway) > counted
        assert ask(gateway, "first").headers["x-haversack-action"] == "frozen"
        seen = len(upstream.chats)
        refused = ask(gateway, "third", policy="required")
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "store_unavailable")
        assert len(upstream.chats) == seen


@pytest.mark.parametrize("breaking", [disk_full, database_locked])
def test_a_store_that_comes_back_is_used(
    breaking: Breaking, gateway: Running, upstream: ScriptedUpstream
) -> None:
    """When the cause is gone, what is removed is kept again, without a restart."""
    with breaking(gateway):
        ask(gateway, "first")
        assert promises(upstream) == []

    assert ask(gateway, "second").headers["x-haversack-action"] == "compacted"
    path = promises(upstream)[0]
    found = httpx.get(gateway.origin + path, headers={"authorization": "Bearer k"})
    assert found.text == lines("second0", 1500)


def test_a_folder_that_cannot_be_used_at_start(upstream: ScriptedUpstream, tmp_path: Path) -> None:
    """A gateway whose data directory is a file starts, serves, and says that it keeps nothing."""
    (tmp_path / "data").write_text("")
    with Running(upstream.url, tmp_path / "data") as gateway:
        upstream.window = 4000
        for name in ("first", "second"):
            assert ask(gateway, name, policy="default").status_code == 200
            assert promises(upstream) == []
        upstream.wait(lambda: "away" in json.loads(gateway.get("/readyz")[1])["store"])
