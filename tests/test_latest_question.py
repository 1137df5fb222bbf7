"""A long question in a small window, through the whole gateway: cut where it must be, whole where it fits."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import pytest

from answers import Answer, Recorded, json_answer
from clients.model import DIALECTS
from refusing import Got, ask
from rescue_requests import in_format, tools
from running import Running
from upstream import ScriptedUpstream

POLICY = "extends: mechanical\nwindows: {narrow: 4000, wide: 7200}\n"
PATHS = {
    "openai_chat": "/v1/chat/completions",
    "openai_responses": "/v1/responses",
    "anthropic_messages": "/v1/messages",
}
Messages = list[dict[str, Any]]


def lenient(request: Recorded) -> Answer:
    """Answer whatever is asked; there is no list of models."""
    path = request.target.partition("?")[0]
    dialect = next((one for one in DIALECTS.values() if path.endswith(one.path)), None)
    return dialect.say(request, "All right.") if dialect is not None else json_answer({}, status=404)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ScriptedUpstream, Running]]:
    """A gateway that knows both windows, before an upstream that takes everything."""
    folder = tmp_path_factory.mktemp("question")
    (folder / "policies").mkdir()
    (folder / "policies" / "windows.yaml").write_text(POLICY)
    flags = ("--policies", str(folder / "policies"), "--policy", "windows")
    with ScriptedUpstream() as upstream:
        upstream.script = lenient
        more = ("--anthropic-upstream", upstream.origin)
        with Running(upstream.url, folder / "data", *flags, *more) as gateway:
            yield upstream, gateway
            assert "failed" not in gateway.log


def words(number: int, seed: int) -> str:
    """Return a text of so many words."""
    chance = random.Random(seed)
    return " ".join(chance.choice(("apple", "river", "stone", "cloud", "table")) for _ in range(number))


QUESTION = f"Tell me what is odd about this: {words(3300, 1)}. Which word is the last?"


def called(number: int, size: int) -> Messages:
    """Return a call and its result of so many words."""
    call = {"id": f"c{number}", "type": "function", "function": {"name": "read_file", "arguments": "{}"}}
    result = {"role": "tool", "tool_call_id": f"c{number}", "content": words(size, number)}
    return [{"role": "assistant", "content": None, "tool_calls": [call]}, result]


@pytest.mark.parametrize("wire", PATHS)
def test_question_is_whole_again_in_the_next_request_that_has_room(
    stage: tuple[ScriptedUpstream, Running], wire: str
) -> None:
    """Seen: cut for one request, it stayed cut in all that followed. It is whole, and stays where it is."""
    upstream, gateway = stage
    asked: Messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": QUESTION}]

    def send(model: str, *messages: dict[str, Any]) -> tuple[Got, list[Any]]:
        body = in_format(wire, {"model": model, "messages": [*asked, *messages], "tools": tools()})
        key = {"x-api-key": "k", "anthropic-version": "2023-06-01"}
        got = ask(gateway.port, body, PATHS[wire], **(key if wire == "anthropic_messages" else {}))
        return got, DIALECTS[wire].items(upstream.requests[-1].json)

    first, cut = send("narrow", *called(1, 1800))
    assert (first.header("x-haversack-action"), QUESTION in json.dumps(cut)) == ("compacted", False)

    _, wider = send("wide", *called(1, 1800), *called(2, 1500))
    _, longer = send("wide", *called(1, 1800), *called(2, 1500), *called(3, 20))
    assert QUESTION in json.dumps(wider)
    assert longer[: len(wider)] == wider

    _, back = send("narrow", *called(4, 20))
    assert QUESTION in json.dumps(back)
