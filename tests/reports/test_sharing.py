"""Reports about what many clients share (`sharing.json`, `retrieval.json`): state, the store, the process."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from agents import slices
from forwarded import Messages
from reported import Stage, body_of, encoded, reported, staged

STUBS = """\
extends: mechanical
window: 1000
steps: [{use: offload, min_tokens: 20, keep_last: 0, roles: [user]}]
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """One gateway for all tests here."""
    with staged(tmp_path_factory.mktemp("sharing"), (1000, 8000), {"wstubs": STUBS}) as stage:
        yield stage
        assert "failed" not in stage.gateway.log


def behind(old: str, messages: Messages) -> Messages:
    """Return a conversation that said this before, at length, in front of its latest messages."""
    front = [message for message in messages if message["role"] == "system"]
    said = [{"role": "user", "content": f"{old} " * 900}, {"role": "assistant", "content": f"{old} noted."}]
    return [*front, *said, *messages[len(front) :]]


@pytest.mark.parametrize("session", ["", "S"])
def test_equal_beginnings_are_two_conversations(stage: Stage, session: str) -> None:
    """Chats with one system message, and even one session name and key, share nothing that they said."""
    headers = {"x_session_id": session} if session else {}
    chats = [found["messages"] for found in reported("ses-02-derived-id-collides")["requests"]]
    for _ in range(3):
        for name, messages in zip(("alpha", "beta"), chats, strict=True):
            sent = {"model": "m", "messages": behind(name, messages)}
            got = stage.send(sent, window=1000, key=f"one{session}", **headers)
            assert got.header("x-haversack-action") in ("compacted", "frozen")
            said = stage.sent.body.decode()
            assert name in said
            assert ({"alpha", "beta"} - {name}).pop() not in said
            assert stage.sent.messages[-1] == messages[-1]


def test_agents_of_one_session(stage: Stage) -> None:
    """Agents under one session header go on with what each has said, in whatever order they speak."""
    found = reported("ses-03-subagents-share-header")
    main, sub, longer = found["parallel"]
    lists = [behind("main", main), behind("sub", sub), behind("main", longer)]
    seen: list[list[bytes]] = []
    for messages in (*lists, *lists):
        body = {"model": "m", "messages": messages}
        stage.send(body, window=1000, key="agents", x_session_id=found["session"])
        seen.append(slices(stage.sent.body))
    assert seen[:3] == seen[3:]
    assert seen[2][: len(seen[0])] == seen[0]
    assert b"main" not in b"".join(seen[1])
    assert b"sub" not in b"".join(seen[2])


def test_agents_at_the_same_time(stage: Stage) -> None:
    """The same holds when they all speak at once."""
    names = [f"agent{number}x" for number in range(8)]

    def speak(name: str) -> bool:
        messages = behind(name, [{"role": "system", "content": "S"}, {"role": "user", "content": name}])
        body = {"model": "m", "messages": messages}
        return stage.send(body, window=1000, key="at once", x_session_id="S").status == 200

    before = len(stage.upstream.chats)
    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(speak, names * 3))
    for request in stage.upstream.chats[before:]:
        own = request.messages[-1]["content"]
        assert not [name for name in names if name != own and name.encode() in request.body]


WRONG = ("..%2f..%2fetc%2fpasswd", "SHA256-" + "0" * 24, "%00", "*", "x" * 5000, "sha256-")
"""What is no reference of anybody's."""


def test_reference_of_another(stage: Stage) -> None:
    """A reference is its owner's; others, and who asks for what is none, get one answer: not found."""
    steps = reported("ret-05-cross-session-reference")["steps"]
    secret = f"{steps[0]['offload']} " * 300
    messages = [{"role": "user", "content": "a"}, *behind(secret, [])[:2], {"role": "user", "content": "b"}]
    messages[1]["content"] = secret
    messages.insert(1, {"role": "assistant", "content": "yes"})
    stage.send({"model": "m", "messages": messages}, window="stubs", key="K1", x_session_id="s1")
    found = re.search(r"GET (\S+/)(sha256-[0-9a-f]+)", stage.sent.body.decode())
    assert found is not None
    path, id = found.groups()
    assert stage.call("GET", path + id, key="K1").body.decode() == secret

    answers = [stage.call("GET", path + id, key="K2", headers={"x-session-id": "s1"})]
    answers += [stage.call("GET", path + wrong, key="K1") for wrong in (id[:-1], id + "0", *WRONG)]
    assert {answer.status for answer in answers} == {404}
    assert stage.call("DELETE", path + id, key="K2").status == 404
    assert stage.call("GET", path + id, key="K1").status == 200
    told = {json.loads(answer.body)["error"]["message"] for answer in answers}
    assert len({text for text in told if "the README lists its routes" not in text}) == 1
    assert stage.call("GET", path + steps[3]["retrieve"], key="K1").status == 404


def test_store_takes_all_at_once(stage: Stage) -> None:
    """Many conversations that are put away and read at the same time all come through, without an error."""
    found = reported("db-01-locked")

    def work(number: int) -> bool:
        key = f"db-{number}"
        text = f"text {number} " * 500
        sent: Messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
        sent += [{"role": "user", "content": text}, {"role": "assistant", "content": "c"}]
        body = {"model": "m", "messages": [*sent, {"role": "user", "content": "d"}]}
        got = stage.send(body, window="stubs", key=key)
        request = next(r for r in stage.upstream.chats if r.header("authorization") == f"Bearer {key}")
        path = re.search(r"GET (\S+/sha256-[0-9a-f]+)", request.body.decode())
        kept = stage.call("GET", path[1], key=key).body.decode() if path else ""
        return (got.status, kept) == (200, text)

    with ThreadPoolExecutor(found["concurrency"] // 2) as pool:
        assert all(pool.map(work, range(1000, 1000 + 2 * found["concurrency"])))


def records(stage: Stage) -> int:
    """Return how many originals are stored."""
    database = sqlite3.connect(stage.gateway.data_dir / "haversack.db")
    found = int(database.execute("SELECT count(*) FROM originals").fetchone()[0])
    database.close()
    return found


def test_content_is_stored_once(stage: Stage) -> None:
    """A text that comes again with every turn is one record, however often it is put away."""
    assert "500 turns" in reported("db-02-growth")["load"]
    messages: Messages = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}]
    before, number = records(stage), 0
    for turn in range(12):
        messages += [
            {"role": "user", "content": "again " * 1200},
            {"role": "assistant", "content": "c"},
        ]
        # An edit of the beginning makes it another conversation.
        messages[1] = {"role": "assistant", "content": f"b{turn}"}
        sent = {"model": "m", "messages": [*messages, {"role": "user", "content": "d"}]}
        got = stage.send(sent, window="stubs", key="growth")
        assert (got.status, got.header("x-haversack-action")) == (200, "compacted")
        number += stage.sent.body.count(b"[haversack offload")
    assert number > 50
    assert records(stage) - before < 15  # the text, and what the last rungs took away beside it


def test_labels_are_bounded(stage: Stage) -> None:
    """Names that clients make up do not become metrics, however many and however long they are."""
    flood = reported("ops-01-label-cardinality")["flood"]
    body = {"messages": [{"role": "user", "content": "q"}]}
    for number in range(flood["models"] // 20):
        name = f"made-up-{number}-" + "x" * (flood["model_len"] if number % 50 == 0 else 0)
        stage.send({"model": name, **body}, key=f"made-up-{number}", x_session_id=name[:200])
        stage.call("POST", f"/made-up-{number}/x.php", b"{}")
    for path in flood["paths"]:
        stage.call("GET", path)
    page = stage.gateway.get("/metrics")[1]
    assert b"made-up" not in page
    assert b"solr" not in page
    assert len(page) < 200_000


def test_others_are_served_meanwhile(stage: Stage) -> None:
    """While a body of many megabytes is compacted, pages and other streams are answered."""
    assert reported("ops-04-cpu-work-on-event-loop")["parallel"][0] == {"body_mb": 20}
    large = {"role": "user", "content": "word word again. " * 700_000}
    messages = [large, {"role": "assistant", "content": "ok"}, {"role": "user", "content": "q"}]
    with ThreadPoolExecutor(1) as pool:
        answer = pool.submit(stage.send, {"model": "m", "messages": messages}, window=8000)
        served = 0
        while not answer.done():
            assert stage.gateway.get("/healthz")[0] == 200
            served += 1
            time.sleep(0.005)
    assert answer.result().status == 200
    assert served >= 3


def test_long_runs_hold_up_nobody(stage: Stage) -> None:
    """While runs without a blank are counted, a page is answered, and the request is not lost."""
    sent = encoded({**body_of("con-20-quadratic-tokenising"), "model": "m"})
    with socket.create_connection(("127.0.0.1", stage.gateway.port), timeout=30) as client:
        head = b"POST /v1/chat/completions HTTP/1.1\r\nHost: localhost\r\nx-haversack-policy: w8000\r\n"
        client.sendall(head + b"Connection: close\r\nContent-Length: %d\r\n\r\n" % len(sent) + sent)
        assert stage.gateway.get("/healthz")[0] == 200
        assert b"".join(iter(lambda: client.recv(65536), b"")).startswith(b"HTTP/1.1 200")
