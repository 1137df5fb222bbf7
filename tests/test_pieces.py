"""Pieces in a model's words, through the whole gateway: ready before they are needed, asked for once, or not.

The upstream answers the gateway's own calls as well, as each test says. `kill` is kill -9.
"""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx
import pytest

from agents import Message, post
from answers import Answer, Recorded, json_answer, text_answer
from known import Known, again
from running import Running
from upstream import ScriptedUpstream

POLICY = """
window: 4000
reserve_output: 400
keep: {recent_ratio: 0.1}
steps:
  - use: tool_chains
    model: true
    min_tokens: 200
    max_tokens: 200
  - use: digest
summarizer: {retries: 0, part_ratio: 0.9}
"""
"""A budget of 3600 tokens: prepared from 2340 on, compacted from 2880 on down to 1620."""

MARK = "each of them was as expected"


class Working(Known):
    """An application before a gateway whose upstream puts pieces into fewer words, too."""

    def asked(self) -> list[str]:
        """Return what of the conversation was shown in each of the gateway's own calls for this key."""
        mine = [one for one in self.upstream.summaries if one.header("authorization") == f"Bearer {self.key}"]
        return [json.loads(one.body)["messages"][-1]["content"] for one in mine]

    def written(self) -> int:
        """Return how many texts were written so far."""
        found = re.findall(
            rb'haversack_summaries_total{outcome="written"[^\n]* ([0-9.]+)\n', self.gateway.get("/metrics")[1]
        )
        return int(sum(map(float, found)))

    def kept(self) -> int:
        """Return how many texts are stored."""
        with closing(sqlite3.connect(self.gateway.data_dir / "haversack.db", timeout=5)) as database:
            return int(database.execute("SELECT count(*) FROM summaries").fetchone()[0])


def telling(request: Recorded) -> Answer:
    """Return a good text for a piece: every call by its name and path."""
    shown = json.loads(request.body)["messages"][-1]["content"].partition("</conversation")[0]
    calls = re.findall(r'call \w+ (\w+) \{"path": ?"([^"]+)"', shown)
    return text_answer(request, "\n".join(f"- {name}(path={path}): {MARK}" for name, path in calls))


def turn(number: int, name: str, rounds: int = 5) -> list[Message]:
    """Return a turn of a worker: about 700 tokens, nearly all of them results."""
    messages: list[Message] = [{"role": "user", "content": f"Look through part {number} of {name}."}]
    for at in range(rounds):
        call_id, tool = f"{name}{number}c{at}", "write_file" if at == 3 else "read_file"
        arguments = json.dumps({"path": f"src/{name}_{number}_{at}.py"})
        function = {"name": tool, "arguments": arguments}
        call = {"id": call_id, "type": "function", "function": function}
        text = f"# {name} {number} {at}\n" + "the line says that all is well and goes on\n" * 11
        messages += [
            {"role": "assistant", "content": None, "tool_calls": [call]},
            {"role": "tool", "tool_call_id": call_id, "content": text},
        ]
    return [*messages, {"role": "assistant", "content": f"Part {number} is looked through."}]


def work(turns: int, name: str) -> list[Message]:
    """Return a conversation of so many turns, and a question."""
    messages: list[Message] = [{"role": "system", "content": "Be brief."}]
    for number in range(turns):
        messages += turn(number, name)
    return [*messages, {"role": "user", "content": "And now?"}]


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Running, ScriptedUpstream]]:
    """A gateway for all tests of this file: a key is a scope, so they share nothing else."""
    folder = tmp_path_factory.mktemp("pieces")
    (folder / "policies").mkdir()
    (folder / "policies" / "telling.yaml").write_text(POLICY)
    waiting = POLICY.replace("summarizer: {", "summarizer: {mode: inline, timeout_s: 20, ")
    (folder / "policies" / "waiting.yaml").write_text(waiting)
    (folder / "policies" / "next.yaml").write_text(
        POLICY.replace("summarizer: {", "summarizer: {mode: next, ")
    )
    flags = ("--policies", str(folder / "policies"), "--policy", "telling")
    with ScriptedUpstream() as upstream, Running(upstream.url, folder / "data", *flags) as gateway:
        yield gateway, upstream


@pytest.fixture
def app(shared: tuple[Running, ScriptedUpstream], request: pytest.FixtureRequest) -> Working:
    """An application with a key of its own, whose upstream writes good texts."""
    gateway, upstream = shared
    answers(upstream, telling)
    return Working(gateway, upstream, key=f"sk-{request.node.name}")


def answers(upstream: ScriptedUpstream, script: object) -> None:
    """Let the upstream answer the gateway's own calls so, and everybody else as always."""

    def scripted(request: Recorded) -> Answer:
        if request not in upstream.summaries and b"working notes" not in request.body:
            return upstream.vendor(request)
        return script(request) if callable(script) else script  # type: ignore[return-value]  # an answer

    upstream.script = scripted


def test_pieces_are_prepared_and_used_also_after_a_kill(app: Working) -> None:
    """Their texts are in place at the trigger, and every later request begins with the same bytes."""
    before, kept = app.written(), app.kept()
    assert app.send(work(3, "a")).action == "none"
    app.upstream.wait(lambda: app.written() >= before + len(app.asked()) > before)
    # A text is counted when it is there, and stored next.
    app.upstream.wait(lambda: app.kept() - kept >= app.written() - before)
    assert "write_file" in app.asked()[0]
    app.gateway.kill()
    app.gateway.start()

    said = app.send(work(4, "a"))

    assert said.action == "compacted"
    assert MARK.encode() in b"".join(app.last)
    assert b"haversack-digest" not in b"".join(app.last)
    assert app.asked()[0] not in app.asked()[1:]
    app.grow(work(4, "a"))


@pytest.mark.parametrize(
    "answer",
    [
        json_answer({"error": {"message": "no"}}, status=500),
        "",
        "Error: rate limit reached.",
        "Sure! I will look through all of it now.",
        "- read_file(path=src/b_0_0.py): nothing else was called",
        "- write_file(path=src/invented.py): ok",
    ],
    ids=["refusing", "empty", "error text", "answering", "leaving out", "inventing"],
)
def test_step_does_without_what_could_not_be_written(answer: Answer | str, app: Working) -> None:
    """Whatever the model answers, rules tell what was done, and nothing of that answer gets in."""
    answers(app.upstream, answer if isinstance(answer, Answer) else lambda one: text_answer(one, answer))
    app.send(work(3, "b"))
    app.upstream.wait(app.asked)

    said = app.send(work(4, "b"))

    assert said.action == "compacted"
    sent = b"".join(app.last)
    assert b"src/b_0_3.py" in sent
    assert not any(word in sent for word in (b"by a model", b"invented", b"Sure!", b"rate limit"))


def test_fifty_requests_at_once_ask_once_for_each_piece(app: Working) -> None:
    """Those that wait for it wait for the same call, and all of them have its text."""
    body = json.dumps({"model": "gpt-test", "messages": work(4, "c")}).encode()
    headers: dict[str, Any] = {"x-haversack-policy": "waiting"}
    with httpx.Client(base_url=app.gateway.url, timeout=60) as client, ThreadPoolExecutor(50) as clients:

        def send(_: int) -> str:
            return post(client, body, key=app.key, **headers).action

        assert set(clients.map(send, range(50))) <= {"compacted", "frozen"}

    assert len(set(app.asked())) == len(app.asked()) > 0
    mine = [one for one in app.upstream.chats if one.header("authorization") == f"Bearer {app.key}"]
    assert len(mine) == 50
    assert all(MARK.encode() in one.body for one in mine)


def test_piece_takes_effect_from_the_next_request_on(app: Working) -> None:
    """At the trigger nobody waits: it goes out with what rules tell, and the next one has the text."""
    policy = {"x-haversack-policy": "next"}
    before = app.written()
    app.send(work(4, "d"), **policy)
    first = app.last
    assert MARK.encode() not in b"".join(first)
    app.upstream.wait(lambda: app.written() >= before + len(app.asked()) > before)
    longer = [*work(4, "d"), *again("Yes.", "Go on.")]
    app.send(longer, **policy)
    assert MARK.encode() in b"".join(app.last)
    app.grow(longer, **policy)
