"""What a model wrote beforehand is in place when it is needed, through the whole gateway."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from agents import Message
from answers import Answer, Recorded, text_answer
from gateway.core.summary.form import TASK
from known import Known
from running import Running
from upstream import ScriptedUpstream

POLICY = """
extends: autocontext
window: 3000
reserve_output: 400
summarizer: {retries: 0}
"""
"""A budget of 2600 tokens: prepared from 1560 on, compacted from 1950 on, down to 1170."""

TEXTS = {
    "calls": "- read_file(path=src/part{0..4}.py) (x5): forty lines each, `value = 1`, all alike",
    "turn": "Both src/part0.py and src/part1.py were read; each says value = 1, 120 times.",
    "content": "The log is a line over and over: all is well.",
}
SIGNS = {"calls": b"is calls of tools", "turn": b"is one turn", "content": b"is too long to be kept"}
"""By which a call for a piece is known."""


class Writing(Known):
    """An application before a gateway whose upstream says pieces in fewer words, too."""

    def written(self) -> int:
        """Return how many texts are ready."""
        told = self.gateway.get("/metrics")[1].decode().splitlines()
        ready = (line for line in told if "haversack_summaries_total{" in line and '"written"' in line)
        return sum(int(float(line.split()[-1])) for line in ready)

    def prepares(self, messages: list[Message], key: str, texts: int = 1) -> None:
        """Send a list that is near the trigger, and wait until so many texts are ready."""
        before = self.written()
        assert self.send(messages, key=key).action == "none"
        self.upstream.wait(lambda: self.written() >= before + texts)


@pytest.fixture(scope="module")
def app(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Writing]:
    """An application before a gateway that the tests of this file share; each has a key of its own."""
    folder = tmp_path_factory.mktemp("autocontext")
    (folder / "policies").mkdir()
    (folder / "policies" / "auto.yaml").write_text(POLICY)
    flags = ("--policies", str(folder / "policies"), "--policy", "auto")
    with ScriptedUpstream() as upstream:

        def script(request: Recorded) -> Answer:
            if TASK.encode() not in request.body:
                return upstream.vendor(request)
            form = next(form for form, sign in SIGNS.items() if sign in request.body)
            return text_answer(request, TEXTS[form])

        upstream.script = script
        with Running(upstream.url, folder / "data", *flags) as gateway:
            yield Writing(gateway, upstream)


def round_of(id: str, path: str, result: str) -> list[Message]:
    """Return a call with its result."""
    function = {"name": "read_file", "arguments": json.dumps({"path": path})}
    call = {"id": id, "type": "function", "function": function}
    return [
        {"role": "assistant", "content": None, "tool_calls": [call]},
        {"role": "tool", "tool_call_id": id, "content": result},
    ]


def talk(turns: int) -> list[Message]:
    """Return so many turns of about a hundred tokens, and a question."""
    said: list[Message] = []
    for n in range(turns):
        said.append({"role": "user", "content": f"Tell me of the river, {n}. " + "And so on. " * 12})
        said.append({"role": "assistant", "content": "It flows. " * 12})
    return [*said, {"role": "user", "content": "And now?"}]


def run(calls: int, lines: int) -> list[Message]:
    """Return a turn with so many calls."""
    said: list[Message] = [{"role": "user", "content": "Read all parts."}]
    for n in range(calls):
        said += round_of(f"c{n}", f"src/part{n}.py", "value = 1\n" * lines)
    return [*said, {"role": "assistant", "content": "They are alike."}]


def test_note_of_a_run_was_written_beforehand(app: Writing) -> None:
    """Under the trigger it is asked for, once; at the trigger it is in the note, and nobody has waited."""
    asked = len(app.upstream.summaries)
    app.prepares([*run(5, 40), *talk(5)], key="a")
    assert app.send([*run(5, 40), *talk(8)], key="a").action == "compacted"
    (note,) = [item for item in app.last if b"<haversack-chain>" in item]
    assert TEXTS["calls"][2:].encode() in note
    assert len(app.upstream.summaries) == asked + 1
    app.grow([*run(5, 40), *talk(8)], key="a")


def test_turn_that_is_over_was_written_beforehand(app: Writing) -> None:
    """Too few calls for a note, so the turn is its question and one answer."""
    app.prepares([*run(2, 120), *talk(5)], key="b")
    assert app.send([*run(2, 120), *talk(8)], key="b").action == "compacted"
    assert b"Read all parts." in app.last[0]
    assert TEXTS["turn"].encode() in app.last[1]
    assert b"all of this turn: GET" in app.last[1]


def test_large_content_of_the_current_turn_was_written_beforehand(app: Writing) -> None:
    """The call stays, and its result is what was written of it."""
    ask: Message = {"role": "user", "content": "Why does it fail?"}
    log = [ask, *round_of("l", "make.log", "a line of the long log, all is well\n" * 150)]
    small = [message for n in range(6) for message in round_of(f"s{n}", f"f{n}.py", "value = 1\n" * 20)]
    app.prepares([*log, *small[:2]], key="c")
    assert app.send([*log, *small], key="c").action == "compacted"
    assert b"make.log" in app.last[1]
    assert b"in brief by a model" in app.last[2]
    assert TEXTS["content"].encode() in app.last[2]
