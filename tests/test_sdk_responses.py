"""Applications that speak Responses with the official SDK keep working on talks longer than the window.

As `test_sdk`, which does the same for Chat Completions: nothing in the client is changed but its base URL,
and the upstream refuses what is too long or malformed as the vendor documents it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import openai
import pytest

from agents import SYSTEM, lines, task
from clients.dialects import Json, compact
from clients.model import Model, Plan, answer
from running import Running
from upstream import ScriptedUpstream

WINDOW = 8_000
TURNS = 60
PATHS = {"type": "object", "properties": {"path": {"type": "string"}}}
TOOL = {"type": "function", "name": "read_file", "description": "Return a file.", "parameters": PATHS}

Talk = Generator[list[Json], Any, list[str]]
"""Yields the items to send, is given the response to them, and returns what was answered."""


def tool_loop() -> Talk:
    """Ask, run both calls that come back, and go on until there is an answer."""
    items: list[Json] = []
    said: list[str] = []
    for turn in range(TURNS):
        items.append({"role": "user", "content": task(turn)})
        calls = [None]
        while calls:
            response = yield list(items)
            items += [item.to_dict() for item in response.output]
            calls = [item for item in response.output if item.type == "function_call"]
            items += [_result(call) for call in calls]
        said.append(response.output_text)
    return said


def _result(call: Any) -> Json:
    path = json.loads(call.arguments)["path"]
    return {"type": "function_call_output", "call_id": call.call_id, "output": lines(path, 600)}


def run(client: openai.OpenAI, stream: bool) -> list[str]:
    """Hold the talk with the client, and return what was answered."""
    talk = tool_loop()
    items = next(talk)
    while True:
        if stream:
            with client.responses.stream(**_asked(items)) as events:
                response: Any = events.get_final_response()
        else:
            response = client.responses.create(**_asked(items))
        try:
            items = talk.send(response)
        except StopIteration as end:
            return list(end.value)


async def run_async(client: openai.AsyncOpenAI, stream: bool) -> list[str]:
    """Do the same with the async client."""
    talk = tool_loop()
    items = next(talk)
    while True:
        if stream:
            async with client.responses.stream(**_asked(items)) as events:
                response: Any = await events.get_final_response()
        else:
            response = await client.responses.create(**_asked(items))
        try:
            items = talk.send(response)
        except StopIteration as end:
            return list(end.value)


def _asked(items: list[Json]) -> dict[str, Any]:
    return {"model": "gpt-test", "instructions": SYSTEM, "input": items, "tools": [TOOL], "store": False}


@pytest.fixture
def model() -> Model:
    """What answers in the upstream's place, in a small window: a text, to one question of four after calls.

    The SDK takes seconds to write what has hundreds of items; so they are few and long.
    """
    return Model(Plan("read_file", {"path": "src/module_{n}.py"}, parallel=2, every=4), WINDOW)


def kept_promises(model: Model, said: list[str]) -> None:
    """Assert that every question got its answer, and that all that was accepted is as promised."""
    assert model.faults + model.errors == []
    assert all(text.startswith(answer(turn + 1)) for turn, text in enumerate(said))
    assert len(said) == TURNS
    assert len(model.accepted) == TURNS + TURNS // 4
    assert model.refused == 1
    for number, (_, body) in enumerate(model.accepted):
        assert body["instructions"] == SYSTEM
        assert body["tools"] == [TOOL]
        # Five requests for each four questions: the first of them takes two.
        assert {"role": "user", "content": task(number * 4 // 5)} in body["input"]
    assert max(len(compact(body)) for _, body in model.accepted) < WINDOW * 6


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_sixty_turns_with_tools(model: Model, tmp_path: Path, stream: bool) -> None:
    """A tools loop of 60 turns: no error, valid lists, one request refused in all."""
    with ScriptedUpstream() as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        upstream.script = model
        with openai.OpenAI(base_url=gateway.url, api_key="k", max_retries=0) as client:
            said = run(client, stream)

    kept_promises(model, said)


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
def test_sixty_turns_with_tools_async(model: Model, tmp_path: Path, stream: bool) -> None:
    """The same with the async client."""

    async def talk(url: str) -> list[str]:
        async with openai.AsyncOpenAI(base_url=url, api_key="k", max_retries=0) as client:
            return await run_async(client, stream)

    with ScriptedUpstream() as upstream, Running(upstream.url, tmp_path / "data") as gateway:
        upstream.script = model
        said = asyncio.run(talk(gateway.url))

    kept_promises(model, said)
