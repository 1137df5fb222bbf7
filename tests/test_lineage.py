"""A decision is made once and replayed, for whoever sends that list again, and for nobody else.

Windows are named by a policy, so that it is known when a list is over the trigger. What the upstream received
is compared item by item as bytes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from agents import Message, Said, agent, lines, post, run_plainly, slices, task, tool_loop
from answers import sse
from gateway.policy.tenants import key_hash
from running import Running
from upstream import ScriptedUpstream

POLICY = """
extends: default
windows: {gpt-test: 4000, tiny: 1100, huge: 100000}
"""


@pytest.fixture
def upstream() -> Iterator[ScriptedUpstream]:
    """An upstream that answers everything that is well-formed, and enforces the window of `gpt-test`."""
    with ScriptedUpstream() as scripted:
        yield scripted


@pytest.fixture
def gateway(upstream: ScriptedUpstream, tmp_path: Path) -> Iterator[Running]:
    """A gateway that knows the windows."""
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "known.yaml").write_text(POLICY)
    flags = ("--policies", str(tmp_path / "policies"), "--policy", "known")
    with Running(upstream.url, tmp_path / "data", *flags) as running:
        yield running
        assert "failed" not in running.log


def talk(turns: int, name: str = "a", start: int = 0) -> list[Message]:
    """Return the turns of a conversation without a system message, the last of them not yet answered."""
    messages: list[Message] = []
    for turn in range(start, turns):
        messages.append({"role": "user", "content": f"{name}: {task(turn)} {lines(f'{name}{turn}', 160)}"})
        messages.append({"role": "assistant", "content": f"{name}{turn} is done."})
    return messages[:-1]


def send(
    gateway: Running, messages: list[Message], *, key: str = "k", model: str = "gpt-test", **headers: Any
) -> Said:
    """Send a list, and return what was said. An error is raised."""
    body = json.dumps({"model": model, "messages": messages}).encode()
    with httpx.Client(base_url=gateway.url, timeout=60) as client:
        return post(client, body, key=key, **headers)


def last(upstream: ScriptedUpstream) -> list[bytes]:
    """Return the items of the list that the upstream received last."""
    return slices(upstream.chats[-1].body)


def grown(
    gateway: Running, upstream: ScriptedUpstream, messages: list[Message], **options: Any
) -> list[bytes]:
    """Send the list one turn longer, assert that what went out before is repeated, and return it all."""
    before = last(upstream)
    longer = [*messages, {"role": "assistant", "content": "Yes."}, {"role": "user", "content": "Go on."}]
    said = send(gateway, longer, **options)
    after = last(upstream)
    assert said.action == "frozen"
    assert after[: len(before)] == before
    return after


@pytest.mark.parametrize("model", ["gpt-test", "unknown"])
def test_kill_and_restart(model: str, upstream: ScriptedUpstream, gateway: Running) -> None:
    """After kill -9 and a restart the next request sends the same compacted prefix, byte for byte."""
    if model == "unknown":
        upstream.window = 4000
    said = send(gateway, talk(20), model=model)
    assert said.action in ("compacted", "rescued")

    gateway.kill()
    gateway.start()

    grown(gateway, upstream, talk(20), model=model)


def test_kill_at_the_first_byte(upstream: ScriptedUpstream, gateway: Running) -> None:
    """The decision is on disk before the first byte of the answer is out."""
    event = 'data: {"choices": [{"index": 0, "delta": {"content": "Hi"}}]}\n\n'
    upstream.queue(sse([event], end="hang"))
    body = json.dumps({"model": "gpt-test", "stream": True, "messages": talk(20)}).encode()
    headers = {"authorization": "Bearer k"}
    with contextlib.suppress(httpx.RemoteProtocolError), httpx.Client(base_url=gateway.url) as client:
        with client.stream("POST", "chat/completions", content=body, headers=headers) as response:
            assert next(response.iter_bytes()).startswith(b"data:")
            gateway.kill()
    gateway.start()

    grown(gateway, upstream, talk(20))


def test_between_compactions_lists_only_grow(upstream: ScriptedUpstream, gateway: Running) -> None:
    """Until the next compaction every list begins with the one before it, and compactions are rare."""
    upstream.script = agent(upstream, every=2)
    said = run_plainly(tool_loop(60, result=160), gateway.url)

    lists = [slices(request.body) for request in upstream.chats]
    for before, after, one in zip(lists, lists[1:], said[1:], strict=False):
        if one.action in ("none", "frozen"):
            assert after[: len(before)] == before
    actions = [one.action for one in said]
    assert actions.count("frozen") > 3 * actions.count("compacted") > 0
    assert "none" not in actions[actions.index("compacted") :]


def test_fork(upstream: ScriptedUpstream, gateway: Running) -> None:
    """Two continuations of one conversation both stand on what was decided for it."""
    send(gateway, talk(20))
    before = last(upstream)
    for branch in ("left", "right"):
        longer = [
            *talk(20),
            {"role": "assistant", "content": branch},
            {"role": "user", "content": branch * 3},
        ]
        assert send(gateway, longer).action == "frozen"
        assert last(upstream)[:-2] == before
        assert branch.encode() * 3 in last(upstream)[-1]


@pytest.mark.parametrize("edited", [0, 6, 20])
def test_edit(edited: int, upstream: ScriptedUpstream, gateway: Running) -> None:
    """An edited old message is sent as it is now; nothing of what it said before is left."""
    messages = talk(20)
    messages[edited] = {"role": "user", "content": "The code word is HERON. Always use it."}
    send(gateway, messages)
    assert b"HERON" in upstream.chats[-1].body

    messages[edited] = {"role": "user", "content": "The code word is OTTER. Always use it."}
    assert send(gateway, messages).action == "compacted"

    assert b"HERON" not in upstream.chats[-1].body
    assert b"OTTER" in upstream.chats[-1].body


def test_regenerate(upstream: ScriptedUpstream, gateway: Running) -> None:
    """A request sent again, with its last answer dropped, sends the very same bytes."""
    send(gateway, talk(20))
    first = upstream.chats[-1].body
    send(gateway, [*talk(20), {"role": "assistant", "content": "No."}, {"role": "user", "content": "Why?"}])

    assert send(gateway, talk(20)).action == "frozen"
    assert upstream.chats[-1].body == first


def test_client_compacts_itself(upstream: ScriptedUpstream, gateway: Running) -> None:
    """A list that the client has made shorter goes out as the client made it."""
    send(gateway, talk(20))
    own = [{"role": "user", "content": "Summary: a0 to a18 are done."}, *talk(20)[-2:]]

    said = send(gateway, own)

    assert said.action == "none"
    assert upstream.chats[-1].body == said.sent


def test_another_window(upstream: ScriptedUpstream, gateway: Running) -> None:
    """A larger model sees everything, a smaller one fits, and going back finds the decision made before."""
    send(gateway, talk(20))
    first = last(upstream)

    whole = send(gateway, talk(20), model="huge")
    assert (whole.action, upstream.chats[-1].body) == ("none", whole.sent)

    upstream.window = 1100
    assert send(gateway, talk(20), model="tiny").action == "compacted"
    upstream.window = 4000
    assert send(gateway, talk(20)).action == "frozen"
    assert last(upstream) == first


@pytest.mark.parametrize("model", ["gpt-test", "unknown"])
def test_late_attach(model: str, upstream: ScriptedUpstream, gateway: Running) -> None:
    """Three hundred messages that arrive at once are brought to size in one go, and then extended."""
    upstream.window = 4000
    assert send(gateway, talk(150), model=model).action in ("compacted", "rescued")
    assert upstream.chats[-1].problems == []

    grown(gateway, upstream, talk(150), model=model)


def test_equal_beginnings(upstream: ScriptedUpstream, gateway: Running) -> None:
    """Two conversations that begin alike never see each other's later messages."""
    for _ in range(2):
        for name in ("heron", "otter"):
            send(gateway, [*talk(8), {"role": "assistant", "content": "So."}, *talk(20, name, start=8)])
            other = b"heron" if name == "otter" else b"otter"
            assert other not in upstream.chats[-1].body


def test_two_keys_share_nothing(upstream: ScriptedUpstream, gateway: Running) -> None:
    """The same conversation under the same session id, with another key, is another conversation."""
    first = send(gateway, talk(20), key="one", x_session_id="same")
    mine = last(upstream)
    second = send(gateway, talk(20), key="two", x_session_id="same")

    assert (first.action, second.action) == ("compacted", "compacted")
    assert first.session != second.session
    assert send(gateway, talk(20), key="one", x_session_id="same").action == "frozen"
    assert last(upstream) == mine


def test_a_rotated_key_keeps_the_state(upstream: ScriptedUpstream, tmp_path: Path) -> None:
    """A tenant whose key was exchanged while the gateway runs goes on where it was; the old key is out."""
    tenants = tmp_path / "policies" / "tenants"
    tenants.mkdir(parents=True)
    (tmp_path / "policies" / "known.yaml").write_text(POLICY)
    file = tenants / "acme.yaml"
    file.write_text(f"keys: [{key_hash('hvs_old')}]\npolicy: known\n")
    with Running(upstream.url, tmp_path / "data", "--policies", str(tmp_path / "policies")) as gateway:
        assert send(gateway, talk(20), key="hvs_old").action == "compacted"

        file.write_text(f"keys: [{key_hash('hvs_new')}]\npolicy: known\n")
        upstream.wait(lambda: status(gateway, "hvs_new") == 404, within_s=20)

        grown(gateway, upstream, talk(20), key="hvs_new")
        assert status(gateway, "hvs_old") == 401


def status(gateway: Running, key: str) -> int:
    """Return 404 for a key that is let in, 401 for one that is not."""
    headers = {"authorization": f"Bearer {key}"}
    return httpx.get(f"{gateway.origin}/haversack/originals/none", headers=headers).status_code


def test_many_at_once(upstream: ScriptedUpstream, gateway: Running) -> None:
    """Twenty identical requests at the same time are all answered, and all send the same bytes."""
    body = json.dumps({"model": "gpt-test", "messages": talk(40)}).encode()

    async def ask(client: httpx.AsyncClient) -> int:
        answer = await client.post("chat/completions", content=body, headers={"authorization": "Bearer k"})
        return answer.status_code

    async def ask_all() -> list[int]:
        async with httpx.AsyncClient(base_url=gateway.url, timeout=60) as client:
            return await asyncio.gather(*(ask(client) for _ in range(20)))

    assert asyncio.run(ask_all()) == [200] * 20
    assert len({request.body for request in upstream.chats}) == 1


def rewritten(messages: list[Message], turn: int) -> list[Message]:
    """Return the list as clients send it in the next turn: other key order, marks moved, parts for text."""
    changed: list[Message] = []
    for index, message in enumerate(messages):
        text = message["content"]
        part: Message = {"type": "text", "text": text}
        if index == len(messages) - 1 - turn:
            part["cache_control"] = {"type": "ephemeral"}
        content = [part] if (index + turn) % 2 else text
        changed.append({"content": content, "name": None, "role": message["role"]})
    return changed


def test_clients_that_write_the_same_differently(upstream: ScriptedUpstream, gateway: Running) -> None:
    """Reordered keys, moved cache marks, nulls, and text as parts are still the same conversation."""
    assert send(gateway, talk(20)).action == "compacted"
    for turn in range(4):
        assert send(gateway, rewritten(talk(20), turn)).action == "frozen"
