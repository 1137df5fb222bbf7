"""Summaries by a model, through the whole gateway: ready before they are needed, never waited for or half.

The upstream answers the summariser's calls as well, as each test says. `kill` is kill -9; what it does while
one is written is in `test_summaries_kill.py`.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from agents import Message
from answers import Answer, Recorded, json_answer, never, text_answer
from gateway.core.summary.form import TASK
from known import Known, again
from river import POLICY, SUMMARY
from running import Running
from upstream import ScriptedUpstream


class Talking(Known):
    """An application before a gateway whose upstream writes summaries, too."""

    def asked(self) -> list[Recorded]:
        """Return the calls of the summariser so far."""
        return self.upstream.summaries

    def answers(self, answer: Answer | str) -> None:
        """Let the upstream answer the summariser so, and everybody else as always."""

        def script(request: Recorded) -> Answer:
            if TASK.encode() not in request.body:
                return self.upstream.vendor(request)
            return text_answer(request, answer) if isinstance(answer, str) else answer

        self.upstream.script = script

    def prepared(self) -> bool:
        """Return whether a summary is ready."""
        return b'haversack_summaries_total{outcome="written"' in self.gateway.get("/metrics")[1]


@pytest.fixture
def app(upstream: ScriptedUpstream, tmp_path: Path) -> Iterator[Talking]:
    """An application before a gateway of its own."""
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "summing.yaml").write_text(POLICY)
    flags = ("--policies", str(tmp_path / "policies"), "--policy", "summing")
    with Running(upstream.url, tmp_path / "data", *flags) as gateway:
        yield Talking(gateway, upstream)
        assert "failed" not in gateway.log.replace("outcome=failed", "")


def talk(turns: int, name: str = "a") -> list[Message]:
    """Return the turns of a conversation of about 120 tokens each, the last of them not yet answered."""
    messages: list[Message] = [{"role": "system", "content": "Be brief."}]
    for _ in range(turns):
        messages += [
            {"role": "user", "content": f"Tell me, {name}, about the river once more, " + "and so on " * 20},
            {"role": "assistant", "content": "It flows between its banks, " + "and on " * 15},
        ]
    return messages[:-1]


NEAR, OVER = talk(10), talk(12)


def test_prepared_summary_is_applied_and_replayed_also_after_a_kill(app: Talking) -> None:
    """It is in place at the trigger, and every later request begins with the same bytes."""
    app.answers(SUMMARY)
    assert app.send(NEAR).action == "none"
    app.upstream.wait(app.prepared)
    app.gateway.kill()
    app.gateway.start()

    said = app.send(OVER)

    assert said.action == "compacted"
    assert sum(SUMMARY.encode() in item for item in app.last) == 1
    app.grow(OVER)
    app.gateway.kill()
    app.gateway.start()
    app.grow(OVER)
    assert len(app.asked()) == 1


def test_conversation_of_a_summary_is_named_in_the_log_as_its_requests_are(app: Talking) -> None:
    """By its client's name for it, or else by its beginning: who follows one conversation sees both."""
    app.answers(SUMMARY)
    named = app.send(NEAR, x_session_id="mine").session
    unnamed = app.send(talk(10, "b"), key="another").session

    app.upstream.wait(lambda: app.gateway.log.count(" summary ") == 2)

    said = re.findall(r" summary .*session=(\w+) form=summary", app.gateway.log)
    assert set(said) == {named, unnamed}
    assert "mine" not in app.gateway.log


def test_summariser_is_asked_as_the_client_asks(app: Talking) -> None:
    """With the client's key and model, for a plain text: no tools, no stream."""
    app.answers(SUMMARY)
    app.send(NEAR, key="sk-mine")
    app.upstream.wait(app.asked)

    (call,) = app.asked()
    body: dict[str, Any] = json.loads(call.body)
    assert call.header("authorization") == "Bearer sk-mine"
    assert body["model"] == "gpt-test"
    assert not {"tools", "stop", "n", "response_format", "stream_options"} & set(body)


@pytest.mark.parametrize(
    "answer",
    [json_answer({"error": {"message": "no"}}, status=500), "", "Error: rate limit reached.", SUMMARY * 90],
    ids=["refusing", "empty", "error text", "too long"],
)
def test_client_never_sees_that_a_summariser_fails(answer: Answer | str, app: Talking) -> None:
    """Whatever it answers, the digest does it, and nothing of that answer goes into the conversation."""
    app.answers(answer)
    app.send(NEAR)
    app.upstream.wait(app.asked)

    said = app.send(OVER)

    assert said.action == "compacted"
    assert b"haversack-digest" in b"".join(app.last)
    assert b"Summary by a model" not in b"".join(app.last)


def test_fifty_requests_at_once_have_one_summary_written(app: Talking) -> None:
    """While it is written all are answered, and none of them asks for another."""
    app.answers(never())
    app.send(NEAR)
    app.upstream.wait(app.asked)

    with ThreadPoolExecutor(50) as clients:
        actions = list(clients.map(lambda _: app.send([*NEAR, *again("Yes.", "Go on.")]).action, range(50)))

    assert actions == ["none"] * 50
    assert len(app.asked()) == 1


def test_three_hundred_turns_wait_for_no_summary(app: Talking) -> None:
    """A summariser that never answers delays nobody: every request goes out, and fits."""
    app.answers(never())
    done = threading.Event()

    def turns() -> None:
        messages = talk(1)
        for _ in range(300):
            app.send(messages)
            messages = [*messages, *again("It flows on, " + "and on " * 15, "And then? " + "so to say " * 20)]
        done.set()

    client = threading.Thread(target=turns)
    client.start()
    client.join(timeout=120)

    assert done.is_set()
    sent = [request for request in app.upstream.chats if request not in app.asked()]
    assert len(sent) == 300
    assert max(request.tokens.total for request in sent) < 2000
