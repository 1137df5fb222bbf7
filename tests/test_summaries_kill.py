"""A gateway that is killed while summaries are written loses what was not whole, and nothing else.

`kill` is kill -9: one process, and in it a summary at every moment of its life.
"""

from __future__ import annotations

import re
import sqlite3
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from agents import Message
from answers import Answer, Recorded, never, text_answer
from known import Known, again
from river import BEGINNING, POLICY, SUMMARY
from running import Running
from upstream import ScriptedUpstream


def talk(turns: int) -> list[Message]:
    """Return so many turns of about 120 tokens each, the last of them not yet answered."""
    messages: list[Message] = [{"role": "system", "content": "Be brief."}]
    for _ in range(turns):
        messages += [
            {"role": "user", "content": "Tell me about the river once more, " + "and so on " * 20},
            {"role": "assistant", "content": "It flows between its banks, " + "and on " * 15},
        ]
    return messages[:-1]


NEAR, OVER = talk(10), talk(12)


HEAD = [("content-type", "application/json")]


class Killed(Known):
    """An application whose conversations have a key each, and with it an answer of the summariser."""

    def __init__(self, gateway: Running, upstream: ScriptedUpstream) -> None:
        super().__init__(gateway, upstream)
        self.answers: dict[str, Callable[[Recorded], Answer]] = {}
        upstream.script = self._answer

    def _answer(self, request: Recorded) -> Answer:
        if request not in self.upstream.summaries:
            return self.upstream.vendor(request)
        return self.answers.get(_key(request), whole)(request)

    def asked(self, key: str) -> list[Recorded]:
        """Return the calls of the summariser for a key so far."""
        return [request for request in self.upstream.summaries if _key(request) == key]

    def written(self) -> int:
        """Return how many summaries were written since the start."""
        told = self.gateway.get("/metrics")[1]
        found = re.findall(rb'haversack_summaries_total{outcome="written"[^\n]* ([0-9.]+)\n', told)
        return int(sum(map(float, found)))

    def prepares(self, key: str, answer: Callable[[Recorded], Answer]) -> None:
        """Send a list that is near the trigger; its summary is asked for."""
        self.answers[key] = answer
        before = len(self.asked(key))
        assert self.send(NEAR, key=key).action == "none"
        self.upstream.wait(lambda: len(self.asked(key)) > before)


def _key(request: Recorded) -> str:
    return (request.header("authorization") or "").removeprefix("Bearer ")


def whole(request: Recorded) -> Answer:
    """Return the summary."""
    return text_answer(request, SUMMARY)


def half(request: Recorded) -> Answer:
    """Return the beginning of the summary; the rest never comes."""
    (body,) = whole(request).chunks
    assert isinstance(body, bytes)
    cut = body.index(BEGINNING.encode()) + len(BEGINNING)
    return Answer(200, [*HEAD, ("content-length", str(len(body)))], (body[:cut],), "none", "hang")


def when(go: threading.Event) -> Callable[[Recorded], Answer]:
    """Return what answers with the summary once it may."""

    def chunks(request: Recorded) -> Iterator[bytes | float]:
        while not go.is_set():
            yield 0.005
        yield from whole(request).chunks

    return lambda request: Answer(200, HEAD, chunks(request), "chunked")


def test_kill_while_summaries_are_written_leaves_nothing_half(
    upstream: ScriptedUpstream, tmp_path: Path
) -> None:
    """What was stored is used, also where a request has gone out without; all else is asked for again.

    None of it is found in the store or in a conversation.
    """
    (tmp_path / "policies").mkdir()
    (tmp_path / "policies" / "summing.yaml").write_text(POLICY)
    (tmp_path / "policies" / "next.yaml").write_text(POLICY.replace("{sections", "{mode: next, sections"))
    flags = ("--policies", str(tmp_path / "policies"), "--policy", "summing")
    path, go = tmp_path / "data" / "haversack.db", threading.Event()
    with Running(upstream.url, tmp_path / "data", *flags) as gateway:
        app = Killed(gateway, upstream)
        app.prepares("stored", whole)
        upstream.wait(lambda: stored(path) == 1)
        assert app.send(OVER, key="late", x_haversack_policy="next").action == "compacted"
        upstream.wait(lambda: stored(path) == 2)
        app.prepares("asked", lambda _: never())
        app.prepares("half", half)
        app.prepares("half again", half)
        app.prepares("answered", when(go))
        with closing(sqlite3.connect(path, isolation_level=None)) as database:
            database.execute("BEGIN IMMEDIATE")  # so that nothing else can be stored
            go.set()
            upstream.wait(lambda: app.written() == 3)
            gateway.kill()
        assert stored(path) == 2
        app.answers.clear()
        gateway.start()

        assert app.send(OVER, key="half again").action == "compacted"
        assert BEGINNING.encode() not in b"".join(app.last)
        for key in ("asked", "half", "answered"):
            app.prepares(key, whole)
        upstream.wait(lambda: stored(path) == 5)
        for key in ("stored", "asked", "half", "answered"):
            assert app.send(OVER, key=key).action == "compacted"
            assert sum(SUMMARY.encode() in item for item in app.last) == 1
        app.send([*OVER, *again("Yes.", "Go on.")], key="late", x_haversack_policy="next")
        assert sum(SUMMARY.encode() in item for item in app.last) == 1
        assert [len(app.asked(key)) for key in ("stored", "late")] == [1, 1]


def stored(path: Path) -> int:
    """Return how many summaries are in a store."""
    with closing(sqlite3.connect(path)) as database:
        found: int = database.execute("SELECT count(*) FROM summaries").fetchone()[0]
        return found
